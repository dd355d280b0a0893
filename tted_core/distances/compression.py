"""Compression by NDD: delete spans whose loss hardly affects the rest (section 4 of its paper).

Every span of at most L_max words is a candidate for deletion, scored by the NDD of deleting it with balanced
weights. Spans whose score is at most NDD_max may be deleted. Of two that overlap, the paper keeps the one with
the higher score; since the result depends on the order of pairs, here the highest of all comes first, then the
highest that doesn't overlap it, and so on. A sentence always keeps a word. Repeating this on the result
compresses further (Table 4).

The paper keeps the compression rate, the share of words left, below 0.6, without saying how. Here rounds
continue, each deleting the spans with the lowest NDD first, until the rate is reached or no span is within
NDD_max.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from tted_core.distances.ndd import (
    COMPRESSION,
    Alignment,
    EditedSpan,
    TokenizedText,
    predictions,
    weigh_divergence,
    word_gaps,
)
from tted_core.encoders.masked_model import MaskedModel
from tted_core.errors import LimitError, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree

# Maximum masked words predicted for one compression: an hour or two of BERT (base) on two CPU cores.
MAX_MASKED_PREDICTIONS = 100_000

MAX_SPAN = 9  # L_max in the paper

NDD_MAX = 1.0  # NDD_max in the paper


class ScoredSpan(NamedTuple):
    """Words ``start`` .. ``stop - 1`` and the NDD of deleting them."""

    start: int
    stop: int
    score: float


@dataclass(frozen=True)
class Compressor:
    """Compresses texts, scoring each text's spans once.

    Args:
        model: predicts the words.
        max_span: L_max, the longest span tried, in words.
    """

    model: MaskedModel
    max_span: int = MAX_SPAN
    _scored: dict[TokenizedText, tuple[ScoredSpan, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def spans(self, sentence: TokenizedText, monitor: Monitor = UNWATCHED) -> tuple[ScoredSpan, ...]:
        """Every span that may be deleted, with its NDD."""
        if sentence not in self._scored:
            self._check([sentence])
            self._scored[sentence] = tuple(self._score(sentence, monitor))
        return self._scored[sentence]

    def compress(
        self,
        text: str,
        limit: float = NDD_MAX,
        rounds: int | None = None,
        monitor: Monitor = UNWATCHED,
        *,
        rate: float | None = None,
    ) -> str:
        """The text after rounds of deleting spans with an NDD of at most ``limit``.

        Args:
            text: the text to compress.
            limit: NDD_max.
            rounds: maximum number of rounds; None for one or, with a rate, for as many as needed.
            monitor: may stop the work.
            rate: the largest share of words to keep, as far as ``limit`` allows; None deletes all spans within the
                limit.
        """
        sentence = TokenizedText.of(text)
        if rate is not None and not 0 < rate <= 1:
            raise LimitError(f"the rate is {rate}, but it must be above 0 and at most 1")
        enough = 0.0 if rate is None else rate * len(sentence.spoken)
        for _ in range(rounds or (1 if rate is None else sys.maxsize)):
            if len(sentence.spoken) <= enough:
                break
            deleted = choose_spans(sentence, self.spans(sentence, monitor), limit, enough)
            if not deleted:
                break
            sentence = sentence.without(at for span in deleted for at in range(span.start, span.stop))
        return sentence.text

    def compress_map(
        self,
        tree: TextTree,
        limit: float = NDD_MAX,
        rounds: int | None = None,
        *,
        rate: float | None = None,
        monitor: Monitor = UNWATCHED,
    ) -> TextTree:
        """The map with each node's text compressed like ``compress``; the rate applies to each text."""
        self._check([TokenizedText.of(label) for label in dict.fromkeys(tree.labels)])
        labels = [
            self.compress(label, limit, rounds, monitor, rate=rate)
            for label in monitor.over(tree.labels, f"Trying spans of {len(tree)} texts")
        ]
        return replace(tree, labels=tuple(labels))

    def _check(self, sentences: Sequence[TokenizedText]) -> None:
        """Check limits; predictions grow with the square of a text's length."""
        predicted = 0
        for words in (len(sentence.words) for sentence in sentences if sentence not in self._scored):
            lengths = range(1, min(self.max_span, words) + 1)
            predicted += words + sum((words - length + 1) * (words - length) for length in lengths)
        way_out = "compress fewer or shorter texts, or try shorter spans"
        check_limit(predicted, MAX_MASKED_PREDICTIONS, "predictions of masked words", way_out)

    def _score(self, sentence: TokenizedText, monitor: Monitor) -> Iterator[ScoredSpan]:
        size = len(sentence.words)
        tried = [
            (start, stop, shorter)
            for start in range(size)
            for stop in range(start + 1, min(start + self.max_span, size) + 1)
            if (shorter := sentence.without(range(start, stop))).spoken
        ]
        if not tried:
            return
        before = predictions(sentence, self.model)
        after = self.model.distributions([gap for *_, shorter in tried for gap in word_gaps(shorter)])
        for start, stop, shorter in tried:
            monitor.check("stopped before every span was tried; run it again")
            kept = (*range(start), *range(stop, size))
            alignment = Alignment(
                tuple(zip(kept, range(len(kept)), strict=True)), (EditedSpan((start, stop), (start, start)),)
            )
            predicted = np.array([*islice(after, len(shorter.words))])
            yield ScoredSpan(start, stop, weigh_divergence(alignment, before, predicted, COMPRESSION))


def count_words(tree: TextTree) -> int:
    """The number of words of a map."""
    return sum(len(TokenizedText.of(label).spoken) for label in tree.labels)


def choose_spans(
    sentence: TokenizedText, spans: Sequence[ScoredSpan], limit: float, enough: float = 0.0
) -> tuple[ScoredSpan, ...]:
    """The spans to delete: within ``limit``, highest score first, none overlapping an earlier one (section 4.2).

    A span with the last word that has a letter or digit is kept. Of the chosen spans, those with the lowest
    scores are deleted first, until at most ``enough`` words remain.
    """
    candidates = sorted(
        (span for span in spans if span.score <= limit),
        key=lambda span: (-span.score, span.start - span.stop, span.start),
    )
    spoken = {at for at, word in enumerate(sentence.words) if word.is_spoken}
    left = len(spoken)
    taken: set[int] = set()
    chosen: list[ScoredSpan] = []
    for span in candidates:
        words = set(range(span.start, span.stop))
        if taken.isdisjoint(words) and not spoken <= taken | words:
            chosen.append(span)
            taken |= words
    deleted = []
    for span in sorted(chosen, key=lambda span: span.score):
        if left <= enough:
            break
        deleted.append(span)
        left -= len(spoken.intersection(range(span.start, span.stop)))
    return tuple(sorted(deleted))
