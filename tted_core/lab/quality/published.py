"""What was published: its figures as facts to set ours beside, and what its arithmetic makes of a pair of maps.

Sobolevsky and Vorontsov, "Text Tree Edit Distance", APEIE 2025, Tables I to III, and Table 1 of their Russian
short paper. Mean and standard deviation; the TTED rows come from the arithmetic that follows.

The code behind the published tables takes sqrt(1 - cos) of a cosine in single precision. Of equal sentences that
cosine can come out above 1: the root is not a number (NaN). The solver never takes a pair of such a cost, as no
comparison with NaN is true, so it deletes and inserts the very sentences that are the same. That hits restructured
maps, whose sentences are all the same, and makes structure look as if it counted for much more than wording.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS, EMPTY, joined
from tted_core.costs import cost_matrix
from tted_core.distances import DISTANCES, Models
from tted_core.encoders.embedding import embed, encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.registry import lookup
from tted_core.solvers import EditProblem, solve
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
    correct_costs = cost_matrix(DISTANCES["cosine"].load(Models(once)), in_context, left, right)
    sides = [joined(in_context.nodes(tree), EMPTY) for tree in (left, right)]
    encoded = embed(once, [text for side in sides for text in side.read])
    published_costs = _single_precision(*(side.vectors(encoded) for side in sides))
    return Arithmetics(
        solve_as_published(left, right, published_costs),
        solve(EditProblem(left, right, correct_costs), order).upper,
        published_costs,
        correct_costs,
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


REFERENCE = "Sobolevsky and Vorontsov, APEIE 2025"


@dataclass(frozen=True)
class PublishedRow:
    """A row of Table I or III: R_S and R_M as (mean, standard deviation)."""

    method: str
    r_s: tuple[float, float]
    r_m: tuple[float, float]


TABLE_I = (
    PublishedRow("Baseline", (2.05, 0.79), (0.96, 0.10)),
    PublishedRow("TTED with DistilRoBERTa", (0.58, 0.22), (0.53, 0.11)),
    PublishedRow("TTED with SPECTER", (0.69, 0.35), (0.46, 0.14)),
    PublishedRow("TTED with MPNet", (0.44, 0.12), (0.48, 0.11)),
    PublishedRow("TTED with fine-tuned MPNet", (0.61, 0.78), (0.45, 0.12)),
)

TABLE_III = (
    PublishedRow("TTED with MPNet, without context", (0.44, 0.12), (0.48, 0.11)),
    PublishedRow("TTED with MPNet, with context", (0.43, 0.19), (0.35, 0.08)),
)

TABLE_II = {
    "cosine": ((3.89, 0.71), (8.41, 0.80), (0.48, 0.11)),
    "euclidean": ((5.50, 1.00), (11.89, 1.14), (0.48, 0.11)),
    "manhattan": ((119.70, 21.60), (259.05, 25.12), (0.48, 0.11)),
}
"""Distance -> mean rho_1 and rho_3 of maps of 10 nodes, and R_M, with MPNet."""

RUSSIAN_TABLE_1 = {
    "DistilRoBERTa": (3.33, 7.76, 7.38),
    "SPECTER": (1.39, 3.70, 4.74),
    "MPNet": (2.30, 7.19, 8.06),
    "fine-tuned MPNet": (1.82, 7.71, 7.56),
}
"""Encoder -> mean rho_1, rho_2, rho_3."""
