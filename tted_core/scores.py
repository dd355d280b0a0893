"""Scores: the numbers that are made of a solution and its cost matrix.

``NORMALISATIONS`` in :mod:`tted_core.arithmetic` has the formulas of the normalised distances.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import normalised, sizes_of
from tted_core.solvers import Solution


@dataclass(frozen=True)
class Scores:
    """What is said of two maps in numbers.

    Attributes:
        tted: d, the sum of the script's costs; with a power p, the p-th root of the sum of their p-th powers.
        lower_bound: certified lower bound of the distance; equal to ``tted`` when proven.
        normalised: name -> normalised distance, for each of ``NORMALISATIONS``.
        by_depth: the scores of the maps trimmed to k levels, for k = 1 .. the deeper tree's depth; empty where
            they were not asked for.
        free_depths: those k for which no mapping keeps a person's choices, so that they are free of them.
    """

    tted: float
    lower_bound: float
    normalised: Mapping[str, float]
    by_depth: tuple["Scores", ...] = ()
    free_depths: tuple[int, ...] = ()

    @classmethod
    def of(cls, solution: Solution, costs: NDArray[np.float64], power: float = 1.0) -> "Scores":
        """The scores of a solution; ``costs`` is (n+1, m+1), the last row and column being the gap."""
        return cls(
            solution.upper,
            solution.lower,
            {
                name: float(value)
                for name, value in normalised(solution.upper, sizes_of(costs, power), power).items()
            },
        )

    @property
    def normalized(self) -> float:
        """By the published normalisation."""
        return self.normalised["normalized"]

    @property
    def steinhaus(self) -> float:
        """By the Steinhaus transform; a metric wherever d is one."""
        return self.normalised["steinhaus"]

    @property
    def proven(self) -> bool:
        """Whether the script is proven optimal in its order."""
        return self.lower_bound == self.tted

    @property
    def gap(self) -> float:
        """By which share of the optimum ``tted`` may lie above it: 0 when proven, infinite without a bound."""
        if self.proven:
            return 0.0
        return self.tted / self.lower_bound - 1 if self.lower_bound > 0 else math.inf

    @property
    def tted_at(self) -> tuple[float, ...]:
        """TTED@k for k = 1, 2, ..., not normalized."""
        return tuple(scores.tted for scores in self.by_depth)

    @property
    def normalized_at(self) -> tuple[float, ...]:
        """The same by the published normalisation."""
        return tuple(scores.normalized for scores in self.by_depth)

    @property
    def avg_tted(self) -> float:
        """AvgTTED, the mean of ``normalized_at`` (published code); not a number where it was not asked for."""
        return float(np.mean(self.normalized_at)) if self.by_depth else math.nan

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of TTED@k should know."""
        notices = []
        unproven = [k for k, scores in enumerate(self.by_depth, start=1) if not scores.proven]
        if unproven:
            names = ", ".join(map(str, unproven))
            notices.append(
                f"TTED@k is not proven optimal for k = {names}: a longer time limit may find a cheaper script"
            )
        if self.free_depths:
            names = ", ".join(map(str, self.free_depths))
            notices.append(f"TTED@k for k = {names} is without your choices: so few levels can't keep them")
        return tuple(notices)
