"""The correspondence of sentences: each node's counterpart in the other map, whatever the edit script says.

The cheapest edit script is no good guide to where a sentence went: replacing a sentence by an unrelated one is
nearly always cheaper than deleting one and inserting the other, and a tree mapping can't cross. So counterparts
are looked for beside it: equal branches first, then equal texts, then near ones, by an assignment of least cost,
as GumTree does for syntax trees (Falleri et al. 2014). Distance and script stay as they are.
"""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.sim import best_assignment
from tted_core.compare import Comparison
from tted_core.explain.bounds import Bounds, bounds_of

Key = TypeVar("Key", bound=Hashable)

Status: TypeAlias = Literal["same", "reworded", "moved", "replaced", "missing", "extra"]

STATUSES: dict[Status, str] = {
    "same": "=",
    "reworded": "~",
    "moved": "→",
    "replaced": "≠",
    "missing": "−",
    "extra": "+",
}
"""What can have become of a sentence, each with its sign, in the order in which they are listed."""

LOUDNESS: tuple[Status, ...] = ("same", "reworded", "moved", "replaced", "extra", "missing")
"""Of two sentences that the script pairs though they don't correspond, the louder one has the pair's cost."""

SHARES = ("coverage", "support")
"""What ``shares_covered`` returns."""

UNCOVERED = frozenset({"replaced", "missing", "extra"})
"""What of a map isn't in the other one."""

QUIET: frozenset[Status] = frozenset({"same"})
"""What no one edited."""

IN_PLACE = 0.25
"""Of the bound: so much nearer a pair counts that the script pairs too, or whose parents are counterparts."""


@dataclass(frozen=True)
class Outcome:
    """What became of a sentence, or of two that are each other's counterparts.

    Attributes:
        source: preorder index in the left map; None if it is extra.
        target: preorder index in the right map; None if it is missing.
        status: "same" (equal text, in its place), "reworded" (near text, in its place), "moved" (equal or near
            text elsewhere, or the topmost node of a branch that moved), "replaced" (the script or the place
            pairs them, and the texts aren't near), "missing" or "extra".
        head: for a moved sentence the left node of the topmost one of its branch that moved; else None.
    """

    source: int | None
    target: int | None
    status: Status
    head: int | None = None


@dataclass(frozen=True)
class Side:
    """A tree as the correspondence reads it: n texts (or numbers that stand for them) and parents, in preorder."""

    labels: Sequence[Hashable]
    parents: Sequence[int]

    @property
    def children(self) -> list[list[int]]:
        """Each node's children, in order."""
        found: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(node)
        return found


def correspondence(comparison: Comparison) -> tuple[Outcome, ...]:
    """The outcomes of all nodes of a comparison: those of the left map in preorder, then those that are extra."""
    partners = [-1] * len(comparison.left.tree)
    for op in comparison.script.ops:
        if op.source is not None and op.target is not None:
            partners[op.source] = op.target
    sides = [Side(each.tree.labels, each.tree.parents) for each in (comparison.left, comparison.right)]
    ordered = comparison.method.order == "ordered"
    return outcomes(
        sides[0], sides[1], comparison.costs, partners, ordered=ordered, bounds=bounds_of(comparison)
    )


def sentences_json(comparison: Comparison) -> dict[str, Any]:
    """The outcomes as JSON has them, with their counts and the bounds up to which sentences are near."""
    found = correspondence(comparison)
    return {
        "bounds": asdict(bounds_of(comparison)),
        "counts": counted_outcomes(found),
        "outcomes": [{"status": each.status, "source": each.source, "target": each.target} for each in found],
    }


def counted_outcomes(found: Iterable[Outcome]) -> dict[Status, int]:
    """How many outcomes there are of each status; a sentence that has a counterpart counts once."""
    count = Counter(each.status for each in found)
    return {status: count[status] for status in STATUSES}


def shares_covered(found: Iterable[Outcome], costs: NDArray[np.float64]) -> tuple[float, float]:
    """The shares of both maps that have a counterpart in the other: coverage of a reference, support of an output.

    A sentence has one if it is the same, reworded or moved, and weighs what it costs to delete or insert.

    Args:
        found: what became of each sentence of n and m.
        costs: (n + 1, m + 1) costs; the last column those of deletions, the last row those of insertions.
    """
    uncovered = [0.0, 0.0]
    for each in found:
        if each.status in UNCOVERED:
            uncovered[0] += 0.0 if each.source is None else costs[each.source, -1]
            uncovered[1] += 0.0 if each.target is None else costs[-1, each.target]
    weights = costs[:-1, -1].sum(), costs[-1, :-1].sum()
    left, right = (
        max(0.0, 1 - float(part / whole)) if whole else 1.0  # not below 0 by rounding
        for part, whole in zip(uncovered, weights, strict=True)
    )
    return left, right


