"""Zhang and Shasha's algorithm step by step: what the player shows, and a sentence that says what happens."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tted_core.formats.labels import counted
from tted_core.learn.mappings import listed, marks_of, named, number
from tted_core.learn.zhang_shasha import Candidate, Cell, ForestTable, Numbering, Trace, WalkStep

Kind: TypeAlias = Literal["start", "table", "cell", "walk", "end"]


@dataclass(frozen=True)
class Step:
    """One picture of the player. ``table`` is None where no table is open."""

    kind: Kind
    text: str
    table: int | None = None
    cell: Cell | None = None
    walk: WalkStep | None = None


def tell(run: Trace) -> list[Step]:
    """All steps of a run, in order."""
    steps = [Step("start", _start(run))]
    for index, table in enumerate(run.tables):
        steps.append(Step("table", _opening(run, index, table), index))
        steps += [Step("cell", _cell(run, table, cell), index, cell) for cell in table.cells]
    for back in run.walk:
        cell = run.tables[back.table].cell(back.row, back.column)
        steps.append(Step("walk", _walk(run, back, cell), back.table, cell, back))
    steps.append(Step("end", _end(run)))
    return steps


def _start(run: Trace) -> str:
    pairs = len(run.tables)
    return (
        "The nodes are numbered in postorder, children before their parent; l is the leftmost leaf below a node. "
        f"Keyroots, with a second ring, are the nodes with a left sibling, and the root: {_list(run.left)} on the "
        f"left, {_list(run.right)} on the right. Each of their {counted(pairs, 'pair')} gets a table."
    )


def _list(side: Numbering) -> str:
    return listed([str(root) for root in side.keyroots])


def _opening(run: Trace, index: int, table: ForestTable) -> str:
    return (
        f"Table {index + 1} of {len(run.tables)}, keyroots {table.left} and {table.right}: every beginning of the "
        f"left subtree ({_range(table.rows)}) against every beginning of the right one ({_range(table.columns)})."
    )


def _range(numbers: tuple[int, ...]) -> str:
    first, last = numbers[1], numbers[-1]
    return f"node {first}" if first == last else f"nodes {first} to {last}"


def _cell(run: Trace, table: ForestTable, cell: Cell) -> str:
    i, j = cell.row, cell.column
    f = f"{table.named(i, j)} = {number(cell.value)}"
    if not cell.candidates:
        return f"Nothing against nothing: {f}."
    if j == table.columns[0]:
        return f"Against nothing, {named(run.left, i)} can only be deleted: {f}."
    if i == table.rows[0]:
        return f"Out of nothing, {named(run.right, j)} can only be inserted: {f}."
    if cell.is_tree:
        why = f"Both sides are whole trees, so the first way pairs their roots, {_pair(run, i, j)}."
    else:
        why = (
            f"At least one side is no whole tree, so the first way keeps the subtrees of {_pair(run, i, j)} "
            f"together: D({i}, {j}) = {number(cell.candidates[0].added)} is known from an earlier table."
        )
    winner = _moved(run, cell, cell.winner)
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    tree = f" It is D({i}, {j}), the distance of these subtrees, too." if cell.is_tree else ""
    return f"{why} Cheapest is {winner}{others}: {f}.{tree}"


def _moved(run: Trace, cell: Cell, candidate: Candidate) -> str:
    i, j = cell.row, cell.column
    match candidate.move:
        case "delete":
            return f"deleting {named(run.left, i)}"
        case "insert":
            return f"inserting {named(run.right, j)}"
        case "subtree":
            return "keeping the subtrees"
        case _:
            return (
                "matching them" if run.left.labels[i] == run.right.labels[j] else "replacing one by the other"
            )


def _walk(run: Trace, back: WalkStep, cell: Cell) -> str:
    i, j = back.row, back.column
    table = run.tables[back.table]
    here = f"The way back, at {table.named(i, j)} in the table of keyroots {table.left} and {table.right}"
    winner = cell.winner
    if back.move == "subtree":
        return f"{here}: the subtrees of {_pair(run, i, j)} stay together; their own nodes follow later."
    moved = {"delete": "is deleted", "insert": "is inserted"}
    if back.move in moved:
        node = named(run.left, i) if back.move == "delete" else named(run.right, j)
        return f"{here}: {node} {moved[back.move]}, which costs {number(winner.added)}."
    verb = "match" if run.left.labels[i] == run.right.labels[j] else "are paired"
    return f"{here}: {_pair(run, i, j)} {verb}, which costs {number(winner.added)}."


def _end(run: Trace) -> str:
    kept = sum(source is not None and target is not None for source, target in run.mapping)
    deleted = sum(target is None for _, target in run.mapping)
    inserted = sum(source is None for source, _ in run.mapping)
    return (
        f"The mapping: {counted(kept, 'pair')}, {deleted} deleted, {inserted} inserted. Their costs add up to "
        f"D({len(run.left)}, {len(run.right)}) = {number(run.distance)}, the ordered tree edit distance."
    )


def _pair(run: Trace, i: int, j: int) -> str:
    return f"{named(run.left, i)} and {named(run.right, j)}"


LINES = (
    ("replace", "~ pair", "f(i−1, j−1) + replace(i, j)"),
    ("subtree", "≡ keep subtrees", "f(l(i)−1, l(j)−1) + D(i, j)"),
    ("delete", "− delete", "f(i−1, j) + delete(i)"),
    ("insert", "+ insert", "f(i, j−1) + insert(j)"),
)
"""Of the recurrence, with their words."""


def content(run: Trace) -> dict[str, Any]:
    """Grids, lines and steps of a run."""
    told = tell(run)
    grids = [
        {
            "name": "f",
            "caption": f"f for keyroots {table.left} and {table.right}",
            "rows": table.rows,
            "columns": table.columns,
            "nothing": [table.rows[0], table.columns[0]],
        }
        for table in run.tables
    ]
    grids.append(
        {
            "name": "D",
            "caption": "D, the distances of subtrees",
            "rows": list(range(1, len(run.left) + 1)),
            "columns": list(range(1, len(run.right) + 1)),
        }
    )
    return {
        "title": "Zhang and Shasha's algorithm, step by step",
        "grids": grids,
        "heading": "Ways to",
        "counts": "Cost",
        "lines": {"f": [{"key": key, "way": way, "general": general} for key, way, general in LINES]},
        "steps": [_step(run, step) for step in told],
        "walk": next(place for place, step in enumerate(told) if step.kind == "walk"),
        "jumps": [{"at": place, "name": name} for place, name in _jumps(run, told)],
    }


def _step(run: Trace, step: Step) -> dict[str, Any]:
    distances = len(run.tables)
    shown: dict[str, Any] = {"kind": step.kind, "text": step.text, "grids": [step.table, distances]}
    if step.table is None:
        return shown
    table = run.tables[step.table]
    cell = step.cell or table.cells[-1]
    i, j = cell.row, cell.column
    if not step.walk:
        shown["inside"] = [[table.rows[1], i], [table.columns[1], j]]
    if step.cell is None:
        return shown
    shown["cell"] = [step.table, i, j]
    if cell.candidates:
        winner = cell.winner
        shown |= _reasons(run, step.table, cell)
        shown["origins"] = [[step.table, *each.origin] for each in cell.candidates]
        shown["winners"] = [[step.table, *winner.origin]]
        if winner.move == "subtree":
            shown["winners"].append([distances, i, j])
    if step.walk:
        entries: tuple[tuple[int | None, int | None], ...] = {
            "replace": ((i, j),),
            "delete": ((i, None),),
            "insert": ((None, j),),
        }.get(step.walk.move, ())
        return shown | {"marks": marks_of(run.left, run.right, entries)}
    fills = [[step.table, i, j, number(cell.value), *(["tree"] if cell.is_tree else [])]]
    if cell.is_tree:
        fills.append([distances, i, j, number(cell.value)])
    return shown | {"fills": fills}


def _reasons(run: Trace, table: int, cell: Cell) -> dict[str, Any]:
    """The ways to a cell, and how the minimum comes out."""
    f = run.tables[table].named

    def way(each: Candidate) -> dict[str, Any]:
        added = {
            "replace": f"replace({cell.row}, {cell.column})",
            "subtree": f"D({cell.row}, {cell.column})",
            "delete": f"delete({cell.row})",
            "insert": f"insert({cell.column})",
        }[each.move]
        return {
            "line": each.move,
            "here": f"{f(*each.origin)} + {added}",
            "sum": f"{number(each.start)} + {number(each.added)}",
            "value": number(each.value),
            **({"best": True} if cell.is_reached_by(each) else {}),
        }

    return {
        "lines": "f",
        "ways": [way(each) for each in cell.candidates],
    }


def _jumps(run: Trace, told: list[Step]) -> list[tuple[int, str]]:
    """Where a list of places to go to leads: the steps that open something, and what they open."""
    jumps = [(0, "the two trees")]
    jumps += [
        (place, f"keyroots {run.tables[step.table].left}, {run.tables[step.table].right}")
        for place, step in enumerate(told)
        if step.kind == "table" and step.table is not None
    ]
    jumps.append((next(place for place, step in enumerate(told) if step.kind == "walk"), "the way back"))
    jumps.append((len(told) - 1, "the mapping"))
    return jumps
