"""Compiled: the costs of many pairs from their nodes' vectors, and what their mappings consist of."""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.arithmetic import price_indels, total
from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import EditProblems, Mappings, pair_of
from tted_core.solvers.kernels.trees import Booleans, Floats, Integers, subtree_sizes

NEAR = 1e-6
"""Squared distances below this, for vectors of length 1, are computed from the differences: elsewhere the
product of two vectors is exact to 1e-15, which changes a distance by less than 1e-12."""


class Operations(NamedTuple):
    """What p mappings consist of: columns replace, delete, insert, and before them the number of matches."""

    counts: Integers  # (p, 4)
    costs: Floats  # (p, 3), sums of costs, whatever the power
    distances: Floats  # (p,)
    gaps: Floats  # (p, 3): the largest delete or insert cost, and each tree's distance to no tree at all
    sound: Booleans  # (p,): one-to-one, with ancestors on ancestors (and left on left, if asked)


def empty_operations(pairs: int) -> Operations:
    """Room for the operations of so many pairs."""
    return Operations(
        np.zeros((pairs, 4), dtype=np.int64),
        np.zeros((pairs, 3)),
        np.zeros(pairs),
        np.zeros((pairs, 3)),
        np.zeros(pairs, dtype=np.bool_),
    )


@compiled
def fill_costs(vectors: Floats, blocks: Integers, problems: EditProblems, scale: float) -> None:
    """Put euclidean distances times ``scale`` where the problems' costs are: nodes and gap against nodes and gap.

    Args:
        vectors: (rows, d); a tree's nodes one after another, and then its gap.
        blocks: (t + 1,) where each tree's rows begin.
        problems: the pairs.
        scale: what the distances are multiplied by.
    """
    pairs, costs = problems.pairs, problems.costs
    squares = np.empty(vectors.shape[0])
    for row in range(vectors.shape[0]):
        squares[row] = np.dot(vectors[row], vectors[row])
    for pair in range(pairs.shape[0]):
        a, b = pairs[pair, 0], pairs[pair, 1]
        left, right = vectors[blocks[a] : blocks[a + 1]], vectors[blocks[b] : blocks[b + 1]]
        products = np.dot(left, right.T)
        place = problems.starts[pair]
        for i in range(left.shape[0]):
            for j in range(right.shape[0]):
                both = squares[blocks[a] + i] + squares[blocks[b] + j]
                square = both - 2.0 * products[i, j]
                if square < NEAR * 0.5 * both:
                    square = 0.0
                    for axis in range(left.shape[1]):
                        difference = left[i, axis] - right[j, axis]
                        square += difference * difference
                costs[place] = np.sqrt(square) * scale
                place += 1


@compiled
def price_gaps(problems: EditProblems, factor: float, price: float) -> None:
    """Let the indels of every pair cost ``factor`` times what they do, and ``price``."""
    for pair in range(problems.pairs.shape[0]):
        _, _, costs = pair_of(problems, pair)
        price_indels(costs, factor, price)


@compiled
def gather_costs(texts: Integers, known: Floats, problems: EditProblems) -> None:
    """Put costs that are known of one tree's nodes where the problems' costs are; that tree is left in every pair.

    Args:
        texts: the number of each node's text, in the order of ``problems.trees``.
        known: (t + 1, n + 1) what each text and the gap cost against the left tree's n nodes and the gap.
        problems: the pairs.
    """
    starts = problems.trees.starts
    for pair in range(problems.pairs.shape[0]):
        _, right, costs = pair_of(problems, pair)
        first = starts[problems.pairs[pair, 1]]
        for j in range(right.size):
            costs[:, j] = known[texts[first + j]]
        costs[:, right.size] = known[-1]


@compiled
def count_operations(
    problems: EditProblems, texts: Integers, rule: tuple[bool, float], found: Mappings, operations: Operations
) -> None:
    """Count and add up the operations of each mapping, and check that it is one.

    Args:
        problems: the pairs.
        texts: the number of each node's text, in the order of ``problems.trees``; equal texts that cost nothing
            to replace are matches.
        rule: whether the mappings have to keep the order of siblings, and the power of the distance.
        found: the mappings.
        operations: where the result is put.
    """
    ordered, power = rule
    for pair in range(problems.pairs.shape[0]):
        left, right, costs = pair_of(problems, pair)
        starts = problems.trees.starts
        first, second = starts[problems.pairs[pair, 0]], starts[problems.pairs[pair, 1]]
        partners = found.partners[found.starts[pair] : found.starts[pair + 1]]
        rows, columns = left.size, right.size
        counts, sums = operations.counts[pair], operations.costs[pair]
        kept = np.zeros(columns, dtype=np.bool_)
        paid = np.zeros(rows + columns)
        sound = True
        for i in range(rows):
            j = partners[i]
            if j < 0:
                counts[2] += 1
                sums[1] += costs[i, columns]
                paid[i] = costs[i, columns]
                continue
            sound &= not kept[j]
            kept[j] = True
            paid[i] = costs[i, j]
            if costs[i, j] == 0.0 and texts[first + i] == texts[second + j]:
                counts[0] += 1
            else:
                counts[1] += 1
                sums[0] += costs[i, j]
        for j in range(columns):
            if not kept[j]:
                counts[3] += 1
                sums[2] += costs[rows, j]
                paid[rows + j] = costs[rows, j]
        operations.gaps[pair, 0] = max(costs[:rows, columns].max(), costs[rows, :columns].max())
        operations.gaps[pair, 1] = total(costs[:rows, columns], power)
        operations.gaps[pair, 2] = total(costs[rows, :columns], power)
        operations.distances[pair] = total(paid, power)
        operations.sound[pair] = sound and _keeps_order(left, right, partners, ordered)


@compiled
def _keeps_order(left: Integers, right: Integers, partners: Integers, ordered: bool) -> bool:
    """Whether ancestors are mapped to ancestors, and with ``ordered`` what stands left to what stands left."""
    sizes_left, sizes_right = subtree_sizes(left), subtree_sizes(right)
    for v in range(left.size):
        a = partners[v]
        if a < 0:
            continue
        for w in range(v + 1, left.size):
            b = partners[w]
            if b < 0:
                continue
            above = w < v + sizes_left[v]
            if above != (a < b < a + sizes_right[a]) or b <= a < b + sizes_right[b]:
                return False
            if ordered and a > b:
                return False
    return True
