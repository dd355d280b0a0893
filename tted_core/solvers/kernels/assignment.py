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

from tted_core.solvers.kernels.compiling import Floats, Integers, borrowing, compile_kernel

BIDS_PER_ROW = 4


class MatchingSpace(NamedTuple):
    """Workspace for matchings of up to w rows and columns, which is allocated once for many of them."""

    weights: Floats  # (w, w)
    partner: Integers  # (w,) each row's column, -1 for none
    indices: Integers  # (4, w)
    numbers: Floats  # (3, w)


class _Matching(NamedTuple):
    """A partial matching, its prices and the search for a path."""

    row_of: Integers  # (columns,), -1 for none
    column_of: Integers  # (rows,), -1 for none
    row_price: Floats
    column_price: Floats
    distance: Floats  # (columns,) costs of the cheapest paths
    reached_from: Integers  # (columns,) the last row on each path
    order: Integers  # a queue of rows, or the columns


@compile_kernel
def new_matching_space(most: int) -> MatchingSpace:
    """Allocate the workspace for matchings of up to ``most`` rows and columns."""
    partner, indices = np.empty(most, dtype=np.int64), np.empty((4, most), dtype=np.int64)
    return MatchingSpace(np.empty((most, most)), partner, indices, np.empty((3, most)))


@borrowing
def solve_assignment(rows: int, columns: int, space: MatchingSpace) -> float:
    """Match rows and columns of ``weights[:rows, :columns]`` (>= 0) one to one with the largest total weight.

    With no negative weight, matching every row, or every column, is never worse than leaving one out.

    Args:
        rows: number of rows.
        columns: number of columns.
        space: has the weights, which may be changed, and receives the partners.

    Returns:
        The total weight of the matching.
    """
    weights, partner = space.weights, space.partner
    fewer, more = min(rows, columns), max(rows, columns)
    if rows > columns:
        _transpose(weights, rows)
    all_rows = more if 2 * fewer > more else fewer
    matching = _start(weights, fewer, more, all_rows, space)
    _bid(weights, matching)
    row_of, column_of = matching.row_of, matching.column_of
    for row in range(all_rows):
        if column_of[row] < 0:
            _join(row, weights, matching)
    total = 0.0
    for row in range(fewer):
        total += weights[row, column_of[row]]
    for row in range(fewer, all_rows):
        row_of[column_of[row]] = -1
    for row in range(rows):
        partner[row] = row_of[row] if rows > columns else column_of[row]
    return total


@borrowing
def _transpose(weights: Floats, size: int) -> None:
    for row in range(size):
        for column in range(row):
            above = weights[column, row]
            weights[column, row] = weights[row, column]
            weights[row, column] = above


@borrowing
def _start(weights: Floats, fewer: int, more: int, all_rows: int, space: MatchingSpace) -> _Matching:
    """An empty matching; an almost square matrix is filled up with rows of weight 0."""
    indices, numbers = space.indices, space.numbers
    matching = _Matching(
        indices[0, :more],
        indices[1, :all_rows],
        numbers[0, :all_rows],
        numbers[1, :more],
        numbers[2, :more],
        indices[2, :more],
        indices[3, :more],
    )
    matching.row_of[:] = -1
    matching.column_of[:] = -1
    matching.row_price[:] = 0.0
    matching.column_price[:] = 0.0
    if all_rows == more:
        weights[fewer:more, :more] = 0.0
        for row in range(fewer):
            for column in range(more):
                matching.column_price[column] = min(matching.column_price[column], -weights[row, column])
    return matching


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


@borrowing
def _bid(weights: Floats, matching: _Matching) -> None:
    """Match most rows by bidding and set the matched rows' prices."""
    row_of, column_of, row_price, column_price, _, _, queue = matching
    rows = column_of.size
    for row in range(rows):
        queue[row] = row
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


@borrowing
def _join(new_row: int, weights: Floats, matching: _Matching) -> None:
    """Match one more row along the cheapest alternating path and update the prices."""
    row_of, column_of, row_price, column_price, distance, reached_from, order = matching
    columns = column_price.size
    for column in range(columns):
        order[column] = column  # the settled columns are first
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
