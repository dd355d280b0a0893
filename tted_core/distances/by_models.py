"""Node distances by models of words: BERTScore and NDD (``tted_core.distances.bertscore`` and ``.ndd``).

1 - F1 of BERTScore comes with equal weights and with IDF weights counted in both maps' texts; NDD from left to
right and as the mean of both directions. The masked language models of NDD aren't bundled, so
they are compared with only when asked for.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import Nodes
from tted_core.distances.bertscore import BERTScorer, load_bertscorer
from tted_core.distances.ndd import ndd_distances
from tted_core.distances.record import Distance, LoadedDistance, Models, Texts
from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.errors import OptionsError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.notices import language_notice, masked_model_notice


def _bertscore_ready(record: Distance, models: Models, *, idf: bool) -> LoadedDistance:
    """By the transformer below the encoder, which is found by the encoder's name or folder."""
    encoder = models.encoder
    if isinstance(encoder, SentenceEncoder):
        encoder = encoder.source or encoder.name
    if not isinstance(encoder, str):
        raise OptionsError(
            f"the distance {record.name} reads the word vectors of a model, and a function of texts has none; "
            "name an encoder, or choose another distance"
        )
    scorer = load_bertscorer(encoder)

    def between(left: Nodes, right: Nodes, monitor: Monitor) -> NDArray[np.float64]:
        return scorer.distance(left.texts, right.texts, idf=idf, monitor=monitor)

    def named() -> tuple[str, str]:
        return scorer.name, f"{scorer.fingerprint}/layer{scorer.layer}"

    return LoadedDistance(record, between, named, texts_notices=partial(_notices, scorer))


def _notices(scorer: BERTScorer, texts: Texts, _context: str) -> tuple[str, ...]:
    """Texts in a script or language that the model was not trained on, and texts longer than it reads."""
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


BERTSCORE_DISTANCES = (
    Distance(
        "bertscore",
        "1 − F1 of BERTScore: each word is held against the most similar one of the other sentence, "
        "by the encoder's vectors of words.",
        metric=False,
        reads="word vectors",
        function=BERTScorer.distance,
        ready=partial(_bertscore_ready, idf=False),
    ),
    Distance(
        "bertscore-idf",
        "BERTScore in which words that are rare in the two maps weigh more.",
        metric=False,
        reads="word vectors",
        function=BERTScorer.distance,
        ready=partial(_bertscore_ready, idf=True),
    ),
)


def text_f1(distance: LoadedDistance, candidate: str, reference: str) -> float:
    """F1 of BERTScore of two texts, by the loaded distance ``bertscore``; 1 for equal texts.

    Raises:
        LimitError: more pairs of word pieces than ``MAX_BERTSCORE_CELLS``.
    """
    one, other = (Nodes((text,), (text,), lambda _: np.empty((1, 0))) for text in (candidate, reference))
    return 1.0 - float(distance.between(one, other, UNWATCHED)[0, 0])


def _ndd_ready(record: Distance, models: Models) -> LoadedDistance:
    model = models.masked_model
    if isinstance(model, str):
        model = models.load_masked_model(model)

    def between(left: Nodes, right: Nodes, monitor: Monitor) -> NDArray[np.float64]:
        return ndd_distances(left.texts, right.texts, model, directed=not record.symmetric, monitor=monitor)

    return LoadedDistance(
        record,
        between,
        lambda: (model.name, model.fingerprint),
        texts_notices=lambda texts, _context: masked_model_notice(model.name, texts),
    )


NDD_DISTANCES = (
    Distance(
        "ndd",
        "How much one sentence's words change what is expected of the other's (NDD), the mean of both directions; "
        "by a masked language model, which is not built in.",
        metric=False,
        reads="masked model",
        function=ndd_distances,
        ready=_ndd_ready,
    ),
    Distance(
        "ndd-directed",
        "The same from the left sentence to the right one only, as in the paper.",
        metric=False,
        reads="masked model",
        function=ndd_distances,
        ready=_ndd_ready,
        symmetric=False,
    ),
)
