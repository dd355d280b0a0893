"""A pair of trees in gain form, with the bounds of all its pairs of subtrees, and the time to improve them."""

import time

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.monitor import Monitor
from tted_core.solvers.kernels.restricted import keep_gains
from tted_core.solvers.kernels.trees import tree_layout
from tted_core.solvers.unordered.bounds import CLOSED, Tables, fill_rows, new_tables, offer_pick
from tted_core.solvers.unordered.lagrange import Forests
from tted_core.tree import TextTree

REPORT_EVERY = 0.1  # seconds
_STEPS = 300
FEWEST_STEPS = 4
FILL_SHARE = 0.5  # of the time limit
CELLS_PER_CALL = 1_000_000  # pairs of forest nodes that one compiled call handles in each step

Pick = list[tuple[int, int]]  # an antichain matching: pairs of nodes


class Deadline:
    """The time limit and the reports of a search; ``limit`` is in seconds, infinite without a limit."""

    def __init__(self, time_limit: float | None, monitor: Monitor) -> None:
        self.limit = float("inf") if time_limit is None else time_limit
        self._start = time.monotonic()
        self._monitor = monitor
        self._reported = -float("inf")

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    @property
    def remaining(self) -> float:
        """Seconds left; 0 when the search must end."""
        return 0.0 if self._monitor.stopped else max(0.0, self.limit - self.elapsed)

    @property
    def passed(self) -> bool:
        """True if the search must end."""
        return self.remaining <= 0.0

    def report(self, lower: float, upper: float) -> None:
        """Report the bounds, at most ten times a second."""
        if self.elapsed - self._reported >= REPORT_EVERY:
            self._reported = self.elapsed
            self._monitor.advance(lower, upper)


class Problem:
    """A pair of trees, its tables, and the ``total`` of all deletes and inserts."""

    def __init__(self, left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> None:
        kept, self.total = keep_gains(np.ascontiguousarray(costs, dtype=np.float64))
        self.left, self.right = (
            tree_layout(np.array(tree.parents, dtype=np.int64)) for tree in (left, right)
        )
        self.tables: Tables = new_tables(kept, self.left, self.right)
        self.bounds, self.space = self.tables.bounds, self.tables.prices
        self.tolerance = CLOSED * self.total

    def forests(self, i: int, j: int) -> Forests:
        """The pair (i, j) in the form that kernels take."""
        return Forests(i, j, self.left, self.right)

    def gap(self, i: int, j: int) -> float:
        """The gap between the bounds of F(i, j)."""
        return float(self.bounds.forest_upper[i, j] - self.bounds.forest_lower[i, j])

    def is_closed(self, i: int, j: int) -> bool:
        """Return True if F(i, j) is known."""
        return self.gap(i, j) <= self.tolerance

    @property
    def lower(self) -> float:
        """The certified lower bound of the distance (after filling the tables)."""
        return self.total - float(self.bounds.pair_upper.max())

    @property
    def upper(self) -> float:
        """The distance for the lower bounds of gains in the tables."""
        return self.total - float(self.bounds.pair_lower.max())

    def fill(self, deadline: Deadline) -> bool:
        """Bound all pairs, bottom-up, with fewer steps if time is short; False if time ran out."""
        sizes = self.left.sizes.tolist()
        all_cells = sum(sizes)
        cells_per_row = int(self.right.sizes.sum())
        done = 0
        end = len(sizes)
        steps = _STEPS
        before = deadline.elapsed
        while end > 0:
            start, cells = end, 0
            while start > 0 and (
                start == end or (cells + sizes[start - 1]) * cells_per_row <= CELLS_PER_CALL
            ):
                start -= 1
                cells += sizes[start]
            fill_rows(start, end, steps, self.tables)
            end = start
            done += cells
            if end > 0 and deadline.passed:
                return False
            now = deadline.elapsed
            left_over = FILL_SHARE * deadline.limit - now
            # Twice as long as the pairs so far: larger ones close late or never.
            expected = 2.0 * (now - before) / cells * (all_cells - done)
            before = now
            if expected > left_over or steps < _STEPS:
                # Measured at each call, so that the number of steps can rise again.
                steps = int(min(_STEPS, max(FEWEST_STEPS, steps * left_over / max(expected, 1e-6))))
        return True

    def pick(self, i: int, j: int) -> Pick:
        """The antichain matching stored for F(i, j), or an empty one."""
        bounds = self.bounds
        stored = slice(start := int(bounds.pick_start[i, j]), start + int(bounds.pick_size[i, j]))
        return list(zip(bounds.pick_left[stored].tolist(), bounds.pick_right[stored].tolist(), strict=True))

    def offer(self, i: int, j: int, pairs: Pick) -> None:
        """Store an antichain matching below (i, j) if it is the best known."""
        self.space.best_count[0] = len(pairs)
        for index, (k, m) in enumerate(pairs):
            self.space.best_left[index], self.space.best_right[index] = k, m
        offer_pick(i, j, self.bounds, self.space)
