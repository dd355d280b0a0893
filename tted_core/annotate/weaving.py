"""A tree woven of nodes of two trees: every node has a parent and a position among its siblings by one of them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tted_core.tree import TextTree

Ends: TypeAlias = tuple[int | None, int | None]


class Item(NamedTuple):
    """A node of the woven tree; sides are 0 (left) and 1 (right).

    Attributes:
        nodes: its left and its right node, None where a side has none.
        text: the side that has its text.
        position: the side that says below which node it hangs; None where nothing moved it.
    """

    nodes: Ends
    text: int
    position: int | None = None


class Woven(NamedTuple):
    """The tree, for each of its nodes the left and the right one, and the nodes whose parent was dropped."""

    tree: TextTree
    origins: tuple[Ends, ...]
    lifted: frozenset[int]


def woven(trees: tuple[TextTree, TextTree], items: Sequence[Item], lean: int) -> Woven:
    """Weave a tree of the items.

    Args:
        trees: the left and the right one.
        items: its nodes; each node of a tree is in one of them at most.
        lean: the side that decides what nothing else does.
    """
    return _Weaving(trees, list(items), lean).woven()


class _Weaving:
    def __init__(self, trees: tuple[TextTree, TextTree], items: list[Item], lean: int) -> None:
        self.trees, self.items, self.lean = trees, items, lean
        self.root = self._root()
        self.at: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for number, item in enumerate(items):
            for at, node in zip(self.at, item.nodes, strict=True):
                if node is not None:
                    at[node] = number
        self.sides = [self._side(number) for number in range(len(items))]
        self._break_circles()

    def _root(self) -> int:
        """The item with a map's root: rather one that wasn't moved away, then that of the side that decides.

        A map needs a root: if both are dropped, one is taken all the same.
        """
        found = [
            (item.position == 1 - side, side != self.lean, number)
            for number, item in enumerate(self.items)
            for side in (0, 1)
            if item.nodes[side] == 0
        ]
        if not found:
            self.items.append(Item((None, 0) if self.lean else (0, None), self.lean))
        return min(found)[-1] if found else len(self.items) - 1

    def _above(self, number: int, side: int, *, at_home: bool = False) -> int | None:
        """The item of the nearest ancestor on one side that stays; ``at_home``, that no decision moved away."""
        node = self.items[number].nodes[side]
        while node is not None and (node := self.trees[side].parents[node]) >= 0:
            found = self.at[side].get(node)
            if found is not None and not (at_home and self.items[found].position == 1 - side):
                return found
        return None

    def _side(self, number: int) -> int:
        """The side that says below which node an item hangs: the one on which its parent is new, say."""
        item = self.items[number]
        for side in (0, 1):
            if item.nodes[1 - side] is None or item.position == side:
                return side
        new = [self._is_new(self._above(number, side, at_home=True), side) for side in (0, 1)]
        return self.lean if new[0] == new[1] else new.index(True)

    def _is_new(self, number: int | None, side: int) -> bool:
        """Return True for a node that was added or moved on one side."""
        return number is not None and (
            self.items[number].nodes[1 - side] is None or self.items[number].position == side
        )

    def _parent(self, number: int) -> int | None:
        if number == self.root:
            return None
        side, item = self.sides[number], self.items[number]
        is_free = item.position is None and None not in item.nodes
        above = (self._above(number, side, at_home=True) if is_free else None) or self._above(number, side)
        return self.root if above is None or above == number else above

    def _break_circles(self) -> None:
        """Let the side that decides hold whatever would hang below itself."""
        while circle := self._circle():
            for number in circle:
                if self.items[number].nodes[self.lean] is not None:
                    self.sides[number] = self.lean
                    self.items[number] = self.items[number]._replace(position=self.lean)

    def _circle(self) -> list[int]:
        """The items of a circle of parents, empty if there is none."""
        done: set[int] = set()
        for start in range(len(self.items)):
            path: list[int] = []
            number: int | None = start
            while number is not None and number not in done:
                if number in path:
                    return path[path.index(number) :]
                path.append(number)
                number = self._parent(number)
            done.update(path)
        return []

    def woven(self) -> Woven:
        below: list[list[int]] = [[] for _ in self.items]
        for number in range(len(self.items)):
            if (parent := self._parent(number)) is not None:
                below[parent].append(number)
        labels = [self.trees[item.text].labels[item.nodes[item.text] or 0] for item in self.items]
        ordered = [self._ordered(siblings) for siblings in below]
        order: list[int] = []
        stack = [self.root]
        while stack:
            order.append(stack.pop())
            stack += reversed(ordered[order[-1]])
        return Woven(
            TextTree.from_children(labels, ordered, self.root),
            tuple(self.items[number].nodes for number in order),
            frozenset(index for index, number in enumerate(order) if index and self._is_lifted(number)),
        )

    def _ordered(self, siblings: list[int]) -> list[int]:
        """Siblings in the order of the side that decides; the others follow those before them on theirs."""
        own, other = self.lean, 1 - self.lean
        nodes = {number: self.items[number].nodes for number in siblings}
        leading = [
            number
            for number in siblings
            if nodes[number][own] is not None and self.items[number].position != other
        ]
        order = sorted(leading, key=lambda number: nodes[number][own] or 0)
        following = sorted(set(siblings) - set(leading), key=lambda number: nodes[number][other] or 0)
        for number in following:
            node = nodes[number][other] or 0
            before = [
                (met, index)
                for index, each in enumerate(order)
                if (met := nodes[each][other]) is not None and met < node
            ]
            index = max(before)[1] + 1 if before else 0
            while index < len(order) and nodes[order[index]][other] is None:
                index += 1
            order.insert(index, number)
        return order

    def _is_lifted(self, number: int) -> bool:
        side = self.sides[number]
        node = self.items[number].nodes[side]
        return bool(node) and self.trees[side].parents[node or 0] not in self.at[side]
