"""Two maps of one document decided into one: for each change, which side is taken.

Changes are those of Compare (``explain.changes``); what is the same in both maps is taken at once. Every decision
names a change and takes the left side, the right one, both or neither of it. With a common ancestor, what only
one side changed is taken from that side; what both changed is a conflict. The outcome is always a tree: a node
whose parent is dropped goes below the nearest ancestor that stays. The log of the changes, as JSON or CSV,
repeats the merge.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from tted_core.annotate.decisions import Mark
from tted_core.annotate.weaving import Item, woven
from tted_core.comparison import Comparison
from tted_core.errors import MapFormatError
from tted_core.explain.changes import Change, grouped
from tted_core.explain.correspondence import Outcome, correspondence
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.foundations.tables import csv_text, spreadsheet_cell
from tted_core.tree import TextTree
from tted_core.words.splitting import without_surrogates

Side: TypeAlias = Literal["left", "right"]

SIDES: tuple[Side, Side] = ("left", "right")
CHOICES = (*SIDES, "both", "neither")

PARTS = frozenset({"merged", "split"})

COLUMNS = ("kind", "source", "target", "left", "right", "choice", "by", "note")
"""The columns of the log."""

Row: TypeAlias = dict[str, Any]
"""A change in the log: ``kind``, topmost nodes ``source`` and ``target``, their texts ``left`` and ``right``, the
``choice`` (None if the common ancestor takes the text from one side and the position from the other), ``by`` what
(decision, base or default), and a ``note``."""


class Merge(NamedTuple):
    """The outcome of a merge.

    Attributes:
        tree: the map.
        log: every change, in the order of the left map, then of what only the right one has.
        lifted: the nodes of the map whose parent was dropped.
    """

    tree: TextTree
    log: list[Row]
    lifted: frozenset[int]

    @property
    def conflicts(self) -> list[Row]:
        """The changes that neither a decision nor the common ancestor settles."""
        return [row for row in self.log if row["by"] == "default"]


def open_changes(comparison: Comparison) -> dict[str, Change]:
    """The changes to decide by their keys, in the order of the left map, then of what only the right one has."""
    changes = grouped(comparison).changes
    return {
        change_key(changes[number]): changes[number]
        for _, number in _pieces(comparison)
        if number is not None
    }


def change_key(change: Change) -> str:
    """The kind and the topmost nodes of a change, as in "moved:3:5"."""
    return ":".join(
        (change.kind, *("" if node is None else str(node) for node in (change.source, change.target)))
    )


def change_texts(comparison: Comparison, change: Change) -> list[str | None]:
    """The texts of a change's topmost nodes, left and right."""
    ends = (comparison.left.tree, change.source), (comparison.right.tree, change.target)
    return [None if node is None else tree.labels[node] for tree, node in ends]


def merge(
    comparison: Comparison,
    decisions: Mapping[str, Mark] | None = None,
    *,
    base: tuple[Comparison, Comparison] | None = None,
    otherwise: Side = "left",
) -> Merge:
    """Decide the two maps of a comparison into one.

    Args:
        comparison: of the left with the right map.
        decisions: key of a change -> one of ``CHOICES`` with a note; other keys are ignored.
        base: the comparisons of a common ancestor with the left and with the right map; it settles changes of one
            side.
        otherwise: the side that is taken of changes that nothing settles. The order of siblings, which is no
            change, follows the side from which all changes are taken, or else this one.
    """
    trees = comparison.left.tree, comparison.right.tree
    ancestor = _Ancestor(trees, base) if base else None
    settled: dict[str, set[str | None]] = {}
    given = {key: mark for key, mark in (decisions or {}).items() if mark.value in CHOICES}
    changes, items = open_changes(comparison), []
    for outcome, number in _pieces(comparison):
        if number is None:
            items.append(Item((outcome.source, outcome.target), 0))
            continue
        key = change_key(grouped(comparison).changes[number])
        text: str | None = given[key].value if key in given else None
        position = text
        if ancestor and key not in given:
            text, position = ancestor.choices(outcome)
        settled.setdefault(key, set()).update((text, position))
        items += _items(outcome, text or otherwise, position or otherwise)
    log = []
    for key, change in changes.items():
        taken = {each or otherwise for each in settled[key]}
        row: Row = {"kind": change.kind, "source": change.source, "target": change.target}
        row |= dict(zip(SIDES, change_texts(comparison, change), strict=True))
        row["choice"] = taken.pop() if len(taken) == 1 else None
        row["by"] = "decision" if key in given else "default" if None in settled[key] else "base"
        log.append(row | {"note": given[key].note if key in given else ""})
    choices = {row["choice"] for row in log}
    lean = next((side for side in SIDES if choices == {side}), otherwise)
    if ancestor and ancestor.only:
        lean = ancestor.only
    tree, lifted = woven(trees, items, SIDES.index(lean))
    return Merge(tree, log, lifted)


