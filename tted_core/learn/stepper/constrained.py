"""The algorithm of Zhang (1996) for the constrained distance, recorded and described step by step.

Nodes are numbered from 1 in postorder. T(i, j) is the distance of the subtrees of i and j, F(i, j) that of the
forests below them; 0 stands for nothing, so that T(i, 0) is what deleting the whole subtree of i costs. With k and
l running over the children of i and of j,

    F(i, j) = min( cheapest matching of the children,
                   F(i, 0) + min_k ( F(k, j) - F(k, 0) ),  F(0, j) + min_l ( F(i, l) - F(0, l) ) ),
    T(i, j) = min( F(i, j) + replace(i, j),
                   T(i, 0) + min_k ( T(k, j) - T(k, 0) ),  T(0, j) + min_l ( T(i, l) - T(0, l) ) ),

where a matching costs T(k, l) for each of its pairs, and T(k, 0) and T(0, l) for unmatched children. No pair may
cost more than deleting and inserting its nodes.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from tted_core.foundations.messages import join_with_and
from tted_core.learn.stepper.recording import (
    Cell,
    Position,
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

TITLE = "Zhang's constrained algorithm, step by step"
# The grids of T and F. A leaf has nothing below it: its F is in the row or column of "nothing".
TREES, FORESTS = GRIDS = (0, 1)
# By table: each line of the recurrence, its name, and its sum.
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


def trace(left: TextTree, right: TextTree, costs: Floats) -> Run:
    """Run the algorithm and record everything; ``costs`` is (n+1, m+1) with the gap last, as for a solver."""
    recorder = _Recorder(left, right, costs)
    cells = tuple(recorder.fill())
    walk = tuple(recorder.walk({(cell.table, cell.row, cell.column): cell for cell in cells}))
    sides = recorder.left, recorder.right
    rows, columns = (tuple(range(len(side) + 1)) for side in sides)
    inner_rows, inner_columns = (
        (0, *(node for node, below in enumerate(side.children) if below)) for side in sides
    )
    grids = (
        TableGrid("T", "T, subtrees of two nodes", rows, columns),
        TableGrid("F", "F, forests below two nodes", inner_rows, inner_columns),
    )
    return Run(*sides, grids, cells, walk, recorder.tables["T"])


def cheapest_matching(rows: Sequence[int], columns: Sequence[int], costs: Floats) -> list[tuple[int, int]]:
    """The cheapest matching of two lists of children: pairs, those deleted with 0, and 0 with those inserted.

    ``costs`` holds those of pairs of nodes; row and column 0 stand for nothing.
    """
    lefts, rights = (*rows, *[0] * len(columns)), (*columns, *[0] * len(rows))
    matched = zip(*linear_sum_assignment(costs[np.ix_(lefts, rights)]), strict=True)
    entries = [(lefts[row], rights[column]) for row, column in matched]
    return [entry for entry in entries if entry != (0, 0)]


class _Recorder:
    """Both trees in postorder, their costs, and the tables being filled."""

    def __init__(self, left: TextTree, right: TextTree, costs: Floats) -> None:
        self.left, self.right, self.costs = in_postorder(left, right, costs)
        self.tables = {"T": np.zeros_like(self.costs), "F": np.zeros_like(self.costs)}

    def _position(self, table: str, i: int, j: int) -> Position:
        if table == "T":
            return TREES, i, j
        return FORESTS, i if self.left.children[i] else 0, j if self.right.children[j] else 0

    def _term(self, table: str, i: int, j: int, sign: int = 1) -> Term:
        name = f"{table}({i or 'nothing'}, {j or 'nothing'})"
        return Term(name, float(self.tables[table][i, j]), self._position(table, i, j), sign)

    def fill(self) -> Iterator[Cell]:
        """All cells in the order of filling: first those with nothing on a side, which have no ways."""
        trees, forests = self.tables["T"], self.tables["F"]
        rows, columns = range(1, len(self.left) + 1), range(1, len(self.right) + 1)
        for i, j in ((0, 0), *((i, 0) for i in rows), *((0, j) for j in columns)):
            below = (*((k, 0) for k in self.left.children[i]), *((0, k) for k in self.right.children[j]))
            forests[i, j] = sum(trees[child] for child in below)
            trees[i, j] = forests[i, j] + self.costs[i, j]
            for name, table in self.tables.items():
                yield Cell(name, self._position(name, i, j), i, j, (), float(table[i, j]))
        for i, j in product(rows, columns):
            children = self.left.children[i], self.right.children[j]
            ways = [
                Way("match", tuple(self._term("T", *each) for each in cheapest_matching(*children, trees)))
            ]
            if all(children):
                ways += self._descents("F", i, j)
            yield self._least("F", i, j, ways)
            replaced = Term(f"replace({i}, {j})", float(self.costs[i, j]))
            ways = [Way("pair", (self._term("F", i, j), replaced)), *self._descents("T", i, j)]
            yield self._least("T", i, j, ways)

    def _least(self, table: str, i: int, j: int, ways: Sequence[Way]) -> Cell:
        value = min(way.value for way in ways)
        self.tables[table][i, j] = value
        return Cell(table, self._position(table, i, j), i, j, tuple(ways), value)

    def _descents(self, table: str, i: int, j: int) -> Iterator[Way]:
        """All that is kept is below one child of i, or of j."""
        for k in self.left.children[i]:
            terms = self._term(table, i, 0), self._term(table, k, j), self._term(table, k, 0, -1)
            yield Way("left", terms, k)
        for k in self.right.children[j]:
            terms = self._term(table, 0, j), self._term(table, i, k), self._term(table, 0, k, -1)
            yield Way("right", terms, k)

    def walk(self, cells: dict[tuple[str, int, int], Cell]) -> Iterator[tuple[Cell, tuple[Entry, ...]]]:
        """From T of both roots down, along the winners."""
        pending = [("T", len(self.left), len(self.right))]
        while pending:
            table, i, j = pending.pop()
            cell = cells[table, i, j]
            winner = cell.best[0]
            if winner.line == "pair":
                yield cell, ((i, j),)
                pending.append(("F", i, j))
            elif winner.line == "match":
                entries = _pairs_of_matching(winner)
                gone = [node for k, m in entries if not m for node in _below(self.left.leftmost, k, 1)]
                come = [node for k, m in entries if not k for node in _below(self.right.leftmost, m, 1)]
                yield cell, (*((node, None) for node in gone), *((None, node) for node in come))
                pending += [("T", k, m) for k, m in reversed(entries) if k and m]
            else:
                is_left = winner.line == "left"
                side, top = (self.left, i) if is_left else (self.right, j)
                rest = _outside(side.leftmost, top, winner.child, table)
                yield cell, tuple((node, None) if is_left else (None, node) for node in rest)
                pending.append((table, winner.child, j) if is_left else (table, i, winner.child))


def _pairs_of_matching(way: Way) -> list[tuple[int, int]]:
    """The pairs of a matching, with 0 for no node."""
    return [term.position[1:] for term in way.terms if term.position]


def _below(leftmost: Sequence[int], top: int, own: int) -> range:
    """The nodes below one, which are consecutive in postorder, and the node itself if ``own`` is 1."""
    return range(leftmost[top], top + own)


def _outside(leftmost: Sequence[int], top: int, child: int, table: str) -> list[int]:
    """The nodes of one tree (of T) or forest (of F) outside that of a child."""
    own = int(table == "T")
    kept = _below(leftmost, child, own)
    return [node for node in _below(leftmost, top, own) if node not in kept]


def steps(run: Run) -> Iterator[dict[str, Any]]:
    """The steps of the player, with a sentence for each."""
    trees, _ = run.grids
    n, m = len(run.left), len(run.right)
    yield {
        "kind": "start",
        "jump": "the two trees",
        "text": "The nodes are numbered in postorder, children before their parent. Siblings may come in any "
        "order, but what lies below different nodes must stay below different nodes. T is the distance of two "
        "subtrees, F that of what lies below two nodes.",
        "grids": GRIDS,
    }
    yield {
        "kind": "table",
        "text": "Against nothing, what is on the left can only be deleted; out of nothing, what is on the right "
        f"can only be inserted. {trees.at(n, 0)} = {run.trees[n, 0]:g} is the whole left tree, "
        f"{trees.at(0, m)} = {run.trees[0, m]:g} the right one.",
        "grids": GRIDS,
        "fills": [[*cell.position, f"{cell.value:g}"] for cell in run.cells if not cell.ways],
    }
    row = 0
    for cell in run.cells:
        i, j = cell.row, cell.column
        if not cell.ways or (cell.table == "F" and not (run.left.children[i] and run.right.children[j])):
            continue  # it is filled already: F of a leaf is that of nothing
        own = int(cell.table == "T")
        yield {
            "kind": "cell",
            **({"jump": f"left node {i}"} if i > row else {}),
            "text": _describe_entry(run, cell),
            "grids": GRIDS,
            **reasons(cell),
            "fills": [[*cell.position, f"{cell.value:g}"]],
            "inside": [[run.left.leftmost[i], i - 1 + own], [run.right.leftmost[j], j - 1 + own]],
        }
        row = i
    for cell, entries in run.walk:
        if entries or cell.value or cell.table == "T":
            yield {
                "kind": "walk",
                "text": f"The way back, at {_name(cell)}: {_describe_way_back(run, cell, entries)}.",
                "grids": GRIDS,
                **reasons(cell),
                "marks": player_marks(run, entries),
            }
    text = mapping_text(run, "T", "constrained")
    yield {"kind": "end", "text": text, "grids": GRIDS, "cell": [TREES, n, m]}


def _name(cell: Cell) -> str:
    return f"{cell.table}({cell.row}, {cell.column})"


def _describe_entry(run: Run, cell: Cell) -> str:
    winner = cell.best[0]
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    if winner.line == "pair":
        cheapest = f"{'matching' if run.is_match(cell) else 'pairing'} the roots"
    elif winner.line == "match":
        cheapest = "matching the children"
    else:
        side, verb = (run.left, "deleting") if winner.line == "left" else (run.right, "inserting")
        below = "below" if cell.table == "F" else "in the subtree of"
        cheapest = f"keeping only what lies {below} {side.name_node(winner.child)} and {verb} the rest"
    what = "What lies below" if cell.table == "F" else "The subtrees of"
    found = f"{_name(cell)} = {cell.value:g}"
    return f"{what} {run.pair(cell)}: cheapest is {cheapest}{others}: {found}."


def _describe_way_back(run: Run, cell: Cell, entries: Sequence[Entry]) -> str:
    winner = cell.best[0]
    if winner.line == "pair":
        cost = f"{winner.terms[1].value:g}"
        return f"{run.pair(cell)} {'match' if run.is_match(cell) else 'are paired'}, which costs {cost}"
    if winner.line == "match":
        matched = _pairs_of_matching(winner)
        parts = [f"{k} with {m}" for k, m in matched if k and m]
        kept = [f"subtrees stay together, {join_with_and(parts)}"] if parts else []
        gone = [f"all of {run.left.name_node(k)} is deleted" for k, m in matched if not m]
        come = [f"all of {run.right.name_node(m)} is inserted" for k, m in matched if not k]
        return "; ".join((*kept, *gone, *come))
    side, verb = (run.left, "deleted") if winner.line == "left" else (run.right, "inserted")
    rest = [str(i or j) for i, j in entries]
    lies = "in the subtree of" if cell.table == "T" else "below"
    verb = f"{'is' if len(rest) == 1 else 'are'} {verb}"
    return f"what is kept lies {lies} {side.name_node(winner.child)}; {join_with_and(rest)} {verb}"
