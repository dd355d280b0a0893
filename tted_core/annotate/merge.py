"""Two maps of one document decided into one: for each change, which side is taken.

Changes are those of Compare (``tted_core.explanation``); what is the same in both maps is taken at once. Every
decision names a change and takes the left side, the right one, both or neither of it. With a common ancestor, what
only one side changed is taken from that side; what both changed is a conflict. The outcome is always a tree: a
node whose parent is dropped goes below the nearest ancestor that stays. The log of the changes repeats the merge.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from tted_core.annotate.decisions import Mark
from tted_core.annotate.weaving import WovenNode, weave
from tted_core.errors import MAX_BYTES, MapFormatError, check_limit
from tted_core.explanation import Change, Explanation, Node, Sentence
from tted_core.foundations.messages import quoted, without_surrogates
from tted_core.matching.records import PARTS
from tted_core.tree import TextTree

_Side: TypeAlias = Literal["left", "right"]

_SIDES: tuple[_Side, _Side] = ("left", "right")
CHOICES = (*_SIDES, "both", "neither")

LOG_COLUMNS = ("kind", "source", "target", "left", "right", "choice", "by", "note")  # the columns of the log

# A change in the log: ``kind``, topmost nodes ``source`` and ``target``, their texts ``left`` and ``right``,
# the ``choice`` (None if the common ancestor takes the text from one side and the position from the other),
# ``by`` what (decision, base or default), and a ``note``.
LogRow: TypeAlias = dict[str, Any]


class Merge(NamedTuple):
    """The outcome of a merge.

    Attributes:
        tree: the map.
        log: every change, in the order of the left map, then of what only the right one has.
        lifted: the nodes of the map whose parent was dropped.
    """

    tree: TextTree
    log: list[LogRow]
    lifted: frozenset[int]

    @property
    def conflicts(self) -> list[LogRow]:
        """The changes that neither a decision nor the common ancestor settles."""
        return [row for row in self.log if row["by"] == "default"]


def open_changes(explanation: Explanation) -> dict[str, Change]:
    """The changes to decide by their keys, in the order of the left map, then of what only the right one has."""
    changes = (sentence.change for sentence, _ in _pieces(explanation))
    return {change_key(change): change for change in changes if change}


def change_key(change: Change) -> str:
    """The kind and the topmost nodes of a change, as in "moved:3:5"."""
    return ":".join((change.kind, *("" if node is None else str(node) for node in change.ends)))


def change_texts(change: Change) -> list[str | None]:
    """The texts of a change's topmost nodes, left and right."""
    return [None if node is None else node.label for node in change.top.nodes]


def merge(
    explanation: Explanation,
    decisions: Mapping[str, Mark] | None = None,
    *,
    base: tuple[Explanation, Explanation] | None = None,
    otherwise: _Side = "left",
) -> Merge:
    """Decide the two maps of a comparison into one.

    Args:
        explanation: of the left with the right map.
        decisions: key of a change -> one of ``CHOICES`` with a note; other keys are ignored.
        base: the explanations of a common ancestor with the left and with the right map; it settles changes of one
            side.
        otherwise: the side that is taken of changes that nothing settles. The order of siblings, which is no
            change, follows the side from which all changes are taken, or else this one.
    """
    trees = explanation.trees
    ancestor = _Ancestor(trees, base) if base else None
    settled: dict[str, set[str | None]] = {}
    given = {key: mark for key, mark in (decisions or {}).items() if mark.value in CHOICES}
    changes, items = open_changes(explanation), []
    for sentence, nodes in _pieces(explanation):
        if sentence.change is None:
            items.append(WovenNode(_indices(nodes), 0))
            continue
        key = change_key(sentence.change)
        text: str | None = given[key].value if key in given else None
        position = text
        if ancestor and key not in given:
            text, position = ancestor.choices(sentence, nodes)
        settled.setdefault(key, set()).update((text, position))
        items += _items(sentence, nodes, text or otherwise, position or otherwise)
    log = []
    for key, change in changes.items():
        taken = {each or otherwise for each in settled[key]}
        row: LogRow = {"kind": change.kind, **dict(zip(("source", "target"), change.ends, strict=True))}
        row |= dict(zip(_SIDES, change_texts(change), strict=True))
        row["choice"] = taken.pop() if len(taken) == 1 else None
        row["by"] = "decision" if key in given else "default" if None in settled[key] else "base"
        log.append(row | {"note": given[key].note if key in given else ""})
    choices = {row["choice"] for row in log}
    lean = next((side for side in _SIDES if choices == {side}), otherwise)
    if ancestor and ancestor.only:
        lean = ancestor.only
    tree, lifted = weave(trees, items, _SIDES.index(lean))
    return Merge(tree, log, lifted)


_Ends: TypeAlias = tuple[Node | None, Node | None]


