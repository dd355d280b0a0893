"""The way from the left map to the right one, one change at a time, as the list of changes has them.

A step is a change: a branch that moves is one step, as it is one row of the list. No tree is changed for it. Each
sentence stands where the left map has it until its change is done, and from then on where the right map has it.
Sentences that stay in position hang below the nearest one that is still to go, else where the right map has them.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.explanation import Explanation, Node, Sentence
from tted_core.matching.records import QUIET


@dataclass(frozen=True)
class State:
    """A tree between two steps, in preorder.

    Attributes:
        labels: the s texts.
        parents: each node's parent as an index into the tree, -1 for the root.
        sentences: the sentence of each node.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    sentences: tuple[Sentence, ...]


class Way:
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
        changes = sorted(explanation.changes, key=lambda change: change.number)
        self.steps = tuple(sorted(changes, key=lambda change: (change is not first, change.position)))
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

    def state(self, count: int) -> State:
        """The tree after ``count`` steps: the left map after none, the right one after all.

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
        return self._tree(above, here, count)

    def _tree(self, above: dict[Sentence, Sentence | None], here: dict[Sentence, Node], count: int) -> State:
        """The tree of these parents; ``here``: the sentences that stand where they stood."""
        tops = [each for each, parent in above.items() if parent is None]
        roots = [each for each in tops if each in here and here[each].index == 0]
        root = (roots or tops)[0]
        below: dict[Sentence, list[Sentence]] = defaultdict(list)
        for sentence, parent in above.items():
            if sentence is not root:
                below[parent or root].append(sentence)
        labels: list[str] = []
        parents: list[int] = []
        sentences: list[Sentence] = []
        stack = [(root, -1)]
        while stack:
            sentence, parent_index = stack.pop()
            left, right = sentence.ends
            node = left if left and (right is None or not self.is_done(sentence, count)) else right
            assert node
            children = self._siblings(below[sentence], here)
            stack.extend((child, len(labels)) for child in reversed(children))
            labels.append(node.label)
            parents.append(parent_index)
            sentences.append(sentence)
        return State(tuple(labels), tuple(parents), tuple(sentences))

    def _siblings(self, sentences: Sequence[Sentence], here: dict[Sentence, Node]) -> list[Sentence]:
        def position(sentence: Sentence, side: int) -> int:
            node = sentence.ends[side]
            return node.index if node else -1

        rooted = sorted((each for each in sentences if each in here), key=lambda each: position(each, 0))
        others = sorted((each for each in sentences if each not in here), key=lambda each: position(each, 1))
        anchors = sorted(
            (position(each, 1), count) for count, each in enumerate(rooted) if each in self.stays
        )
        after: dict[int, list[Sentence]] = defaultdict(list)
        for each in others:
            before = bisect_left(anchors, (position(each, 1), -1))
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
