"""The best antichain matching of two forests as a linear or integer program with column generation.

    maximise  sum of W(k, m) x(k, m)   over pairs (k, m) of nodes below i and j
    subject to, for each leaf of either forest:  sum of x over the pairs on its root path <= 1,  x >= 0

(Hong, Kobayashi and Yamamoto 2017, with constraints for paths instead of edges between pairs). A pair of forests
of 200 nodes has 40,000 columns, of which an optimal basis uses some hundred; only the reduced costs of the
others are computed.
"""

from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.compiling import Floats, Integers
from tted_core.solvers.unordered.lagrange import Forests
from tted_core.solvers.unordered.problem import Deadline

_TOLERANCE = 1e-9


class MatchingModel:
    """The program of a pair of forests, over the columns added so far."""

    def __init__(self, pair: Forests) -> None:
        i, j, left, right = pair
        self._pair = pair
        self._leaves_left = left.leaves - left.leaves[i]
        self._leaves_right = right.leaves - right.leaves[j]
        self._rows_left = int(self._leaves_left[i + left.sizes[i]])
        self._rows_right = int(self._leaves_right[j + right.sizes[j]])
        self.left = np.empty(0, dtype=np.int64)
        self.right = np.empty(0, dtype=np.int64)
        self._weights = np.empty(0)
        self.shape = int(left.sizes[i]), int(right.sizes[j])
        self._known = np.zeros(self.shape, dtype=np.bool_)
        self.amounts = np.empty(0)
        self._left_prices = np.zeros(self._rows_left)
        self.right_prices = np.zeros(self._rows_right)  # dual prices (>= 0) in the last optimal solution
        self._highs = _new_highs()
        rows = self._rows_left + self._rows_right
        self._highs.addRows(
            rows,
            np.full(rows, -highspy.kHighsInf),
            np.ones(rows),
            0,
            _ints(np.zeros(rows)),
            _ints([]),
            np.empty(0),
        )

    def add(self, left: Integers, right: Integers, upper: Floats) -> int:
        """Add new pairs as columns, worth ``upper[left, right]``; returns how many are new."""
        i, j, *_ = self._pair
        new = ~self._known[left - i, right - j]
        left, right = left[new], right[new]
        self._known[left - i, right - j] = True
        starts, rows = self._entries(left, right)
        count = left.size
        weights = upper[left, right]
        self._highs.addCols(
            count,
            -weights,
            np.zeros(count),
            np.full(count, highspy.kHighsInf),
            rows.size,
            _ints(starts[:-1]),
            _ints(rows),
            np.ones(rows.size),
        )
        self.left = np.concatenate((self.left, left))
        self.right = np.concatenate((self.right, right))
        self._weights = np.concatenate((self._weights, weights))
        return int(count)

    def reweigh(self, upper: Floats) -> bool:
        """Update changed weights; returns True if there were any."""
        weights = upper[self.left, self.right]
        changed = np.flatnonzero(weights != self._weights)
        if changed.size:
            self._highs.changeColsCost(changed.size, _ints(changed), -weights[changed])
            self._weights = weights
        return bool(changed.size)

    def solve(self, deadline: Deadline) -> bool:
        """Solve the linear program; returns True if the solution is optimal.

        Otherwise ``amounts`` and the prices don't change.
        """
        if not _run(self._highs, deadline):
            return False
        solution = self._highs.getSolution()
        self.amounts = np.asarray(solution.col_value)
        duals = np.maximum(0.0, -np.asarray(solution.row_dual))
        self._left_prices, self.right_prices = np.split(duals, [self._rows_left])
        return True

    def find_promising(self, upper: Floats) -> tuple[Integers, Integers]:
        """For each node the pair of the largest reduced worth, if positive."""
        i, j, left, right = self._pair
        rows = slice(i + 1, i + left.sizes[i])
        columns = slice(j + 1, j + right.sizes[j])
        reduced = (
            upper[rows, columns]
            - _below(self._left_prices, self._leaves_left, left.sizes)[rows, None]
            - _below(self.right_prices, self._leaves_right, right.sizes)[None, columns]
        )
        picked = np.zeros(reduced.shape, dtype=np.bool_)
        picked[np.arange(reduced.shape[0]), reduced.argmax(axis=1)] = True
        picked[reduced.argmax(axis=0), np.arange(reduced.shape[1])] = True
        k, m = np.nonzero(picked & (reduced > _TOLERANCE))
        return k + i + 1, m + j + 1

    def solve_integer(
        self, columns: tuple[Integers, Integers], upper: Floats, start: NDArray[np.bool_], deadline: Deadline
    ) -> tuple[float, NDArray[np.bool_]] | None:
        """Solve the integer program over the given pairs.

        Args:
            columns: the pairs (left nodes, right nodes).
            upper: (n, m) weights.
            start: True for pairs of the best known solution.
            deadline: the time limit.

        Returns:
            The proven upper bound and the pairs taken; None unless the solution is optimal.
        """
        count = columns[0].size
        if count == 0:
            return 0.0, np.zeros(0, dtype=np.bool_)
        starts, rows = self._entries(*columns)
        total = self._rows_left + self._rows_right
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = count, total
        program.col_cost_ = -upper[columns]
        program.col_lower_, program.col_upper_ = np.zeros(count), np.ones(count)
        program.row_lower_, program.row_upper_ = np.full(total, -highspy.kHighsInf), np.ones(total)
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_, program.a_matrix_.index_ = _ints(starts), _ints(rows)
        program.a_matrix_.value_ = np.ones(rows.size)
        program.integrality_ = [highspy.HighsVarType.kInteger] * count
        highs = _new_highs()
        highs.passModel(program)
        if start.any():
            known = highspy.HighsSolution()
            known.col_value = start.astype(float).tolist()
            highs.setSolution(known)
        highs.cbMipInterrupt.subscribe(lambda event: event.interrupt(deadline.passed))
        if not _run(highs, deadline):
            return None
        return -highs.getInfo().mip_dual_bound, np.asarray(highs.getSolution().col_value) > 0.5

    def _entries(self, left: Integers, right: Integers) -> tuple[Integers, Integers]:
        """Column starts and row numbers of pairs: the leaves below either node."""
        spans = np.stack(
            (
                self._leaves_left[left],
                self._leaves_left[left + self._pair.left.sizes[left]],
                self._leaves_right[right] + self._rows_left,
                self._leaves_right[right + self._pair.right.sizes[right]] + self._rows_left,
            ),
            axis=1,
        ).reshape(-1, 2)
        lengths = spans[:, 1] - spans[:, 0]
        ends = np.cumsum(lengths)
        rows = np.arange(ends[-1] if ends.size else 0) + np.repeat(spans[:, 1] - ends, lengths)
        return np.concatenate(([0], ends[1::2])), rows


