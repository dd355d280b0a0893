"""Maximum-weight bipartite matching by shortest augmenting paths (Jonker and Volgenant 1987; Crouse 2016).

Prices keep every reduced cost  -weight - row price - column price  non-negative, and zero on the matching.
First, rows bid: each takes its best column and lowers the column's price until the second best is as good
(Jonker and Volgenant's augmenting row reduction); a displaced row bids again. The few rows left over are
matched one at a time along the cheapest alternating path, by Dijkstra's algorithm on reduced costs.

Columns left unmatched must keep price 0. With as many rows as columns there are none, and each column can start
at its best weight, which saves most of the bidding; so an almost square matrix is filled up with rows of weight
0. O(rows^2 * columns); on the 500 leaves of two stars both steps together are 6 times faster than augmenting
paths alone.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import borrowing, compile_kernel
from tted_core.solvers.kernels.trees import Floats, Integers

BIDS_PER_ROW = 4


class _Matching(NamedTuple):
    """A partial matching and its prices."""

    row_of: Integers  # (columns,), -1 for none
    column_of: Integers  # (rows,), -1 for none
    row_price: Floats
    column_price: Floats


@compile_kernel
def match(weights: Floats, rows: int, columns: int, partner: Integers) -> float:
    """Match rows and columns of ``weights[:rows, :columns]`` (>= 0) one to one with the largest total weight.

    With no negative weight, matching every row, or every column, is never worse than leaving one out.

    Args:
        weights: a square workspace of max(rows, columns) or larger with the weights in its upper left corner; its
            entries may be changed.
        rows: number of rows.
        columns: number of columns.
        partner: (>= rows,) receives each row's column, -1 for none.

    Returns:
        The total weight of the matching.
    """
    fewer, more = min(rows, columns), max(rows, columns)
    if rows > columns:
        weights[:rows, :rows] = weights[:rows, :rows].T.copy()
    column_price = np.zeros(more)
    all_rows = fewer
    if 2 * fewer > more:
        all_rows = more
        weights[fewer:more, :more] = 0.0
        for row in range(fewer):
            for column in range(more):
                column_price[column] = min(column_price[column], -weights[row, column])
    row_of, column_of = np.full(more, -1, dtype=np.int64), np.full(all_rows, -1, dtype=np.int64)
    matching = _Matching(row_of, column_of, np.zeros(all_rows), column_price)
    _bid(weights, matching)
    distance = np.empty(more)
    reached_from = np.empty(more, dtype=np.int64)
    for row in range(all_rows):
        if column_of[row] < 0:
            _join(row, weights, matching, distance, reached_from)
    total = 0.0
    for row in range(fewer):
        total += weights[row, column_of[row]]
    for row in range(fewer, all_rows):
        row_of[column_of[row]] = -1
    partner[:rows] = row_of if rows > columns else column_of[:rows]
    return total


@borrowing
def _two_best(row: int, weights: Floats, column_price: Floats) -> tuple[int, float, int, float]:
    """The two cheapest columns for a row and their costs; -1 and infinity if there is no second one."""
    best, second = np.inf, np.inf
    best_column, second_column = -1, -1
    for column in range(column_price.size):
        cost = -weights[row, column] - column_price[column]
        if cost < best:
            second, second_column = best, best_column
            best, best_column = cost, column
        elif cost < second:
            second, second_column = cost, column
    return best_column, best, second_column, second


@compile_kernel
def _bid(weights: Floats, matching: _Matching) -> None:
    """Match most rows by bidding and set the matched rows' prices."""
    row_of, column_of, row_price, column_price = matching
    rows = column_of.size
    queue = np.arange(rows)
    head, waiting = 0, rows
    for _ in range(BIDS_PER_ROW * rows):
        if waiting == 0:
            break
        row = queue[head]
        column, best, second_column, second = _two_best(row, weights, column_price)
        if best < second < np.inf:
            column_price[column] -= second - best
        elif second_column >= 0 and row_of[column] >= 0:
            column = second_column
        displaced = row_of[column]
        if displaced >= 0:
            if best == second:
                # Both columns are taken at equal prices; an augmenting path decides.
                head += 1
                waiting -= 1
                continue
            column_of[displaced] = -1
            queue[head] = displaced
        else:
            head += 1
            waiting -= 1
        row_of[column] = row
        column_of[row] = column
    for row in range(rows):
        column = column_of[row]
        if column >= 0:
            row_price[row] = -weights[row, column] - column_price[column]


@compile_kernel
def _join(
    new_row: int, weights: Floats, matching: _Matching, distance: Floats, reached_from: Integers
) -> None:
    """Match one more row along the cheapest alternating path and update the prices."""
    row_of, column_of, row_price, column_price = matching
    columns = column_price.size
    order = np.arange(columns)  # the settled columns first
    distance[:] = np.inf
    settled = 0
    row = new_row
    shortest = 0.0
    while True:
        nearest = settled
        nearest_distance = np.inf
        offset = shortest - row_price[row]
        for position in range(settled, columns):
            column = order[position]
            through_row = offset - weights[row, column] - column_price[column]
            if through_row < distance[column]:
                distance[column] = through_row
                reached_from[column] = row
            # Among equal columns, a free one ends the search at once.
            if distance[column] < nearest_distance or (
                distance[column] == nearest_distance and row_of[column] < 0
            ):
                nearest = position
                nearest_distance = distance[column]
        shortest = nearest_distance
        column = order[nearest]
        if row_of[column] < 0:
            break
        order[nearest] = order[settled]
        order[settled] = column
        settled += 1
        row = row_of[column]
    row_price[new_row] += shortest
    for position in range(settled):
        passed = order[position]
        row_price[row_of[passed]] += shortest - distance[passed]
        column_price[passed] -= shortest - distance[passed]
    row = -1
    while row != new_row:
        row = reached_from[column]
        row_of[column] = row
        column, column_of[row] = column_of[row], column