def outcomes(
    left: Side,
    right: Side,
    costs: NDArray[np.float64],
    partners: Sequence[int],
    *,
    ordered: bool,
    bounds: Bounds,
) -> tuple[Outcome, ...]:
    """What became of each sentence of two trees.

    Args:
        left: n nodes.
        right: m nodes.
        costs: (n+1, m+1) edit costs; the last row and column, the gap, aren't read.
        partners: the right node that the script pairs with each left one, -1 for none.
        ordered: whether siblings that changed their order have moved.
        bounds: up to which cost two sentences are near.
    """
    found = _Correspondence(left, right, costs, partners)
    found.pair_equal()
    while found.pair_near(bounds) or found.pair_heads():
        pass
    found.solid = set(found.there)
    found.pair_the_rest()
    heads = found.moved(ordered=ordered)

    def status(v: int, w: int) -> Status:
        if v not in found.solid:
            return "replaced"
        if v in heads:
            return "moved"
        if v in found.heads:
            return "replaced"
        return "same" if left.labels[v] == right.labels[w] else "reworded"

    return (
        *(
            Outcome(v, w, status(v, w), heads.get(v) if v in found.solid else None)
            if (w := found.there.get(v)) is not None
            else Outcome(v, None, "missing")
            for v in range(len(left.labels))
        ),
        *(Outcome(None, w, "extra") for w in range(len(right.labels)) if w not in found.back),
    )


def operation_outcomes(
    found: Sequence[Outcome], partners: Sequence[int]
) -> list[tuple[int | None, int | None, int]]:
    """The operations of a script, (source, target, the number of the outcome that has its cost).

    Args:
        found: the outcomes of all nodes.
        partners: the right node that the script pairs with each left one, -1 for none.
    """
    here = {each.source: number for number, each in enumerate(found) if each.source is not None}
    there = {each.target: number for number, each in enumerate(found) if each.target is not None}
    ops: list[tuple[int | None, int | None, int]] = []
    for v, w in enumerate(partners):
        if w < 0:
            ops.append((v, None, here[v]))
        else:
            ops.append(
                (v, w, max(here[v], there[w], key=lambda number: LOUDNESS.index(found[number].status)))
            )
    alone = there.keys() - set(partners)
    return [*ops, *((None, w, there[w]) for w in sorted(alone))]


