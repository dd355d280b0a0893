"""Quality of a measure of two texts: how well it separates a paraphrase from other sentences (Koroteev 2020).

For a reference sentence i and its paraphrase, Q_i = F(reference, paraphrase) - mean of F(reference, other), F
being a similarity that is 1 for equal texts. Q_i near 1 is best; below 0 the measure rates the others, on
average, closer than the paraphrase. The others are all distinct sentences of the list that belong to another
reference; the paraphrase itself is not one of them (the paper leaves that open), nor are further paraphrases of
the same reference. As in the paper, 20 sentences are drawn for each reference, including the paraphrase.

F is F1 of BERTScore, difflib's ratio, or the cosine, which is 1 - r^2 for the distance r = sqrt(1 - cos). A
distance r without an upper bound becomes

    F(x, y) = 1 - 2 r(x, y) / (r(x, λ) + r(y, λ) + r(x, y))

with the empty text λ: one minus its Steinhaus transform (Marczewski and Steinhaus 1958), between 0 and 1 in
whatever unit r has. For the edit distance it is one minus the metric of Li and Liu (2007).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.distances import DISTANCES
from tted_core.distances.bertscore import BERTScorer
from tted_core.distances.formulas import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import Interrupted, LimitError, TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.measures.sentence_lists import ParaphrasePair

_Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityFamily:
    """Similarities that share data about each text, such as its vector.

    Attributes:
        prepare: all texts -> shared data; called once, and counted into the time of each similarity.
        similarities: name -> function of that data and of n and m of these texts -> (n, m).
    """

    prepare: Callable[[Sequence[str]], Any]
    similarities: Mapping[str, Callable[[Any, Sequence[str], Sequence[str]], _Matrix]]


def string_family() -> SimilarityFamily:
    """1 - each distance between strings."""

    def similarity(
        distance: Callable[..., _Matrix], _: None, left: Sequence[str], right: Sequence[str]
    ) -> _Matrix:
        return 1.0 - distance(left, right)

    of_texts = {name: each.function for name, each in DISTANCES.items() if each.reads == "none"}
    similarities = {name: partial(similarity, function) for name, function in of_texts.items()}
    return SimilarityFamily(lambda _texts: None, similarities)


def encoder_family(name: str, encoder: Encoder) -> SimilarityFamily:
    """Each distance between an encoder's vectors; the similarities' names begin with ``name``."""
    encoder([""])  # loads the bundled model

    def similarity(
        distance: Callable[[_Matrix, _Matrix], _Matrix],
        vectors: Mapping[str, _Matrix],
        left: Sequence[str],
        right: Sequence[str],
    ) -> _Matrix:
        rows, columns = (np.array([vectors[text] for text in side]) for side in (left, right))
        distances = distance(rows, columns)
        if distance is cosine:
            return 1.0 - distances**2
        empty = vectors[""][None]
        sums = np.add.outer(distance(rows, empty)[:, 0], distance(columns, empty)[:, 0]) + distances
        return 1.0 - np.divide(2 * distances, sums, out=np.zeros_like(distances), where=distances > 0)

    of_vectors = [each for each in DISTANCES.values() if each.reads == "encoder"]
    similarities = {f"{name} {each.name}": partial(similarity, each.function) for each in of_vectors}
    return SimilarityFamily(lambda texts: embed(encoder, (*texts, "")), similarities)


def bertscore_family(scorer: BERTScorer) -> SimilarityFamily:
    """F1 of BERTScore, with equal weights and with IDF weights counted over all texts."""

    def similarity(
        known: tuple[Any, Any], left: Sequence[str], right: Sequence[str], *, idf: bool
    ) -> _Matrix:
        embedded, weights = known
        return scorer.scores(left, right, idf=weights if idf else None, embedded=embedded).f1

    return SimilarityFamily(
        lambda texts: (scorer.embed(texts), scorer.idf_weights(texts)),
        {
            f"{scorer.name} BERTScore": partial(similarity, idf=False),
            f"{scorer.name} BERTScore, IDF": partial(similarity, idf=True),
        },
    )


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
    draw: Draw = Draw(),
) -> dict[str, MeasureQuality | TTEDError]:
    """Q of each measure, or the error of a family that can't be loaded or takes too long.

    Args:
        pairs: at least two, of two references or more.
        families: name -> function that loads the family; loading isn't timed.
        monitor: receives the stages; may stop between them, and between two references.
        draw: pairs to compare.
    """
    compared = _draw_pairs(pairs, draw)
    sentences = list(dict.fromkeys(text for reference, texts in compared for text in (reference, *texts)))
    comparisons = sum(len(texts) for _, texts in compared)
    found: dict[str, MeasureQuality | TTEDError] = {}
    for number, (name, load) in enumerate(families.items()):
        monitor.check()
        monitor.stage(f"Comparing {comparisons:,} pairs of sentences: {name}", number / len(families))
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
            rows = []
            try:
                for reference, texts in compared:
                    monitor.check()
                    rows.append(similarity(known, [reference], texts)[0])
            except LimitError as error:
                found[measure] = error
                continue
            seconds = shared + time.perf_counter() - start
            q = tuple(float(row[0] - row[1:].mean()) for row in rows)
            first = float(np.mean([row[0] > row[1:].max() for row in rows]))
            found[measure] = MeasureQuality(q, first, comparisons, seconds)
    return found


def _draw_pairs(pairs: Sequence[ParaphrasePair], draw: Draw) -> list[tuple[str, list[str]]]:
    """Some references, each with its paraphrase and some sentences of other references."""
    own: dict[str, set[str]] = {}  # each reference -> itself and its paraphrases
    for pair in pairs:
        own.setdefault(pair.reference, {pair.reference}).add(pair.paraphrase)
    rng = np.random.default_rng(draw.seed)
    chosen = [pairs[at] for at in sorted(rng.permutation(len(pairs))[: draw.references])]
    every = list(dict.fromkeys(text for pair in pairs for text in (pair.reference, pair.paraphrase)))
    compared = []
    for pair in chosen:
        # More than needed, so that those of the reference can be left out.
        drawn = rng.permutation(len(every))[: draw.sentences - 1 + len(own[pair.reference])]
        others = [every[at] for at in drawn if every[at] not in own[pair.reference]]
        compared.append((pair.reference, [pair.paraphrase, *others[: draw.sentences - 1]]))
    return compared
