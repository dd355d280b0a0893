"""Pairs of nodes that are each other's counterparts: equal ones first, then near ones.

Equal branches are paired before equal texts, as GumTree does for syntax trees (Falleri et al. 2014), near texts by
an assignment of least cost.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.sim import best_assignment
from tted_core.matching.bounds import CLEAR, CLEAR_IN_PLACE, HEADING, WIDER, NearBounds, Rivals
from tted_core.tree import TextTree
from tted_core.words.splitting import Letters, letters_of

Key = TypeVar("Key", bound=Hashable)


class Counterparts:
    """The pairs so far: ``there`` left -> right and ``back``.

    ``taken`` holds the nodes of each side that are found within, or made of, others, and get no counterpart,
    ``parts`` pairs of a part and its longer node, ``extended`` the pairs of which one has all words of the other,
    ``common`` those below two nodes that have some words in common, with the share that differs.
    """

    def __init__(
        self, left: TextTree, right: TextTree, costs: NDArray[np.float64], partners: Sequence[int]
    ) -> None:
        self.left, self.right, self.costs, self.partners = left, right, costs, partners
        self.there: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.taken: tuple[set[int], set[int]] = (set(), set())
        self.extended: set[tuple[int, int]] = set()
        self.parts: set[tuple[int, int]] = set()
        self.common: dict[tuple[int, int], list[tuple[float, tuple[int, int]]]] = {}

    def pair(self, v: int, w: int) -> bool:
        """Make two nodes counterparts, if both are free."""
        if not (self.is_free(0, v) and self.is_free(1, w)):
            return False
        self.there[v], self.back[w] = w, v
        return True

    def is_free(self, side: int, node: int) -> bool:
        """Return True if a node has no counterpart and may get one."""
        return node not in (self.there, self.back)[side] and node not in self.taken[side]

    @property
    def free(self) -> tuple[list[int], list[int]]:
        """The free nodes of each side."""
        left, right = (
            [node for node in range(len(tree)) if node not in paired and node not in taken]
            for tree, paired, taken in zip(
                (self.left, self.right), (self.there, self.back), self.taken, strict=True
            )
        )
        return left, right

    def positions(self) -> Iterator[tuple[list[int], list[int]]]:
        """The free nodes in each position of which both sides have some: below counterparts, or beside them."""
        below: tuple[dict[int, list[int]], dict[int, list[int]]] = (defaultdict(list), defaultdict(list))
        for side, tree, nodes in zip(below, (self.left, self.right), self.free, strict=True):
            for node in nodes:
                side[tree.parents[node]].append(node)
        yield from (
            (below[0][v], below[1][w]) for v, w in self._relatives() if v in below[0] and w in below[1]
        )

    def _relatives(self) -> dict[tuple[int, int], None]:
        """Pairs of counterparts, of a part and its longer node, or above counterparts; -1 above the roots.

        The parents of siblings aren't counterparts where one map has a heading above them that the other lacks.
        """
        up, down = self.left.parents, self.right.parents
        above = ((up[v], down[w]) for v, w in self.there.items())
        found = [(-1, -1), *self.there.items(), *sorted(self.parts)]
        return dict.fromkeys([*found, *(ends for ends in above if min(ends) >= 0)])

    @cached_property
    def numbers(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """A number for each text of both sides, equal for equal ones of a side."""
        left, right = (np.unique(side.labels, return_inverse=True)[1] for side in (self.left, self.right))
        return left, right

    @cached_property
    def rivals(self) -> Rivals:
        """The least that either text of a pair costs against any other one."""
        return Rivals(self.costs, *self.numbers)

    def pair_equal(self, *ways: Callable[[str], Hashable]) -> None:
        """Pair equal branches, the largest first; then texts that each map has once; then all others.

        Args:
            ways: functions of a text; where their values are equal texts count as such, after those that are.
        """
        groups = _groups(*map(enumerate, self._branches()))
        for here, there in sorted(groups.values(), key=lambda nodes: -self.left.sizes[nodes[0][0]]):
            if self.left.sizes[here[0]] > 1:
                self._pair_alike(here, there, self.left.sizes[here[0]])
        every: tuple[Callable[[str], Hashable], ...] = (str, *ways)
        for way in every:
            keys = [
                [(node, way(tree.labels[node])) for node in nodes]
                for tree, nodes in zip((self.left, self.right), self.free, strict=True)
            ]
            alike = _groups(*keys)
            for here, there in alike.values():
                if len(here) == len(there) == 1:
                    self.pair(here[0], there[0])
            for here, there in alike.values():
                self._pair_alike(here, there, 1)

    def _branches(self) -> list[list[int]]:
        """A number for each node's branch, equal for equal branches of both trees."""
        numbers: dict[Hashable, int] = {}
        found = []
        for side in (self.left, self.right):
            branch = [0] * len(side.labels)
            for node in range(len(branch) - 1, -1, -1):
                key = side.labels[node], tuple(branch[child] for child in side.children[node])
                branch[node] = numbers.setdefault(key, len(numbers))
            found.append(branch)
        return found

    def _pair_alike(self, here: list[int], there: list[int], size: int) -> None:
        """Pair branches that are equal: as the script does, then by counterparts above, then in order."""
        up, down = self.left.parents, self.right.parents
        ways: tuple[tuple[Callable[[int], Hashable], Callable[[int], Hashable]], ...] = (
            (lambda v: self.partners[v], lambda w: w),
            (lambda v: self.there.get(up[v], up[v] if up[v] < 0 else None), lambda w: down[w]),
            (lambda _: 0, lambda _: 0),
        )
        for key, other_key in ways:
            waiting: dict[Hashable, list[int]] = defaultdict(list)
            for w in reversed(there):
                if w not in self.back:
                    waiting[other_key(w)].append(w)
            for v in here:
                if v not in self.there and (positions := waiting.get(key(v))):
                    w = positions.pop()
                    for offset in range(size):
                        self.pair(v + offset, w + offset)

    def prefer_in_place(self, reading: Callable[[str], Hashable]) -> None:
        """Of texts that are equal by a reading, pair those in the same position first, others as they were."""
        above, below = find_nearest(self.left, self.there), find_nearest(self.right, self.back)
        heads = [self.there.get(head, -1) for head in above.tolist()]  # of left nodes, as right ones
        elsewhere = [(v, w) for v, w in self.there.items() if heads[v] != below[w]]
        for v, w in elsewhere:
            del self.there[v], self.back[w]
        keys = (
            [(v, (heads[v], reading(self.left.labels[v]))) for v in self.free[0]],
            [(w, (int(below[w]), reading(self.right.labels[w]))) for w in self.free[1]],
        )
        ends = [pair for nodes in _groups(*keys).values() for pair in zip(*nodes, strict=False)]
        for v, w in (*ends, *elsewhere):
            self.pair(v, w)

    def pair_renamed(self, bounds: NearBounds) -> None:
        """Pair texts in the same position, of as many sentences, that are clearly each other's nearest ones.

        Done before parts are searched for: a text in which a farther one is contained may have a new wording.
        """
        ends = [
            (v, w)
            for v, w in np.transpose(self.rivals.find_clear(bounds.elsewhere)).tolist()
            if _are_apart(letters_of(self.left.labels[v]), letters_of(self.right.labels[w]))
        ]
        found = True
        while found:  # headings first, then what stands below them
            ends = [(v, w) for v, w in ends if self.is_free(0, v) and self.is_free(1, w)]
            is_related = self._below_relatives(*np.array(ends, dtype=np.intp).reshape(-1, 2).T)
            found = sum([self.pair(*each) for each, is_so in zip(ends, is_related, strict=True) if is_so]) > 0

    def pair_near(self, bounds: NearBounds) -> bool:
        """Pair sentences within the bounds by an assignment of least cost; return whether there were any.

        Each must be clearly the nearest of all sentences; in the same position at last of those that are left, if
        none that is taken is much nearer.
        """
        here, there = self.free
        if not here or not there:
            return False
        ends = np.ix_(here, there)
        costs, rivals = self.costs[ends], self.rivals.of(*ends)
        related = self._below_relatives(*ends)
        backed = related | np.equal.outer([self.partners[v] for v in here], there)
        is_short = [
            [len(side.labels[node]) <= HEADING for node in nodes]
            for side, nodes in ((self.left, here), (self.right, there))
        ]
        farthest = bounds.in_place * np.where(np.logical_and.outer(*is_short), WIDER, 1.0)
        within = costs <= np.where(backed, farthest, bounds.elsewhere)
        within &= costs < np.where(backed, CLEAR_IN_PLACE, CLEAR) * rivals
        if not within.any():
            within = related & (costs <= farthest)
            within &= CLEAR * costs < rivals
            of_free = Rivals(costs, self.numbers[0][here], self.numbers[1][there])
            within &= costs < CLEAR_IN_PLACE * of_free.of(*np.ix_(range(len(here)), range(len(there))))
            if not within.any():
                return False
        # More than nothing also at the bound itself, since who calls goes on until no pair is found.
        gains = np.where(within, WIDER * bounds.in_place - costs + 1e-9, 0.0)
        rows, columns = best_assignment(gains)
        is_kept = within[rows, columns]
        for row, column in zip(rows[is_kept].tolist(), columns[is_kept].tolist(), strict=True):
            self.pair(here[row], there[column])
        return bool(is_kept.any())

    def pair_heads(self, bound: float) -> bool:
        """Pair nodes whose children are counterparts: the branch stayed, its head has another text.

        Most children of both must be, in the same position most of those with a counterpart. Texts must be within
        the bound, unless both are short headings of several.
        A free parent of one that is clearly nearer to the other took the children over.
        """
        found = False
        relatives = self._relatives()
        for node in self.free[0]:
            children = self.left.children[node]
            votes = Counter(self.right.parents[self.there[v]] for v in children if v in self.there)
            there, count = next(iter(votes.most_common(1)), (-1, 0))
            if there < 0:
                continue
            others = self.right.children[there]
            if (self.left.parents[node], self.right.parents[there]) in relatives:
                children = tuple(v for v in children if v in self.there)
                others = tuple(w for w in others if w in self.back)
            stay = sum(
                _is_below(self.right, self.there[v], there, self.back) for v in children if v in self.there
            )
            came = sum(_is_below(self.left, self.back[w], node, self.there) for w in others if w in self.back)
            longest = max(len(self.left.labels[node]), len(self.right.labels[there]))
            is_near = self.costs[node, there] <= bound or longest <= HEADING * min(count - 1, 2)
            ends = ((self.left.parents[node], there), (node, self.right.parents[there]))
            is_left = any(
                min(end) >= 0
                and self.is_free(0, end[0])
                and self.is_free(1, end[1])
                and self.costs[end] < CLEAR * self.costs[node, there]
                for end in ends
            )
            is_kept = 2 * stay > len(children) and 2 * came > len(others)
            found |= is_kept and is_near and not is_left and self.pair(node, there)
        return found

    def pair_holders(self) -> bool:
        """Pair short headings in the same position that hold the same counterparts, also below free headings.

        Each holds several, most of which are held by the other: the headings between went away, or came.
        """
        found = False
        for here, there in self.positions():
            holder = {below: w for w in there for below in _find_held(self.right, w, self.back)}
            held = Counter(holder.values())
            for v in here:
                own = [self.there[below] for below in _find_held(self.left, v, self.there)]
                votes = Counter(holder[below] for below in own if below in holder)
                w, count = next(iter(votes.most_common(1)), (-1, 0))
                is_short = max(len(self.left.labels[v]), len(self.right.labels[w])) <= HEADING
                is_kept = count > 1 and 2 * count > max(len(own), held[w])
                found |= is_kept and is_short and self.pair(v, w)
        return found

    def pair_leads(self, bound: float) -> bool:
        """Pair texts in the same position with the same lead, as in "Aim: ...", if no other one there has it.

        Their rest may say something else, but not be further than a heading may.
        """
        found = False
        for nodes in self.positions():
            leads = [
                [(node, lead) for node in side if (lead := _find_lead(tree.labels[node]))]
                for tree, side in zip((self.left, self.right), nodes, strict=True)
            ]
            for here, there in _groups(*leads).values():
                is_near = self.costs[here[0], there[0]] <= WIDER * bound
                found |= len(here) == len(there) == 1 and is_near and self.pair(here[0], there[0])
        return found

    def _below_relatives(self, here: NDArray[np.intp], there: NDArray[np.intp]) -> NDArray[np.bool_]:
        """True where free nodes of both sides are in the same position, whatever free headings are above."""
        related = np.zeros((len(self.left) + 1, len(self.right) + 1), dtype=bool)
        related[tuple(zip(*self._relatives(), strict=True))] = True  # the last ones stand above the roots
        up, down = np.array(self.left.parents)[here], np.array(self.right.parents)[there]
        above = find_nearest(self.left, self.there)[here], find_nearest(self.right, self.back)[there]
        return np.asarray(related[up, down] | related[above])


