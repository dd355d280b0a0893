"""The published code's arithmetic of a pair of maps, beside the right one.

The code behind the tables of Sobolevsky and Vorontsov ("Text Tree Edit Distance", APEIE 2025) takes sqrt(1 -
cos) of a cosine in single precision. Of equal sentences that cosine can come out above 1: the root is not a
number (NaN). The solver never takes a pair of such a cost, as no comparison with NaN is true, so it deletes and
inserts the very sentences that are the same. That hits restructured maps, whose sentences are all the same, and
makes structure look as if it counted for much more than wording.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import edit_problem
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Models
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.registry import lookup
from tted_core.solvers import solve
from tted_core.solvers.edist_reference import PUBLISHED_SOLVERS
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Arithmetics:
    """A pair of maps of n and m nodes under both arithmetics.

    Attributes:
        published: the distance by the published arithmetic; NaN if not a number came out.
        correct: the distance by the right one.
        published_costs: (n+1, m+1) costs in single precision, NaN left in; the last row and column are the gap.
        correct_costs: the right ones.
        equal_pairs: pairs of nodes whose texts are equal, and whose right cost is therefore 0.
    """

    published: float
    correct: float
    published_costs: NDArray[np.float32]
    correct_costs: NDArray[np.float64]
    equal_pairs: int

    @property
    def nan_pairs(self) -> int:
        """Pairs of nodes whose published cost is not a number."""
        return int(np.isnan(self.published_costs[:-1, :-1]).sum())


def both_arithmetics(
    left: TextTree, right: TextTree, encoder: Encoder, *, order: str = "constrained", context: str = "none"
) -> Arithmetics:
    """The cosine TTED of two maps as the published code computes it, and as it should be.

    Args:
        left: a map.
        right: another, a restructured one say.
        encoder: any encoder; its vectors are taken in single precision, as models give them.
        order: ordered or constrained, the two that the published code has.
        context: a name of ``CONTEXTS``.

    Raises:
        UnknownNameError: a name that isn't known.
        EncoderError: the encoder's vectors can't be used.
    """
    solve_as_published = lookup(PUBLISHED_SOLVERS, order, "order of the published code")
    in_context = lookup(CONTEXTS, context, "context")
    texts = (in_context.texts(left), in_context.texts(right))
    once = encoding_once(encoder)
    distance = DISTANCES["cosine"].load(Models(once)).read((*texts[0], *texts[1], ""))
    correct = edit_problem(distance, in_context, left, right)
    published_costs = _single_precision(
        *(np.vstack([distance.in_context(in_context, tree), distance.nodes([""])]) for tree in (left, right))
    )
    return Arithmetics(
        solve_as_published(left, right, published_costs),
        solve(correct, order).upper,
        published_costs,
        correct.costs,
        sum(one == other for one in texts[0] for other in texts[1]),
    )


def _single_precision(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float32]:
    units = [
        side / np.linalg.norm(side, axis=1, keepdims=True)
        for side in (left.astype(np.float32), right.astype(np.float32))
    ]
    with np.errstate(invalid="ignore"):
        costs: NDArray[np.float32] = np.sqrt(1 - units[0] @ units[1].T)
    return costs
