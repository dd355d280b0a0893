"""The engine of the polynomial orders: a chunk of pairs of trees in one compiled call, which releases the GIL.

Calling a kernel from Python, with the arrays created for it, takes as long as the kernel itself on 25 nodes. So
the trees of a chunk are concatenated in one array, and likewise the pairs' costs and results; thousands of pairs
are one call, and threads share the work. A single comparison is a chunk of one pair.

Zhang's recursion assumes that replacing costs at most deleting plus inserting, as with any metric. Larger costs
are lowered to that sum, and such a pair is deleted and inserted afterwards: a part of a constrained mapping is a
constrained mapping.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.assignment import new_matching_space, solve_assignment
from tted_core.solvers.kernels.compiling import Floats, Integers, compile_kernel
from tted_core.solvers.kernels.ordered import pair_ordered
from tted_core.solvers.kernels.restricted import pair_constrained
from tted_core.tree import TextTree

ORDERED, CONSTRAINED, ASSIGNED = 0, 1, 2
KERNELS = {"ordered": ORDERED, "constrained": CONSTRAINED}  # order -> its kernel

_ROUNDING = 1e-9  # tolerance of a kernel's distance, relative to all indels of a pair


class EditProblems(NamedTuple):
    """p pairs of trees, which are concatenated; tree t has the nodes ``trees[t]`` to ``trees[t + 1] - 1``."""

    parents: Integers  # as indices in their tree; -1 for a root
    trees: Integers  # (trees + 1,)
    pairs: Integers  # (p, 2) numbers of trees
    costs: Floats  # (n+1, m+1) for each pair, with the gap last
    starts: Integers  # (p + 1,) of each pair's costs


class Mappings(NamedTuple):
    """Results for p pairs; pair k's partners are ``partners[starts[k] : starts[k + 1]]``."""

    distances: Floats  # (p,) costs of the mappings; NaN if a kernel's own distance differs
    partners: Integers  # each left node's partner, -1 for none
    starts: Integers  # (p + 1,)

    def of(self, pair: int) -> Integers:
        """The partners of one pair's left nodes."""
        return self.partners[self.starts[pair] : self.starts[pair + 1]]


def pack_problems(pairs: Sequence[tuple[TextTree, TextTree, Floats]]) -> EditProblems:
    """Concatenate pairs of trees and their costs."""
    trees = [tree for left, right, _ in pairs for tree in (left, right)]
    costs = [np.asarray(costs, dtype=np.float64).reshape(-1) for _, _, costs in pairs]
    return EditProblems(
        np.array([above for tree in trees for above in tree.parents], dtype=np.int64),
        _starts([len(tree) for tree in trees]),
        np.arange(2 * len(pairs), dtype=np.int64).reshape(-1, 2),
        np.concatenate(costs) if costs else np.empty(0),
        _starts([each.size for each in costs]),
    )


def _starts(sizes: Sequence[int] | Integers) -> Integers:
    """Start of each of several parts of these sizes, and end of the last one."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def new_mappings(problems: EditProblems) -> Mappings:
    """Allocate the results."""
    starts = _starts(np.diff(problems.trees)[problems.pairs[:, 0]])
    return Mappings(np.zeros(len(starts) - 1), np.full(starts[-1], -1, dtype=np.int64), starts)


def solve_pairs(order: int, problems: EditProblems) -> Mappings:
    """Solve every pair in an order: ``ORDERED``, ``CONSTRAINED`` or ``ASSIGNED`` (no structure)."""
    found = new_mappings(problems)
    solve_each.for_size(problems.costs.size)(order, problems, found)
    return found


@compile_kernel
def solve_each(order: int, problems: EditProblems, found: Mappings) -> None:
    """Solve every pair and store its result."""
    for pair in range(problems.starts.size - 1):
        left, right, costs = pair_of(problems, pair)
        if order == ORDERED:
            distance, partners = pair_ordered(left, right, costs)
        elif order == ASSIGNED:
            distance, partners = assign_partners(costs)
        else:
            distance, partners = pair_constrained(left, right, np.minimum(costs, costs[:, -1:] + costs[-1:]))
            take_apart(costs, partners)
        store(pair, costs, partners, found)
        indels = costs[:-1, -1].sum() + costs[-1, :-1].sum()
        if not abs(found.distances[pair] - distance) <= _ROUNDING * indels:
            found.distances[pair] = np.nan


@compile_kernel
def assign_partners(costs: Floats) -> tuple[float, Integers]:
    """The cheapest one-to-one mapping, in which any node may be left out, and its cost."""
    rows, columns = costs.shape[0] - 1, costs.shape[1] - 1
    space = new_matching_space(max(rows, columns))
    for i in range(rows):
        for j in range(columns):
            space.weights[i, j] = max(0.0, costs[i, columns] + costs[rows, j] - costs[i, j])
    total = solve_assignment(rows, columns, space)
    partners = space.partner[:rows].copy()
    take_apart(costs, partners)
    return costs[:rows, columns].sum() + costs[rows, :columns].sum() - total, partners


@compile_kernel
def pair_of(problems: EditProblems, pair: int) -> tuple[Integers, Integers, Floats]:
    """Parents of both trees and costs of one pair, as views."""
    a, b = problems.pairs[pair, 0], problems.pairs[pair, 1]
    left = problems.parents[problems.trees[a] : problems.trees[a + 1]]
    right = problems.parents[problems.trees[b] : problems.trees[b + 1]]
    costs = problems.costs[problems.starts[pair] : problems.starts[pair + 1]]
    return left, right, costs.reshape(left.size + 1, right.size + 1)


@compile_kernel
def store(pair: int, costs: Floats, partners: Integers, found: Mappings) -> None:
    """Store the result for one pair; the distance is the mapping's cost."""
    found.distances[pair] = partners_cost(costs, partners)
    found.partners[found.starts[pair] : found.starts[pair + 1]] = partners


@compile_kernel
def take_apart(costs: Floats, partners: Integers) -> None:
    """Replace pairs with a deletion and an insertion where that is cheaper."""
    last_row, last_column = costs.shape[0] - 1, costs.shape[1] - 1
    for i in range(last_row):
        j = partners[i]
        if j >= 0 and costs[i, j] > costs[i, last_column] + costs[last_row, j]:
            partners[i] = -1


@compile_kernel
def partners_cost(costs: Floats, partners: Integers) -> float:
    """The cost of a mapping by the original costs: the sum of its entries."""
    last_row, last_column = costs.shape[0] - 1, costs.shape[1] - 1
    inserted = np.ones(last_column, dtype=np.bool_)
    total = 0.0
    for i in range(last_row):
        j = partners[i]
        if j >= 0:
            inserted[j] = False
            total += costs[i, j]
        else:
            total += costs[i, last_column]
    for j in range(last_column):
        if inserted[j]:
            total += costs[last_row, j]
    return total
