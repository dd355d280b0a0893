"""NDD as a node distance, from left to right and as the mean of both directions; see ``tted_core.ndd``.

They stand apart from ``TEXT_DISTANCES``: their model isn't bundled, so they are compared with only when asked for.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.ndd import ndd_distances
from tted_core.distances.record import Counted, TextDistance, Texts
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, MaskedModel, load_masked_model


def ndd(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
    """The mean NDD of both directions by the default masked model; no metric.

    Raises:
        EncoderError: the model can't be had.
        LimitError: a text longer than the model reads, or too many words.
    """
    return ndd_distances(left, right, load_masked_model(DEFAULT_MASKED_MODEL), progress=progress)


def ndd_directed(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
    """The NDD of the edit from left to right by the default masked model; no metric, and not symmetric.

    Raises:
        EncoderError: the model can't be had.
        LimitError: a text longer than the model reads, or too many words.
    """
    model = load_masked_model(DEFAULT_MASKED_MODEL)
    return ndd_distances(left, right, model, directed=True, progress=progress)


def _by_masked_model(distance: TextDistance) -> TextDistance:
    directed = not distance.symmetric

    def load(model: str | MaskedModel) -> TextDistance:
        loaded = load_masked_model(model) if isinstance(model, str) else model

        def between(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
            return ndd_distances(left, right, loaded, directed=directed, progress=progress)

        return replace(distance, between=between, model=(loaded.name, loaded.fingerprint), load=None)

    return replace(distance, load=load)


MASKED_DISTANCES: dict[str, TextDistance] = {
    "ndd": _by_masked_model(
        TextDistance(
            ndd,
            metric=False,
            note="How much one sentence's words change what is expected of the other's (NDD), the mean of both "
            "directions; by a masked language model, which is not built in.",
        )
    ),
    "ndd-directed": _by_masked_model(
        TextDistance(
            ndd_directed,
            metric=False,
            note="The same from the left sentence to the right one only, as in the paper.",
            symmetric=False,
        )
    ),
}
