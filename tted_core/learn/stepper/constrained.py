"""Zhang's recursion step by step: grids, lines and a sentence for each step of the player."""

from collections.abc import Iterator, Sequence
from typing import Any

from tted_core.learn.constrained import Candidate, Cell, Matching, Table, Trace
from tted_core.learn.mappings import at, listed, mapping_text, marks_of, named, number
from tted_core.learn.zhang_shasha import SAME
from tted_core.solvers.structure import Entry

# The grids. A leaf has nothing below it: its F is in the row or column of "nothing".
TREES, FORESTS = GRIDS = (0, 1)
# By table: the recurrence's lines and their names.
LINES = {
    "F": (
        ("match", "match children", "matching of T(k, ℓ)"),
        ("left", "only below k", "F(i, nothing) + F(k, j) − F(k, nothing)"),
        ("right", "only below ℓ", "F(nothing, j) + F(i, ℓ) − F(nothing, ℓ)"),
    ),
    "T": (
        ("pair", "pair roots", "F(i, j) + replace(i, j)"),
        ("left", "only below k", "T(i, nothing) + T(k, j) − T(k, nothing)"),
        ("right", "only below ℓ", "T(nothing, j) + T(i, ℓ) − T(nothing, ℓ)"),
    ),
}


def content(run: Trace) -> dict[str, Any]:
    """Grids, lines and steps of a run."""
    n, m = len(run.left), len(run.right)
    steps: list[dict[str, Any]] = [
        {
            "kind": "start",
            "text": "The nodes are numbered in postorder, children before their parent. Siblings may come in "
            "any order, but what lies below different nodes must stay below different nodes. T is the distance of "
            "two subtrees, F that of what lies below two nodes.",
        },
        {
            "kind": "table",
            "text": "Against nothing, what is on the left can only be deleted; out of nothing, what is on the "
            f"right can only be inserted. {at('T', n, 0)} = {number(float(run.trees[n, 0]))} is the whole left "
            f"tree, {at('T', 0, m)} = {number(float(run.trees[0, m]))} the right one.",
            "fills": [
                [grid, i, j, number(float(table[i, j]))]
                for grid, table in ((FORESTS, run.forests), (TREES, run.trees))
                for i in range(n + 1)
                for j in range(m + 1)
                if not (i and j)
            ],
        },
        *_cells(run),
    ]
    jumps = {0: "the two trees"}
    opened: set[int] = set()
    for index, step in enumerate(steps):
        if "cell" in step and step["cell"][1] not in opened:
            opened.add(step["cell"][1])
            jumps[index] = f"left node {step['cell'][1]}"
    walk = len(steps)
    steps += [
        {
            "kind": "walk",
            "text": _happens(run, cell, entries),
            **_reasons(run, cell, with_matching=cell.winner.line == "match"),
            "marks": marks_of(run.left, run.right, entries),
        }
        for cell, entries in run.walk
        if entries or cell.value or cell.table == "T"
    ]
    jumps |= {walk: "the way back", len(steps): "the mapping"}
    total = f"{at('T', n, m)} = {number(run.distance)}"
    text = mapping_text(run.mapping, total, "constrained")
    steps.append({"kind": "end", "text": text, "cell": [TREES, n, m]})
    inner = ([node for node, below in enumerate(side) if below] for side in run.children)
    grids = (
        ("T", "T, subtrees of two nodes", range(1, n + 1), range(1, m + 1)),
        ("F", "F, forests below two nodes", *inner),
    )
    return {
        "title": "Zhang's constrained algorithm, step by step",
        "heading": "Ways to",
        "counts": "Cost",
        "grids": [
            {
                "name": name,
                "caption": caption,
                "rows": [0, *rows],
                "columns": [0, *columns],
                "nothing": [0, 0],
            }
            for name, caption, rows, columns in grids
        ],
        "lines": {
            table: [{"key": key, "way": way, "general": general} for key, way, general in lines]
            for table, lines in LINES.items()
        },
        "steps": [{**step, "grids": GRIDS} for step in steps],
        "walk": walk,
        "jumps": [{"at": index, "name": name} for index, name in jumps.items()],
    }


