"""Parts: nodes of one map that stand within longer nodes of the other.

A generated map often holds in one node what the reference has in several. What two texts have in common are their
passages: word for word, or sentences that are near. Of two nodes with such passages the shorter one is part of the
longer one if at least half of its words are in them.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tted_core.matching.bounds import CLEAR, HEADING, NearBounds, Rivals
from tted_core.matching.pairs import Counterparts
from tted_core.matching.records import HALF
from tted_core.sentences import Passage, SentenceCosts, passages
from tted_core.words.splitting import Letters, Span, letters_of


class Part(NamedTuple):
    """A node that stands within a longer one of the other map, and the spans of that one's letters that it is."""

    source: int
    target: int
    merged: bool
    """True if the longer one is the right node; otherwise the left one was split."""
    spans: tuple[Span, ...]


class _Overlap(NamedTuple):
    """Common passages of two nodes, left and right: their spans in either, and their shares of its words."""

    spans: tuple[tuple[Span, ...], tuple[Span, ...]]
    shares: tuple[float, float]


class Overlaps:
    """Common passages of the free nodes of either map and nodes of the other one."""

    def __init__(self, pairs: Counterparts, near: SentenceCosts, bounds: NearBounds) -> None:
        """Find their passages word for word and, up to the bounds, the sentences that are near."""
        self.pairs = pairs
        self.texts: tuple[list[Letters], list[Letters]] = (
            [letters_of(text) for text in pairs.left.labels],
            [letters_of(text) for text in pairs.right.labels],
        )
        self._letters = tuple({text.letters for text in texts} for texts in self.texts)
        here, there = (
            [node for node in free if not texts[node].letters or texts[node].letters not in known]
            for free, texts, known in zip(pairs.free, self.texts, self._letters[::-1], strict=True)
        )
        found = passages(pairs.left.labels, pairs.right.labels, here, there)
        found += _near(near, bounds, set(here), set(there))
        spans: dict[tuple[int, int], list[Passage]] = defaultdict(list)
        for each in found:
            spans[each.source, each.target].append(each)
        self.between: dict[tuple[int, int], _Overlap] = {}
        self.within: tuple[dict[int, list[int]], dict[int, list[int]]] = (
            defaultdict(list),
            defaultdict(list),
        )
        for (source, target), common in spans.items():
            in_left, in_right = tuple(each.here for each in common), tuple(each.there for each in common)
            shares = self.texts[0][source].covered(in_left), self.texts[1][target].covered(in_right)
            self.between[source, target] = _Overlap((in_left, in_right), shares)
            if shares[0] >= HALF:
                self.within[1][target].append(source)
            if shares[1] >= HALF:
                self.within[0][source].append(target)

    def pair_alone(self) -> None:
        """Make those counterparts that have most of both in common, and of which no other node is a part."""
        for source, target in self.between:
            if self.within[1][target] == [source] and self.within[0][source] == [target]:
                self.pairs.pair(source, target)

    def is_alone(self, source: int, target: int) -> bool:
        """Return True if no other node is a part of one of these, but for those below the other as a heading."""
        left, right = self.pairs.left, self.pairs.right
        below = [
            range(node, node + (tree.sizes[node] if len(tree.labels[node]) <= HEADING else 1))
            for tree, node in ((left, source), (right, target))
        ]
        return {*self.within[1][target]} <= {*below[0]} and {*self.within[0][source]} <= {*below[1]}

    def take_parts(self) -> list[Part]:
        """The free nodes that are parts of longer ones; takes them, and longer ones most of which is found so."""
        free = tuple(map(set, self.pairs.free))
        ranked = []
        for (source, target), each in self.between.items():
            if source in free[0] and target in free[1]:
                for merged, share in zip((True, False), each.shares, strict=True):
                    rank = self._rank(source, target, share, merged=merged)
                    if rank and share >= HALF:
                        ranked.append((rank, source, target, merged))
        inner: tuple[set[int], set[int]] = (set(), set())
        outer: tuple[set[int], set[int]] = (set(), set())
        found = []
        for _, source, target, merged in sorted(ranked):
            ends, side = (source, target), int(not merged)
            if ends[side] in inner[side] | outer[side] or ends[1 - side] in inner[1 - side]:
                continue
            inner[side].add(ends[side])
            outer[1 - side].add(ends[1 - side])
            found.append(Part(source, target, merged, self.between[source, target].spans[1 - side]))
        for side in (0, 1):
            most = {node for node in outer[side] & free[side] if self.shares[side][node] >= HALF}
            self.pairs.taken[side].update(inner[side] | most)
        return found

    def _rank(self, source: int, target: int, share: float, *, merged: bool) -> tuple[float, ...]:
        """Which longer node a part belongs to first; empty for one that isn't longer."""
        sizes = len(self.texts[0][source].letters), len(self.texts[1][target].letters)
        if sizes[merged] <= sizes[not merged]:
            return ()
        return (-share, sizes[merged], sizes[not merged])

    def share_of_extended(self, side: int, node: int, other: int) -> float:
        """The share of a text's words that its shorter or longer counterpart has."""
        own, others = len(self.texts[side][node].words), len(self.texts[1 - side][other].words)
        return max(self.shares[side][node], min(1.0, others / max(own, 1)))

    def add_shares(self, parts: Iterable[Part]) -> None:
        """Let parts that weren't found by passages count in both nodes' shares."""
        spans: dict[tuple[int, int], list[Span]] = defaultdict(list)
        for part in parts:
            side, ends = int(not part.merged), (part.source, part.target)
            self.shares[side][ends[side]] = 1.0
            spans[1 - side, ends[1 - side]] += part.spans
        for (side, node), each in spans.items():
            self.shares[side][node] = max(self.shares[side][node], self.texts[side][node].covered(each))

    @cached_property
    def shares(self) -> tuple[list[float], list[float]]:
        """For each node of both sides, the share of its words that is in common with a node of the other side."""
        spans: tuple[dict[int, list[Span]], dict[int, list[Span]]] = (defaultdict(list), defaultdict(list))
        for (source, target), each in self.between.items():
            spans[0][source] += each.spans[0]
            spans[1][target] += each.spans[1]
        left, right = (
            [
                1.0 if text.words and text.letters in others else text.covered(known.get(node, ()))
                for node, text in enumerate(texts)
            ]
            for texts, known, others in zip(self.texts, spans, self._letters[::-1], strict=True)
        )
        return left, right


def _near(near: SentenceCosts, bounds: NearBounds, here: set[int], there: set[int]) -> list[Passage]:
    """Sentences of free nodes that are nearest to each other, but for those that are both nodes of their own.

    No node may be clearly nearer, even if taken.
    """
    rows = [row for row, unit in enumerate(near.left) if unit.node in here]
    columns = [column for column, unit in enumerate(near.right) if unit.node in there]
    if not rows or not columns:
        return []
    costs = near.costs[np.ix_(rows, columns)]
    rivals = Rivals(costs, np.arange(len(rows)), np.arange(len(columns)))
    least = near.nodes.min(axis=1), near.nodes.min(axis=0)
    found = []
    for row, column in np.transpose(rivals.find_clear(bounds.elsewhere)):
        source, target = near.left[rows[row]], near.right[columns[column]]
        has_nearer = any(
            unit.kind == "node" and nearest[unit.node] < CLEAR * costs[row, column]
            for unit, nearest in zip((source, target), least, strict=True)
        )
        if not has_nearer and {source.kind, target.kind} != {"node"}:
            found.append(Passage(source.node, target.node, source.span, target.span))
    return found
