"""Measures of two texts with their formulas, sources and interpretation.

Distances between embeddings and between strings, BERTScore, ROUGE and NDD. A measure may have several values
(such as precision, recall and F1); each is computed for n and m texts at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.sim import rouge_blocks, split
from tted_core.distances.bertscore import BERTScorer
from tted_core.distances.formulas import (
    BetweenTexts,
    BetweenVectors,
    cosine,
    euclidean,
    levenshtein,
    manhattan,
    sequence_matcher,
)
from tted_core.distances.ndd import measure_ndd
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import Interrupted, TTEDError
from tted_core.foundations.monitor import UNWATCHED

_Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class TextModels:
    """Functions that load the models of measures when they are needed; each may raise ``EncoderError``."""

    encoder: Callable[[], Encoder]
    bertscorer: Callable[[], BERTScorer]
    masked_model: Callable[[], MaskedModel]


@dataclass(frozen=True)
class TextMeasure:
    """A measure of two texts.

    Attributes:
        title: name for users.
        kind: whether 0 (distance) or 1 (similarity) stands for equal texts.
        values: (n texts, m texts, models) -> the name of each value and its (n, m) matrix.
        formula: in TeX; x and y are the texts, e the encoder.
        source: the publication or package that defines it.
        reading: one sentence on its interpretation.
        metric: "a metric", or why it isn't one.
        model: the model it needs.
        main: of several values, the main one.
    """

    title: str
    kind: Literal["distance", "similarity"]
    values: Callable[[Sequence[str], Sequence[str], TextModels], Mapping[str, _Matrix]]
    formula: str
    source: str
    reading: str
    metric: str
    model: Literal["none", "encoder", "masked model"] = "none"
    main: str = "distance"


def text_scores(
    first: str, second: str, models: TextModels, measures: Mapping[str, TextMeasure] | None = None
) -> dict[str, dict[str, float] | TTEDError]:
    """Values of each measure of ``TEXT_MEASURES`` (or of those given), or the error that prevented them."""
    scores: dict[str, dict[str, float] | TTEDError] = {}
    for name, measure in (TEXT_MEASURES if measures is None else measures).items():
        try:
            values = measure.values([first], [second], models)
        except Interrupted:
            raise
        except TTEDError as error:  # reported; the other measures don't depend on it
            scores[name] = error
        else:
            scores[name] = {value: float(matrix[0, 0]) for value, matrix in values.items()}
    return scores


def _embedding(
    distance: BetweenVectors, left: Sequence[str], right: Sequence[str], models: TextModels
) -> Mapping[str, _Matrix]:
    vectors = embed(models.encoder(), (*left, *right))
    rows, columns = (np.array([vectors[text] for text in side]) for side in (left, right))
    distances = distance(rows, columns)
    return (
        {"cosine": 1.0 - distances**2, "distance": distances}
        if distance is cosine
        else {"distance": distances}
    )


def _string(
    distance: BetweenTexts, left: Sequence[str], right: Sequence[str], _models: TextModels
) -> Mapping[str, _Matrix]:
    return {"distance": distance(left, right, UNWATCHED)}


def _bertscore(left: Sequence[str], right: Sequence[str], models: TextModels) -> Mapping[str, _Matrix]:
    scores = models.bertscorer().scores(left, right)
    return {"precision": scores.precision, "recall": scores.recall, "F1": scores.f1}


def _rouge(left: Sequence[str], right: Sequence[str], _models: TextModels) -> Mapping[str, _Matrix]:
    names, blocks = ("ROUGE-1", "ROUGE-2", "ROUGE-L"), rouge_blocks([*map(split, (*left, *right))])
    columns = [[scores[:, len(left) :].copy() for scores in block] for block in blocks]
    rows = (np.concatenate(found)[: len(left)] for found in zip(*columns, strict=True))
    scores = dict(zip(names, rows, strict=True))
    return {**scores, "mean F1": np.mean(list(scores.values()), axis=0)}


def _ndd(left: Sequence[str], right: Sequence[str], models: TextModels) -> Mapping[str, _Matrix]:
    model = models.masked_model()
    totals = [[measure_ndd(before, after, model) for after in right] for before in left]
    return {"distance": np.array(totals)}


_VECTORS = "a metric between vectors"

TEXT_MEASURES: dict[str, TextMeasure] = {
    "cosine": TextMeasure(
        "Cosine distance",
        "distance",
        partial(_embedding, cosine),
        r"r=\sqrt{1-\cos(e(x),e(y))}",
        "Sobolevsky and Vorontsov 2025; the node distance of TTED",
        "0 for the same meaning, about 1 for unrelated texts. The cosine itself is 1 and about 0.",
        _VECTORS,
        model="encoder",
    ),
    "euclidean": TextMeasure(
        "Euclidean distance",
        "distance",
        partial(_embedding, euclidean),
        r"r=\lVert e(x)-e(y)\rVert_2",
        "Sobolevsky and Vorontsov 2025",
        "√2 times the cosine distance where vectors have length 1, as with MiniLM.",
        _VECTORS,
        model="encoder",
    ),
    "manhattan": TextMeasure(
        "Manhattan distance",
        "distance",
        partial(_embedding, manhattan),
        r"r=\lVert e(x)-e(y)\rVert_1",
        "Sobolevsky and Vorontsov 2025",
        "Grows with the vectors' dimension; compare it with values of the same encoder only.",
        _VECTORS,
        model="encoder",
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
        model="encoder",
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
        partial(_string, levenshtein),
        r"\tfrac{d(x,y)}{\max(|x|,|y|)}",
        "Levenshtein 1966; normalised as in the package rapidfuzz",
        "The share of characters to retype.",
        'no metric: from "ab" to "ba" it is 1, by way of "aba" 2/3',
    ),
    "sequence-matcher": TextMeasure(
        "SequenceMatcher",
        "distance",
        partial(_string, sequence_matcher),
        r"1-\tfrac{2M}{|x|+|y|}",
        "Ratcliff and Metzener 1988; Python's difflib",
        "One minus the share of characters in blocks that both texts have in the same order.",
        "no metric, and not symmetric",
    ),
    "ndd": TextMeasure(
        "NDD",
        "distance",
        _ndd,
        r"\sum_k a_k\, D_{KL}(d'_k\,\|\,d_k)",
        "A Novel Metric for Evaluating Semantics Preservation",
        "How much the words that both texts share change their meaning: 0 for equal texts, no upper end. Made for "
        "edits of one sentence.",
        "no metric, and not symmetric",
        model="masked model",
    ),
}