def find_nearest(tree: TextTree, paired: Collection[int]) -> NDArray[np.intp]:
    """(n,): the nearest node above each one that has a counterpart, -1 without any."""
    found: list[int] = []
    for parent in tree.parents:
        found.append(parent if parent < 0 or parent in paired else found[parent])
    return np.array(found)


def is_above(tree: TextTree, head: int, node: int) -> bool:
    """Return True if a node stands somewhere below another one."""
    return head < node < head + tree.sizes[head]


def _find_held(tree: TextTree, node: int, paired: dict[int, int]) -> Iterator[int]:
    """The topmost nodes below a free one that have a counterpart."""
    stack = [node]
    while stack:
        for child in tree.children[stack.pop()]:
            if child in paired:
                yield child
            else:
                stack.append(child)


def _find_lead(text: str) -> str:
    """The words before the first colon of a text, if short and no number of a list; empty without any."""
    lead, _, rest = text.replace("：", ": ").partition(": ")
    is_lead = rest and len(lead) <= HEADING and not any(map(str.isdigit, lead))
    return lead.lower() if is_lead else ""


def _is_below(tree: TextTree, node: int, head: int, paired: dict[int, int]) -> bool:
    """Return True if a node is a child of another one, or was one of a heading between them that is free."""
    parent = tree.parents[node]
    return parent == head or (0 <= parent not in paired and tree.parents[parent] == head)


def _are_apart(one: Letters, other: Letters) -> bool:
    """Return True if two texts have as many sentences, and neither has all letters of the other."""
    is_within = one.letters in other.letters or other.letters in one.letters
    return len(one.sentences) == len(other.sentences) and not is_within


def _groups(
    left: Iterable[tuple[int, Key]], right: Iterable[tuple[int, Key]]
) -> dict[Key, tuple[list[int], list[int]]]:
    """Key -> the nodes of each side that have it; of keys that both sides have, in the left one's order."""
    groups: dict[Key, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for position, side in enumerate((left, right)):
        for node, key in side:
            groups[key][position].append(node)
    return {key: nodes for key, nodes in groups.items() if all(nodes)}
