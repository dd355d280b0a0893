"""Condensed nodes: one sentence that says what two or more nodes of the other map say.

None of theirs stands in it, so they are found by its clauses: "State grants cover $18 million, and a bond that
voters approved pays for the rest". Each is about as near to its own clause as to the whole sentence, or nearer.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.matching.bounds import Bounds
from tted_core.matching.pairs import CLEAR, CLEAR_IN_PLACE, rivalled
from tted_core.matching.parts import Overlaps, Part
from tted_core.sentences import SentenceCosts

OF_WHOLE = 1.15
"""The largest distance of a part from its clause, as a share of its distance from the whole node.

At least one part must be nearer to its clause than to the node.
"""


def find_condensed(
    overlaps: Overlaps, near: SentenceCosts, bounds: Bounds, parts: Sequence[Part]
) -> list[Part]:
    """The free nodes that are clauses of longer ones; takes them.

    If the longer node has a counterpart, that becomes one of its parts, with the other clauses.

    Args:
        overlaps: what the maps have in common.
        near: the distances between nodes and clauses.
        bounds: the largest ones; those of the same position count beside counterparts and other parts.
        parts: the parts so far.
    """
    if not near.costs.size:
        return []
    nodes = [np.array([unit.node for unit in side]) for side in (near.left, near.right)]
    of_whole = near.costs / np.maximum(near.nodes[np.ix_(*nodes)], np.finfo(np.float32).tiny)
    clearness = rivalled(near.costs, *nodes)

    def near_enough(joined: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
        beside = overlaps.beside(joined)[np.ix_(*nodes)]
        clear = clearness <= np.where(beside, CLEAR_IN_PLACE, CLEAR)
        enough: NDArray[np.bool_] = near.costs <= np.where(beside, bounds.in_place, bounds.elsewhere)
        enough &= clear & (of_whole <= OF_WHOLE)
        return enough

    joined = [*overlaps.pairs.there.items(), *((part.source, part.target) for part in parts)]
    first = np.argwhere(near_enough(joined)).tolist()
    within = near_enough(joined + [(int(nodes[0][row]), int(nodes[1][column])) for row, column in first])
    merged = _of_side(overlaps, near, of_whole, within, parts, merged=True)
    turned = SentenceCosts(near.nodes.T, near.right, near.left, near.costs.T)
    return merged + _of_side(overlaps, turned, of_whole.T, within.T, parts, merged=False)


def _of_side(
    overlaps: Overlaps,
    near: SentenceCosts,
    of_whole: NDArray[np.float64],
    within: NDArray[np.bool_],
    parts: Sequence[Part],
    *,
    merged: bool,
) -> list[Part]:
    """The parts in nodes of the right side, or of the left one if the distances are turned.

    Args:
        overlaps: what the maps have in common.
        near: distances from the parts' side to the other one.
        of_whole: (s, t) distances as shares of those of the whole nodes.
        within: (s, t) true where units are near enough.
        parts: the parts so far.
        merged: True if the longer nodes are the right ones.
    """
    pairs, side = overlaps.pairs, int(not merged)
    there, back = (pairs.there, pairs.back) if merged else (pairs.back, pairs.there)
    texts, longer = overlaps.texts[side], overlaps.texts[1 - side]
    free = set(pairs.free[side])

    def is_unchanged(node: int) -> bool:
        return node in back and texts[back[node]].letters == longer[node].letters

    inner = {(part.source, part.target)[1 - side] for part in parts if part.merged != merged}
    outer = Counter((part.source, part.target)[1 - side] for part in parts if part.merged == merged)
    held: dict[int, dict[int, int]] = defaultdict(dict)
    for row, column in sorted(np.argwhere(within).tolist(), key=lambda cell: near.costs[tuple(cell)]):
        unit, clause = near.left[row], near.right[column]
        if (
            (unit.kind, clause.kind) == ("node", "clause")
            and unit.node in free
            and clause.node not in inner
            and not is_unchanged(clause.node)
            and column not in held[clause.node].values()
            and len(texts[unit.node].letters) < len(longer[clause.node].letters)
        ):
            held[clause.node][row] = column
            free.remove(unit.node)
    found: list[Part] = []
    for node, clauses in held.items():
        spans = {near.left[row].node: [near.right[column].span] for row, column in clauses.items()}
        shares = [float(of_whole[cell]) for cell in clauses.items()]
        other = back.get(node)
        if other is not None:
            own = [row for row, unit in enumerate(near.left) if (unit.node, unit.kind) == (other, "node")]
            rest = [
                column
                for column, unit in enumerate(near.right)
                if (unit.node, unit.kind) == (node, "clause") and column not in clauses.values()
            ]
            spans[other] = [near.right[column].span for column in rest]
            shares.append(float(of_whole[np.ix_(own, rest)].min(initial=np.inf)))
        if len(shares) + outer[node] < 2 or min(shares) >= 1 or max(shares) > OF_WHOLE:
            continue
        if other is not None:
            del there[other], back[node]
        new = [Part(*((v, node) if merged else (node, v)), merged, tuple(each)) for v, each in spans.items()]
        overlaps.add_shares(new)
        found += new
        pairs.taken[side].update(spans)
        pairs.taken[1 - side].add(node)
    return found
