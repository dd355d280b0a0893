"""Controls: measures that are no good by their making, beside which a figure can be read.

``blind`` never looks which sentence stands where: half the distance of the maps' mean vectors, and the least
number of nodes by which their bare trees differ. ``dear-gap`` is the published TTED with a large constant on every
missing node, so that little but the shape of the trees counts. R_S and R_M reward both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tted_core.blends import Vectors
from tted_core.contexts import Context, none
from tted_core.costs import edit_problem
from tted_core.distances import LoadedDistance
from tted_core.search import Search, solve_and_score
from tted_core.solvers import EditProblem
from tted_core.tree import TextTree

ORDER = "constrained"
DEAR = 50.0
"""What ``dear-gap`` adds to each missing node; no two sentences are more than 1.5 apart."""

Measured: TypeAlias = Callable[[LoadedDistance, TextTree, TextTree], float]


@dataclass(frozen=True)
class Control:
    """An entry of ``CONTROLS``: ``note`` says what it looks at, ``measured`` gives its distance of two maps.

    The distance it is given is one of sentences' vectors that has read all texts.
    """

    note: str
    measured: Measured


def blind(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """Half the distance of the mean vectors, plus the edit distance of the trees without labels."""
    means = distance.costs(_MEAN.nodes(left), _MEAN.nodes(right))[0, 0]
    costs = np.zeros((len(left) + 1, len(right) + 1))
    costs[:-1, -1] = costs[-1, :-1] = 1.0
    return float(means / 2) + _tted(EditProblem(left, right, costs))


def dear_gap(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """TTED of power 1 with ``DEAR`` added to each missing node."""
    return _tted(edit_problem(distance, _NONE, left, right, gap=DEAR))


CONTROLS: dict[str, Control] = {
    "blind": Control(
        "Half the distance of the maps' mean vectors plus the edit distance of the bare trees: never looks which "
        "sentence stands where.",
        blind,
    ),
    "dear-gap": Control(
        f"TTED with {DEAR:g} added to every missing node: little but the shape counts.", dear_gap
    ),
}


def _mean(_tree: TextTree, vectors: Vectors) -> Vectors:
    """The mean vector, for each node; summed in the order of the numbers, whatever the order of the nodes."""
    mean = np.sort(vectors, axis=0).sum(axis=0) / len(vectors)
    return np.tile(mean, (len(vectors), 1))


def _tted(problem: EditProblem) -> float:
    return solve_and_score(problem, Search(ORDER))[1].tted


_NONE = Context(none, "")
_MEAN = Context(none, "", _mean)
