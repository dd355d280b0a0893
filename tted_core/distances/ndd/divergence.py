"""The measure itself: NDD(W, W') = sum over the unedited words k of weight_k KL(d'_k || d_k).

And a table of edits with perplexity and cosine similarity beside it, as the paper's Table 1.
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
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import Sentence

SHOWN = 3
"""Likeliest word pieces kept of each prediction, for people to look at."""

Pieces = tuple[tuple[str, float], ...]
"""Word pieces with their probabilities."""


@dataclass(frozen=True)
class KeptWord:
    """A word that the edit left alone.

    Attributes:
        text: the word.
        before: its position in the first sentence, from 0.
        after: its position in the second.
        weight: how much it counts.
        divergence: KL(d' || d) of its predictions after and before, in nats.
        expected_before: what the model expects in its place, likeliest first.
        expected_after: the same in the second sentence.
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
    """The NDD of editing ``before`` into ``after``; 0 for an unchanged sentence, and if no word stays.

    A word of several word pieces is hidden behind one mask, as the paper's W_m has it; the predictions before
    and after then stand for the same gap.

    Raises:
        LimitError: a sentence longer than the model reads, or a weight out of range.
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
    """The sentence with each of these words hidden in turn."""
    return [Gap(sentence.text, sentence.words[at].start, sentence.words[at].end) for at in positions]


def kl_divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """KL(p || q) in nats of two (c,) log-probabilities; rounding can't take it below 0."""
    return max(float(np.exp(p) @ (p - q)), 0.0)


@dataclass(frozen=True)
class NddRow:
    """A row of the table: perplexity (None without a word), NDD from the initial sentence, cosine similarity."""

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
    """The initial sentence and edits of it with perplexity, NDD and cosine similarity (the paper's Table 1).

    Raises:
        LimitError: a sentence longer than the model reads, or a weight out of range.
        EncoderError: the encoder's vectors can't be used.
        Interrupted: the monitor said stop.
    """
    sentences = [initial, *edited]
    vectors = embed(encoder, sentences)
    distances = cosine(vectors[initial][None], np.array([vectors[sentence] for sentence in sentences]))[0]
    rows = []
    for sentence, distance in zip(sentences, distances, strict=True):
        monitor.check("stopped before the table was complete")
        ndd = measure_ndd(initial, sentence, model, weights).total
        rows.append(NddRow(sentence, model.perplexity(sentence), ndd, 1.0 - float(distance) ** 2))
    return tuple(rows)
