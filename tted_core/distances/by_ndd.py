"""NDD as a node distance, from left to right and as the mean of both directions; see ``tted_core.distances.ndd``.

Their model isn't bundled, so they are compared with only when asked for.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import Nodes
from tted_core.distances.ndd import ndd_distances
from tted_core.distances.record import Distance, LoadedDistance, Models
from tted_core.monitor import Monitor
from tted_core.notices import masked_model_notice


def _ready(record: Distance, models: Models) -> LoadedDistance:
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
        ready=_ready,
    ),
    Distance(
        "ndd-directed",
        "The same from the left sentence to the right one only, as in the paper.",
        metric=False,
        reads="masked model",
        function=ndd_distances,
        ready=_ready,
        symmetric=False,
    ),
)
