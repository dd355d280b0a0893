"""NDD, neighbouring distribution divergence: the effect of an edit on the meaning of a sentence's other words.

Source: "A Novel Metric for Evaluating Semantics Preservation" (anonymous ACL submission). Each word that an edit
doesn't touch is masked, and a masked language model predicts it before and after:

    NDD(W, W') = sum over the unedited words k of weight_k KL(d'_k || d_k)

Unedited words and edited spans come from a word alignment of the two sentences. The number of unedited words is
maximal: the alignment is a longest common subsequence of the words as written.

For one edited span i .. j the weight is a_k = mu^min(|k-i|, |k-j|) (sections 2 and 4.3). With several spans the
closest one counts, and for an insertion, which edits no word of the first sentence, the words on both sides of it
are at distance 1, as beside any other span. The balanced weight is a'_k = a_k + a_(n'-k) mu^n', with n' the number
of unedited words, as printed (a_x is its formula for any whole number x). b_k = nu^k lets later words count less,
so that they are deleted first.

NDD also serves as a node distance of TTED. It is not a metric: the triangle inequality can break. The paper sums
over unedited words only, so an edit of all words, or the deletion of a sentence, would cost nothing. For tree
edit distance an edited word costs its surprisal -log P(word | its neighbours), by the same prediction, in the
sentence that has it; for a word of several word pieces, that of the first one. A word that follows from its
neighbours costs little, others cost much. Two sentences without a common word then cost as much as deleting one
and inserting the other, and deleting a sentence costs about minus its pseudo-log-likelihood (Salazar et al. 2020).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.masked_model import MaskedModel, MaskedSpan
from tted_core.errors import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import Word, split_words

# Maximum numbers in a masked model's predictions in memory, 8 bytes each: words times vocabulary.
MAX_PREDICTED_VALUES = 100_000_000

# (w, c) log-probabilities of each of w words among c word pieces.
Predictions: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class TokenizedText:
    """A text and its words."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, text: str) -> "TokenizedText":
        """Split a text."""
        return cls(text, split_words(text))

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The words in lower case, without punctuation.

        >>> TokenizedText.of("Reefs, a HOME!").spoken
        ('reefs', 'a', 'home')
        """
        return tuple(word.text.lower() for word in self.words if word.is_spoken)

    def without(self, removed: Iterable[int]) -> "TokenizedText":
        """The sentence without these words (by position); other words keep the space before them.

        >>> TokenizedText.of("The limit on rural roads, sadly, is low.").without([2, 3, 4]).text
        'The limit, sadly, is low.'
        """
        gone = set(removed)
        text = ""
        words = []
        end = 0
        for position, word in enumerate(self.words):
            space, end = self.text[end : word.start] if text else "", word.end
            if position not in gone:
                if text and not space and len(split_words(text[-1] + word.text[0])) == 1:
                    space = " "  # a removed word separated them
                text += space + word.text
                words.append(Word(word.text, len(text) - len(word.text), len(text)))
        return TokenizedText(text, tuple(words))


@dataclass(frozen=True)
class EditedSpan:
    """An edited span: words ``before[0]`` .. ``before[1] - 1`` became ``after[0]`` .. ``after[1] - 1``."""

    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def printed(self) -> tuple[int, int]:
        """(i, j) counted as in the paper: from 1, both ends included. An insertion before word i has j = i - 1."""
        return self.before[0] + 1, self.before[1]


@dataclass(frozen=True)
class Alignment:
    """The positions of unedited words in both sentences, in order, and the edited spans between them."""

    kept: tuple[tuple[int, int], ...]
    spans: tuple[EditedSpan, ...]


def align(before: Sequence[str], after: Sequence[str]) -> Alignment:
    """Align two lists of words.

    >>> align("I was walking".split(), "I am".split())
    Alignment(kept=((0, 0),), spans=(EditedSpan(before=(1, 3), after=(1, 2)),))
    """
    from rapidfuzz.distance import LCSseq

    kept: list[tuple[int, int]] = []
    for block in LCSseq.opcodes(before, after):
        if block.tag == "equal":
            kept += zip(
                range(block.src_start, block.src_end), range(block.dest_start, block.dest_end), strict=True
            )
    ends = ((-1, -1), *kept, (len(before), len(after)))
    gaps = [((a + 1, c), (b + 1, d)) for (a, b), (c, d) in pairwise(ends)]
    return Alignment(
        tuple(kept), tuple(EditedSpan(*gap) for gap in gaps if gap[0][0] < gap[0][1] or gap[1][0] < gap[1][1])
    )


@dataclass(frozen=True)
class Weights:
    """Parameters of the weights.

    Args:
        mu: factor of the weight for each word of distance from the edit, above 0 and at most 1.
        nu: factor for each word before it, likewise; 1 omits b_k.
        balanced: use a'_k instead of a_k.
    """

    mu: float = 0.9
    nu: float = 1.0
    balanced: bool = False

    def of(self, alignment: Alignment) -> list[float]:
        """The weight of each unedited word of an edit with a span or more."""
        spans = [span.printed for span in alignment.spans]
        unedited = len(alignment.kept)
        weights = []
        for position, _ in alignment.kept:
            k = position + 1  # the paper counts from 1
            weight = self.mu ** distance(k, spans)
            if self.balanced:
                weight += self.mu ** distance(unedited - k, spans) * self.mu**unedited
            weights.append(weight * self.nu**k)
        return weights


COMPRESSION = Weights(mu=0.9, nu=0.9, balanced=True)  # the paper's weights for compression (section 4.4)


def distance(k: int, spans: Sequence[tuple[int, int]]) -> int:
    """min(|k-i|, |k-j|) for the closest of the spans i .. j; beside an insertion (j = i - 1) it is 1.

    >>> [distance(k, [(3, 4)]) for k in (1, 2, 5, 6)]
    [2, 1, 1, 2]
    >>> [distance(k, [(3, 2)]) for k in (1, 2, 3, 4)]
    [2, 1, 1, 2]
    """
    return min((min(abs(k - i), abs(k - j)) if i <= j else (i - k if k < i else k - j)) for i, j in spans)


def measure_ndd(before: str, after: str, model: MaskedModel) -> float:
    """The NDD of editing ``before`` into ``after``; 0 for an unchanged sentence, and if no word is kept."""
    sentences = TokenizedText.of(before), TokenizedText.of(after)
    here, there = (predictions(sentence, model) for sentence in sentences)
    return weigh_divergence(align_sentences(*sentences), here, there, Weights())


def align_sentences(before: TokenizedText, after: TokenizedText) -> Alignment:
    """Align the words of two sentences."""
    return align(*([word.text for word in sentence.words] for sentence in (before, after)))


def predictions(sentence: TokenizedText, model: MaskedModel) -> Predictions:
    """The (w, c) log-probabilities of each word, with the word masked.

    A word of several word pieces is replaced with one mask, as in the paper's W_m; the predictions before and
    after an edit then are for the same gap.
    """
    return np.array([*model.distributions(word_gaps(sentence))]).reshape(-1, model.vocabulary_size)


def word_gaps(sentence: TokenizedText) -> list[MaskedSpan]:
    """The sentence with each word masked in turn."""
    return [MaskedSpan(sentence.text, word.start, word.end) for word in sentence.words]


def weigh_divergence(
    alignment: Alignment, before: Predictions, after: Predictions, weights: Weights
) -> float:
    """NDD of an edit from the predictions of all words of both sentences, in nats; never below 0 by rounding."""
    if not (alignment.spans and alignment.kept):
        return 0.0
    here, there = np.array(alignment.kept).T
    p, q = after[there], before[here]
    divergences = np.maximum((np.exp(p) * (p - q)).sum(axis=1), 0.0)
    return float(np.array(weights.of(alignment)) @ divergences)


def ndd_distances(
    left: Sequence[str],
    right: Sequence[str],
    model: MaskedModel,
    *,
    directed: bool = False,
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, m) distances of n texts to m texts, in nats: 0 for equal ones.

    Args:
        left: the texts before.
        right: the texts after.
        model: predicts the words.
        directed: NDD from left to right; by default the mean of both directions, which is symmetric.
        monitor: receives the progress, and may stop before each text.
    """
    sentences = {text: TokenizedText.of(text) for text in (*left, *right)}
    words = sum(len(sentence.words) for sentence in sentences.values())
    check_limit(
        words * model.vocabulary_size,
        MAX_PREDICTED_VALUES,
        f"numbers in the predictions of {words:,} words",
        "compare smaller maps, or choose another distance for them",
    )
    predicted: dict[str, Predictions] = {}
    for text, sentence in sentences.items():
        monitor.check("stopped before there was a result")
        predicted[text] = predictions(sentence, model)
        monitor.advance(len(predicted), len(sentences))
    surprisals = {text: _surprisals(sentence, predicted[text], model) for text, sentence in sentences.items()}

    def directed_cost(before: str, after: str) -> float:
        alignment = align_sentences(sentences[before], sentences[after])
        cost = weigh_divergence(alignment, predicted[before], predicted[after], Weights())
        for span in alignment.spans:
            edited = surprisals[before][slice(*span.before)], surprisals[after][slice(*span.after)]
            cost += float(edited[0].sum() + edited[1].sum())
        return cost

    distances = np.array([[directed_cost(before, after) for after in right] for before in left])
    if not directed:
        distances += np.array([[directed_cost(after, before) for after in right] for before in left])
        distances /= 2
    return distances.reshape(len(left), len(right))


def _surprisals(sentence: TokenizedText, predicted: Predictions, model: MaskedModel) -> NDArray[np.float64]:
    """-log P of each word at its position: (n,). It is above 0, unless the model can't read the word at all."""
    surprisals = np.zeros(len(sentence.words))
    for at, word in enumerate(sentence.words):
        pieces = model.first_pieces(word.text)
        if pieces:
            surprisals[at] = -predicted[at, list(pieces)].max()
    return surprisals
