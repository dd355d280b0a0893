"""Quality of a measure of two texts: how well it separates a paraphrase from other sentences (Koroteev 2020).

For a reference sentence i and its paraphrase, Q_i = F(reference, paraphrase) - mean of F(reference, other), F
being a similarity that is 1 for equal texts. Q_i near 1 is best; below 0 the measure rates the others, on
average, closer than the paraphrase. The others are all distinct sentences of the list that belong to another
reference; the paraphrase itself is not one of them (the paper leaves that open), nor are further paraphrases of
the same reference. The paper draws 20 sentences for each reference, including the paraphrase.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import Interrupted, LimitError, TTEDError
from tted_core.foundations.limits import MAX_PARAPHRASE_PAIRS, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.measures.sentence_lists import ParaphrasePair
from tted_core.measures.similarities import SimilarityFamily

ROWS_AT_ONCE = 10
"""References compared with all sentences between two checks of the monitor."""


@dataclass(frozen=True)
class Draw:
    """The protocol of the paper: some of the references, each compared with some sentences.

    Attributes:
        references: maximum number; the paper takes 500 for BERTScore.
        sentences: sentences compared with each, including its paraphrase; all, if there are fewer.
        seed: seed of drawing both.
    """

    references: int = 500
    sentences: int = 20
    seed: int = 0


@dataclass(frozen=True)
class MeasureQuality:
    """Q of one measure over a list of pairs.

    Attributes:
        q: Q_i of each pair, in their order.
        first: share of pairs whose paraphrase is closer than every other sentence; unlike Q it doesn't depend on
            the measure's scale.
        comparisons: number of compared pairs of texts.
        seconds: time of these comparisons, without loading a model.
    """

    q: tuple[float, ...]
    first: float
    comparisons: int
    seconds: float

    @property
    def mean(self) -> float:
        """Mean of Q_i."""
        return float(np.mean(self.q))

    @property
    def variance(self) -> float:
        """Variance of Q_i, over n."""
        return float(np.var(self.q))

    @property
    def below_zero(self) -> int:
        """Number of Q_i below 0."""
        return sum(value < 0 for value in self.q)


def qualities(
    pairs: Sequence[ParaphrasePair],
    families: Mapping[str, Callable[[], SimilarityFamily]],
    monitor: Monitor = UNWATCHED,
    draw: Draw | None = None,
) -> dict[str, MeasureQuality | TTEDError]:
    """Q of each measure, or the error of a family that can't be loaded or takes too long.

    Args:
        pairs: at least two, of two references or more.
        families: name -> function that loads the family; loading isn't timed.
        monitor: receives the stages; may stop between them.
        draw: pairs to compare; by default all with all.
    """
    if draw is None:
        check_limit(
            len(pairs), MAX_PARAPHRASE_PAIRS, "paraphrase pairs", "draw some of them, as the paper does"
        )
        compared = _all_with_all(pairs)
    else:
        compared = _drawn(pairs, draw)
    references = list(dict.fromkeys(pair.reference for pair in compared.pairs))
    sentences = compared.sentences
    found: dict[str, MeasureQuality | TTEDError] = {}
    stage = f"Comparing {len(references)} references with {len(sentences)} sentences"
    for number, (name, load) in enumerate(families.items()):
        monitor.check()
        monitor.stage(f"{stage}: {name}", number / len(families))
        try:
            family = load()
            start = time.perf_counter()
            known = family.prepare(sentences)
            shared = time.perf_counter() - start
        except Interrupted:
            raise
        except TTEDError as error:
            found[name] = error
            continue
        for measure, similarity in family.similarities.items():
            start = time.perf_counter()
            try:
                own, others = compared.scores(partial(similarity, known), monitor)
            except LimitError as error:
                found[measure] = error
                continue
            seconds = shared + time.perf_counter() - start
            q = tuple(float(mine - each.mean()) for mine, each in zip(own, others, strict=True))
            first = float(np.mean([mine > each.max() for mine, each in zip(own, others, strict=True)]))
            found[measure] = MeasureQuality(q, first, compared.comparisons, seconds)
    return found


Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]
"""n texts, m texts -> (n, m)."""


@dataclass(frozen=True)
class _Compared:
    """The comparisons to make: pairs, all sentences involved, and the number of comparisons.

    ``scores`` returns, for a similarity, each pair's own value and those of the other sentences; it often
    calls its other argument, which may raise to stop.
    """

    pairs: Sequence[ParaphrasePair]
    sentences: Sequence[str]
    comparisons: int
    scores: Callable[[Similarity, Monitor], tuple[list[float], list[NDArray[np.float64]]]]


def _all_with_all(pairs: Sequence[ParaphrasePair]) -> _Compared:
    """One matrix with a row per reference and a column per sentence."""
    references = list(dict.fromkeys(pair.reference for pair in pairs))
    sentences = list(dict.fromkeys(text for pair in pairs for text in (pair.reference, pair.paraphrase)))
    row = {text: number for number, text in enumerate(references)}
    column = {text: number for number, text in enumerate(sentences)}
    is_other = np.ones((len(references), len(sentences)), dtype=bool)
    for pair in pairs:
        is_other[row[pair.reference], [column[pair.reference], column[pair.paraphrase]]] = False

    def scores(similarity: Similarity, monitor: Monitor) -> tuple[list[float], list[NDArray[np.float64]]]:
        rows = []
        for start in range(0, len(references), ROWS_AT_ONCE):
            monitor.check()
            rows.append(similarity(references[start : start + ROWS_AT_ONCE], sentences))
        matrix = np.concatenate(rows)
        own = [float(matrix[row[pair.reference], column[pair.paraphrase]]) for pair in pairs]
        return own, [matrix[row[pair.reference], is_other[row[pair.reference]]] for pair in pairs]

    return _Compared(pairs, sentences, is_other.size, scores)


def _drawn(pairs: Sequence[ParaphrasePair], draw: Draw) -> _Compared:
    """Some pairs, each with some sentences of other references."""
    rng = np.random.default_rng(draw.seed)
    chosen = [pairs[at] for at in sorted(rng.permutation(len(pairs))[: draw.references])]
    every = list(dict.fromkeys(text for pair in pairs for text in (pair.reference, pair.paraphrase)))
    own: dict[str, set[str]] = {}
    for pair in pairs:
        own.setdefault(pair.reference, {pair.reference}).add(pair.paraphrase)
    others = []
    for pair in chosen:
        # More than needed, so that those of the reference can be left out.
        drawn = rng.permutation(len(every))[: draw.sentences - 1 + len(own[pair.reference])]
        strangers = [every[at] for at in drawn if every[at] not in own[pair.reference]]
        others.append(strangers[: draw.sentences - 1])
    sentences = list(
        dict.fromkeys(
            text
            for pair, strangers in zip(chosen, others, strict=True)
            for text in (pair.reference, pair.paraphrase, *strangers)
        )
    )

    def scores(similarity: Similarity, monitor: Monitor) -> tuple[list[float], list[NDArray[np.float64]]]:
        rows = []
        for pair, strangers in zip(chosen, others, strict=True):
            monitor.check()
            rows.append(similarity([pair.reference], [pair.paraphrase, *strangers])[0])
        return [float(row[0]) for row in rows], [row[1:] for row in rows]

    return _Compared(chosen, sentences, sum(1 + len(each) for each in others), scores)
