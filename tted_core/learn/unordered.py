"""How the unordered distance is found and proven here, with everything the solver does written down.

The solver is :mod:`tted_core.solvers.unordered` itself, watched at its work: the bounds are its own. It counts
what keeping pairs saves, of all that deleting and inserting every node would cost. Nodes are numbered from 1 in
postorder. g(i, j) is what keeping the pair (i, j) saves, F(i, j) the most that can be saved below both, and
W(i, j) = F(i, j) + max(0, g(i, j)); the distance is all deletions and insertions less the largest W. F is the best
matching of nodes below i with nodes below j, no two of them on one path from the root (Hong, Kobayashi and
Yamamoto 2017): the hard step, which is bounded from both sides.

This is for looking at, on small trees; :mod:`tted_core.solvers` is for computing.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.learn.constrained import Matching, Numbers, children_of, two_matchings
from tted_core.learn.zhang_shasha import Numbering, check_traced, number
from tted_core.solvers import SOLVERS, Solution
from tted_core.solvers.unordered import shift_to_unit, solve_unordered
from tted_core.tree import TextTree

if TYPE_CHECKING:
    from tted_core.solvers.unordered.model import MatchingModel
    from tted_core.solvers.unordered.problem import Problem
    from tted_core.solvers.unordered.refinement import Event

Floats: TypeAlias = NDArray[np.float64]
Line: TypeAlias = Literal["match", "down", "repair", "child", "prices", "split"]
"""What bounds F(i, j). From below: a matching of the children; F of one child and the other node; what prices led
to, repaired. From above: an only child; prices; the children one by one."""
SMALLEST_AMOUNT = 1e-6
"""Of a linear program's solution, what is smaller is rounding."""


@dataclass(frozen=True)
class Tables:
    """The bounds of all pairs at one time, (n+1, m+1) each, in postorder; row and column 0 are 0."""

    forest: tuple[Floats, Floats]
    """From below and from above: F."""
    pair: tuple[Floats, Floats]
    """W."""
    tree: tuple[Floats, Floats]
    """The largest W of any pair in the two subtrees."""


@dataclass(frozen=True)
class Bound:
    """One line that bounds F(i, j), and what it says."""

    line: Line
    value: float


@dataclass(frozen=True)
class Relaxation:
    """The bound that prices give: they are paid for all leaves, and no path on the right is looked at any more.

    A left node is worth the largest W less its partner's price, which is that of the leaves below it.
    """

    prices: dict[int, float]
    """Of the leaves below j."""
    picked: tuple[tuple[int, int], ...]
    """The best left nodes, no two on one path, each with its best partner; partners may be on one path."""
    value: float


@dataclass(frozen=True)
class PairStep:
    """F(i, j) bounded for the first time, i and j having children."""

    row: int
    column: int
    below: tuple[Bound, ...]
    above: tuple[Bound, ...]
    matching: Matching
    """Of the children; its value is minus what it saves."""
    repaired: tuple[tuple[int, int], ...]
    """The matching that gives the bound from below, if none of the simpler lines does."""
    relaxation: Relaxation | None
    """None where one has an only child: no prices are needed then."""


@dataclass(frozen=True)
class Refinement:
    """One step of closing what is open."""

    event: "Event"
    row: int
    column: int
    amounts: tuple[tuple[int, int, float], ...]
    """What the linear program takes of each pair, if one was just solved."""
    tables: Tables


@dataclass(frozen=True)
class Trace:
    """A whole run."""

    left: Numbering
    right: Numbering
    children: tuple[tuple[Numbers, ...], tuple[Numbers, ...]]
    costs: Floats
    """(n+1, m+1) in postorder, row and column 0 being the gap."""
    kept: Floats
    """(n+1, m+1): g."""
    total: float
    """What deleting and inserting every node costs."""
    cheapest_edits: float
    """A bound of the distance: each node's cheapest edit."""
    start: Solution
    """The constrained mapping."""
    filled: Tables
    pairs: tuple[PairStep, ...]
    """Where both nodes have children, in postorder."""
    refinements: tuple[Refinement, ...]
    solution: Solution

    @property
    def distance(self) -> float:
        """The unordered distance of both trees."""
        return self.solution.upper

    def bounds(self, tables: Tables) -> tuple[float, float]:
        """What the tables say of the distance, and what is known from the start: (lower, upper)."""
        lower, upper = (self.total - float(table.max()) for table in reversed(tables.pair))
        return max(lower, self.cheapest_edits), min(upper, self.start.upper)


def trace(left: TextTree, right: TextTree, costs: Floats) -> Trace:
    """Run the solver and write everything down; what it takes and refuses is as for Zhang and Shasha's."""
    check_traced(left, right)
    watched = _Watched(left, right, costs)
    solution = solve_unordered(left, right, costs, watch=watched)
    children = children_of(left, watched.left), children_of(right, watched.right)
    assert watched.problem, "the solver bounds all pairs"
    in_postorder = costs[np.ix_(watched.left.preorder, watched.right.preorder)]
    return Trace(
        watched.left,
        watched.right,
        children,
        in_postorder,
        in_postorder[:, :1] + in_postorder[:1] - in_postorder,
        math.fsum((*costs[:-1, -1], *costs[-1, :-1])),
        max(float(costs[:-1].min(axis=1).sum()), float(costs[:, :-1].min(axis=0).sum())),
        SOLVERS["constrained"](left, right, costs),
        watched.filled,
        watched.pairs,
        tuple(watched.refinements),
        solution,
    )


