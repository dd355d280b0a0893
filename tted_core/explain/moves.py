"""Moves: which sentences stand elsewhere in the other map.

A sentence goes along with the one above it if that is its parent in both maps. What hangs together so is a
*piece*, and it moves as a whole. Two pieces are *at odds* if a sentence of one is above a sentence of the other in
one map and not in the other map. Moved are the pieces that must be taken out until no two are at odds: the one at
odds with most others first; of equals the one that hangs below other sentences than before, then the smaller one,
then the one further from the root, and of equals again all. What holds the roots stays, if these correspond. So a
root that went below a new one is one move, and the order of siblings changes nothing.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def moved(
    parents: tuple[Sequence[int], Sequence[int]],
    there: dict[int, int],
    partners: Sequence[int] | None = None,
) -> dict[int, int]:
    """The left nodes that have moved, each with the topmost one that moved along with it.

    Args:
        parents: of both trees, -1 for the root.
        there: left node -> its counterpart.
        partners: the right node that the script pairs with each left one, where the order of siblings counts.
    """
    nodes = sorted(there)
    back = {w: v for v, w in there.items()}
    above = {
        v: (_nearest(v, parents[0], there), back.get(_nearest(there[v], parents[1], back), -1)) for v in nodes
    }
    tops: dict[int, int] = {}
    for v in nodes:
        parent = parents[0][v]
        along = parent >= 0 and parent in there and there[parent] == parents[1][there[v]]
        tops[v] = tops[parent] if along else v
    gone = _at_odds(nodes, tops, parents, there)
    if partners is not None:
        gone |= _out_of_order([v for v in nodes if tops[v] not in gone], parents, there, partners)
    heads: dict[int, int] = {}
    for v in nodes:
        before, after = above[v]
        if tops[v] in gone or v in gone:
            heads[v] = v
        if before == after and before in heads:
            heads[v] = heads[before]
    return heads


def _nearest(node: int, parents: Sequence[int], among: dict[int, int]) -> int:
    """The nearest node above that is one of these; -1 for none."""
    node = parents[node]
    while node >= 0 and node not in among:
        node = parents[node]
    return node


def _at_odds(
    nodes: list[int],
    tops: dict[int, int],
    parents: tuple[Sequence[int], Sequence[int]],
    there: dict[int, int],
) -> set[int]:
    """The topmost nodes of the pieces that have moved."""
    pieces = sorted(set(tops.values()))
    if len(pieces) < 2:
        return set()
    number = {top: index for index, top in enumerate(pieces)}
    piece_of = np.array([number[tops[v]] for v in nodes])
    differs = _ancestry(parents[0], nodes) ^ _ancestry(parents[1], [there[v] for v in nodes])
    one, other = (piece_of[ends] for ends in np.nonzero(differs))
    odds = np.zeros((len(pieces), len(pieces)), dtype=bool)
    odds[one, other] = odds[other, one] = True
    sizes = np.bincount(piece_of)
    firm = np.array([top == 0 and there[top] == 0 for top in pieces])
    depths: list[int] = []
    for parent in parents[0]:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    kept = np.ones(len(pieces), dtype=bool)
    rivals = odds.sum(axis=1)
    while (count := rivals * kept * ~firm).any():
        most = np.flatnonzero(count == count.max()).tolist()
        stay = {v: there[v] for v in nodes if kept[number[tops[v]]]}
        back = {w: v for v, w in stay.items()}
        ranks = {}
        for piece in most:
            top = pieces[piece]
            above = _nearest(top, parents[0], stay), back.get(_nearest(there[top], parents[1], back), -1)
            ranks[piece] = above[0] == above[1], sizes[piece], -depths[top]
        first = min(ranks.values())
        gone = [piece for piece, rank in ranks.items() if rank == first]
        kept[gone] = False
        rivals -= odds[:, gone].sum(axis=1)
    return {top for top, stays in zip(pieces, _restored(odds, sizes, kept), strict=True) if not stays}


def _restored(odds: NDArray[np.bool_], sizes: NDArray[np.intp], kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pieces kept, with those taken out that are at odds with none of them, nor with others of their size."""
    kept = kept.copy()
    for size in sorted(set(sizes[~kept].tolist()), reverse=True):
        free = ~kept & (sizes == size) & ~(odds & kept).any(axis=1)
        kept |= free & ~(odds & free).any(axis=1)
    return kept


def _ancestry(parents: Sequence[int], nodes: Sequence[int]) -> NDArray[np.bool_]:
    """(k, k): true where the first of two of these nodes is above the second; parents are in preorder."""
    ends = list(range(1, len(parents) + 1))
    for node in range(len(parents) - 1, 0, -1):
        ends[parents[node]] = max(ends[parents[node]], ends[node])
    last = [ends[node] for node in nodes]
    return np.less.outer(nodes, nodes) & np.greater.outer(last, nodes)


def _out_of_order(
    nodes: list[int],
    parents: tuple[Sequence[int], Sequence[int]],
    there: dict[int, int],
    partners: Sequence[int],
) -> set[int]:
    """Those whose pairs cross one below the same node that the script keeps, or an earlier one."""
    among = {v: there[v] for v in nodes}
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for v in nodes:
        groups[_nearest(v, parents[0], among)].append((v, there[v]))
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
