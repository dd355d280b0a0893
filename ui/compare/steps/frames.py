"""What the step player shows after so many operations, as data."""

from collections.abc import Sequence
from typing import Any

from tted_core import Comparison
from tted_core.explain.correspondence import Status
from tted_core.explain.mapping_view import MappingView
from tted_core.explain.states import Forest, forest_after
from tted_core.report.words import where_they_differ
from tted_core.script import SAME_TEXT, EditOp
from tted_core.words.languages import language
from tted_core.words.splitting import word_diff
from ui.text import plural, shortened

QUOTED_CHARACTERS = 160

ROWS_SENT = 3000
"""About so many rows are sent to the browser at once."""

Words = list[tuple[str, bool]]
"""A sentence in pieces; true for the text of a node, which is set apart from the words around it."""


def stops(comparison: Comparison, *, skip_matches: bool) -> list[int]:
    """The numbers of operations after which the player stops: none, each one (or each change), and all.

    Nodes that only their context changed are no changes either.
    """
    found = enumerate(comparison.script.ops, start=1)
    changes = {number for number, op in found if not (skip_matches and _keeps(op))}
    return sorted({0, *changes, len(comparison.script.ops)})


def frames_around(comparison: Comparison, counts: Sequence[int], place: int) -> dict[int, dict[str, Any]]:
    """The frames at this stop and some around it, by their numbers of operations: all, if the maps are small.

    So the player need not wait for each step.
    """
    nodes = len(comparison.left.tree) + len(comparison.right.tree)
    reach = max(1, ROWS_SENT // (2 * nodes))
    return {count: frame(comparison, count) for count in counts[max(0, place - reach) : place + reach + 1]}


def frame(comparison: Comparison, count: int) -> dict[str, Any]:
    """The forest after ``count`` operations, the last one in words, and the costs.

    ``rows`` are its nodes in preorder; a node that the last operation deleted is there too, marked ``gone``.
    """
    left, right, script = comparison.left.tree, comparison.right.tree, comparison.script
    done = script.ops[:count]
    forest = forest_after(left, right, script, count)
    status_of = MappingView(comparison).status_of
    kinds = {_name(op.source, op.target): status_of[op.source, op.target] for op in done}
    rows = [
        {
            "id": _name(*node),
            "level": level,
            "kind": kinds.get(_name(*node), ""),
            "parts": [[label, False]],
        }
        for node, level, label in zip(forest.nodes, _levels(forest), forest.labels, strict=True)
    ]
    words: Words = [("The left map, before the first edit", False)]
    if done:
        before = forest_after(left, right, script, count - 1)
        status = status_of[done[-1].source, done[-1].target]
        words = _in_words(comparison, done[-1], status, before, forest)
        _mark(comparison, done[-1], status, before, rows)
    finished = count == len(script.ops)
    unit = script.unit
    so_far, total = (unit.amount(*(op.cost for op in ops)) for ops in (done, script.ops))
    return {
        "kind": kinds[_name(done[-1].source, done[-1].target)] if done else "",
        "words": words,
        "cost": f"{unit.name} {script.amount_text(done[-1])}" if done else "",
        "costs": f"{unit.name} so far {unit.text(so_far, 3)} of {unit.text(total, 3)}",
        "so_far": so_far,
        "total": total,
        "finished": finished,
        "rows": rows,
        "lang": language(" ".join(forest.labels)),
    }


def _keeps(op: EditOp) -> bool:
    """Whether the text stays, though its context may change."""
    return op.op == "match" or SAME_TEXT in op.notes


def _name(source: int | None, target: int | None) -> str:
    """The same for a node before and after its operation."""
    return f"right-{target}" if source is None else f"left-{source}"


def _levels(forest: Forest) -> list[int]:
    levels: list[int] = []
    for parent in forest.parents:
        levels.append(1 if parent < 0 else levels[parent] + 1)
    return levels


def _mark(
    comparison: Comparison, op: EditOp, kind: Status, before: Forest, rows: list[dict[str, Any]]
) -> None:
    """Show on the rows what the operation has just done."""
    name = _name(op.source, op.target)
    if op.op == "delete":
        place = [_name(*node) for node in before.nodes].index(name)
        gone = {
            "id": name,
            "level": _levels(before)[place],
            "kind": kind,
            "parts": [[before.labels[place], False]],
            "gone": True,
            "current": True,
            "note": "moved away" if kind == "moved" else "deleted",
        }
        rows.insert(min(place, len(rows)), gone)
        return
    row = next(row for row in rows if row["id"] == name)
    row["current"] = True
    back = "moved here" if kind == "moved" else "inserted"
    row["note"] = "kept" if _keeps(op) else back if op.op == "insert" else "replaced"
    if op.op == "replace" and op.source is not None and op.target is not None:
        labels = comparison.left.tree.labels[op.source], comparison.right.tree.labels[op.target]
        row["parts"] = [list(part) for part in word_diff(*labels)[1]]


def _in_words(comparison: Comparison, op: EditOp, status: Status, before: Forest, after: Forest) -> Words:
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    node = (op.source, op.target)
    if op.op == "insert" and op.target is not None:
        place = after.nodes.index(node)
        parent = after.parents[place]
        where: Words = [("as the root", False)]
        if parent >= 0:
            where = [("below ", False), _quote(after.labels[parent])]
        taken = after.parents.count(place)
        above = f", above {plural(taken, 'node')} that {'is' if taken == 1 else 'are'} there" if taken else ""
        back = "Insert it again: " if status == "moved" else "Insert "
        return [(back, False), _quote(right[op.target]), (" ", False), *where, (above, False)]
    assert op.source is not None
    if op.op == "delete":
        freed = before.parents.count(next(i for i, each in enumerate(before.nodes) if each[0] == op.source))
        moved = "; what hangs below it moves up" if freed else ""
        verb = "Delete, to move it: " if status == "moved" else "Delete "
        return [(verb, False), _quote(left[op.source]), (moved, False)]
    assert op.target is not None
    if _keeps(op):
        also = ", though what stands above it differs" if SAME_TEXT in op.notes else ""
        return [("Keep ", False), _quote(left[op.source]), (also, False)]
    labels = where_they_differ(left[op.source], right[op.target], QUOTED_CHARACTERS)
    return [("Replace ", False), _quote(labels[0]), (" by ", False), _quote(labels[1])]


def _quote(label: str) -> tuple[str, bool]:
    return shortened(label, QUOTED_CHARACTERS), True
