"""Both maps in one: the right map as it stands, with what only the left one has put in where it was.

For showing and writing; no number changes. Taking the deleted nodes away leaves the right map, since nothing
else hangs below one of them. The left map isn't there as a whole: a node that has moved stands where the right
map has it.
"""

from collections import defaultdict
from dataclasses import dataclass

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import Status
from tted_core.explain.mapping_view import MappingView
from tted_core.foundations.limits import MAX_DEPTH
from tted_core.script import EditOp


@dataclass(frozen=True)
class MergedMap:
    """A node for each operation of a script, in preorder.

    Attributes:
        ops: the operations.
        parents: each one's parent as an index into ``ops``, -1 for the root.
        texts: each one's text in the right map, or in the left one if it was deleted.
        old: its text in the left map, where that is another; None where it isn't.
        statuses: what became of each one's sentence; both ends of a move are "moved".
    """

    ops: tuple[EditOp, ...]
    parents: tuple[int, ...]
    texts: tuple[str, ...]
    old: tuple[str | None, ...]
    statuses: tuple[Status, ...]


def merged_map(comparison: Comparison) -> MergedMap:
    """Merge the maps of a comparison.

    A deleted node stands below its left parent, behind the sibling that it followed there. A deleted root is the
    first child of the new one. What would be deeper than a map can be moves up.
    """
    left, right = comparison.left.tree, comparison.right.tree
    ops = comparison.script.ops
    of_left = {op.source: op for op in ops if op.source is not None}
    of_right = {op.target: op for op in ops if op.target is not None}
    gone: dict[tuple[EditOp, EditOp | None], list[EditOp]] = defaultdict(list)  # by parent and left sibling
    if of_left[0].target is None:
        gone[of_right[0], None].append(of_left[0])
    for node, below in enumerate(left.children):
        sibling = None
        for child in below:
            op = of_left[child]
            if op.target is None:
                gone[of_left[node], sibling].append(op)
            elif op.target and of_right[right.parents[op.target]] is of_left[node]:
                sibling = op
    shown: list[EditOp] = []
    parents: list[int] = []
    depths: list[int] = []
    stack = [(of_right[0], -1)]
    while stack:
        op, parent = stack.pop()
        if parent >= 0 and depths[parent] == MAX_DEPTH:
            parent = parents[parent]
        node = len(shown)
        shown.append(op)
        parents.append(parent)
        depths.append(depths[parent] + 1 if parent >= 0 else 1)
        kept = [of_right[child] for child in right.children[op.target]] if op.target is not None else []
        children = [*gone[op, None], *(each for child in kept for each in (child, *gone[op, child]))]
        stack.extend((child, node) for child in reversed(children))
    before = [None if op.source is None else left.labels[op.source] for op in shown]
    after = [None if op.target is None else right.labels[op.target] for op in shown]
    texts = (old or "" if new is None else new for old, new in zip(before, after, strict=True))
    olds = (None if new in {None, old} else old for old, new in zip(before, after, strict=True))
    status_of = MappingView(comparison).status_of
    statuses = (status_of[op.source, op.target] for op in shown)
    return MergedMap(tuple(shown), tuple(parents), tuple(texts), tuple(olds), tuple(statuses))
