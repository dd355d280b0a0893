"""The algorithm of Zhang and Shasha (1989) for the ordered distance, recorded and described step by step.

Nodes are numbered from 1 in postorder, as in the paper. l(i) is the leftmost leaf below i, so that the subtree of
i is the range l(i) .. i. A keyroot is a node with a left sibling, or the root. For each pair of keyroots (x, y)
one table holds f(i, j), the distance of the forests l(x) .. i and l(y) .. j:

    f(i, j) = min( f(i-1, j) + delete(i),  f(i, j-1) + insert(j),  third ),

where the third is f(i-1, j-1) + replace(i, j) if l(i) = l(x) and l(j) = l(y), so that both forests are trees and
D(i, j) = f(i, j); otherwise it is f(l(i)-1, l(j)-1) + D(i, j), with D(i, j) known from an earlier table.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from tted_core.foundations.messages import counted, join_with_and
from tted_core.learn.stepper.recording import (
    Cell,
    Numbering,
    Run,
    TableGrid,
    Term,
    Way,
    in_postorder,
    mapping_text,
    player_marks,
    reasons,
)
from tted_core.solvers.kernels.compiling import Floats
from tted_core.solvers.structure import Entry
from tted_core.tree import TextTree

TITLE = "Zhang and Shasha's algorithm, step by step"
# Each line of the recurrence, its name, and its sum.
LINES = {
    "f": (
        ("replace", "~ pair", "f(i−1, j−1) + replace(i, j)"),
        ("subtree", "≡ keep subtrees", "f(ℓ(i)−1, ℓ(j)−1) + D(i, j)"),
        ("delete", "− delete", "f(i−1, j) + delete(i)"),
        ("insert", "+ insert", "f(i, j−1) + insert(j)"),
    )
}


def trace(left: TextTree, right: TextTree, costs: Floats) -> Run:
    """Run the algorithm and record everything; ``costs`` is (n+1, m+1) with the gap last, as for a solver.

    The grids are a table for each pair of keyroots, then D.
    """
    one, other, costs = in_postorder(left, right, costs)
    trees = np.zeros_like(costs)
    grids = []
    for x, y in product(one.keyroots, other.keyroots):
        rows, columns = (
            tuple(range(side.leftmost[root] - 1, root + 1)) for side, root in ((one, x), (other, y))
        )
        grids.append(TableGrid("f", f"f for keyroots {x} and {y}", rows, columns, (rows[0], columns[0])))
    cells = tuple(
        cell
        for index, grid in enumerate(grids)
        for cell in _fill((index, len(grids)), grid, (one, other), costs, trees)
    )
    rows, columns = tuple(range(1, len(one) + 1)), tuple(range(1, len(other) + 1))
    distances = TableGrid("D", "D, the distances of subtrees", rows, columns)
    walk = tuple(_walk(one, other, grids, cells))
    return Run(one, other, (*grids, distances), cells, walk, trees)


def _fill(
    numbers: tuple[int, int],
    grid: TableGrid,
    sides: tuple[Numbering, Numbering],
    costs: Floats,
    trees: Floats,
) -> Iterator[Cell]:
    """Fill a table and copy distances of subtrees to ``trees``; ``numbers`` are those of its grid and of D's."""
    index, distances = numbers
    f: dict[tuple[int, int], float] = {}
    for i, j in product(grid.rows, grid.columns):
        some_left, some_right = i > grid.rows[0], j > grid.columns[0]
        first, second = sides[0].leftmost[i], sides[1].leftmost[j]
        is_tree = some_left and some_right and (first, second) == (grid.rows[1], grid.columns[1])
        options: list[tuple[str, tuple[int, int], Term]] = []
        if is_tree:
            options.append(("replace", (i - 1, j - 1), Term(f"replace({i}, {j})", costs[i, j])))
        elif some_left and some_right:
            known = Term(f"D({i}, {j})", trees[i, j], (distances, i, j))
            options.append(("subtree", (first - 1, second - 1), known))
        if some_left:
            options.append(("delete", (i - 1, j), Term(f"delete({i})", costs[i, 0])))
        if some_right:
            options.append(("insert", (i, j - 1), Term(f"insert({j})", costs[0, j])))
        ways = tuple(
            Way(line, (Term(grid.at(*start), f[start], (index, *start)), added))
            for line, start, added in options
        )
        f[i, j] = value = min((way.value for way in ways), default=0.0)
        if is_tree:
            trees[i, j] = value
        yield Cell("f", (index, i, j), i, j, ways, value)


