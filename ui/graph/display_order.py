"""The order in which the right map's nodes are shown.

Where the order of siblings doesn't count, a mapping may pair them crosswise. Shown as they stand, half of the
links would cross; sorted by where their branches match, hardly any do. For display only: no number changes.
"""

from tted_core import Comparison
from tted_core.tree import TextTree


def display_order(comparison: Comparison) -> list[int]:
    """The right map's nodes in the preorder that they are shown in."""
    right = comparison.right.tree
    if comparison.options.order == "ordered":
        return list(range(len(right)))
    partner = {op.target: op.source for op in comparison.script.ops if op.source is not None}
    return _preorder(right, _first_sources(right, partner))


def _first_sources(right: TextTree, partner: dict[int | None, int]) -> list[int | None]:
    """For each node, the first left node that its branch is matched to; None for none."""
    first: list[int | None] = [partner.get(node) for node in range(len(right))]
    for node in range(len(right) - 1, 0, -1):
        parent = right.parents[node]
        known = [source for source in (first[node], first[parent]) if source is not None]
        first[parent] = min(known, default=None)
    return first


def _preorder(right: TextTree, first: list[int | None]) -> list[int]:
    """Siblings by the first source of their branch; one without stays behind its left sibling."""
    order: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        place = -1
        ranked = []
        for child in right.children[node]:
            source = first[child]
            place = place if source is None else source
            ranked.append((place, child))
        stack += [child for _, child in sorted(ranked, reverse=True)]
    return order
