"""Moves: which sentences stand elsewhere in the other map.

Counterparts stand for one node. So do a longer node and the nodes that are parts of it: their children hang
below the longer one. A node goes along with the one above it if that is its parent in both maps. What hangs
together so is a *piece*, and it moves as a whole. Two pieces are *at odds* if one is above the other in one map
only. Moved are the pieces that must be taken out until no two are at odds: a parent and its child that swapped;
then of those that hang below another node than before the one that is at odds with most others, that became or
was the root, the smaller, and the deeper one; and what left a node of a piece that moved for another one of that
piece. A root with a title above it in one map stands where it did, unless nodes beside it hang below it then. So
a node that its children leave stays if it hangs where it did, and a root that went below a new one is one move.
Of the others, those below another node than before stay only with most of their siblings: these rise together
from a heading that went away, or sink below one that came. The order of siblings counts only if it counts in the
mapping.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.matching.pairs import find_nearest
from tted_core.tree import TextTree

# Instead of the node above: of a node with none but a root without a counterpart, and of a root.
BELOW_ROOT, ROOT = -1, -2

Bools = NDArray[np.bool_]


def find_moves(
    trees: tuple[TextTree, TextTree],
    there: dict[int, int],
    parts: Iterable[tuple[int, int]] = (),
    partners: Sequence[int] | None = None,
) -> dict[int, int]:
    """The left nodes that have moved, each with the topmost one that moved along with it.

    Args:
        trees: both trees.
        there: left node -> its counterpart.
        parts: pairs of a part and its longer node, in the order (left, right).
        partners: the right node that the script pairs with each left one, where the order of siblings counts.
    """
    positions = _Positions(trees, there, parts)
    gone = positions.find_gone()
    gone |= positions.find_alone(gone)
    crossing: set[int] = set()
    if partners is not None:
        stay = [v for v in sorted(there) if positions.top[positions.of[0][v]] not in gone]
        crossing = _out_of_order(stay, trees, there, partners)
    heads: dict[int, int] = {}  # positions that moved, those of parts along with the one above
    for position in np.argsort(positions.anchors[0], kind="stable").tolist():
        v, above = positions.anchors[0][position], int(positions.above[0][position])
        if v in crossing:
            heads[position] = v
        elif above == positions.above[1][position]:  # below the same node: along with it, if it moved
            if above in heads:
                heads[position] = heads[above]
        elif position in positions.pairs and (position in gone or positions.top[position] in gone):
            heads[position] = v
    return {v: heads[position] for v in sorted(there) if (position := int(positions.of[0][v])) in heads}


class _Positions:
    """Nodes that stand for one: counterparts, and longer nodes with their parts; g of them.

    Attributes:
        of: for each side, the position of each node; -1 for none.
        anchors: for each side, the topmost node of each position, or its counterpart.
        above: for each side, the position above the anchor, ``BELOW_ROOT`` or ``ROOT``.
        top: for each position, the topmost one of its piece.
        pairs: the positions of counterparts, which are said to have moved.
    """

    def __init__(
        self, trees: tuple[TextTree, TextTree], there: dict[int, int], parts: Iterable[tuple[int, int]]
    ) -> None:
        self.trees = trees
        self.of = tuple(np.full(len(tree), -1) for tree in trees)
        self.anchors: tuple[list[int], list[int]] = ([], [])
        for ends in [
            *sorted(there.items()),
            *sorted(parts, key=lambda ends: (trees[0].depths[ends[0]], ends)),
        ]:
            known = [int(of[node]) for of, node in zip(self.of, ends, strict=True)]
            position = max(known)
            if position < 0:
                position = len(self.anchors[0])
                for anchors, node in zip(self.anchors, ends, strict=True):
                    anchors.append(node)
            for of, node, before in zip(self.of, ends, known, strict=True):
                of[node] = position if before < 0 else before
        self.pairs = {int(self.of[0][v]) for v in there}
        self.nearest = tuple(_nearest(tree, of) for tree, of in zip(trees, self.of, strict=True))
        self.above = tuple(self._above(side) for side in (0, 1))
        self.top = np.arange(len(self.anchors[0]))
        for position in np.argsort(self.anchors[0], kind="stable").tolist():
            parents = [
                int(of[tree.parents[anchors[position]]]) if anchors[position] else -1
                for of, tree, anchors in zip(self.of, trees, self.anchors, strict=True)
            ]
            if parents[0] == parents[1] not in {-1, position}:
                self.top[position] = self.top[parents[0]]

    def _above(self, side: int) -> NDArray[np.intp]:
        """(g,): the position above each one, of those that are still there."""
        nodes = self.nearest[side][self.anchors[side]]
        return np.where(nodes >= 0, self.of[side][np.maximum(nodes, 0)], nodes)

    def find_gone(self) -> set[int]:
        """The topmost positions of the pieces that have moved."""
        pieces, number, sizes = np.unique(self.top, return_inverse=True, return_counts=True)
        if len(pieces) < 2:
            return set()
        odds = _any_of(_any_of(self._odds(), number, 0), number, 1)
        np.fill_diagonal(odds, val=False)
        depths = np.array(self.trees[0].depths)[np.array(self.anchors[0])[pieces]]
        is_fixed = np.array([self.anchors[0][top] == self.anchors[1][top] == 0 for top in pieces])
        kept = ~np.isin(pieces, self._find_swapped()) | is_fixed
        self._take_out(~kept[number])
        rivals = odds[:, kept].sum(axis=1)
        while True:
            above = [self._above(side)[pieces] for side in (0, 1)]
            is_root = (np.maximum(*above) < 0) & (above[0] != above[1])
            was_beside = np.maximum(*above)[kept & (np.minimum(*above) == BELOW_ROOT)]
            count = rivals * kept * ~is_fixed * (~is_root | np.isin(pieces, was_beside))
            if not count.any():
                break
            ranks = np.stack(
                [
                    count == 0,
                    above[0] == above[1],
                    -count,
                    (above[0] == ROOT) == (above[1] == ROOT),
                    sizes,
                    -depths,
                ],
                axis=1,
            )
            gone = (ranks == ranks[np.lexsort(ranks.T[::-1])[0]]).all(axis=1)
            kept &= ~gone
            rivals = rivals - odds[:, gone].sum(axis=1)
            self._take_out(gone[number])
        was_root = (self.above[0] == ROOT) != (self.above[1] == ROOT)
        kept = _restore(odds, sizes, kept, ~was_root[pieces])
        return set(pieces[~kept | self._is_elsewhere_in(pieces[~kept])[pieces]].tolist())

    def _is_elsewhere_in(self, gone: NDArray[np.intp]) -> Bools:
        """(g,): true for a position that went from one node to another of the same piece, which moved."""
        parents = [np.maximum(each, 0) for each in self.above]
        within = (self.top[parents[0]] == self.top[parents[1]]) & np.isin(self.top[parents[0]], gone)
        return np.asarray(within & (np.minimum(*self.above) >= 0) & (self.above[0] != self.above[1]))

    def find_alone(self, gone: set[int]) -> set[int]:
        """The topmost positions that hang below another one than before, without most of their siblings."""
        above = [
            np.where(each == of[0], BELOW_ROOT, each) for each, of in zip(self.above, self.of, strict=True)
        ]
        siblings: tuple[dict[int, set[int]], dict[int, set[int]]] = (defaultdict(set), defaultdict(set))
        for of_side, each in zip(siblings, above, strict=True):
            for position, parent in enumerate(each.tolist()):
                if position not in gone:
                    of_side[parent].add(position)
        found = set()
        for position in np.flatnonzero(above[0] != above[1]).tolist():
            parents = int(above[0][position]), int(above[1][position])
            if position in gone or self.top[position] != position or (ROOT in parents and max(parents) < 0):
                continue
            beside = [of_side[parent] - {position} for of_side, parent in zip(siblings, parents, strict=True)]
            with_heading = any(parent in self.pairs and int(self.top[parent]) in gone for parent in parents)
            if not with_heading or 2 * len(beside[0] & beside[1]) <= min(map(len, beside)):
                found.add(position)
        return found

    def _find_swapped(self) -> list[int]:
        """The positions above each of which in one map the one is that is below it in the other."""
        below, above = np.arange(len(self.top)), self.above[0]
        is_swapped = (above >= 0) & (self.above[1][np.maximum(above, 0)] == below)
        return [*below[is_swapped].tolist(), *above[is_swapped].tolist()]

    def _odds(self) -> Bools:
        """(g, g): true where one position is above the other in one map, and nowhere in the other map."""
        found = []
        for tree, of in zip(self.trees, self.of, strict=True):
            nodes = np.flatnonzero(of >= 0)
            ends = nodes + np.array(tree.sizes)[nodes]
            is_above = np.less.outer(nodes, nodes) & np.greater.outer(ends, nodes)
            above = _any_of(is_above, of[nodes], 0)
            found.append((_any_of(above, of[nodes], 1), ~_any_of(~above, of[nodes], 1)))
        (some_left, all_left), (some_right, all_right) = found
        odds = (all_left & ~some_right) | (all_right & ~some_left)
        return np.asarray(odds | odds.T)

    def _take_out(self, gone: Bools) -> None:
        """Let what hangs below these positions hang below the nearest one that is still there."""
        for of, nearest in zip(self.of, self.nearest, strict=True):
            for node in np.flatnonzero((of >= 0) & gone[of]).tolist():
                nearest[nearest == node] = max(nearest[node], BELOW_ROOT)


def _any_of(matrix: Bools, numbers: NDArray[np.intp], axis: int) -> Bools:
    """The matrix with rows (axis 0) or columns of one number joined; numbers from 0 on, each there."""
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(numbers.max() + 1))
    return np.asarray(np.logical_or.reduceat(np.take(matrix, order, axis=axis), starts, axis=axis))


def _nearest(tree: TextTree, of: NDArray[np.intp]) -> NDArray[np.intp]:
    """(n,): the nearest node above each one that has a position, ``BELOW_ROOT`` or ``ROOT``."""
    found = find_nearest(tree, set(np.flatnonzero(of >= 0).tolist()))  # -1 for none is BELOW_ROOT
    found[0] = ROOT
    return found


def _restore(odds: Bools, sizes: NDArray[np.intp], kept: Bools, may_stay: Bools) -> Bools:
    """The pieces kept, with those taken out that are at odds with none of them, nor with others of their size.

    Only pieces that ``may_stay`` are: no root that is none in the other map.
    """
    kept = kept.copy()
    for size in sorted(set(sizes[~kept].tolist()), reverse=True):
        free = ~kept & may_stay & (sizes == size) & ~(odds & kept).any(axis=1)
        kept |= free & ~(odds & free).any(axis=1)
    return kept


def _out_of_order(
    nodes: list[int],
    trees: tuple[TextTree, TextTree],
    there: dict[int, int],
    partners: Sequence[int],
) -> set[int]:
    """Those whose pairs cross one below the same node that the script keeps, or an earlier one."""
    of = np.full(len(trees[0]), -1)
    of[nodes] = nodes
    nearest = _nearest(trees[0], of)
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for v in nodes:
        groups[int(nearest[v])].append((v, there[v]))
    crossing = set()
    for pairs in groups.values():
        kept = sorted(pair for pair in pairs if partners[pair[0]] == pair[1])
        for v, w in pairs:
            if partners[v] == w:
                continue
            position = bisect_left(kept, (v, w))
            if (position and kept[position - 1][1] > w) or (position < len(kept) and kept[position][1] < w):
                crossing.add(v)
            else:
                insort(kept, (v, w))
    return crossing
