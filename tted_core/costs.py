"""The cost matrix: what replacing, deleting and inserting each node costs.

Replacing v by v' costs r(e(v), e(v')); deleting v costs r(e(v), e("")); inserting v' costs r(e(""), e(v')),
where e is the encoder, "" the empty string and r the distance (Sobolevsky and Vorontsov 2025, section III-A).
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import Context
from tted_core.distances import MASKED_DISTANCES, TEXT_DISTANCES, Counted, TextDistance, Texts
from tted_core.distances.vectors import DISTANCES, Distance
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder
from tted_core.errors import EncoderError, OptionsError
from tted_core.registry import lookup
from tted_core.tree import TextTree


def node_distance(name: str) -> Distance | TextDistance:
    """The node distance of this name: of ``DISTANCES`` (of vectors), ``TEXT_DISTANCES`` or ``MASKED_DISTANCES``.

    Raises:
        UnknownNameError: it is in none of them.
    """
    every: dict[str, Distance | TextDistance] = {**DISTANCES, **TEXT_DISTANCES, **MASKED_DISTANCES}
    return lookup(every, name, "distance")


def model_kind(name: str) -> Literal["encoder", "masked model", "none"]:
    """Which kind of model the distance of this name reads; it is what a comparison's options call encoder.

    Raises:
        UnknownNameError: there is no such distance.
    """
    distance = node_distance(name)
    if name in MASKED_DISTANCES:
        return "masked model"
    return "none" if isinstance(distance, TextDistance) and distance.load is None else "encoder"


def loaded_distance(
    name: str, distance: TextDistance, encoder: str | Encoder | MaskedModel | None
) -> TextDistance:
    """A distance of texts, called ``name``, by the model it needs.

    That is the encoder's transformer if it reads word vectors, and a masked model (or its name) in the encoder's
    place for those of ``MASKED_DISTANCES``.

    Raises:
        EncoderError: the model can't be had.
        OptionsError: the encoder is a function, which has no word vectors.
    """
    if distance.load is None:
        return distance
    if isinstance(encoder, SentenceEncoder):
        encoder = encoder.source or encoder.name
    if not isinstance(encoder, str) and not (isinstance(encoder, MaskedModel) and name in MASKED_DISTANCES):
        raise OptionsError(
            f"the distance {name} reads the word vectors of a model, and a function of texts has none; "
            "name an encoder, or choose another distance"
        )
    return distance.load(encoder)


def cost_matrix(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    empty: NDArray[np.float64],
    distance: Distance,
    gap_scale: float = 1.0,
) -> NDArray[np.float64]:
    """All edit costs of two trees as one (n+1, m+1) matrix whose last row and column are the gap.

    Args:
        left: (n, d) embeddings of the left tree's texts.
        right: (m, d) embeddings of the right tree's texts.
        empty: (d,) embedding of the empty string.
        distance: the node distance r.
        gap_scale: a factor of all deletions and insertions.

    Raises:
        EncoderError: a cost that is negative or not finite.
    """
    return _checked(distance(np.vstack([left, empty]), np.vstack([right, empty])), gap_scale)


def costs_in_context(
    context: Context,
    left: TextTree,
    right: TextTree,
    encoded: Mapping[str, NDArray[np.float64]],
    distance: Distance,
) -> NDArray[np.float64]:
    """``cost_matrix`` of two trees; ``encoded`` holds the vector of each of their texts and of the empty string.

    Raises:
        EncoderError: a cost that is negative or not finite.
    """
    vectors = context.vectors(left, encoded), context.vectors(right, encoded)
    return cost_matrix(*vectors, encoded[""], distance, context.gap_scale)


def text_cost_matrix(
    left: Texts,
    right: Texts,
    distance: TextDistance,
    progress: Counted = lambda _done, _all: None,
    gap_scale: float = 1.0,
) -> NDArray[np.float64]:
    """The same of n and m texts, by a distance of the texts themselves.

    Raises:
        EncoderError: a cost that is negative or not finite.
    """
    return _checked(distance.between([*left, ""], [*right, ""], progress), gap_scale)


def _checked(costs: NDArray[np.float64], gap_scale: float) -> NDArray[np.float64]:
    if not np.isfinite(costs).all() or (costs < 0).any():
        raise EncoderError(
            "the distance gives a cost that is negative or not a number; choose another encoder or distance"
        )
    costs[:-1, -1] *= gap_scale
    costs[-1, :-1] *= gap_scale
    return costs
