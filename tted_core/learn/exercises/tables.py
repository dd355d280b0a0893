"""Exercises on the tables of Zhang and Shasha's algorithm, with costs of 0 and 1."""

from random import Random

from tted_core.learn.exercises.exercise import Exercise, Grid
from tted_core.learn.exercises.random_maps import random_pair
from tted_core.learn.unit_costs import unit_costs
from tted_core.learn.zhang_shasha import Cell, Move, Trace, trace
from tted_core.tree import TextTree

WAYS: dict[Move, str] = {
    "replace": "pairing the two nodes",
    "subtree": "keeping the two subtrees",
    "delete": "deleting the left node",
    "insert": "inserting the right node",
}


def missing_cell(rng: Random) -> Exercise:
    """Fill a cell of the last forest table."""
    left, right, run, cell = _place(rng)
    return Exercise(
        f"All costs are 0 or 1. Which number belongs at the question mark, **f({cell.row}, {cell.column})**?"
        f"{_known(cell)}",
        cell.value,
        _explained(run, cell),
        trees=(left, right),
        grid=_until(run, cell),
        numbered=True,
    )


def winner(rng: Random) -> Exercise:
    """Tell which way wins a cell."""
    while True:
        left, right, run, cell = _place(rng)
        if len(cell.best) == 1:
            break
    moves = [each.move for each in cell.candidates]
    return Exercise(
        f"All costs are 0 or 1. Which way to the question mark, **f({cell.row}, {cell.column})**, is the cheapest?"
        f"{_known(cell)}",
        frozenset(cell.best),
        _explained(run, cell),
        tuple(WAYS[move] for move in moves),
        trees=(left, right),
        grid=_until(run, cell),
        numbered=True,
    )


def _place(rng: Random) -> tuple[TextTree, TextTree, Trace, Cell]:
    """Two trees, their run, and an inner cell of its last table."""
    left, right = random_pair(rng, rng.randint(4, 5))
    run = trace(left, right, unit_costs(left, right))
    table = run.tables[-1]
    inner = [cell for cell in table.cells if cell.row > table.rows[1] and cell.column > table.columns[1]]
    return left, right, run, rng.choice(inner)


def _known(cell: Cell) -> str:
    if cell.is_tree:
        return ""
    i, j = cell.row, cell.column
    return f" It is known from an earlier table that D({i}, {j}) = {cell.candidates[0].added:g}."


def _explained(run: Trace, cell: Cell) -> str:
    ways = "; ".join(
        f"{WAYS[each.move]}: {run.tables[-1].named(*each.origin)} + {each.added:g} = "
        f"{each.start:g} + {each.added:g} = {each.value:g}"
        for each in cell.candidates
    )
    return f"{ways[0].upper()}{ways[1:]}. The smallest is {cell.value:g}."


def _until(run: Trace, cell: Cell) -> Grid:
    """The last table as it stands when the cell is about to be filled."""
    table = run.tables[-1]
    place = table.cells.index(cell)
    texts = [
        "?" if index == place else f"{each.value:g}" if index < place else ""
        for index, each in enumerate(table.cells)
    ]
    width = len(table.columns)

    def headings(labels: tuple[str, ...], numbers: tuple[int, ...]) -> tuple[str, ...]:
        return ("∅", *(f"{number} {labels[number]}" for number in numbers[1:]))

    return Grid(
        headings(run.left.labels, table.rows),
        headings(run.right.labels, table.columns),
        tuple(tuple(texts[row * width : (row + 1) * width]) for row in range(len(table.rows))),
    )
