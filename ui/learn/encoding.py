"""The bundled encoder's view of small maps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core import TextTree
from tted_core.encoders.embedding import embed
from tted_core.learn.model_costs import model_costs
from ui import cache

ENCODER = "minilm"


def vectors(texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Each text's vector, and that of the empty string."""
    return embed(cache.encoder(ENCODER), [*texts, ""])


def costs_of(left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees, as ``model_costs`` has it."""
    return model_costs(cache.encoder(ENCODER), left, right)
