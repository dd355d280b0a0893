"""A pair of trees in gain form, with the bounds of all its pairs of subtrees."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.restricted import ChildSpace, kept_gains, new_child_space
from tted_core.solvers.kernels.trees import Layout, tree_layout
from tted_core.solvers.unordered.bounds import (
    CLOSED,
    Bounds,
    Picks,
    fill_rows,
    new_bounds,
    propagate_lower,
)
from tted_core.solvers.unordered.deadline import Deadline
from tted_core.solvers.unordered.lagrange import Forests, PriceSpace, new_price_space
from tted_core.tree import TextTree

STEPS = 300
FEWEST_STEPS = 4
FILL_SHARE = 0.5  # of the time limit
CELLS_PER_CALL = 1_000_000  # pairs of forest nodes that one compiled call handles in each step

Pick = list[tuple[int, int]]
"""An antichain matching: pairs of nodes."""


@dataclass
class Problem:
    """The trees' layouts, the tables of bounds, and the workspace to improve them."""

    left: Layout
    right: Layout
    total: float
    bounds: Bounds
    picks: Picks
    space: PriceSpace
    child_space: ChildSpace
    tolerance: float

    @classmethod
    def from_costs(cls, left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> "Problem":
        """Allocate empty tables."""
        kept, total = kept_gains(np.ascontiguousarray(costs, dtype=np.float64))
        layout_left = tree_layout(np.array(left.parents, dtype=np.int64))
        layout_right = tree_layout(np.array(right.parents, dtype=np.int64))
        return cls(
            layout_left,
            layout_right,
            total,
            new_bounds(kept, layout_right),
            _empty_picks(0),
            new_price_space(max(kept.shape)),
            new_child_space(layout_left, layout_right),
            tolerance=CLOSED * total,
        )

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
    def is_solved(self) -> bool:
        """True if the distance is known."""
        return self.upper - self.lower <= self.tolerance

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
        steps = STEPS
        before = deadline.elapsed
        while end > 0:
            start, cells = end, 0
            while start > 0 and (
                start == end or (cells + sizes[start - 1]) * cells_per_row <= CELLS_PER_CALL
            ):
                start -= 1
                cells += sizes[start]
            self._reserve(start, end)
            fill_rows(
                (start, end),
                (self.left, self.right),
                steps,
                self.bounds,
                (self.picks, self.space, self.child_space),
            )
            end = start
            done += cells
            if end > 0 and deadline.passed:
                return False
            now = deadline.elapsed
            left_over = FILL_SHARE * deadline.limit - now
            # Twice as long as the pairs so far: larger ones close late or never.
            expected = 2.0 * (now - before) / cells * (all_cells - done)
            before = now
            if expected > left_over or steps < STEPS:
                # Measured at each call, so that the number of steps can rise again.
                steps = int(min(STEPS, max(FEWEST_STEPS, steps * left_over / max(expected, 1e-6))))
        return True

    def propagate(self) -> None:
        """Propagate raised lower bounds to all larger pairs."""
        propagate_lower((self.left, self.right), self.bounds, self.child_space)

    def pick(self, i: int, j: int) -> Pick:
        """The antichain matching stored for F(i, j), or an empty one."""
        start = int(self.bounds.pick_start[i, j])
        if start < 0:
            return []
        end = start + 1 + int(self.picks.left[start])
        return list(
            zip(
                self.picks.left[start + 1 : end].tolist(),
                self.picks.right[start + 1 : end].tolist(),
                strict=True,
            )
        )

    def store_pick(self, i: int, j: int, pairs: Sequence[tuple[int, int]]) -> None:
        """Store the antichain matching that gives F(i, j) its lower bound."""
        self._grow(1 + len(pairs))
        start = int(self.picks.used[0])
        self.bounds.pick_start[i, j] = start
        self.picks.left[start] = len(pairs)
        for position, (k, m) in enumerate(pairs, start + 1):
            self.picks.left[position], self.picks.right[position] = k, m
        self.picks.used[0] += 1 + len(pairs)

    def _reserve(self, start: int, end: int) -> None:
        """Allocate space for a pick per pair of the left nodes ``start .. end - 1``."""
        right = (
            self.right.leaves[np.arange(self.right.sizes.size) + self.right.sizes] - self.right.leaves[:-1]
        )
        left = (
            self.left.leaves[np.arange(start, end) + self.left.sizes[start:end]] - self.left.leaves[start:end]
        )
        branching = (np.diff(self.left.first)[start:end] > 1).nonzero()[0]
        right = right[np.diff(self.right.first) > 1]
        self._grow(int(sum((1 + np.minimum(left[row], right)).sum() for row in branching)))

    def _grow(self, size: int) -> None:
        used = int(self.picks.used[0])
        if used + size <= self.picks.left.size:
            return
        grown = _empty_picks(max(used + size, used + used // 2))
        grown.left[:used] = self.picks.left[:used]
        grown.right[:used] = self.picks.right[:used]
        grown.used[0] = used
        self.picks = grown


def _empty_picks(size: int) -> Picks:
    return Picks(np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32), np.zeros(1, dtype=np.int64))