def _below(prices: Floats, leaves: Integers, sizes: Integers) -> Floats:
    """(n,) sum of the prices of the leaves below each node (undefined for nodes outside the forest)."""
    sums = np.concatenate(([0.0], np.cumsum(prices)))
    last = sums.size - 1
    nodes = np.arange(sizes.size)
    totals: Floats = sums[np.clip(leaves[nodes + sizes], 0, last)] - sums[np.clip(leaves[nodes], 0, last)]
    return totals


def _ints(values: Any) -> NDArray[np.int32]:
    return np.asarray(values, dtype=np.int32)


def _new_highs() -> Any:
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in {
        "output_flag": False,
        "threads": 1,
        "primal_feasibility_tolerance": _TOLERANCE,
        "dual_feasibility_tolerance": _TOLERANCE,
        "mip_feasibility_tolerance": _TOLERANCE,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": _TOLERANCE,
        # Restarts and heuristics with large sub-problems took 97 % of the time, and a solution is given.
        "mip_allow_restart": False,
        "mip_heuristic_run_rins": False,
        "mip_heuristic_run_rens": False,
        "mip_heuristic_run_root_reduced_cost": False,
        "mip_heuristic_run_feasibility_jump": False,
    }.items():
        highs.setOptionValue(option, value)
    return highs


def _run(highs: Any, deadline: Deadline) -> bool:
    """Run until optimal or out of time; returns True for the status "optimal" only."""
    if deadline.passed:
        return False
    if deadline.remaining < float("inf"):
        highs.setOptionValue("time_limit", highs.getRunTime() + deadline.remaining)
    highs.run()
    return bool(highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)