def _walk(
    left: Numbering, right: Numbering, grids: Sequence[TableGrid], cells: Sequence[Cell]
) -> Iterator[tuple[Cell, tuple[Entry, ...]]]:
    """Trace back from the last cell to the corner, then within each pair of subtrees kept on the way.

    The subtrees of i and j have a table of their own only if both are keyroots; otherwise the table of the
    keyroots with the same leftmost leaves begins with it.
    """
    by_position = {cell.position: cell for cell in cells}
    of_keyroots = {(grid.rows[-1], grid.columns[-1]): index for index, grid in enumerate(grids)}
    pending = [(len(left), len(right))]
    while pending:
        i, j = pending.pop()
        cell = by_position[of_keyroots[left.keyroot_of(i), right.keyroot_of(j)], i, j]
        while cell.ways:
            i, j, winner = cell.row, cell.column, cell.best[0]
            added: dict[str, tuple[Entry, ...]] = {
                "replace": ((i, j),),
                "delete": ((i, None),),
                "insert": ((None, j),),
            }
            yield cell, added.get(winner.line, ())
            if winner.line == "subtree":  # its nodes have their own steps
                pending.append((i, j))
            start = winner.terms[0].position
            assert start, "the first term is an entry of the same table"
            cell = by_position[start]


def steps(run: Run) -> Iterator[dict[str, Any]]:
    """The steps of the player, with a sentence for each."""
    *tables, _ = run.grids
    distances = len(tables)
    left, right = (join_with_and([str(root) for root in side.keyroots]) for side in (run.left, run.right))
    yield {
        "kind": "start",
        "jump": "the two trees",
        "text": "The nodes are numbered in postorder, children before their parent; ℓ is the leftmost leaf below "
        f"a node. Keyroots, with a second ring, are the nodes with a left sibling, and the root: {left} on the "
        f"left, {right} on the right. Each of their {counted(distances, 'pair')} gets a table.",
        "grids": [0, distances],
    }
    for index, table in enumerate(tables):
        x, y = table.rows[-1], table.columns[-1]
        yield {
            "kind": "table",
            "jump": f"keyroots {x}, {y}",
            "text": f"Table {index + 1} of {distances}, keyroots {x} and {y}: every beginning of the left subtree "
            f"({_range(table.rows)}) against every beginning of the right one ({_range(table.columns)}).",
            "grids": [index, distances],
            "inside": [[table.rows[1], x], [table.columns[1], y]],
        }
        for cell in run.cells:
            if cell.position[0] == index:
                filled = [*cell.position, f"{cell.value:g}"]
                is_tree = cell.ways and cell.ways[0].line == "replace"
                yield {
                    "kind": "cell",
                    "text": _describe_entry(run, cell),
                    "grids": [index, distances],
                    "inside": [[table.rows[1], cell.row], [table.columns[1], cell.column]],
                    **reasons(cell),
                    "fills": [[*filled, "tree"], [distances, *filled[1:]]] if is_tree else [filled],
                }
    for cell, entries in run.walk:
        yield {
            "kind": "walk",
            "text": _describe_way_back(run, cell),
            "grids": [cell.position[0], distances],
            **reasons(cell),
            "marks": player_marks(run, entries),
        }
    yield {"kind": "end", "text": mapping_text(run, "D", "ordered"), "grids": [distances - 1, distances]}


def _range(numbers: tuple[int, ...]) -> str:
    first, last = numbers[1], numbers[-1]
    return f"node {first}" if first == last else f"nodes {first} to {last}"


def _describe_entry(run: Run, cell: Cell) -> str:
    i, j, table = cell.row, cell.column, run.grids[cell.position[0]]
    f = f"{table.at(i, j)} = {cell.value:g}"
    if not cell.ways:
        return f"Nothing against nothing: {f}."
    if j == table.columns[0]:
        return f"Against nothing, {run.left.name_node(i)} can only be deleted: {f}."
    if i == table.rows[0]:
        return f"Out of nothing, {run.right.name_node(j)} can only be inserted: {f}."
    is_tree = cell.ways[0].line == "replace"
    if is_tree:
        why = f"Both sides are whole trees, so the first way pairs their roots, {run.pair(cell)}."
    else:
        why = (
            f"At least one side isn't a whole tree, so the first way keeps the subtrees of {run.pair(cell)} "
            f"together: D({i}, {j}) = {cell.ways[0].terms[1].value:g} is known from an earlier table."
        )
    winner = {
        "delete": f"deleting {run.left.name_node(i)}",
        "insert": f"inserting {run.right.name_node(j)}",
        "subtree": "keeping the subtrees",
        "replace": "matching them" if run.is_match(cell) else "replacing one with the other",
    }[cell.best[0].line]
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    tree = f" It is D({i}, {j}), the distance of these subtrees, too." if is_tree else ""
    return f"{why} Cheapest is {winner}{others}: {f}.{tree}"


def _describe_way_back(run: Run, cell: Cell) -> str:
    winner, table = cell.best[0], run.grids[cell.position[0]]
    paid = f"which costs {winner.terms[1].value:g}"
    happens = {
        "subtree": f"the subtrees of {run.pair(cell)} stay together; their own nodes follow later",
        "delete": f"{run.left.name_node(cell.row)} is deleted, {paid}",
        "insert": f"{run.right.name_node(cell.column)} is inserted, {paid}",
        "replace": f"{run.pair(cell)} {'match' if run.is_match(cell) else 'are paired'}, {paid}",
    }[winner.line]
    here = (
        f"{table.at(cell.row, cell.column)} in the table of keyroots {table.rows[-1]} and {table.columns[-1]}"
    )
    return f"The way back, at {here}: {happens}."
