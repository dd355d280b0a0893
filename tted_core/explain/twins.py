"""Twins: deleted nodes and the inserted ones that they have become, elsewhere or with another text.

TTED has no move, and replaces a text by one that is far from it by deleting and inserting. What belongs together
is told from texts, places and nearness; it changes no cost.
"""

from collections import Counter, defaultdict, deque

from tted_core.comparison import Comparison
from tted_core.script import RELOCATED


def twins(comparison: Comparison) -> dict[int, int]:
    """Deleted node -> inserted node, each once.

    Nodes of one text go together, in preorder. So do two nodes most of whose children do (the head of a branch
    that moved and was reworded; a node whose new text is far from the old one), below two such nodes children that
    are nearer to each other than to nothing, and leaves at the same place below the same parent.
    """
    found = _Twins(comparison)
    found.pair_heads()
    found.pair_children()
    found.pair_leaves_in_place()
    return found.twins


class _Twins:
    """The pairs so far, and the nodes that were deleted (``gone``) or inserted (``come``) and have no twin yet."""

    def __init__(self, comparison: Comparison) -> None:
        self.left, self.right = comparison.left.tree, comparison.right.tree
        self.costs = comparison.costs
        ops = comparison.script.ops
        inserted: dict[str, deque[int]] = defaultdict(deque)
        for op in ops:
            if RELOCATED in op.notes and op.target is not None:
                inserted[self.right.labels[op.target]].append(op.target)
        relocated = sorted(op.source for op in ops if RELOCATED in op.notes and op.source is not None)
        self.twins = {source: inserted[self.left.labels[source]].popleft() for source in relocated}
        self.kept = {op.source: op.target for op in ops if op.source is not None and op.target is not None}
        self.gone = set(range(len(self.left))) - self.kept.keys() - self.twins.keys()
        self.come = set(range(len(self.right))) - set(self.kept.values()) - set(self.twins.values())

    def pair_heads(self) -> None:
        """Nodes most of whose children are each other's, on both sides; children come before their parents."""
        for node in sorted(self.gone, reverse=True):
            children = self.left.children[node]
            partners = (self.twins.get(child, self.kept.get(child)) for child in children)
            votes = Counter(self.right.parents[partner] for partner in partners if partner is not None)
            there, count = next(iter(votes.most_common(1)), (-1, 0))
            if there in self.come and 2 * count > max(len(children), len(self.right.children[there])):
                self._pair(node, there)

    def pair_children(self) -> None:
        """Below twins, the nearest first; parents come before their children."""
        for node in range(len(self.left)):
            if node in self.twins:
                near = sorted(
                    (float(self.costs[v, w]), v, w)
                    for v in self.left.children[node]
                    for w in self.right.children[self.twins[node]]
                    if self.costs[v, w] < min(self.costs[v, -1], self.costs[-1, w])
                )
                for _, v, w in near:
                    self._pair(v, w)

    def pair_leaves_in_place(self) -> None:
        """Leaves with the same number among the children of nodes that are each other's."""
        for node, there in (self.kept | self.twins).items():
            for v, w in zip(self.left.children[node], self.right.children[there], strict=False):
                if not self.left.children[v] and not self.right.children[w]:
                    self._pair(v, w)

    def _pair(self, source: int, target: int) -> None:
        if source in self.gone and target in self.come:
            self.twins[source] = target
            self.gone.remove(source)
            self.come.remove(target)
