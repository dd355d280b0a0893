"""TextTree: a rooted, ordered tree whose nodes carry texts (Sobolevsky and Vorontsov 2025, section II-A).

A node is its preorder index: the root is 0, a parent comes before its children, and a subtree is a
contiguous range of indices. All code in this package relies on that order.
"""

import hashlib
import json
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tted_core.errors import InvalidTreeError


@dataclass(frozen=True)
class TextTree:
    """A text tree in preorder.

    Args:
        labels: the nodes' texts, n of them, in preorder.
        parents: each node's parent as a preorder index, -1 for the root.

    >>> tree = TextTree(("Plants", "Roots", "Leaves"), (-1, 0, 0))
    >>> len(tree), tree.depth, tree.children[0]
    (3, 2, (1, 2))
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", _check_labels(self.labels))
        object.__setattr__(self, "parents", _check_parents(self.parents))
        if not self.labels:
            raise InvalidTreeError("a tree needs at least one node")
        if len(self.labels) != len(self.parents):
            raise InvalidTreeError(
                f"{len(self.labels)} labels but {len(self.parents)} parents; give one parent per node"
            )
        if self.parents[0] != -1:
            raise InvalidTreeError("node 0 must be the root: its parent is -1")
        path = [0]  # from the root to the previous node
        for node, parent in enumerate(self.parents[1:], start=1):
            if parent == -1:
                raise InvalidTreeError(
                    f"node {node} is a second root (parent -1); a tree has one root, node 0"
                )
            while path and path[-1] != parent:
                path.pop()
            if not path:
                raise InvalidTreeError(
                    f"node {node} has parent {parent}, which is not on the path from the root to node "
                    f"{node - 1}: the nodes are not in preorder"
                )
            path.append(node)

    @classmethod
    def from_children(
        cls, labels: Sequence[str], children: Sequence[Sequence[int]], root: int = 0
    ) -> "TextTree":
        """Build a tree from child lists in any numbering.

        >>> TextTree.from_children(["Trees", "Oak"], [[1], []]).labels
        ('Trees', 'Oak')
        """
        try:
            below = [[operator.index(child) for child in each] for each in children]
            size = len(labels)
        except TypeError as error:
            raise InvalidTreeError(
                f"give a list of texts, and for each of them a list of its children's numbers ({error})"
            ) from error
        if len(below) != size:
            raise InvalidTreeError(f"{size} labels but {len(below)} child lists")
        if not 0 <= root < size:
            raise InvalidTreeError(f"the root {root} is not one of the {size} nodes")
        order: list[int] = []
        parents: list[int] = []
        seen = [False] * size
        stack = [(root, -1)]
        while stack:
            node, parent = stack.pop()
            if seen[node]:
                raise InvalidTreeError(f"node {node} ({labels[node]!r}) has two parents or lies on a cycle")
            seen[node] = True
            parents.append(parent)
            position = len(order)
            order.append(node)
            for child in reversed(below[node]):
                if not 0 <= child < size:
                    raise InvalidTreeError(f"node {node} has the child {child}, which does not exist")
                stack.append((child, position))
        if len(order) < size:
            lost = seen.index(False)
            raise InvalidTreeError(f"node {lost} ({labels[lost]!r}) can't be reached from the root {root}")
        return cls(tuple(labels[node] for node in order), tuple(parents))

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Each node's children, in order.

        >>> tree.children
        ((1, 2), (), ())
        """
        lists: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents[1:], start=1):
            lists[parent].append(node)
        return tuple(map(tuple, lists))

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Each node's level; the root's is 1.

        >>> tree.depths
        (1, 2, 2)
        """
        depths = [1]
        for parent in self.parents[1:]:
            depths.append(depths[parent] + 1)
        return tuple(depths)

    @property
    def depth(self) -> int:
        """Number of levels.

        >>> tree.depth
        2
        """
        return max(self.depths)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Number of nodes of each subtree: the subtree of v is ``range(v, v + sizes[v])``.

        >>> tree.sizes
        (3, 1, 1)
        """
        sizes = [1] * len(self)
        for node in range(len(self) - 1, 0, -1):
            sizes[self.parents[node]] += sizes[node]
        return tuple(sizes)

    def nodes_to_depth(self, depth: int) -> tuple[int, ...]:
        """Nodes of the first ``depth`` levels, in preorder.

        >>> tree.nodes_to_depth(1)
        (0,)
        """
        return tuple(node for node, level in enumerate(self.depths) if level <= depth)

    def trimmed(self, depth: int) -> "TextTree":
        """The tree's first ``depth`` levels (>= 1).

        >>> tree.trimmed(1).labels
        ('Trees',)
        """
        if depth < 1:
            raise InvalidTreeError(f"a tree can't be trimmed to depth {depth}; the root has depth 1")
        if depth >= self.depth:
            return self
        kept = self.nodes_to_depth(depth)
        position = {node: index for index, node in enumerate(kept)}
        return TextTree(
            tuple(self.labels[node] for node in kept),
            tuple(-1 if node == 0 else position[self.parents[node]] for node in kept),
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of labels and structure: equal trees have equal digests.

        >>> len(tree.digest)
        64
        """
        return hashlib.sha256(_ENCODER.encode([self.labels, self.parents]).encode("ascii")).hexdigest()


_ENCODER = json.JSONEncoder(separators=(",", ":"))  # to ASCII


def _check_labels(given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InvalidTreeError(f"labels is {given!r:.40}; give a list of the nodes' texts")
    labels = tuple(given)
    for node, label in enumerate(labels):
        if not isinstance(label, str):
            raise InvalidTreeError(f"the label of node {node} is {label!r:.40}; labels are texts")
    return labels


def _check_parents(given: Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(map(operator.index, given))
    except TypeError as error:
        raise InvalidTreeError(
            f"parents is {given!r:.40}; give a list of whole numbers, -1 for the root"
        ) from error
