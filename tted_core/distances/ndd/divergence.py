"""NDD(W, W') = sum over the unedited words k of weight_k KL(d'_k || d_k).

Also a table of edits with perplexity and cosine similarity, like the paper's Table 1.

NDD also serves as a node distance of TTED. It is not a metric: the triangle inequality can break. The paper sums
over unedited words only, so an edit of all words, or the deletion of a sentence, would cost nothing. For tree
edit distance an edited word costs its surprisal -log P(word | its neighbours), by the same prediction, in the
sentence that has it; for a word of several word pieces, that of the first one. A word that follows from its
neighbours costs little, others cost much. Two sentences without a common word then cost as much as deleting one
and inserting the other, and deleting a sentence costs about minus its pseudo-log-likelihood (Salazar et al. 2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.ndd.weights import Alignment, Span, Weights, align
from tted_core.distances.vectors import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import Gap, MaskedModel
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import Sentence

MAX_PREDICTED_VALUES = 100_000_000
"""Maximum numbers in a masked model's predictions in memory, 8 bytes each: words times vocabulary."""

SHOWN = 3
"""Number of likeliest word pieces kept of each prediction, for display."""

Pieces = tuple[tuple[str, float], ...]
"""Word pieces with their probabilities."""


@dataclass(frozen=True)
class KeptWord:
    """A word that the edit didn't touch.

    Attributes:
        text: the word.
        before: its position in the first sentence, from 0.
        after: its position in the second.
        weight: its weight.
        divergence: KL(d' || d) of its predictions after and before, in nats.
        expected_before: the model's predictions at its position, likeliest first.
        expected_after: the predictions in the second sentence.
    """

    text: str
    before: int
    after: int
    weight: float
    divergence: float
    expected_before: Pieces
    expected_after: Pieces

    @property
    def contribution(self) -> float:
        """Weight times divergence."""
        return self.weight * self.divergence


@dataclass(frozen=True)
class Ndd:
    """The NDD of an edit, word by word."""

    before: Sentence
    after: Sentence
    spans: tuple[Span, ...]
    words: tuple[KeptWord, ...]

    @property
    def total(self) -> float:
        """NDD(W, W')."""
        return sum(word.contribution for word in self.words)


def measure_ndd(before: str, after: str, model: MaskedModel, weights: Weights | None = None) -> Ndd:
    """The NDD of editing ``before`` into ``after``; 0 for an unchanged sentence, and if no word is kept.

    A word of several word pieces is replaced with one mask, as in the paper's W_m; the predictions before and
    after then are for the same gap.
    """
    sentences = Sentence.of(before), Sentence.of(after)
    alignment = align(*([word.text for word in sentence.words] for sentence in sentences))
    chosen = (weights or Weights()).of(alignment)
    predicted = [
        list(model.distributions(word_gaps(sentence, [pair[side] for pair in alignment.kept])))
        for side, sentence in enumerate(sentences)
    ]
    words = [
        KeptWord(
            sentences[0].words[here].text,
            here,
            there,
            weight,
            kl_divergence(after_edit, before_edit),
            model.likeliest(before_edit, SHOWN),
            model.likeliest(after_edit, SHOWN),
        )
        for (here, there), weight, before_edit, after_edit in zip(
            alignment.kept, chosen, *predicted, strict=True
        )
    ]
    return Ndd(*sentences, alignment.spans, tuple(words))


def weighted_divergence(
    alignment: Alignment,
    before: Sequence[NDArray[np.float64]],
    after: Sequence[NDArray[np.float64]],
    weights: Weights,
) -> float:
    """NDD of an edit from the (c,) log-probabilities of every word of both sentences."""
    return sum(
        weight * kl_divergence(after[there], before[here])
        for (here, there), weight in zip(alignment.kept, weights.of(alignment), strict=True)
    )


def word_gaps(sentence: Sentence, positions: Sequence[int]) -> list[Gap]:
    """The sentence with each of these words masked in turn."""
    return [Gap(sentence.text, sentence.words[at].start, sentence.words[at].end) for at in positions]


