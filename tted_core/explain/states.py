"""An edit script carried out one operation at a time: what the left tree looks like on its way to the right one.

No tree is changed for it. As long as there is something to replace or delete, what is left of the left tree is its
restriction to the nodes not yet deleted: children of a deleted node hang below its nearest ancestor that is still
there (Tai 1979). From then on it is the restriction of the right tree to the nodes that are there already. After
the last operation it is the right tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.script import EditScript
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Forest:
    """A tree under edit, in preorder; several trees while the root is deleted and the new one not yet inserted.

    Attributes:
        labels: the nodes' texts, s of them.
        parents: each node's parent as an index into the forest, -1 for a root.
        nodes: for each node (source, target): the left node that it was, None if it was inserted; and the right
            node that it is to be, None if it is going to be deleted.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    nodes: tuple[tuple[int | None, int | None], ...]


def forest_after(left: TextTree, right: TextTree, script: EditScript, count: int) -> Forest:
    """What the first ``count`` operations (0 to all) of the script make of ``left``.

    Siblings stand in the left tree's order until its nodes are dealt with, then in the right tree's; an ordered
    script doesn't let the two differ.
    """
    done = script.ops[:count]
    target_of = {op.source: op.target for op in script.ops}
    source_of = {op.target: op.source for op in script.ops}
    if any(op.source is not None for op in script.ops[count:]):
        gone = {op.source for op in done if op.op == "delete"}
        relabelled = {op.source: op.target for op in done if op.target is not None}
        kept = [node for node in range(len(left)) if node not in gone]
        labels = (
            right.labels[relabelled[node]] if node in relabelled else left.labels[node] for node in kept
        )
        nodes = ((node, target_of[node]) for node in kept)
        return Forest(tuple(labels), _restricted(left, kept), tuple(nodes))
    there = {op.target for op in done}
    kept = [node for node in range(len(right)) if node in there]
    return Forest(
        tuple(right.labels[node] for node in kept),
        _restricted(right, kept),
        tuple((source_of[node], node) for node in kept),
    )


def _restricted(tree: TextTree, kept: Sequence[int]) -> tuple[int, ...]:
    """The kept nodes' parents as indices into ``kept``: the nearest ancestor that is kept, -1 for none."""
    place = {node: index for index, node in enumerate(kept)}
    nearest: list[int] = []  # for each node of the tree: the place of itself or of its nearest kept ancestor
    for node, parent in enumerate(tree.parents):
        nearest.append(place.get(node, nearest[parent] if parent >= 0 else -1))
    return tuple(nearest[tree.parents[node]] if node else -1 for node in kept)