class _Watched:
    """Listens to the solver, and takes its tables over into postorder and the costs' own unit."""

    def __init__(self, left: TextTree, right: TextTree, costs: Floats) -> None:
        self.left, self.right = number(left), number(right)
        self.children = children_of(left, self.left), children_of(right, self.right)
        self._unit = -shift_to_unit(costs)
        self._position = tuple(
            {node: place for place, node in enumerate(side.preorder)} for side in (self.left, self.right)
        )
        self.problem: Problem | None = None
        self.filled: Tables
        self.pairs: tuple[PairStep, ...]
        self.refinements: list[Refinement] = []

    def __call__(
        self, event: "Event", pair: tuple[int, int], problem: "Problem", model: "MatchingModel | None"
    ) -> None:
        """What was just done; see ``Watch``."""
        self.problem = problem
        tables = self._tables(problem)
        if event == "filled":
            self.filled = tables
            self.pairs = tuple(self._pair_steps(problem, tables))
            return
        amounts: tuple[tuple[int, int, float], ...] = ()
        if event == "linear" and model is not None:
            used = zip(model.left.tolist(), model.right.tolist(), model.amounts.tolist(), strict=True)
            amounts = tuple((*self._numbered(k, m), x) for k, m, x in used if x > SMALLEST_AMOUNT)
        self.refinements.append(Refinement(event, *self._numbered(*pair), amounts, tables))

    def _numbered(self, v: int, w: int) -> tuple[int, int]:
        return self._position[0][v], self._position[1][w]

    def _tables(self, problem: "Problem") -> Tables:
        bounds = problem.bounds

        def both(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
            return self._in_postorder(lower), self._in_postorder(upper)

        return Tables(
            both(bounds.forest_lower, bounds.forest_upper),
            both(bounds.pair_lower, bounds.pair_upper),
            both(bounds.tree_lower, bounds.tree_upper),
        )

    def _in_postorder(self, table: Floats) -> Floats:
        turned = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
        turned[1:, 1:] = np.ldexp(table[np.ix_(self.left.preorder[1:], self.right.preorder[1:])], self._unit)
        return turned

    def _pair_steps(self, problem: "Problem", tables: Tables) -> Iterator[PairStep]:
        for i, mine in enumerate(self.children[0]):
            for j, others in enumerate(self.children[1]):
                if mine and others:
                    yield self._pair_step(i, j, problem, tables)

    def _pair_step(self, i: int, j: int, problem: "Problem", tables: Tables) -> PairStep:
        mine, others = self.children[0][i], self.children[1][j]
        lower, upper = tables.forest
        matching, _ = two_matchings(
            mine, others, lambda k, m: -float(tables.tree[0][k, m]) if k and m else 0.0
        )
        picked = problem.pick(self.left.preorder[i], self.right.preorder[j])
        repaired = tuple(self._numbered(k, m) for k, m in picked)
        below = [
            Bound("match", -matching.value),
            Bound("down", float(max(*lower[list(mine), j], *lower[i, list(others)]))),
        ]
        if repaired:
            below.append(Bound("repair", float(sum(tables.pair[0][k, m] for k, m in repaired))))
        if len(mine) == 1 or len(others) == 1:
            above, relaxation = [Bound("child", float(upper[i, j]))], None
        else:
            relaxation = self._relaxation(i, j, problem, tables)
            above = [Bound("prices", relaxation.value), Bound("split", self._split(i, j, tables))]
        return PairStep(i, j, tuple(below), tuple(above), matching, repaired, relaxation)

    def _relaxation(self, i: int, j: int, problem: "Problem", tables: Tables) -> Relaxation:
        """The bound for the prices that the solver kept of this pair."""
        bounds, v, w = problem.bounds, self.left.preorder[i], self.right.preorder[j]
        found = bounds.prices[v, bounds.price_start[w] : bounds.price_start[w + 1]]
        leaves = [m for m in range(self.right.leftmost[j], j) if not self.children[1][m]]
        prices = dict(zip(leaves, np.ldexp(found.astype(np.float64), self._unit).tolist(), strict=True))
        upper = tables.pair[1]

        def worth(k: int) -> tuple[float, int]:
            def less(m: int) -> float:
                below = range(self.right.leftmost[m], m + 1)
                return float(upper[k, m]) - math.fsum(prices.get(leaf, 0.0) for leaf in below)

            best = max(range(self.right.leftmost[j], j), key=less)
            return less(best), best

        def best_below(nodes: Numbers) -> tuple[float, tuple[tuple[int, int], ...]]:
            value = 0.0
            pairs: list[tuple[int, int]] = []
            for k in nodes:
                alone, partner = worth(k)
                below, others = best_below(self.children[0][k])
                if alone > 0.0 and alone >= below:
                    value, pairs = value + alone, [*pairs, (k, partner)]
                else:
                    value, pairs = value + below, [*pairs, *others]
            return value, tuple(pairs)

        value, picked = best_below(self.children[0][i])
        return Relaxation(prices, picked, value + math.fsum(prices.values()))

    def _split(self, i: int, j: int, tables: Tables) -> float:
        """Each child with all of the other forest, whatever its siblings take: the smaller of both sides."""
        forest, pair = tables.forest[1], tables.pair[1]
        below_i, below_j = slice(self.left.leftmost[i], i), slice(self.right.leftmost[j], j)
        return float(
            min(
                sum(max(forest[k, j], pair[k, below_j].max()) for k in self.children[0][i]),
                sum(max(forest[i, m], pair[below_i, m].max()) for m in self.children[1][j]),
            )
        )
