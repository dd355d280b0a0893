"""Predicates, and what is pruned (Tables 7 and 6 of the NDD paper), with what all its tables have in common.

The more an edit of a word disturbs the others, the likelier is it a predicate. Each word is deleted, replaced by
a mask, and replaced by a certain word; the NDD of that, with the weights a_k of section 2, ranks the words of
the sentence. The ensemble is the product of the three, each as a share of its sum over the sentence, which the
paper calls probabilities without saying how they are made; the ranking is the same for any scale. For comparison
the words are ranked by the perplexity of what the edit makes. NDD can be compared within a sentence only, so mAP
and AUC are means over the sentences that have both a predicate and another word.

What compression prunes of dependency trees: Depth-n is the share of all pruned words that stand at level n of
their tree, the root being 1; Subtree-n the share of the pruned spans of n words that are whole subtrees. The
paper's random deletes "random words of the same number"; here spans of the same lengths are put at random
places, so that both are held against the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.ndd import Compressor, Weights, choose_spans
from tted_core.distances.ndd.compression import MAX_SPAN, NDD_MAX
from tted_core.distances.ndd.divergence import weighted_divergence, word_gaps
from tted_core.distances.ndd.weights import COMPRESSION, Alignment, Span
from tted_core.encoders.masked_model import Gap, MaskedModel
from tted_core.errors import MapFormatError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import auc
from tted_core.measures.ndd_tables.parsed import ParsedSentence
from tted_core.words.splitting import Sentence, Word

__all__ = ["Asked", "PaperTable", "Row"]

Row: TypeAlias = Mapping[str, str | float | None]


@dataclass(frozen=True)
class Asked:
    """What a table is made with; each takes what concerns it.

    Attributes:
        max_spans: L_max, each with each of ``limits``.
        limits: NDD_max.
        rate: the largest share of words to be left; None deletes all that may go.
        mu: of the weights of compression and, unbalanced, of predicate detection.
        nu: of the weights of compression.
        word: what replaces a word; the paper takes "a" or "that" for English and "el" for Spanish.
        seed: of what is done at random.
    """

    max_spans: tuple[int, ...] = (MAX_SPAN,)
    limits: tuple[float, ...] = (NDD_MAX,)
    rate: float | None = None
    mu: float = COMPRESSION.mu
    nu: float = COMPRESSION.nu
    word: str = "a"
    seed: int = 0


@dataclass(frozen=True)
class PaperTable:
    """Rows with the same columns, None where there is nothing to compute a number from.

    ``notes`` say of what they were made.
    """

    rows: tuple[Row, ...]
    notes: tuple[str, ...]


Likelihoods = NDArray[np.float64]
"""(n,) the larger, the likelier is the word a predicate."""


def predicate_table(
    sentences: Sequence[ParsedSentence],
    model: MaskedModel,
    asked: Asked,
    monitor: Monitor = UNWATCHED,
) -> PaperTable:
    """Mean average precision and AUC of three edits by NDD, of their ensemble, and of two edits by perplexity.

    Raises:
        MapFormatError: no sentence has both a predicate and another word.
        LimitError: a sentence is longer than the model reads.
        Interrupted: the monitor said stop.
    """
    useful = [each for each in sentences if 0 < len(each.predicates) < len(each.heads)]
    if not useful:
        raise MapFormatError("no sentence has both a predicate and another word; give others")
    ranked: dict[str, list[tuple[float, float]]] = {}
    for parsed in monitor.over(useful, f"Editing every word of {len(useful)} sentences"):
        is_predicate = np.isin(np.arange(len(parsed.heads)), list(parsed.predicates))
        for method, scores in word_scores(parsed.sentence, model, asked.word, Weights(asked.mu)).items():
            ranked.setdefault(method, []).append(
                (average_precision(scores, is_predicate), auc(scores[~is_predicate], scores[is_predicate]))
            )
    rows = tuple(
        {"method": method, **dict(zip(("mAP", "AUC"), (100 * np.mean(found, axis=0)).tolist(), strict=True))}
        for method, found in ranked.items()
    )
    count = sum(len(each.predicates) for each in useful)
    kind = "marked predicates" if all(each.marked for each in useful) else "verbs (UPOS VERB) for predicates"
    return PaperTable(rows, (f"{len(useful)} of {len(sentences)} sentences, with {count} {kind}",))


def word_scores(
    sentence: Sentence, model: MaskedModel, word: str, weights: Weights
) -> dict[str, Likelihoods]:
    """Method -> the scores of a sentence's n words."""
    size = range(len(sentence.words))
    before = list(model.distributions(word_gaps(sentence, size)))
    edits = {
        "delete": [sentence.without([at]) for at in size],
        "replace by mask": [_replaced(sentence, at, model.mask) for at in size],
        f"replace by “{word}”": [_replaced(sentence, at, word) for at in size],
    }
    found = {f"NDD, {edit}": _divergences(before, edited, model, weights) for edit, edited in edits.items()}
    shares = [scores / scores.sum() if scores.sum() > 0 else scores for scores in found.values()]
    found["NDD, ensemble"] = np.prod(shares, axis=0)
    for edit in ("delete", "replace by mask"):
        # Of nothing there is no perplexity, and nothing surprises nobody.
        found[f"perplexity, {edit}"] = np.array([model.perplexity(each.text) or 1.0 for each in edits[edit]])
    return found


