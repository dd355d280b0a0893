"""Two maps of one document decided into one: for each change, which side is taken.

Changes are those of Compare (``explain.changes``); what is the same in both maps is taken at once. Every decision
names a change and takes the left side, the right one, both or neither of it. With a common ancestor, what only
one side changed is taken from that side; what both changed is a conflict. The outcome is always a tree: a node
whose parent is dropped goes below the nearest ancestor that stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tted_core.annotate.weaving import Ends, Item, woven
from tted_core.compare import Comparison
from tted_core.explain.changes import Change, grouped
from tted_core.explain.correspondence import Outcome, correspondence
from tted_core.tree import TextTree

Side: TypeAlias = Literal["left", "right"]
Choice: TypeAlias = Literal["left", "right", "both", "neither"]
By: TypeAlias = Literal["decision", "base", "default"]

SIDES: tuple[Side, Side] = ("left", "right")
CHOICES: tuple[Choice, ...] = ("left", "right", "both", "neither")

PARTS = frozenset({"merged", "split"})


@dataclass(frozen=True)
class Decision:
    """A choice for one change, with a note on why."""

    choice: Choice
    note: str = ""


@dataclass(frozen=True)
class Settled:
    """One line of the log: a change, the choice, where that came from, and the note.

    ``choice`` is None if the common ancestor takes the text from one side and the position from the other.
    """

    change: Change
    choice: Choice | None
    by: By
    note: str = ""


class Merge(NamedTuple):
    """The outcome of a merge.

    Attributes:
        tree: the map.
        log: every change, in the order of the left map, then of what only the right one has.
        conflicts: those of the log that neither a decision nor the common ancestor settles.
        origins: for each node of the map its left and its right node, None where a side has none.
        lifted: the nodes of the map whose parent was dropped.
    """

    tree: TextTree
    log: tuple[Settled, ...]
    conflicts: tuple[Settled, ...]
    origins: tuple[Ends, ...]
    lifted: frozenset[int]


class Base(NamedTuple):
    """The comparisons of a common ancestor with the left and with the right map; in both it is the left one."""

    left: Comparison
    right: Comparison


def change_key(change: Change) -> str:
    """A change's name among those of one comparison: its kind and its topmost nodes, as in "moved:3:5"."""
    ends = ("" if node is None else str(node) for node in (change.source, change.target))
    return ":".join((change.kind, *ends))


def open_changes(comparison: Comparison) -> tuple[Change, ...]:
    """The changes to decide, in the order of the left map, then of what only the right one has."""
    return tuple(change for change, _ in _changes(comparison))


def merge(
    comparison: Comparison,
    decisions: Mapping[str, Decision] | None = None,
    *,
    base: Base | None = None,
    otherwise: Side = "left",
) -> Merge:
    """Decide the two maps of a comparison into one.

    Args:
        comparison: of the left with the right map.
        decisions: change (``change_key``) -> decision; other keys are ignored.
        base: the comparisons with a common ancestor, which settles changes of one side.
        otherwise: the side that is taken of changes that nothing settles. The order of siblings, which is no
            change, follows the side from which all changes are taken, or else this one.
    """
    given = decisions or {}
    ancestor = _Ancestor(comparison, base) if base else None
    log: list[Settled] = []
    items = _same(comparison)
    for change, outcomes in _changes(comparison):
        decision = given.get(change_key(change))
        if decision:
            log.append(Settled(change, decision.choice, "decision", decision.note))
            taken: list[tuple[Choice | None, Choice | None]] = [(decision.choice,) * 2] * len(outcomes)
        else:
            taken = [ancestor.choices(each) if ancestor else (None, None) for each in outcomes]
            settled = {side for each in taken for side in each}
            chosen = {side or otherwise for side in settled}
            by: By = "default" if None in settled else "base"
            log.append(Settled(change, chosen.pop() if len(chosen) == 1 else None, by))
        for outcome, (text, position) in zip(outcomes, taken, strict=True):
            items += _items(outcome, text or otherwise, position or otherwise)
    trees = comparison.left.tree, comparison.right.tree
    result = woven(trees, items, SIDES.index(_lean(comparison, log, base, otherwise)))
    conflicts = tuple(each for each in log if each.by == "default")
    return Merge(result.tree, tuple(log), conflicts, result.origins, result.lifted)


def _changes(comparison: Comparison) -> list[tuple[Change, list[Outcome]]]:
    """The changes, each with one outcome for each node or pair of nodes that it decides on."""
    found = grouped(comparison)
    members: dict[int, list[Outcome]] = {}
    for outcome, number in _of_nodes(comparison):
        change = found.change_of[number]
        if change is not None:
            members.setdefault(change, []).append(outcome)
    return [(found.changes[change], outcomes) for change, outcomes in members.items()]


