"""Measures of two texts with their formulas, sources and interpretation.

Distances between embeddings and between strings, BERTScore and ROUGE. A measure may have several values
(such as precision, recall and F1).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from tted_core.baselines.sim import rouge_blocks, split
from tted_core.distances import DISTANCES, Models
from tted_core.encoders.embedding import embed
from tted_core.errors import Interrupted, TTEDError


@dataclass(frozen=True)
class TextMeasure:
    """A measure of two texts.

    Attributes:
        title: name for users.
        kind: whether 0 (distance) or 1 (similarity) stands for equal texts.
        values: two texts and the models -> the value or values by name; may raise ``EncoderError``.
        formula: in TeX; x and y are the texts, e the encoder.
        source: the publication or package that defines it.
        reading: one sentence on its interpretation.
        metric: "a metric", or why it isn't one.
        main: of several values, the main one.
    """

    title: str
    kind: Literal["distance", "similarity"]
    values: Callable[[str, str, Models], dict[str, float]]
    formula: str
    source: str
    reading: str
    metric: str
    main: str = "distance"


def text_scores(
    first: str, second: str, models: Models, measures: Mapping[str, TextMeasure] | None = None
) -> dict[str, dict[str, float] | TTEDError]:
    """Values of each measure of ``TEXT_MEASURES`` (or of those given), or the error that prevented them."""
    scores: dict[str, dict[str, float] | TTEDError] = {}
    for name, measure in (TEXT_MEASURES if measures is None else measures).items():
        try:
            scores[name] = measure.values(first, second, models)
        except Interrupted:
            raise
        except TTEDError as error:  # reported; the other measures don't depend on it
            scores[name] = error
    return scores


def _by_vectors(name: str, first: str, second: str, models: Models) -> dict[str, float]:
    distance = DISTANCES[name].load(models)
    vectors = embed(distance.reader, (first, second))
    found = float(distance.record.function(vectors[first][None], vectors[second][None])[0, 0])
    return {"cosine": 1.0 - found**2, "distance": found} if name == "cosine" else {"distance": found}


def _by_letters(name: str, first: str, second: str, _models: Models) -> dict[str, float]:
    return {"distance": float(DISTANCES[name].function([first], [second])[0, 0])}


def _bertscore(first: str, second: str, models: Models) -> dict[str, float]:
    scores = DISTANCES["bertscore"].load(models).reader.scores([first], [second])
    found = {"precision": scores.precision, "recall": scores.recall, "F1": scores.f1}
    return {name: float(each[0, 0]) for name, each in found.items()}


def _rouge(first: str, second: str, _models: Models) -> dict[str, float]:
    (block,) = rouge_blocks([split(first), split(second)])
    names = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    scores = {name: float(each[0, 1]) for name, each in zip(names, block, strict=True)}
    return {**scores, "mean F1": sum(scores.values()) / len(scores)}


_VECTORS = "a metric between vectors"

TEXT_MEASURES: dict[str, TextMeasure] = {
    "cosine": TextMeasure(
        "Cosine distance",
        "distance",
        partial(_by_vectors, "cosine"),
        r"r=\sqrt{1-\cos(e(x),e(y))}",
        "Sobolevsky and Vorontsov 2025; the node distance of TTED",
        "0 for the same meaning, about 1 for unrelated texts. The cosine itself is 1 and about 0.",
        _VECTORS,
    ),
    "euclidean": TextMeasure(
        "Euclidean distance",
        "distance",
        partial(_by_vectors, "euclidean"),
        r"r=\lVert e(x)-e(y)\rVert_2",
        "Sobolevsky and Vorontsov 2025",
        "√2 times the cosine distance where vectors have length 1, as with MiniLM.",
        _VECTORS,
    ),
    "manhattan": TextMeasure(
        "Manhattan distance",
        "distance",
        partial(_by_vectors, "manhattan"),
        r"r=\lVert e(x)-e(y)\rVert_1",
        "Sobolevsky and Vorontsov 2025",
        "Grows with the vectors' dimension; compare it with values of the same encoder only.",
        _VECTORS,
    ),
    "bertscore": TextMeasure(
        "BERTScore",
        "similarity",
        _bertscore,
        r"P=\tfrac1{|x|}\sum_{i}\max_j \cos(x_i,y_j),\quad R=\tfrac1{|y|}\sum_{j}\max_i \cos(x_i,y_j),\quad "
        r"F_1=\tfrac{2PR}{P+R}",
        "Zhang, Kishore, Wu, Weinberger and Artzi, ICLR 2020; for Russian: Koroteev 2020",
        "Precision: how much of the first text is found in the second; recall: the other way round. Mind the "
        "scale: unrelated texts seldom score 0.",
        "1 − F1 is no metric: the triangle inequality can break",
        main="F1",
    ),
    "rouge": TextMeasure(
        "ROUGE",
        "similarity",
        _rouge,
        r"F_1=\tfrac{2PR}{P+R}\ \text{of common words, pairs of words, and the longest common subsequence}",
        "Lin 2004, formulas of the package rouge-score",
        "The share of words, pairs of neighbours, and words in the same order that both texts have. Synonyms "
        "count as different.",
        "a similarity, no metric",
        main="mean F1",
    ),
    "levenshtein": TextMeasure(
        "Levenshtein, normalised",
        "distance",
        partial(_by_letters, "levenshtein"),
        r"\tfrac{d(x,y)}{\max(|x|,|y|)}",
        "Levenshtein 1966; normalised as in the package rapidfuzz",
        "The share of characters to retype.",
        'no metric: from "ab" to "ba" it is 1, by way of "aba" 2/3',
    ),
    "sequence-matcher": TextMeasure(
        "SequenceMatcher",
        "distance",
        partial(_by_letters, "sequence-matcher"),
        r"1-\tfrac{2M}{|x|+|y|}",
        "Ratcliff and Metzener 1988; Python's difflib",
        "One minus the share of characters in blocks that both texts have in the same order.",
        "no metric, and not symmetric",
    ),
}