def average_precision(scores: Likelihoods, wanted: NDArray[np.bool_]) -> float:
    """The mean, over what is wanted, of the precision down to its rank; of equal scores the first ranks first.

    >>> average_precision(np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, False]))
    0.8333333333333333
    """
    ranked = wanted[np.argsort(-scores, kind="stable")]
    precisions = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float(precisions[ranked].mean())


def _replaced(sentence: Sentence, at: int, by: str) -> Sentence:
    """The sentence with another word in this place."""
    old = sentence.words[at]
    shift = len(by) - len(old.text)
    words = [
        word if number < at else Word(word.text, word.start + shift, word.end + shift)
        for number, word in enumerate(sentence.words)
    ]
    words[at] = Word(by, old.start, old.start + len(by))
    return Sentence(sentence.text[: old.start] + by + sentence.text[old.end :], tuple(words))


def _divergences(
    before: Sequence[NDArray[np.float64]], edited: Sequence[Sentence], model: MaskedModel, weights: Weights
) -> Likelihoods:
    """NDD of each edit of one word: the other words' predictions before and after."""
    size = len(before)
    gaps: list[Gap] = []
    for each in edited:
        gaps += word_gaps(each, range(len(each.words)))
    after = model.distributions(gaps)
    found = []
    for at, each in enumerate(edited):
        there = len(each.words) - size + 1  # words in the edited one's place
        kept = tuple((k, k if k < at else k - 1 + there) for k in range(size) if k != at)
        alignment = Alignment(kept, (Span((at, at + 1), (at, at + there)),))
        predicted = list(islice(after, len(each.words)))
        found.append(weighted_divergence(alignment, before, predicted, weights))
    return np.array(found)


DEPTHS = ("depth 1", "depth 2", "depth 3", "depth ≥ 4")
LENGTHS = ("subtree 1", "subtree 2", "subtree ≥ 3")

Spans = list[tuple[ParsedSentence, int, int]]
"""Words ``start`` to ``stop - 1`` of a sentence."""


def pruning_table(
    sentences: Sequence[ParsedSentence],
    model: MaskedModel,
    asked: Asked,
    monitor: Monitor = UNWATCHED,
) -> PaperTable:
    """Random and NDD, for each L_max and NDD_max.

    Raises:
        LimitError: a sentence has too many words for the model, or for trying all spans.
        Interrupted: the monitor said stop.
    """
    rng = np.random.default_rng(asked.seed)
    settings = [(longest, limit) for longest in asked.max_spans for limit in asked.limits]
    compressor = Compressor(model, max(asked.max_spans), Weights(asked.mu, asked.nu, balanced=True))
    pruned: dict[tuple[str, int, float], Spans] = {
        (method, *setting): [] for method in ("random", "NDD") for setting in settings
    }
    for parsed in monitor.over(sentences, f"Trying the spans of {len(sentences)} sentences"):
        scored = compressor.spans(parsed.sentence, monitor)
        for longest, limit in settings:
            short = [span for span in scored if span.stop - span.start <= longest]
            chosen = choose_spans(parsed.sentence, short, limit)
            lengths = [span.stop - span.start for span in chosen]
            places = random_spans(len(parsed.heads), lengths, rng)
            pruned["NDD", longest, limit] += [(parsed, span.start, span.stop) for span in chosen]
            pruned["random", longest, limit] += [(parsed, *place) for place in places]
    rows = tuple(
        {"method": method, "L_max": float(longest), "NDD_max": limit, **proportions(spans)}
        for (method, longest, limit), spans in pruned.items()
    )
    return PaperTable(rows, (f"{len(sentences)} sentences",))


def proportions(spans: Spans) -> dict[str, float | None]:
    """Depth-n and Subtree-n in percent, None of no words or spans; and how many words were pruned."""
    depths = [
        min(parsed.depths[at], len(DEPTHS)) for parsed, start, stop in spans for at in range(start, stop)
    ]
    whole: dict[int, list[bool]] = {}
    for parsed, start, stop in spans:
        found = whole.setdefault(min(stop - start, len(LENGTHS)), [])
        found.append(frozenset(range(start, stop)) in parsed.subtrees)
    return {
        **{
            name: 100 * depths.count(depth) / len(depths) if depths else None
            for depth, name in enumerate(DEPTHS, start=1)
        },
        **{
            name: 100 * float(np.mean(whole[length])) if length in whole else None
            for length, name in enumerate(LENGTHS, start=1)
        },
        "words pruned": float(len(depths)),
    }


def random_spans(size: int, lengths: Sequence[int], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Spans of these lengths in a random order at random places among ``size`` words, none overlapping another."""
    order = rng.permutation(np.array(lengths, dtype=int))
    free = size - int(order.sum())
    places = np.sort(rng.permutation(free + len(order))[: len(order)])
    # What stands before a span: the free words up to it, and the spans before it.
    starts = places - np.arange(len(order)) + np.cumsum(order) - order
    return [(int(start), int(start + length)) for start, length in zip(starts, order, strict=True)]
