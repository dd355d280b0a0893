"""A tree that can be edited: nodes keep their numbers while they are moved, added and removed."""

from collections.abc import Iterable
from dataclasses import dataclass

from tted_core.tree import TextTree

ROOT = 0


@dataclass
class Draft:
    """Labels, parents and child lists by node number; 0 is the root and stays it."""

    labels: list[str]
    parents: list[int]
    children: list[list[int]]

    @classmethod
    def of(cls, tree: TextTree) -> "Draft":
        """A draft of the tree; its nodes have their preorder indices."""
        return cls(list(tree.labels), list(tree.parents), [list(nodes) for nodes in tree.children])

    def tree(self) -> TextTree:
        """The tree as it stands; nodes that were removed are left out."""
        order = list(self.subtree(ROOT))
        position = {node: index for index, node in enumerate(order)}
        parents = [position.get(self.parents[node], -1) for node in order]
        return TextTree(tuple(self.labels[node] for node in order), tuple(parents))

    def subtree(self, node: int) -> Iterable[int]:
        """The node and all below it, in preorder."""
        stack = [node]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(self.children[node]))

    def place(self, node: int) -> int:
        """The node's position among its siblings."""
        return self.children[self.parents[node]].index(node)

    def move(self, node: int, parent: int, position: int) -> None:
        """Take the node with its subtree below ``parent``, which is not in that subtree."""
        self.children[self.parents[node]].remove(node)
        self.children[parent].insert(position, node)
        self.parents[node] = parent

    def lift_children(self, node: int, position: int) -> None:
        """Make the node's children its siblings, from ``position`` on."""
        parent = self.parents[node]
        for child in self.children[node]:
            self.parents[child] = parent
        self.children[parent][position:position] = self.children[node]
        self.children[node] = []

    def remove(self, node: int) -> None:
        """Take the node out; its children take its place."""
        position = self.place(node)
        self.children[self.parents[node]].remove(node)
        self.lift_children(node, position)

    def add(self, label: str, parent: int, position: int) -> None:
        """A new leaf."""
        self.children[parent].insert(position, len(self.labels))
        self.labels.append(label)
        self.parents.append(parent)
        self.children.append([])
