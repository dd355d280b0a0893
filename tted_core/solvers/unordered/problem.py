"""A pair of trees in gain form, with the bounds of all its pairs of subtrees, and the time to improve them."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.monitor import Monitor
from tted_core.solvers.kernels.restricted import keep_gains
from tted_core.solvers.kernels.trees import tree_layout
from tted_core.solvers.unordered.bounds import (
    CLOSED,
    Tables,
    fill_rows,
    new_picks,
    new_tables,
    size_of_picks,
)
from tted_core.solvers.unordered.lagrange import Forests
from tted_core.tree import TextTree

REPORT_EVERY = 0.1  # seconds
_STEPS = 300
FEWEST_STEPS = 4
FILL_SHARE = 0.5  # of the time limit
CELLS_PER_CALL = 1_000_000  # pairs of forest nodes that one compiled call handles in each step

Pick = list[tuple[int, int]]
"""An antichain matching: pairs of nodes."""


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
        self.tables: Tables = new_tables(kept, self.left, self.right, 0)
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
            self._grow(size_of_picks(self.left, self.right, start, end))
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
        start, picks = int(self.bounds.pick_start[i, j]), self.tables.picks
        if start < 0:
            return []
        stored = slice(start + 1, start + 1 + int(picks.left[start]))
        return list(zip(picks.left[stored].tolist(), picks.right[stored].tolist(), strict=True))

    def store_pick(self, i: int, j: int, pairs: Sequence[tuple[int, int]]) -> None:
        """Store the antichain matching that gives F(i, j) its lower bound."""
        self._grow(1 + len(pairs))
        picks = self.tables.picks
        start = int(picks.used[0])
        end = start + 1 + len(pairs)
        self.bounds.pick_start[i, j] = start
        picks.left[start] = len(pairs)
        picks.left[start + 1 : end] = [k for k, _ in pairs]
        picks.right[start + 1 : end] = [m for _, m in pairs]
        picks.used[0] = end

    def _grow(self, size: int) -> None:
        """Allocate space for picks of this size."""
        picks = self.tables.picks
        used = int(picks.used[0])
        if used + size <= picks.left.size:
            return
        grown = new_picks(max(used + size, used + used // 2))
        grown.left[:used] = picks.left[:used]
        grown.right[:used] = picks.right[:used]
        grown.used[0] = used
        self.tables = self.tables._replace(picks=grown)