def _pieces(comparison: Comparison) -> Iterator[tuple[Outcome, int | None]]:
    """Each node once, alone or with its counterpart, with the number of its change; None for what is the same.

    A node that is part of a longer one, or that holds parts, and has no counterpart stands alone.
    """
    found = grouped(comparison)
    for side, numbers in enumerate(found.at):
        for node, number in sorted(numbers.items()):
            outcome = found.outcomes[number]
            if outcome.status in PARTS:
                source, target = (None, node) if side else (node, None)
                yield Outcome(source, target, outcome.status), found.change_of[number]
            elif not side or outcome.source is None:
                yield outcome, found.change_of[number]


def _items(outcome: Outcome, text: str, position: str) -> list[Item]:
    """The items taken of one node or pair of nodes: one, two, or none."""
    source, target = outcome.source, outcome.target
    if source is None or target is None:
        own = int(source is None)
        return [Item((source, target), own)] if text in {SIDES[own], "both"} else []
    if text == "neither":
        return []
    if text == "both":
        return [Item((source, None), 0), Item((None, target), 1)]
    is_head = outcome.status == "moved" and outcome.head == source
    return [Item((source, target), int(text == "right"), int(position == "right") if is_head else None)]


class _Ancestor:
    """The common ancestor of two maps: which side changed what."""

    def __init__(self, trees: tuple[TextTree, TextTree], base: tuple[Comparison, Comparison]) -> None:
        self.trees, self.old = trees, base[0].left.tree
        self.only = _changed([tree == self.old for tree in trees])
        self.of: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.moved: tuple[set[int], set[int]] = (set(), set())
        for of, moved, each in zip(self.of, self.moved, base, strict=True):
            for outcome in correspondence(each).outcomes:
                if outcome.source is None or outcome.target is None or outcome.status in PARTS:
                    continue
                of[outcome.target] = outcome.source
                if outcome.status == "moved":
                    moved.add(outcome.target)

    def choices(self, outcome: Outcome) -> tuple[str | None, str | None]:
        """The side to take of a node's text, and of its position; None where both sides changed it."""
        ends = outcome.source, outcome.target
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
                return SIDES[side], SIDES[side]  # the other side removed what this one left alone
            return (None, None) if before else (SIDES[1 - side],) * 2
        if not before and outcome.status == "replaced":
            return "both", "both"  # each side added a node at the same position
        text = _changed([label in before for label in texts])
        if outcome.status != "moved":
            return text, text
        position = _changed(stayed)
        return (position if texts[0] == texts[1] else text), position


def _changed(stayed: list[bool]) -> Side | None:
    """The side that changed something; None if neither did, or both."""
    return SIDES[stayed.index(False)] if sum(stayed) == 1 else None


def log_json(comparison: Comparison, merged: Merge) -> str:
    """The log with the signature of the comparison."""
    content = {"signature": comparison.signature, "changes": merged.log}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def log_csv(merged: Merge) -> str:
    """The rows of the log as a table."""
    return csv_text(COLUMNS, (row.values() for row in merged.log))


def read_decisions(content: bytes, comparison: Comparison) -> dict[str, Mark]:
    """The decisions in a log, for ``merge``; changes that nothing settled stay open.

    Args:
        content: JSON or CSV, as written here.
        comparison: of the maps that the log is of, by the same method.

    Raises:
        MapFormatError: no such log, or one of other maps.
        LimitError: more than ``MAX_BYTES`` bytes.
    """
    check_limit(len(content), MAX_BYTES, "bytes of decisions", "decide fewer changes at once")
    try:
        text = content.decode("utf-8-sig")
        is_table = text.startswith(",".join(COLUMNS))
        given = csv.DictReader(io.StringIO(text, newline="")) if is_table else json.loads(text)["changes"]
        rows = [{name: "" if row[name] is None else str(row[name]) for name in COLUMNS} for row in given]
    except (ValueError, TypeError, KeyError, RecursionError, csv.Error) as error:
        raise MapFormatError("this is no log of decisions, which tted merge writes") from error
    known = open_changes(comparison)
    decisions: dict[str, Mark] = {}
    for number, row in enumerate(rows, start=1):
        if not row["choice"] or row["by"] == "default":
            continue
        key = ":".join(row[name] for name in COLUMNS[:3])
        texts = [text or "" for text in change_texts(comparison, known[key])] if key in known else None
        if texts is None or [row["left"], row["right"]] not in (texts, list(map(spreadsheet_cell, texts))):
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
