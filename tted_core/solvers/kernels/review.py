"""The review of many mappings in one compiled call: rules, costs, and numbers of operations.

It is independent of the kernels that find the mappings.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import Booleans, Floats, Integers, compile_kernel
from tted_core.solvers.kernels.many import EditProblems, Mappings, pair_of

MATCH, REPLACE, DELETE, INSERT = range(4)

SOUND, NOT_ONCE, ANCESTORS, SIBLINGS = range(4)  # results of ``broken_rule``


class Review(NamedTuple):
    """The operations and costs of p mappings."""

    broken: Integers  # (p,) the rule that the mapping breaks
    distances: Floats  # (p,) d_p
    empty: Floats  # (p, 2) each tree's distance to the empty map
    largest: Floats  # (p,) the largest cost of a deletion or an insertion
    counts: Integers  # (p, 4) matches, replacements, deletions and insertions
    sums: Floats  # (p, 4) total costs of these


class Rules(NamedTuple):
    """The rules of a review: the number of each node's text, the power, and 1 if siblings keep their order."""

    texts: Integers
    power: float
    ordered: int


def new_review(pairs: int) -> Review:
    """Allocate the results."""
    broken, counts = np.zeros(pairs, dtype=np.int64), np.zeros((pairs, 4), dtype=np.int64)
    return Review(
        broken, np.zeros(pairs), np.zeros((pairs, 2)), np.zeros(pairs), counts, np.zeros((pairs, 4))
    )


def review_mappings(
    problems: EditProblems, found: Mappings, texts: Integers, power: float, *, ordered: bool
) -> Review:
    """Review mappings by their costs.

    Args:
        problems: the pairs with their costs, without a power.
        found: the mappings.
        texts: the number of each node's text; equal texts whose replacement costs nothing match.
        power: the p of d_p.
        ordered: True if the mappings must keep the order of siblings.
    """
    review = new_review(len(problems.pairs))
    # interpreted, it takes about as long as so many pairs of nodes
    work = 20 * len(found.partners)
    review_each.for_size(work)(problems, found, Rules(texts, power, int(ordered)), review)
    return review


@compile_kernel
def review_each(problems: EditProblems, found: Mappings, rules: Rules, review: Review) -> None:
    """Review every pair and store its results."""
    for pair in range(problems.starts.size - 1):
        left, right, costs = pair_of(problems, pair)
        partners = found.partners[found.starts[pair] : found.starts[pair + 1]]
        review.broken[pair] = broken_rule(left, right, partners, rules.ordered)
        if review.broken[pair] == SOUND:
            here = rules.texts[problems.trees[problems.pairs[pair, 0]] :]
            there = rules.texts[problems.trees[problems.pairs[pair, 1]] :]
            same = np.zeros(left.size, dtype=np.bool_)
            for v in range(left.size):
                same[v] = partners[v] >= 0 and here[v] == there[partners[v]]
            paid = count_operations(costs, partners, same, review.counts[pair], review.sums[pair])
            review.distances[pair] = exact_total(paid, rules.power)
            deletions, insertions = costs[:-1, -1].copy(), costs[-1, :-1].copy()
            review.empty[pair, 0] = exact_total(deletions, rules.power)
            review.empty[pair, 1] = exact_total(insertions, rules.power)
            review.largest[pair] = max(deletions.max(), insertions.max())


@compile_kernel
def count_operations(
    costs: Floats, partners: Integers, same: Booleans, counts: Integers, sums: Floats
) -> Floats:
    """Count and add up the operations, and return all their costs: those of left nodes, then insertions.

    ``same`` are the left nodes whose partner has the same text.
    """
    rows, columns = costs.shape[0] - 1, costs.shape[1] - 1
    paid = np.zeros(rows + columns)
    inserted = np.ones(columns, dtype=np.bool_)
    for v in range(rows):
        w = partners[v]
        if w < 0:
            kind, paid[v] = DELETE, costs[v, columns]
        else:
            inserted[w] = False
            paid[v] = costs[v, w]
            kind = MATCH if paid[v] == 0.0 and same[v] else REPLACE
        counts[kind] += 1
        sums[kind] += paid[v]
    for w in range(columns):
        if inserted[w]:
            paid[rows + w] = costs[rows, w]
            counts[INSERT] += 1
            sums[INSERT] += costs[rows, w]
    return paid


@compile_kernel
def exact_total(costs: Floats, power: float) -> float:
    """(sum of c^p)^(1/p), as :func:`tted_core.arithmetic.total`.

    The rounding error of each addition is kept and added at the end (Knuth's two-sum). This rounds the sum
    correctly, but for cases that no costs come near, so that it doesn't depend on the order of the costs.
    """
    largest = costs.max()
    if largest == 0.0:
        return 0.0
    high, low = 0.0, 0.0
    for index in range(costs.size):
        part = costs[index] if power == 1.0 else (costs[index] / largest) ** power
        whole = high + part
        back = whole - high
        low += (high - (whole - back)) + (part - back)
        high = whole
    if power == 1.0:
        return float(high + low)
    return float(largest * (high + low) ** (1.0 / power))


@compile_kernel
def broken_rule(left: Integers, right: Integers, partners: Integers, ordered: int) -> int:
    """The rule that a mapping breaks: one-to-one, ancestors to ancestors, or the order of siblings.

    Args:
        left: the parents of the left nodes.
        right: the parents of the right nodes.
        partners: each left node's partner, -1 for none.
        ordered: 1 to check the left-to-right order.
    """
    back = np.full(right.size, -1, dtype=np.int64)
    for v in range(left.size):
        w = partners[v]
        if w >= right.size or (w >= 0 and back[w] >= 0):
            return NOT_ONCE
        if w >= 0:
            back[w] = v
    above_left, above_right = _keep_above(left, partners), _keep_above(right, back)
    broken, last = SOUND, -1
    for v in range(left.size):
        w = partners[v]
        if w >= 0:
            above = above_left[v]
            if above_right[w] != (partners[above] if above >= 0 else -1):
                return ANCESTORS
            # Among nodes that aren't ancestors of one another, preorder is the left-to-right order.
            if ordered == 1 and w < last:
                broken = SIBLINGS
            last = w
    return broken


@compile_kernel
def _keep_above(parents: Integers, partners: Integers) -> Integers:
    """The nearest ancestor with a partner of each node, -1 if there is none."""
    found = np.full(parents.size, -1, dtype=np.int64)
    for node in range(1, parents.size):
        parent = parents[node]
        found[node] = parent if partners[parent] >= 0 else found[parent]
    return found
