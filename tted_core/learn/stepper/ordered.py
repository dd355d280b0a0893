"""Zhang and Shasha's algorithm step by step: grids, lines and a sentence for each step of the player."""

from typing import Any

from tted_core.formats.labels import counted
from tted_core.learn.mappings import listed, mapping_text, marks_of, named, number
from tted_core.learn.zhang_shasha import Candidate, Cell, ForestTable, Trace

# Lines of the recurrence and their names.
LINES = (
    ("replace", "~ pair", "f(i−1, j−1) + replace(i, j)"),
    ("subtree", "≡ keep subtrees", "f(ℓ(i)−1, ℓ(j)−1) + D(i, j)"),
    ("delete", "− delete", "f(i−1, j) + delete(i)"),
    ("insert", "+ insert", "f(i, j−1) + insert(j)"),
)


def content(run: Trace) -> dict[str, Any]:
    """Grids, lines and steps of a run."""
    n, m, distances = len(run.left), len(run.right), len(run.tables)
    grids: list[dict[str, Any]] = [
        {
            "name": "f",
            "caption": f"f for keyroots {table.left} and {table.right}",
            "rows": table.rows,
            "columns": table.columns,
            "nothing": [table.rows[0], table.columns[0]],
        }
        for table in run.tables
    ]
    rows, columns = list(range(1, n + 1)), list(range(1, m + 1))
    grids.append({"name": "D", "caption": "D, the distances of subtrees", "rows": rows, "columns": columns})
    steps: list[dict[str, Any]] = [{"kind": "start", "text": _start(run), "grids": [None, distances]}]
    jumps = [(0, "the two trees")]
    for index, table in enumerate(run.tables):
        jumps.append((len(steps), f"keyroots {table.left}, {table.right}"))
        steps.append(
            {
                "kind": "table",
                "text": f"Table {index + 1} of {distances}, keyroots {table.left} and {table.right}: every "
                f"beginning of the left subtree ({_range(table.rows)}) against every beginning of the right one "
                f"({_range(table.columns)}).",
                "grids": [index, distances],
                "inside": [[table.rows[1], table.left], [table.columns[1], table.right]],
            }
        )
        steps += [_filling(run, index, cell) for cell in table.cells]
    walk = len(steps)
    steps += [_walking(run, *back) for back in run.walk]
    jumps += [(walk, "the way back"), (len(steps), "the mapping")]
    text = mapping_text(run.mapping, f"D({n}, {m}) = {number(run.distance)}", "ordered")
    steps.append({"kind": "end", "text": text, "grids": [None, distances]})
    return {
        "title": "Zhang and Shasha's algorithm, step by step",
        "grids": grids,
        "heading": "Ways to",
        "counts": "Cost",
        "lines": {"f": [{"key": key, "way": way, "general": general} for key, way, general in LINES]},
        "steps": steps,
        "walk": walk,
        "jumps": [{"at": index, "name": name} for index, name in jumps],
    }


def _start(run: Trace) -> str:
    left, right = (listed([str(root) for root in side.keyroots]) for side in (run.left, run.right))
    return (
        "The nodes are numbered in postorder, children before their parent; ℓ is the leftmost leaf below a node. "
        f"Keyroots, with a second ring, are the nodes with a left sibling, and the root: {left} on the left, "
        f"{right} on the right. Each of their {counted(len(run.tables), 'pair')} gets a table."
    )


def _range(numbers: tuple[int, ...]) -> str:
    first, last = numbers[1], numbers[-1]
    return f"node {first}" if first == last else f"nodes {first} to {last}"


def _filling(run: Trace, index: int, cell: Cell) -> dict[str, Any]:
    """The step that fills a cell."""
    i, j = cell.row, cell.column
    table = run.tables[index]
    filled = [index, i, j, number(cell.value)]
    return {
        "kind": "cell",
        "text": _cell(run, table, cell),
        "grids": [index, len(run.tables)],
        "inside": [[table.rows[1], i], [table.columns[1], j]],
        **_reasons(run, index, cell),
        "fills": [[*filled, "tree"], [len(run.tables), *filled[1:]]] if cell.is_tree else [filled],
    }


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
    kept = "matching them" if run.left.labels[i] == run.right.labels[j] else "replacing one by the other"
    winner = {
        "delete": f"deleting {named(run.left, i)}",
        "insert": f"inserting {named(run.right, j)}",
        "subtree": "keeping the subtrees",
        "replace": kept,
    }[cell.winner.move]
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    tree = f" It is D({i}, {j}), the distance of these subtrees, too." if cell.is_tree else ""
    return f"{why} Cheapest is {winner}{others}: {f}.{tree}"


def _walking(run: Trace, index: int, cell: Cell) -> dict[str, Any]:
    """A step of the traceback."""
    i, j = cell.row, cell.column
    table = run.tables[index]
    pair, same = _pair(run, i, j), run.left.labels[i] == run.right.labels[j]
    paid = f"which costs {number(cell.winner.added)}"
    happens, entries = {
        "subtree": (f"the subtrees of {pair} stay together; their own nodes follow later", ()),
        "delete": (f"{named(run.left, i)} is deleted, {paid}", ((i, None),)),
        "insert": (f"{named(run.right, j)} is inserted, {paid}", ((None, j),)),
        "replace": (f"{pair} {'match' if same else 'are paired'}, {paid}", ((i, j),)),
    }[cell.winner.move]
    here = f"{table.named(i, j)} in the table of keyroots {table.left} and {table.right}"
    return {
        "kind": "walk",
        "text": f"The way back, at {here}: {happens}.",
        "grids": [index, len(run.tables)],
        **_reasons(run, index, cell),
        "marks": marks_of(run.left, run.right, entries),
    }


def _pair(run: Trace, i: int, j: int) -> str:
    return f"{named(run.left, i)} and {named(run.right, j)}"


def _reasons(run: Trace, index: int, cell: Cell) -> dict[str, Any]:
    """The alternatives of a cell, and its minimum."""
    i, j = cell.row, cell.column
    if not cell.candidates:
        return {"cell": [index, i, j]}
    winners = [[index, *cell.winner.origin]]
    if cell.winner.move == "subtree":
        winners.append([len(run.tables), i, j])
    return {
        "cell": [index, i, j],
        "lines": "f",
        "ways": [_way(run.tables[index], cell, each) for each in cell.candidates],
        "origins": [[index, *each.origin] for each in cell.candidates],
        "winners": winners,
    }


def _way(table: ForestTable, cell: Cell, each: Candidate) -> dict[str, Any]:
    i, j = cell.row, cell.column
    added = {"replace": f"replace({i}, {j})", "subtree": f"D({i}, {j})", "delete": f"delete({i})"}
    return {
        "line": each.move,
        "here": f"{table.named(*each.origin)} + {added.get(each.move, f'insert({j})')}",
        "sum": f"{number(each.start)} + {number(each.added)}",
        "value": number(each.value),
        **({"best": True} if cell.is_reached_by(each) else {}),
    }
