"""The way from the left map to the right one, one change at a time, as the list of changes has them.

A step is a change: a branch that moves is one step, as it is one row of the list. No tree is changed for it. Each
sentence stands where the left map has it until its change is done, and from then on where the right map has it.
Sentences that stay in position hang below the nearest one that is still to go, else where the right map has them.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.explain.changes import Change
from tted_core.explain.mapping_view import MappingView
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Step:
    """A change with its share of the distance (with a power p, of d^p), and the numbers of its outcomes."""

    change: Change
    share: float
    outcomes: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """A tree between two steps, in preorder.

    Attributes:
        labels: the s texts.
        parents: each node's parent as an index into the tree, -1 for the root.
        outcomes: the number of each node's outcome.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    outcomes: tuple[int, ...]


class Way:
    """The steps of a comparison, in the order of the outline, and the tree after any number of them.

    Attributes:
        steps: the changes; the one that brings a new root comes first, so that there always is one.
    """

    def __init__(self, view: MappingView) -> None:
        """Number the steps, and note for each outcome which one deals with it."""
        self.view = view
        self.stays = _stays(view)
        members: dict[int, list[int]] = defaultdict(list)
        for number, change in enumerate(view.change_of):
            if change is not None:
                members[change].append(number)
        position = view.change_positions
        root = view.at[1][0]
        first = None if root in self.stays else view.change_of[root]
        order = sorted(view.listed, key=lambda change: (change != first, position.get(change, len(position))))
        self.steps = tuple(
            Step(view.changes[change], view.listed[change], tuple(members[change])) for change in order
        )
        self._when = [0 if number in self.stays else len(order) for number in range(len(view.outcomes))]
        for count, step in enumerate(self.steps, start=1):
            for number in step.outcomes:
                self._when[number] = count

    def amount(self, count: int) -> float:
        """Amount of the first ``count`` steps, in the unit of the script."""
        return self.view.comparison.script.unit.amount(*(step.change.cost for step in self.steps[:count]))

    def done(self, number: int, count: int) -> bool:
        """Return True if an outcome is handled in the first ``count`` steps."""
        return count > 0 and count >= self._when[number]

    def state(self, count: int) -> State:
        """The tree after ``count`` steps: the left map after none, the right one after all.

        Siblings stand in the left map's order until the last step; what has moved or is extra follows the sibling
        that it follows in the right map.
        """
        left, right = self.view.trees
        here: dict[int, int] = {}
        there: dict[int, int] = {}
        for number in range(len(self.view.outcomes)):
            done = self.done(number, count)
            source, target = self.view.ends(number)
            if source is not None and (number in self.stays or not done):
                here[source] = number
            if target is not None and (number in self.stays or done):
                there[target] = number
        if count and count == len(self.steps):
            here = {}
        above = _above(right, there)
        for number, parent in _above(left, here).items():
            if number not in above or (parent is not None and parent not in self.stays):
                above[number] = parent
        return self._tree(above, here, count)

    def _tree(self, above: dict[int, int | None], here: dict[int, int], count: int) -> State:
        """The tree of these parents, by numbers of outcomes; ``here``: those that stand where they stood."""
        tops = [number for number, parent in above.items() if parent is None]
        root = here.get(0, tops[0])
        if root not in tops:
            root = tops[0]
        below: dict[int, list[int]] = defaultdict(list)
        for number, parent in above.items():
            if number != root:
                below[root if parent is None else parent].append(number)
        labels: list[str] = []
        parents: list[int] = []
        outcomes: list[int] = []
        stack = [(root, -1)]
        while stack:
            number, parent = stack.pop()
            source, target = self.view.ends(number)
            old = target is None or (source is not None and not self.done(number, count))
            tree, node = (self.view.trees[0], source) if old else (self.view.trees[1], target)
            stack.extend((child, len(labels)) for child in reversed(self._siblings(below[number], here)))
            labels.append(tree.labels[node or 0])
            parents.append(parent)
            outcomes.append(number)
        return State(tuple(labels), tuple(parents), tuple(outcomes))

    def _siblings(self, numbers: Sequence[int], here: dict[int, int]) -> list[int]:
        ends = {
            number: tuple(-1 if node is None else node for node in self.view.ends(number))
            for number in numbers
        }
        rooted = [number for number in numbers if here.get(ends[number][0]) == number]
        rooted.sort(key=lambda number: ends[number][0])
        others = sorted(set(numbers) - set(rooted), key=lambda number: ends[number][1])
        anchors = sorted((ends[number][1], number) for number in rooted if number in self.stays)
        after: dict[int | None, list[int]] = defaultdict(list)
        for number in others:
            position = bisect_left(anchors, (ends[number][1], -1))
            after[anchors[position - 1][1] if position else None].append(number)
        return [*after[None], *(each for number in rooted for each in (number, *after[number]))]


def _above(tree: TextTree, there: dict[int, int]) -> dict[int, int | None]:
    """Outcome -> the outcome of its node's nearest ancestor among ``there`` (node -> outcome); None for none."""
    nearest: list[int | None] = []
    above: dict[int, int | None] = {}
    for node, parent in enumerate(tree.parents):
        number = nearest[parent] if parent >= 0 else None
        if node in there:
            above[there[node]] = number
            number = there[node]
        nearest.append(number)
    return above


def _stays(view: MappingView) -> set[int]:
    """The numbers of the sentences that stay: of each two, one stands below the other in both maps or in none."""
    left, right = view.trees
    stays: set[int] = set()
    above: list[int] = []  # for each left node: the nearest one, itself included, that stays
    met: list[int] = []
    for node, parent in enumerate(left.parents):
        above.append(above[parent] if parent >= 0 else -1)
        number = view.at[0][node]
        target = view.outcomes[number].target
        if target is None or view.outcomes[number].status not in {"same", "reworded"}:
            continue
        position = bisect_left(met, target)
        free = position == len(met) or met[position] >= target + right.sizes[target]
        counterpart = right.parents[target]
        while counterpart >= 0 and view.at[1][counterpart] not in stays:
            counterpart = right.parents[counterpart]
        expected = -1 if above[node] < 0 else view.outcomes[view.at[0][above[node]]].target
        if free and counterpart == expected:
            stays.add(number)
            insort(met, target)
            above[node] = node
    return stays