def kl_divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """KL(p || q) in nats of two (c,) log-probabilities; never below 0 by rounding."""
    return max(float(np.exp(p) @ (p - q)), 0.0)


@dataclass(frozen=True)
class NddRow:
    """A row of the table: perplexity (None without words), NDD from the initial sentence, cosine similarity."""

    sentence: str
    perplexity: float | None
    ndd: float
    cosine: float


def ndd_table(
    initial: str,
    edited: Sequence[str],
    model: MaskedModel,
    encoder: Encoder,
    weights: Weights | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> tuple[NddRow, ...]:
    """The initial sentence and its edits with perplexity, NDD and cosine similarity (the paper's Table 1)."""
    sentences = [initial, *edited]
    vectors = embed(encoder, sentences)
    distances = cosine(vectors[initial][None], np.array([vectors[sentence] for sentence in sentences]))[0]
    rows = []
    for sentence, distance in zip(sentences, distances, strict=True):
        monitor.check("stopped before the table was complete")
        ndd = measure_ndd(initial, sentence, model, weights).total
        rows.append(NddRow(sentence, model.perplexity(sentence), ndd, 1.0 - float(distance) ** 2))
    return tuple(rows)


def ndd_distances(
    left: Sequence[str],
    right: Sequence[str],
    model: MaskedModel,
    *,
    directed: bool = False,
    weights: Weights | None = None,
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, m) distances of n texts to m texts, in nats: 0 for equal ones.

    Args:
        left: the texts before.
        right: the texts after.
        model: predicts the words.
        directed: NDD from left to right; by default the mean of both directions, which is symmetric.
        weights: weights of the unedited words, by default mu = 0.9.
        monitor: receives the progress, and may stop before each text.
    """
    weights = weights or Weights()
    sentences = {text: Sentence.of(text) for text in (*left, *right)}
    words = sum(len(sentence.words) for sentence in sentences.values())
    check_limit(
        words * model.vocabulary_size,
        MAX_PREDICTED_VALUES,
        f"numbers in the predictions of {words:,} words",
        "compare smaller maps, or choose another distance for them",
    )
    predicted: dict[str, NDArray[np.float64]] = {}
    for text, sentence in sentences.items():
        monitor.check("stopped before there was a result")
        gaps = word_gaps(sentence, range(len(sentence.words)))
        predicted[text] = np.array([*model.distributions(gaps)]).reshape(-1, model.vocabulary_size)
        monitor.advance(len(predicted), len(sentences))
    surprisals = {text: _surprisals(sentence, predicted[text], model) for text, sentence in sentences.items()}

    def directed_cost(before: str, after: str) -> float:
        alignment = align(*([word.text for word in sentences[text].words] for text in (before, after)))
        here, there = (np.array([pair[side] for pair in alignment.kept], dtype=int) for side in (0, 1))
        cost = 0.0
        if alignment.spans and alignment.kept:
            divergences = _paired(predicted[after][there], predicted[before][here])
            cost = float(np.array(weights.of(alignment)) @ divergences)
        for span in alignment.spans:
            cost += (
                surprisals[before][slice(*span.before)].sum() + surprisals[after][slice(*span.after)].sum()
            )
        return float(cost)

    distances = np.array([[directed_cost(before, after) for after in right] for before in left])
    if not directed:
        distances += np.array([[directed_cost(after, before) for after in right] for before in left])
        distances /= 2
    return distances.reshape(len(left), len(right))


def _paired(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """KL of corresponding rows of two (n, c) log-probabilities: (n,)."""
    divergences: NDArray[np.float64] = np.maximum((np.exp(p) * (p - q)).sum(axis=1), 0.0)
    return divergences


def _surprisals(
    sentence: Sentence, predicted: NDArray[np.float64], model: MaskedModel
) -> NDArray[np.float64]:
    """-log P of each word at its position: (n,). It is above 0, unless the model can't read the word at all."""
    surprisals = np.zeros(len(sentence.words))
    for at, word in enumerate(sentence.words):
        pieces = model.first_pieces(word.text)
        if pieces:
            surprisals[at] = -predicted[at, list(pieces)].max()
    return surprisals
