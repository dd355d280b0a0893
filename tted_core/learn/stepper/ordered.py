"""Zhang and Shasha's algorithm as the step player shows it; what is said of it stands in :mod:`.narration`."""

from typing import Any

from tted_core.learn.stepper.narration import Step, number, tell
from tted_core.learn.stepper.wording import marks_of
from tted_core.learn.zhang_shasha import Candidate, Cell, Trace

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