def _pieces(explanation: Explanation) -> Iterator[tuple[Sentence, _Ends]]:
    """Each node once, alone or with its counterpart, with its sentence.

    A node that is part of a longer one, or that holds parts, and has no counterpart stands alone.
    """
    for of in explanation.nodes:
        for node in of:
            if node.status in PARTS:
                yield node.sentence, ((None, node) if node.side else (node, None))
            elif not node.side or node.sentence.left is None:
                yield node.sentence, node.sentence.nodes


def _indices(nodes: _Ends) -> tuple[int | None, int | None]:
    left, right = (None if node is None else node.index for node in nodes)
    return left, right


def _items(sentence: Sentence, nodes: _Ends, text: str, position: str) -> list[WovenNode]:
    """The items taken of one node or pair of nodes: one, two, or none."""
    source, target = _indices(nodes)
    if source is None or target is None:
        own = int(source is None)
        return [WovenNode((source, target), own)] if text in {_SIDES[own], "both"} else []
    if text == "neither":
        return []
    if text == "both":
        return [WovenNode((source, None), 0), WovenNode((None, target), 1)]
    is_head = sentence.head is sentence
    return [WovenNode((source, target), int(text == "right"), int(position == "right") if is_head else None)]


class _Ancestor:
    """The common ancestor of two maps: which side changed what."""

    def __init__(self, trees: tuple[TextTree, TextTree], base: tuple[Explanation, Explanation]) -> None:
        self.trees, self.old = trees, base[0].trees[0]
        self.only = _side_of_change([tree == self.old for tree in trees])
        self.of: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.moved: tuple[set[int], set[int]] = (set(), set())
        for of, moved, each in zip(self.of, self.moved, base, strict=True):
            for record in each.matching.records:
                if record.source is None or record.target is None or record.status in PARTS:
                    continue
                of[record.target] = record.source
                if record.status == "moved":
                    moved.add(record.target)

    def choices(self, sentence: Sentence, nodes: _Ends) -> tuple[str | None, str | None]:
        """The side to take of a node's text, and of its position; None where both sides changed it."""
        ends = _indices(nodes)
        if self.only:
            return self.only, self.only
        origins = [None if node is None else of.get(node) for of, node in zip(self.of, ends, strict=True)]
        before = {self.old.labels[each] for each in origins if each is not None}
        stayed = [node not in moved for moved, node in zip(self.moved, ends, strict=True)]
        texts = [
            None if node is None else tree.labels[node] for tree, node in zip(self.trees, ends, strict=True)
        ]
        if None in ends:
            side = ends.index(None)
            if before and texts[1 - side] in before and all(stayed):
                return _SIDES[side], _SIDES[side]  # the other side removed what this one left alone
            return (None, None) if before else (_SIDES[1 - side],) * 2
        text = _side_of_change([label in before for label in texts])
        if sentence.status != "moved":
            return text, text
        position = _side_of_change(stayed)
        return (position if texts[0] == texts[1] else text), position


def _side_of_change(stayed: list[bool]) -> _Side | None:
    """The side that changed something; None if neither did, or both."""
    return _SIDES[stayed.index(False)] if sum(stayed) == 1 else None


def log_json(explanation: Explanation, merged: Merge) -> str:
    """The log with the signature of the comparison."""
    content = {"signature": explanation.comparison.signature, "changes": merged.log}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_decisions(content: bytes, explanation: Explanation) -> dict[str, Mark]:
    """The decisions in a log, for ``merge``; changes that nothing settled stay open.

    Args:
        content: as ``log_json`` writes it.
        explanation: of the maps that the log is of, by the same method.

    Raises:
        MapFormatError: no such log, or one of other maps.
        LimitError: more than ``MAX_BYTES`` bytes.
    """
    check_limit(len(content), MAX_BYTES, "bytes of decisions", "decide fewer changes at once")
    try:
        rows = [
            {name: "" if row[name] is None else str(row[name]) for name in LOG_COLUMNS}
            for row in json.loads(content.decode("utf-8-sig"))["changes"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MapFormatError(
            "this isn't a log of decisions; give the one that was written when the maps were merged"
        ) from error
    known = open_changes(explanation)
    decisions: dict[str, Mark] = {}
    for number, row in enumerate(rows, start=1):
        if not row["choice"] or row["by"] == "default":
            continue
        key = ":".join(row[name] for name in LOG_COLUMNS[:3])
        if key not in known or [row["left"], row["right"]] != [
            text or "" for text in change_texts(known[key])
        ]:
            raise MapFormatError(
                f"decision {number} of the log ({quoted(key)}) is for a change that these maps don't have; give "
                "the maps and the options with which the log was written"
            )
        if row["choice"] not in CHOICES:
            raise MapFormatError(
                f"decision {number} of the log takes {quoted(row['choice'])}; take {', '.join(CHOICES)}"
            )
        decisions[key] = Mark(row["choice"], without_surrogates(row["note"]))
    return decisions