class _Correspondence:
    """The pairs so far: ``there`` left -> right and ``back``; ``heads`` are paired for their children's sake."""

    def __init__(self, left: Side, right: Side, costs: NDArray[np.float64], partners: Sequence[int]) -> None:
        self.left, self.right, self.costs, self.partners = left, right, costs, partners
        self.children = left.children, right.children
        self.there: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.heads: set[int] = set()
        self.solid: set[int] = set()

    def pair(self, v: int, w: int) -> bool:
        """Make two nodes counterparts, if both have none yet."""
        if v in self.there or w in self.back:
            return False
        self.there[v], self.back[w] = w, v
        return True

    def pair_equal(self) -> None:
        """Pair equal branches, the largest first; then texts that each map has once; then all others."""
        sizes: dict[int, int] = {}
        branches = self._branches(sizes)
        groups = self._groups(branches)
        for branch in sorted(groups, key=lambda each: -sizes[each]):
            if sizes[branch] > 1:
                self._pair_alike(*groups[branch], sizes[branch])
        texts = self._groups((self.left.labels, self.right.labels))
        for here, there in texts.values():
            if len(here) == len(there) == 1:
                self.pair(here[0], there[0])
        for here, there in texts.values():
            self._pair_alike(here, there, 1)

    def _branches(self, sizes: dict[int, int]) -> tuple[list[int], list[int]]:
        """A number for each node's branch, equal for equal branches of both trees; ``sizes`` takes their nodes."""
        numbers: dict[Hashable, int] = {}
        found = []
        for side, children in zip((self.left, self.right), self.children, strict=True):
            branch = [0] * len(side.labels)
            for node in range(len(branch) - 1, -1, -1):
                key = side.labels[node], tuple(branch[child] for child in children[node])
                branch[node] = number = numbers.setdefault(key, len(numbers))
                sizes[number] = 1 + sum(sizes[branch[child]] for child in children[node])
            found.append(branch)
        return found[0], found[1]

    @staticmethod
    def _groups(keys: tuple[Sequence[Key], Sequence[Key]]) -> dict[Key, tuple[list[int], list[int]]]:
        """Key -> the nodes of each side that have it; of keys that both sides have, in the left one's order."""
        both = set(keys[0]) & set(keys[1])
        groups: dict[Key, tuple[list[int], list[int]]] = {key: ([], []) for key in keys[0] if key in both}
        for place, side in enumerate(keys):
            for node, key in enumerate(side):
                if key in both:
                    groups[key][place].append(node)
        return groups

    def _pair_alike(self, here: list[int], there: list[int], size: int) -> None:
        """Pair branches that are equal: as the script does, then by counterparts or texts above, then in order."""
        up, down = self.left.parents, self.right.parents
        ways: tuple[tuple[Callable[[int], Hashable], Callable[[int], Hashable]], ...] = (
            (lambda v: self.partners[v], lambda w: w),
            (lambda v: self.there.get(up[v], up[v] if up[v] < 0 else None), lambda w: down[w]),
            (lambda v: self.left.labels[up[v]], lambda w: self.right.labels[down[w]]),
            (lambda _: 0, lambda _: 0),
        )
        for key, other_key in ways:
            waiting: dict[Hashable, list[int]] = defaultdict(list)
            for w in reversed(there):
                if w not in self.back:
                    waiting[other_key(w)].append(w)
            for v in here:
                if v not in self.there and (places := waiting.get(key(v))):
                    w = places.pop()
                    for offset in range(size):
                        self.pair(v + offset, w + offset)

    def pair_near(self, bounds: Bounds) -> bool:
        """Pair sentences within the bounds by an assignment of least cost; tell whether there were any."""
        here = [v for v in range(len(self.left.labels)) if v not in self.there]
        there = [w for w in range(len(self.right.labels)) if w not in self.back]
        if not here or not there:
            return False
        costs = self.costs[np.ix_(here, there)]
        above = [self.left.parents[v] for v in here]
        above = [-1 if v < 0 else self.there.get(v, -2) for v in above]
        backed = np.equal.outer(above, [self.right.parents[w] for w in there])
        backed |= np.equal.outer([self.partners[v] for v in here], there)
        gains = bounds.in_place * (1 + IN_PLACE * backed) - costs
        within = costs <= np.where(backed, bounds.in_place, bounds.elsewhere)
        if not within.any():
            return False
        rows, columns = best_assignment(np.where(within, gains + 1e-9, 0.0))
        pairs = [
            (here[row], there[column])
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
            if within[row, column]
        ]
        return sum(self.pair(v, w) for v, w in pairs) > 0

    def pair_heads(self) -> bool:
        """Pair nodes most of whose children are counterparts: the branch stayed, its head changed."""
        before = len(self.heads)
        for node in range(len(self.left.labels) - 1, -1, -1):
            children = self.children[0][node]
            if node in self.there or not children:
                continue
            votes = Counter(self.right.parents[self.there[v]] for v in children if v in self.there)
            there, count = next(iter(votes.most_common(1)), (-1, 0))
            if (
                there >= 0
                and 2 * count > max(len(children), len(self.children[1][there]))
                and self.pair(node, there)
            ):
                self.heads.add(node)
        return len(self.heads) > before

    def pair_the_rest(self) -> None:
        """Pair what the script pairs, and leaves with the same number among the children of counterparts."""
        for v, w in enumerate(self.partners):
            if w >= 0:
                self.pair(v, w)
        for node, there in list(self.there.items()):
            for v, w in zip(self.children[0][node], self.children[1][there], strict=False):
                if not self.children[0][v] and not self.children[1][w]:
                    self.pair(v, w)

    def moved(self, *, ordered: bool) -> dict[int, int]:
        """The left nodes that have moved, each with the topmost one that moved along with it.

        A node stays if the nearest nodes above it that have a counterpart, before and after, are each other's. One
        that doesn't stays all the same if they are once those that moved are left out; those are tried first along
        with which most nodes go.
        """
        heres, theres = set(self.solid), {self.there[v] for v in self.solid}
        first = {v: self._above(v, heres, theres) for v in sorted(self.solid)}
        heres = {v for v, (before, after) in first.items() if before == after}
        theres = {self.there[v] for v in heres}
        tops: dict[int, int] = {}
        for v, (before, after) in first.items():
            tops[v] = tops[before] if before == after >= 0 else v
        along = Counter(tops.values())
        for v in sorted(self.solid - heres, key=lambda v: (-along[v], v)):
            before, after = self._above(v, heres, theres)
            if before == after:
                heres.add(v)
                theres.add(self.there[v])
        if ordered:
            groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
            for v in sorted(heres):
                groups[self._above(v, heres, theres)[0]].append((v, self.there[v]))
            heres -= {v for pairs in groups.values() for v in self._out_of_order(pairs)}
        heads: dict[int, int] = {}
        for v, (before, after) in first.items():
            if v not in heres:
                heads[v] = v
            if before == after and before in heads:
                heads[v] = heads[before]
        return heads

    def _above(self, v: int, heres: set[int], theres: set[int]) -> tuple[int, int]:
        """The nearest node above, and the counterpart of the nearest one there, of those given; else -1."""
        before, after = self.left.parents[v], self.right.parents[self.there[v]]
        while before >= 0 and before not in heres:
            before = self.left.parents[before]
        while after >= 0 and after not in theres:
            after = self.right.parents[after]
        return before, self.back[after] if after >= 0 else -1

    def _out_of_order(self, pairs: list[tuple[int, int]]) -> list[int]:
        """The left nodes of pairs that cross one which the script keeps, or an earlier one that crosses none."""
        kept = sorted(pair for pair in pairs if self.partners[pair[0]] == pair[1])
        crossing = []
        for v, w in pairs:
            if self.partners[v] == w:
                continue
            place = bisect_left(kept, (v, w))
            if (place and kept[place - 1][1] > w) or (place < len(kept) and kept[place][1] < w):
                crossing.append(v)
            else:
                insort(kept, (v, w))
        return crossing
