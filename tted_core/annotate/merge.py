"""Two maps of one document decided into one: for each change, which side is taken.

Changes are those of Compare (``tted_core.explanation``); what is the same in both maps is taken at once. Every
decision names a change and takes the left side, the right one, both or neither of it. The outcome is always a
tree: a node whose parent is dropped goes below the nearest ancestor that stays. The log of the changes repeats the
merge.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from tted_core.annotate.decisions import Mark
from tted_core.annotate.weaving import WovenNode, weave
from tted_core.errors import MapFormatError
from tted_core.explanation import Change, Explanation, Node, Sentence
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.matching.records import PARTS
from tted_core.tree import TextTree
from tted_core.words.splitting import without_surrogates

_Side: TypeAlias = Literal["left", "right"]

_SIDES: tuple[_Side, _Side] = ("left", "right")
CHOICES = (*_SIDES, "both", "neither")

COLUMNS = ("kind", "source", "target", "left", "right", "choice", "by", "note")
"""The columns of the log."""

LogRow: TypeAlias = dict[str, Any]
"""A change in the log: ``kind``, topmost nodes ``source`` and ``target``, their texts ``left`` and ``right``, the
``choice``, ``by`` what (decision or default), and a ``note``."""


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
        """The changes that no decision settles."""
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
    explanation: Explanation, decisions: Mapping[str, Mark] | None = None, *, otherwise: _Side = "left"
) -> Merge:
    """Decide the two maps of a comparison into one.

    Args:
        explanation: of the left with the right map.
        decisions: key of a change -> one of ``CHOICES`` with a note; other keys are ignored.
        otherwise: the side that is taken of changes without a decision. The order of siblings, which is no change,
            follows the side from which all changes are taken, or else this one.
    """
    changes = open_changes(explanation)
    given = {key: mark for key, mark in (decisions or {}).items() if mark.value in CHOICES}
    log: dict[str, LogRow] = {}
    for key, change in changes.items():
        row: LogRow = {"kind": change.kind, **dict(zip(("source", "target"), change.ends, strict=True))}
        row |= dict(zip(_SIDES, change_texts(change), strict=True))
        decision = given.get(key, Mark(otherwise))
        log[key] = row | {
            "choice": decision.value,
            "by": "decision" if key in given else "default",
            "note": decision.note,
        }
    items = []
    for sentence, nodes in _pieces(explanation):
        if sentence.change is None:
            items.append(WovenNode(_indices(nodes), 0))
        else:
            items += _items(sentence, nodes, log[change_key(sentence.change)]["choice"])
    choices = {row["choice"] for row in log.values()}
    lean = next((side for side in _SIDES if choices == {side}), otherwise)
    tree, lifted = weave(explanation.trees, items, _SIDES.index(lean))
    return Merge(tree, [*log.values()], lifted)


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


def _items(sentence: Sentence, nodes: _Ends, choice: str) -> list[WovenNode]:
    """The items taken of one node or pair of nodes: one, two, or none."""
    source, target = _indices(nodes)
    if source is None or target is None:
        own = int(source is None)
        return [WovenNode((source, target), own)] if choice in {_SIDES[own], "both"} else []
    if choice == "neither":
        return []
    if choice == "both":
        return [WovenNode((source, None), 0), WovenNode((None, target), 1)]
    side = _SIDES.index(choice)
    return [WovenNode((source, target), side, side if sentence.head is sentence else None)]


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
            {name: "" if row[name] is None else str(row[name]) for name in COLUMNS}
            for row in json.loads(content.decode("utf-8-sig"))["changes"]
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MapFormatError("this is no log of decisions, which tted merge writes") from error
    known = open_changes(explanation)
    decisions: dict[str, Mark] = {}
    for number, row in enumerate(rows, start=1):
        if not row["choice"] or row["by"] == "default":
            continue
        key = ":".join(row[name] for name in COLUMNS[:3])
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
