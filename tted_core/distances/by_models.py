"""Node distances by language models: BERTScore and NDD (``tted_core.distances.bertscore`` and ``.ndd``).

1 - F1 of BERTScore has equal weights or IDF weights counted in both maps' texts; NDD is taken from left to right
or as the mean of both directions. Each function takes the model, n and m texts and a monitor, and returns (n, m).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.bertscore import BERTScorer, load_bertscorer
from tted_core.distances.ndd import ndd_distances
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder
from tted_core.errors import OptionsError
from tted_core.foundations.monitor import Monitor
from tted_core.notices import language_notice


def bertscore(
    scorer: BERTScorer, left: Sequence[str], right: Sequence[str], monitor: Monitor
) -> NDArray[np.float64]:
    """1 - F1 of BERTScore, with equal weights."""
    return scorer.distance(left, right, monitor=monitor)


def bertscore_idf(
    scorer: BERTScorer, left: Sequence[str], right: Sequence[str], monitor: Monitor
) -> NDArray[np.float64]:
    """1 - F1 of BERTScore, with IDF weights counted in both sides' texts."""
    return scorer.distance(left, right, idf=True, monitor=monitor)


def ndd(
    model: MaskedModel, left: Sequence[str], right: Sequence[str], monitor: Monitor
) -> NDArray[np.float64]:
    """The mean of NDD from left to right and from right to left."""
    return ndd_distances(left, right, model, monitor=monitor)


def ndd_directed(
    model: MaskedModel, left: Sequence[str], right: Sequence[str], monitor: Monitor
) -> NDArray[np.float64]:
    """NDD from left to right."""
    return ndd_distances(left, right, model, directed=True, monitor=monitor)


def scorer_of(encoder: str | Encoder, distance: str) -> BERTScorer:
    """The transformer of an encoder, found by its name or folder; ``distance`` is for the error message."""
    if isinstance(encoder, SentenceEncoder):
        encoder = encoder.source or encoder.name
    if not isinstance(encoder, str):
        raise OptionsError(
            f"the distance {distance} needs word vectors, which a function of texts doesn't provide; "
            "name an encoder, or choose another distance"
        )
    return load_bertscorer(encoder)


def scorer_notices(scorer: BERTScorer, texts: Sequence[str]) -> tuple[str, ...]:
    """Warn about texts in scripts or languages that the model was not trained on, and about too long texts."""
    foreign = language_notice(scorer.name, texts)
    distinct = set(texts)
    long = sum(scorer.count_pieces(text) > scorer.max_pieces for text in distinct)
    if not long:
        return foreign
    text = (
        f"{long} of {len(distinct)} texts are longer than the {scorer.max_pieces} word pieces that {scorer.name} "
        "reads for BERTScore; only their beginning counts"
    )
    return (*foreign, text)


def text_f1(scorer: BERTScorer, candidate: str, reference: str) -> float:
    """F1 of BERTScore of two texts; 1 for equal texts."""
    return 1.0 - float(scorer.distance([candidate], [reference])[0, 0])
