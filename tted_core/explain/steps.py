"""The way from the left map to the right one, one change at a time, as the list of changes has them.

A step is a change: a branch that moves is one step, as it is one row of the list. No tree is changed for it. Each
sentence stands where the left map has it until its change is done, and from then on where the right map has it.
Sentences that stay in position hang below the nearest one that is still to go, else where the right map has them.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tted_core.explanation import Explanation, Node, Sentence
from tted_core.matching.records import QUIET


class Shown(NamedTuple):
    """A node of the tree between two steps; ``level`` is 1 for the root."""

    sentence: Sentence
    label: str
    level: int


class StepSequence:
    """The steps of a comparison, in the order of the outline, and the tree after any number of them.

    Attributes:
        explanation: of the comparison.
        steps: its changes; the one that brings a new root comes first, so that there always is one.
    """

    def __init__(self, explanation: Explanation) -> None:
        """Order the steps, and note for each sentence which one deals with it."""
        self.explanation = explanation
        self.stays = _stays(explanation)
        root = explanation.nodes[1][0].sentence
        first = None if root in self.stays else root.change
        self.steps = tuple(
            sorted(explanation.changes, key=lambda change: (change is not first, change.position))
        )
        number = {change: count for count, change in enumerate(self.steps, start=1)}
        last = len(self.steps)
        self._when = {
            each: number[each.change] if each.change else 0 if each in self.stays else last
            for each in explanation.sentences
        }

    def amount(self, count: int) -> float:
        """Amount of the first ``count`` steps, in the unit of the script."""
        unit = self.explanation.comparison.script.unit
        return unit.amount(*(step.cost for step in self.steps[:count]))

    def is_done(self, sentence: Sentence, count: int) -> bool:
        """Return True if a sentence is handled in the first ``count`` steps."""
        return count > 0 and count >= self._when[sentence]

    def state(self, count: int) -> list[Shown]:
        """The tree after ``count`` steps, in preorder: the left map after none, the right one after all.

        Siblings stand in the left map's order until the last step; what has moved or is extra follows the sibling
        that it follows in the right map.
        """
        here: dict[Sentence, Node] = {}
        there: dict[Sentence, Node] = {}
        for each in self.explanation.sentences:
            done = self.is_done(each, count)
            left, right = each.ends
            if left and (each in self.stays or not done):
                here[each] = left
            if right and (each in self.stays or done):
                there[each] = right
        if count and count == len(self.steps):
            here = {}
        above = _above(there)
        for sentence, parent in _above(here).items():
            if sentence not in above or (parent and parent not in self.stays):
                above[sentence] = parent
        return self._tree(above, here, there, count)

    def _tree(
        self,
        above: dict[Sentence, Sentence | None],
        here: dict[Sentence, Node],
        there: dict[Sentence, Node],
        count: int,
    ) -> list[Shown]:
        """The tree of these parents.

        Args:
            above: each sentence -> its parent, or None.
            here: those that stand where the left map has them -> their left nodes.
            there: those whose step is done, and those that stay -> their right nodes.
            count: the number of steps done.
        """
        tops = [each for each, parent in above.items() if parent is None]
        root = next((each for each in tops if each in here and here[each].index == 0), tops[0])
        below: dict[Sentence, list[Sentence]] = defaultdict(list)
        for sentence, parent in above.items():
            if sentence is not root:
                below[parent or root].append(sentence)
        found: list[Shown] = []
        stack = [(root, 1)]
        while stack:
            sentence, level = stack.pop()
            is_old = sentence in here and not self.is_done(sentence, count)
            found.append(Shown(sentence, (here if is_old else there)[sentence].label, level))
            children = self._siblings(below[sentence], here, there)
            stack += [(child, level + 1) for child in reversed(children)]
        return found

    def _siblings(
        self, sentences: Sequence[Sentence], here: dict[Sentence, Node], there: dict[Sentence, Node]
    ) -> list[Sentence]:
        if len(sentences) < 2:  # most have no children
            return list(sentences)
        rooted = sorted((each for each in sentences if each in here), key=lambda each: here[each].index)
        others = sorted((each for each in sentences if each not in here), key=lambda each: there[each].index)
        anchors = sorted(
            (there[each].index, count) for count, each in enumerate(rooted) if each in self.stays
        )
        after: dict[int, list[Sentence]] = defaultdict(list)
        for each in others:
            before = bisect_left(anchors, (there[each].index, -1))
            after[anchors[before - 1][1] if before else -1].append(each)
        found = after[-1]
        for count, each in enumerate(rooted):
            found += [each, *after[count]]
        return found


def _above(nodes: dict[Sentence, Node]) -> dict[Sentence, Sentence | None]:
    """Each of these sentences -> the one of its node's nearest ancestor among their nodes; None for none."""
    of = {node: sentence for sentence, node in nodes.items()}
    found: dict[Sentence, Sentence | None] = {}
    for sentence, node in sorted(nodes.items(), key=lambda each: each[1].index):
        above = node.parent
        while above and above not in of:
            above = above.parent
        found[sentence] = of[above] if above else None
    return found


def _stays(explanation: Explanation) -> set[Sentence]:
    """The sentences that stay: of each two, one stands below the other in both maps or in none."""
    sizes = explanation.trees[1].sizes
    stays: set[Sentence] = set()
    met: list[int] = []

    def nearest(node: Node | None) -> Sentence | None:
        while node and node.sentence not in stays:
            node = node.parent
        return node.sentence if node else None

    for node in explanation.nodes[0]:
        sentence = node.sentence
        target = sentence.right
        if target is None or sentence.status not in {*QUIET, "reworded"}:
            continue
        at = bisect_left(met, target.index)
        is_free = at == len(met) or met[at] >= target.index + sizes[target.index]
        if is_free and nearest(target.parent) is nearest(node.parent):
            stays.add(sentence)
            insort(met, target.index)
    return stays
