"""From a similarity of trees to a distance: equation (7) of Sobolevsky and Vorontsov 2025."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.tree import TextTree

Similarity: TypeAlias = Callable[[TextTree, TextTree], float]


@dataclass(frozen=True)
class BaselineScore:
    """A baseline's similarity of two trees, of each tree with itself, and the distance made of them.

    ``rho_base`` is None where the radicand is negative: a greedy similarity can find more in common between
    two trees than between each and itself.
    """

    sim: float
    sim_left: float
    sim_right: float
    rho_base: float | None


def kernel_score(similarity: Similarity, left: TextTree, right: TextTree) -> BaselineScore:
    """rho_base = sqrt(k(T, T) + k(T', T') - k(T, T') - k(T', T)) with k = ``similarity``."""
    sim = similarity(left, right)
    sim_left = similarity(left, left)
    sim_right = similarity(right, right)
    radicand = (sim_left + sim_right) - (sim + similarity(right, left))
    rounding = 1e-12 * (sim_left + sim_right)
    rho = None if radicand < -rounding else math.sqrt(max(radicand, 0.0))
    return BaselineScore(sim, sim_left, sim_right, rho)