def _of_nodes(comparison: Comparison) -> list[tuple[Outcome, int]]:
    """Each node once, alone or with its counterpart, with the number of the outcome that stands for it.

    A node that is part of a longer one, or that holds parts, and has no counterpart stands alone.
    """
    found = grouped(comparison)
    nodes: list[tuple[Outcome, int]] = []
    for side, numbers in enumerate(found.at):
        for node, number in sorted(numbers.items()):
            outcome = found.outcomes[number]
            if outcome.status in PARTS:
                source, target = (None, node) if side else (node, None)
                nodes.append((Outcome(source, target, outcome.status), number))
            elif not side or outcome.source is None:
                nodes.append((outcome, number))
    return nodes


def _same(comparison: Comparison) -> list[Item]:
    found = grouped(comparison)
    return [
        Item((outcome.source, outcome.target), 0)
        for outcome, number in _of_nodes(comparison)
        if found.change_of[number] is None
    ]


def _items(outcome: Outcome, text: Choice, position: Choice) -> list[Item]:
    """The items of the merged map for one node or pair of nodes: one, two, or none."""
    source, target = outcome.source, outcome.target
    if source is None or target is None:
        own = int(source is None)
        return [Item((source, target), own)] if text in {SIDES[own], "both"} else []
    if text == "neither":
        return []
    if text == "both":
        return [Item((source, None), 0), Item((None, target), 1)]
    is_head = outcome.status == "moved" and outcome.head == source
    fixed = int(position == "right") if is_head else None
    return [Item((source, target), int(text == "right"), fixed)]


def _lean(comparison: Comparison, log: Sequence[Settled], base: Base | None, otherwise: Side) -> Side:
    """The side whose order of siblings counts."""
    if base and base.left.left.tree == comparison.left.tree:
        return "right"
    taken = {each.choice for each in log}
    return next((side for side in SIDES if taken == {side}), otherwise)


class _Ancestor:
    """The common ancestor of two maps: which side changed what."""

    def __init__(self, comparison: Comparison, base: Base) -> None:
        self.trees = comparison.left.tree, comparison.right.tree
        tree = base.left.left.tree
        self.labels = tree.labels
        self.only: Choice | None = (
            "right" if self.trees[0] == tree else "left" if self.trees[1] == tree else None
        )
        self.of: tuple[dict[int, int], ...] = ({}, {})
        self.moved: tuple[set[int], ...] = (set(), set())
        for of, moved, each in zip(self.of, self.moved, base, strict=True):
            for outcome in correspondence(each).outcomes:
                if outcome.source is None or outcome.target is None or outcome.status in PARTS:
                    continue
                of[outcome.target] = outcome.source
                if outcome.status == "moved":
                    moved.add(outcome.target)

    def choices(self, outcome: Outcome) -> tuple[Choice | None, Choice | None]:
        """The sides to take a node's text and its position from; None where both changed it."""
        source, target = outcome.source, outcome.target
        if self.only:
            return self.only, self.only
        if source is None or target is None:
            side = int(source is None)
            node = target if source is None else source
            assert node is not None  # an outcome has an end
            taken: Choice | None = SIDES[side] if node not in self.of[side] else SIDES[1 - side]
            if taken != SIDES[side] and not self._is_untouched(side, node):
                taken = None
            return taken, taken
        origins = self.of[0].get(source), self.of[1].get(target)
        if origins == (None, None) and outcome.status == "replaced":
            return "both", "both"  # each side added a node at the same position
        texts = self.trees[0].labels[source], self.trees[1].labels[target]
        before = {self.labels[each] for each in origins if each is not None}
        text = self._side(texts[0] != texts[1], texts[0] in before, texts[1] in before)
        if outcome.status != "moved":
            return text, text
        position = self._side(True, source not in self.moved[0], target not in self.moved[1])
        return (position if texts[0] == texts[1] else text), position

    def _is_untouched(self, side: int, node: int) -> bool:
        """Return True if the node has the ancestor's text and position."""
        same_text = self.trees[side].labels[node] == self.labels[self.of[side][node]]
        return same_text and node not in self.moved[side]

    @staticmethod
    def _side(differs: bool, left_is_old: bool, right_is_old: bool) -> Choice | None:
        """The side that changed something; None if nothing differs, or both did."""
        if not differs or left_is_old == right_is_old:
            return None
        return "right" if left_is_old else "left"
