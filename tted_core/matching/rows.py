"""Two maps side by side: the order in which the right map's nodes are shown, and which nodes share a row.

Where the order of siblings doesn't count, a mapping may pair them crosswise. Shown as they stand, half of the
links would cross; sorted by where their branches match, hardly any do. For display only: no number changes.
"""

from bisect import bisect_left
from collections.abc import Sequence

from tted_core.tree import TextTree


def display_order(right: TextTree, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The right map's nodes in the preorder that they are shown in, if these pairs are to be side by side.

    Siblings stand in the order of the first left nodes that their branches are paired with; one whose branch has
    none stays behind its left sibling.
    """
    first = {target: source for source, target in pairs}
    for node in range(len(right) - 1, 0, -1):
        if node in first:
            parent = right.parents[node]
            first[parent] = min(first[node], first.get(parent, first[node]))
    order: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        position = -1
        ranked = []
        for child in right.children[node]:
            position = first.get(child, position)
            ranked.append((position, child))
        stack += [child for _, child in sorted(ranked, reverse=True)]
    return order


def align_rows(
    left: TextTree, shown: list[int], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int | None, int | None]]:
    """Rows that keep both orders of display and put as many matched nodes as possible side by side.

    The matched pairs on common rows are a longest increasing subsequence of the targets in the order of their
    sources; the other nodes get rows of their own. ``shown`` lists the right nodes in the order of display.
    """
    position = {node: index for index, node in enumerate(shown)}
    by_position = sorted((source, position[target]) for source, target in pairs)
    rows: list[tuple[int | None, int | None]] = []
    above, before = 0, 0
    end = (len(left), len(shown))
    for source, target in [*longest_chain(by_position), end]:
        rows += [(node, None) for node in range(above, source)]
        rows += [(None, shown[index]) for index in range(before, target)]
        if (source, target) != end:
            rows.append((source, shown[target]))
        above, before = source + 1, target + 1
    return rows


def longest_chain(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A longest subsequence of ``pairs`` (sorted by source, distinct targets) whose targets increase."""
    tails: list[int] = []  # smallest target that ends a chain of each length
    ends: list[int] = []  # index of the pair that does
    before: list[int] = []
    for index, (_, target) in enumerate(pairs):
        length = bisect_left(tails, target)
        before.append(ends[length - 1] if length else -1)
        tails[length:] = [target, *tails[length + 1 :]]
        ends[length:] = [index, *ends[length + 1 :]]
    chain = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