def _cells(run: Trace) -> Iterator[dict[str, Any]]:
    """A step for each cell, except F of a leaf, which is filled together with T."""
    before = ""
    for cell in run.cells:
        i, j = cell.row, cell.column
        if cell.table == "F" and not (run.children[0][i] and run.children[1][j]):
            before = f"{_simple(run, cell)} "
            continue
        top = 0 if cell.table == "T" else 1
        shown = _reasons(run, cell, with_matching=True)
        yield {
            "kind": "cell",
            "text": f"{before}{_sentence(run, cell)}",
            **shown,
            "fills": [[*shown["cell"], number(cell.value)]],
            "origins": [origin for each in cell.candidates for origin in _origins(run, cell, each)],
            "inside": [[run.left.leftmost[i], i - top], [run.right.leftmost[j], j - top]],
        }
        before = ""


def _simple(run: Trace, cell: Cell) -> str:
    """Describe F of a leaf."""
    i, j = cell.row, cell.column
    left, right = named(run.left, i), named(run.right, j)
    value = f"{at('F', i, j)} = {number(cell.value)}"
    if not run.children[0][i] and not run.children[1][j]:
        return f"Below {left} and {right} there is nothing: {value}."
    if not run.children[0][i]:
        return f"Below {left} there is nothing, so all below {right} is inserted: {value}."
    return f"Below {right} there is nothing, so all below {left} is deleted: {value}."


def _sentence(run: Trace, cell: Cell) -> str:
    """Describe an entry and the alternatives of its minimum."""
    i, j, winner = cell.row, cell.column, cell.winner
    left, right = named(run.left, i), named(run.right, j)
    alternative = ""
    if cell.matching and cell.runner_up:
        costs, other = number(cell.matching.value), number(cell.runner_up.value)
        alternative = (
            f" Another matching, dashed, costs {costs} too."
            if cell.runner_up.value - cell.matching.value <= SAME
            else f" The cheapest matching costs {costs}, the next best, dashed, {other}."
        )
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    if winner.line in {"left", "right"}:
        on_left = winner.line == "left"
        below = "below" if cell.table == "F" else "in the subtree of"
        child = named(run.left if on_left else run.right, winner.child)
        cheapest = (
            f"keeping only what lies {below} {child} and {'deleting' if on_left else 'inserting'} the rest"
        )
    elif winner.line == "pair":
        cheapest = f"{'matching' if run.left.labels[i] == run.right.labels[j] else 'pairing'} the roots"
    else:
        cheapest = "matching the children"
    what = "What lies below" if cell.table == "F" else "The subtrees of"
    found = f"{at(cell.table, i, j)} = {number(cell.value)}"
    return f"{what} {left} and {right}: cheapest is {cheapest}{others}: {found}.{alternative}"


def _happens(run: Trace, cell: Cell, entries: Sequence[Entry]) -> str:
    """Describe a step of the traceback."""
    i, j, winner = cell.row, cell.column, cell.winner
    here = f"The way back, at {at(cell.table, i, j)}"
    left, right = named(run.left, i), named(run.right, j)
    if winner.line == "pair":
        cost = number(float(run.costs[i, j]))
        if len(entries) > 1:
            return f"{here}: {left} and {right} are dearer to pair than to delete and insert, for {cost}."
        verb = "match" if run.left.labels[i] == run.right.labels[j] else "are paired"
        return f"{here}: {left} and {right} {verb}, which costs {cost}."
    if winner.line == "match" and cell.matching:
        parts = [f"{k} with {m}" for k, m in cell.matching.pairs]
        kept = [f"subtrees stay together, {listed(parts)}"] if parts else []
        gone = [f"all of {named(run.left, k)} is deleted" for k in cell.matching.deleted]
        come = [f"all of {named(run.right, m)} is inserted" for m in cell.matching.inserted]
        return f"{here}: {'; '.join((*kept, *gone, *come))}."
    on_left = winner.line == "left"
    side = run.left if on_left else run.right
    rest = [str(pair[0] if on_left else pair[1]) for pair in entries]
    where = "in the subtree of" if cell.table == "T" else "below"
    verb = f"{'is' if len(rest) == 1 else 'are'} {'deleted' if on_left else 'inserted'}"
    return f"{here}: what is kept lies {where} {named(side, winner.child)}; {listed(rest)} {verb}."


