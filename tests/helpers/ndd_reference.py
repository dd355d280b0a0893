"""NDD slowly and plainly, from the paper's formulas; shares no code with tted_core.

Texts are lists of words joined by spaces. One sentence at a time goes through the model, without padding.
"""

import math

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer


class SlowModel:
    """A masked model's folder, read by transformers directly."""

    def __init__(self, folder):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModelForMaskedLM.from_pretrained(folder).eval()
        self.seen = {}

    def probabilities(self, words, position):
        """MLM(W, i): softmax(PLM(W_m)_i), as a list."""
        masked = " ".join([*words[:position], "[MASK]", *words[position + 1 :]])
        pieces = ["[CLS]", *self.tokenizer.tokenize(masked), "[SEP]"]
        if masked not in self.seen:
            self.seen[masked] = self._softmax(pieces, pieces.index("[MASK]"))
        return self.seen[masked]

    def surprisal(self, words, position):
        first = self.tokenizer.tokenize(words[position])[0]
        return -math.log(self.probabilities(words, position)[self.tokenizer.convert_tokens_to_ids(first)])

    def perplexity(self, text):
        pieces = ["[CLS]", *self.tokenizer.tokenize(text), "[SEP]"]
        logs = []
        for at in range(1, len(pieces) - 1):
            masked = [*pieces[:at], "[MASK]", *pieces[at + 1 :]]
            (wanted,) = self.tokenizer.convert_tokens_to_ids([pieces[at]])
            logs.append(math.log(self._softmax(masked, at)[wanted]))
        return math.exp(-sum(logs) / len(logs))

    def _softmax(self, pieces, at):
        ids = self.tokenizer.convert_tokens_to_ids(pieces)
        with torch.no_grad():
            logits = [float(x) for x in self.model(torch.tensor([ids])).logits[0, at]]
        top = max(logits)
        powers = [math.exp(x - top) for x in logits]
        return [x / sum(powers) for x in powers]


def kl(p, q):
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def a(k, spans, mu):
    """mu^min(|k-i|, |k-j|) of the nearest span; beside an insertion (j = i - 1) the distance is 1."""
    exponents = []
    for i, j in spans:
        if j >= i:
            exponents.append(min(abs(k - i), abs(k - j)))
        else:
            exponents.append(i - k if k <= j else k - j)
    return mu ** min(exponents)


def slow_ndd(model, pieces, *, mu=0.9, nu=1.0, balanced=False):
    """NDD of an edit: a string is an unedited word, a pair of lists an edited span and its new words.

    >>> slow_ndd(model, ["I", (["am"], ["was"]), "walking"])  # doctest: +SKIP
    """
    before, after, kept, spans = [], [], [], []
    for piece in pieces:
        if isinstance(piece, str):
            kept.append((len(before), len(after)))
            before.append(piece)
            after.append(piece)
        else:
            spans.append((len(before) + 1, len(before) + len(piece[0])))
            before += piece[0]
            after += piece[1]
    if not spans:
        return 0.0
    total = 0.0
    for here, there in kept:
        k = here + 1
        weight = a(k, spans, mu)
        if balanced:
            weight += a(len(kept) - k, spans, mu) * mu ** len(kept)
        divergence = kl(model.probabilities(after, there), model.probabilities(before, here))
        total += weight * nu**k * divergence
    return total


def slow_node_distance(model, pieces, mu=0.9):
    """NDD of the unedited words, and the surprisal of each edited word's first piece."""
    before = [word for piece in pieces for word in ([piece] if isinstance(piece, str) else piece[0])]
    after = [word for piece in pieces for word in ([piece] if isinstance(piece, str) else piece[1])]
    total = slow_ndd(model, pieces, mu=mu)
    here = there = 0
    for piece in pieces:
        if isinstance(piece, str):
            here, there = here + 1, there + 1
            continue
        for _ in piece[0]:
            total += model.surprisal(before, here)
            here += 1
        for _ in piece[1]:
            total += model.surprisal(after, there)
            there += 1
    return total
