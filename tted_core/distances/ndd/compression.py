"""Compression by NDD: leave out spans whose loss hardly disturbs the rest (section 4 of the paper).

Every span of at most L_max words is tried for deletion and scored by the NDD of it, with the balanced
weights. Spans whose score is within NDD_max are candidates. Of two that overlap, the paper keeps the one with
the higher score; since the outcome depends on which pair is looked at first, the highest of all comes first
here, then the highest that doesn't overlap it, and so on. A sentence always keeps a word. Repeating it on
what came out compresses further (Table 4).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tted_core.distances.ndd.alignment import Alignment, Span
from tted_core.distances.ndd.divergence import kl_divergence, word_gaps
from tted_core.distances.ndd.weights import COMPRESSION, Weights
from tted_core.encoders.masked_model import Gap, MaskedModel
from tted_core.errors import Interrupted
from tted_core.limits import MAX_MASKED_PREDICTIONS, check_limit
from tted_core.tree import TextTree
from tted_core.words.splitting import Sentence

ShouldStop: TypeAlias = Callable[[], bool]

MAX_SPAN = 9
"""L_max of the paper."""

NDD_MAX = 1.0
"""NDD_max of the paper."""


@dataclass(frozen=True)
class ScoredSpan:
    """Words ``start`` .. ``stop - 1`` and the NDD of deleting them."""

    start: int
    stop: int
    score: float

    def overlaps(self, other: "ScoredSpan") -> bool:
        """Whether they have a word in common."""
        return self.start < other.stop and other.start < self.stop


@dataclass(frozen=True)
class Compression:
    """A text, what came of it, and the texts after each round."""

    text: str
    rounds: tuple[str, ...]

    @property
    def result(self) -> str:
        """What is left."""
        return self.rounds[-1] if self.rounds else self.text


@dataclass(frozen=True)
class MapCompression:
    """A map, the map of key phrases, and the words of both."""

    tree: TextTree
    compressed: TextTree
    words: int
    words_left: int

    @property
    def rate(self) -> float:
        """The share of words that are left."""
        return self.words_left / self.words if self.words else 1.0


@dataclass(frozen=True)
class Compressor:
    """Compresses texts, and scores no text's spans twice.

    Args:
        model: predicts the words.
        max_span: L_max, the longest span tried, in words.
        weights: a'_k b_k by default, with mu = nu = 0.9.
    """

    model: MaskedModel
    max_span: int = MAX_SPAN
    weights: Weights = COMPRESSION
    _scored: dict[str, tuple[ScoredSpan, ...]] = field(default_factory=dict, repr=False, compare=False)

    def spans(self, text: str, should_stop: ShouldStop = lambda: False) -> tuple[ScoredSpan, ...]:
        """Every span that may be deleted, with its NDD.

        Raises:
            LimitError: the text has too many words for the model, or for trying all spans.
            Interrupted: ``should_stop`` said yes.
        """
        if text not in self._scored:
            self._check([text])
            self._scored[text] = tuple(self._score(Sentence.of(text), should_stop))
        return self._scored[text]

    def compress(
        self, text: str, limit: float = NDD_MAX, rounds: int = 1, should_stop: ShouldStop = lambda: False
    ) -> Compression:
        """Delete what may go at an NDD of at most ``limit``, ``rounds`` times or until nothing goes.

        Raises:
            LimitError: the text has too many words for the model, or for trying all spans.
            Interrupted: ``should_stop`` said yes.
        """
        found: list[str] = []
        for _ in range(rounds):
            sentence = Sentence.of(found[-1] if found else text)
            deleted = choose_spans(sentence, self.spans(sentence.text, should_stop), limit)
            if not deleted:
                break
            gone = (at for span in deleted for at in range(span.start, span.stop))
            found.append(sentence.without(gone).text)
        return Compression(text, tuple(found))

    def compress_map(
        self,
        tree: TextTree,
        limit: float = NDD_MAX,
        rounds: int = 1,
        *,
        progress: Callable[[str, float], None] = lambda _stage, _share: None,
        should_stop: ShouldStop = lambda: False,
    ) -> MapCompression:
        """Compress each node's text.

        Raises:
            LimitError: the texts are too long or too many for trying all spans.
            Interrupted: ``should_stop`` said yes; the spans scored so far are kept.
        """
        self._check(list(dict.fromkeys(tree.labels)))
        labels = []
        for number, label in enumerate(tree.labels):
            progress(f"Trying spans of {len(tree)} texts", number / len(tree))
            labels.append(self.compress(label, limit, rounds, should_stop).result)
        words, words_left = (
            sum(len(Sentence.of(label).spoken) for label in every) for every in (tree.labels, labels)
        )
        return MapCompression(tree, replace(tree, labels=tuple(labels)), words, words_left)

    def _check(self, texts: Sequence[str]) -> None:
        """Predictions grow with the square of a text's length."""
        predictions = 0
        for text in texts:
            if text not in self._scored:
                words = len(Sentence.of(text).words)
                predictions += words
                predictions += sum(
                    (words - length + 1) * (words - length)
                    for length in range(1, min(self.max_span, words) + 1)
                )
        way_out = "compress fewer or shorter texts, or try shorter spans"
        check_limit(predictions, MAX_MASKED_PREDICTIONS, "predictions of masked words", way_out)

    def _score(self, sentence: Sentence, should_stop: ShouldStop) -> Iterator[ScoredSpan]:
        size = len(sentence.words)
        tried = []
        for start in range(size):
            for stop in range(start + 1, min(start + self.max_span, size) + 1):
                shorter = sentence.without(range(start, stop))
                if shorter.spoken:
                    tried.append((start, stop, shorter))
        before = list(self.model.distributions(word_gaps(sentence, range(size)))) if tried else []
        gaps: list[Gap] = []
        for *_, shorter in tried:
            gaps += word_gaps(shorter, range(len(shorter.words)))
        after = self.model.distributions(gaps)
        for start, stop, shorter in tried:
            if should_stop():
                raise Interrupted("stopped before every span was tried; run it again")
            kept = (*range(start), *range(stop, size))
            pairs = tuple(zip(kept, range(len(shorter.words)), strict=True))
            alignment = Alignment(pairs, (Span((start, stop), (start, start)),))
            score = sum(
                weight * kl_divergence(next(after), before[at])
                for at, weight in zip(kept, self.weights.of(alignment), strict=True)
            )
            yield ScoredSpan(start, stop, score)


def choose_spans(sentence: Sentence, spans: Sequence[ScoredSpan], limit: float) -> tuple[ScoredSpan, ...]:
    """The spans to delete: within ``limit``, highest score first, none overlapping one before it (section 4.2).

    A span that would take the last word with a letter or digit stays.
    """
    candidates = sorted(
        (span for span in spans if span.score <= limit),
        key=lambda span: (-span.score, span.start - span.stop, span.start),
    )
    chosen: list[ScoredSpan] = []
    spoken = {at for at, word in enumerate(sentence.words) if word.is_spoken}
    for span in candidates:
        left = spoken - set(range(span.start, span.stop))
        if left and not any(span.overlaps(other) for other in chosen):
            chosen.append(span)
            spoken = left
    return tuple(sorted(chosen, key=lambda span: span.start))
