"""What the mappings of many pairs consist of, counted and checked in one compiled call."""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.arithmetic import total
from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import EditProblems, Mappings, pair_of
from tted_core.solvers.kernels.trees import Booleans, Floats, Integers, subtree_sizes


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