def _reasons(run: Trace, cell: Cell, *, with_matching: bool) -> dict[str, Any]:
    """Alternatives of a cell: the cheapest of each line of the recurrence, and the children's matching, if any."""
    lines = dict.fromkeys(each.line for each in cell.candidates)
    cheapest = (
        min((each for each in cell.candidates if each.line == line), key=lambda each: each.value)
        for line in lines
    )
    return {
        "cell": _position(run, cell.table, cell.row, cell.column),
        "winners": list(_origins(run, cell, cell.winner)),
        "lines": cell.table,
        "ways": [_way(run, cell, each) for each in cheapest],
        **({"matching": _drawn(run, cell, cell.matching)} if cell.matching and with_matching else {}),
    }


def _origins(run: Trace, cell: Cell, each: Candidate) -> Iterator[list[int]]:
    """The cells that a candidate adds up."""
    i, j, table, k = cell.row, cell.column, cell.table, each.child
    if each.line == "pair":
        yield _position(run, "F", i, j)
    elif each.line == "left":
        yield from (_position(run, table, i, 0), _position(run, table, k, j), _position(run, table, k, 0))
    elif each.line == "right":
        yield from (_position(run, table, 0, j), _position(run, table, i, k), _position(run, table, 0, k))
    elif cell.matching:
        yield from (_position(run, "T", *entry) for entry in cell.matching.entries)


def _position(run: Trace, table: Table, i: int, j: int) -> list[int]:
    """The grid, row and column of an entry."""
    if table == "F":
        return [FORESTS, i if run.children[0][i] else 0, j if run.children[1][j] else 0]
    return [TREES, i, j]


def _way(run: Trace, cell: Cell, each: Candidate) -> dict[str, Any]:
    i, j, table = cell.row, cell.column, cell.table
    if each.line == "pair":
        here, terms = f"{at('F', i, j)} + replace({i}, {j})", " + ".join(map(number, each.terms))
    elif each.line == "match" and cell.matching:
        entries = cell.matching.entries
        here = " + ".join(at("T", k, m) for k, m in entries)
        terms = " + ".join(number(float(run.trees[entry])) for entry in entries)
    else:
        whole, kept, part = map(number, each.terms)
        k = each.child
        if each.line == "left":
            here = f"{at(table, i, 0)} + {at(table, k, j)} − {at(table, k, 0)}"
        else:
            here = f"{at(table, 0, j)} + {at(table, i, k)} − {at(table, 0, k)}"
        terms = f"{whole} + {kept} − {part}"
    others = [
        f"{'k' if each.line == 'left' else 'ℓ'} = {other.child}: {number(other.value)}"
        for other in cell.candidates
        if other.line == each.line and other is not each
    ]
    return {
        "line": each.line,
        "here": here,
        "sum": terms,
        "value": number(each.value),
        "best": cell.is_reached_by(each),
        "others": ", ".join(others),
    }


def _drawn(run: Trace, cell: Cell, matching: Matching) -> dict[str, Any]:
    """The matching of the children as a picture: all pairs, those of the cheapest and those of the next best."""
    rows, columns = run.children[0][cell.row], run.children[1][cell.column]
    best = set(matching.entries)
    other = set(cell.runner_up.entries) if cell.runner_up else set()
    entries = [(k, m) for k in (*rows, 0) for m in (*columns, 0) if k or m]
    return {
        "sides": [list(rows), list(columns)],
        "edges": [
            {
                "ends": [k, m],
                "cost": number(float(run.trees[k, m])),
                "best": (k, m) in best,
                "other": (k, m) in other,
            }
            for k, m in entries
        ],
        "value": number(matching.value),
        "other": number(cell.runner_up.value) if cell.runner_up else "",
    }
