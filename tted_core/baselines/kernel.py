"""From a similarity of trees to a distance: equation (7) of Sobolevsky and Vorontsov 2025."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tted_core.tree import TextTree

Tree = TypeVar("Tree")  # in whatever form the similarity takes it


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


@dataclass(frozen=True)
class Baseline:
    """A baseline, callable as a function of two trees: an entry of ``BASELINES``.

    Attributes:
        function: what computes it; may raise ``LimitError``.
        note: what it counts, and how to read it, for people.
    """

    function: Callable[[TextTree, TextTree], BaselineScore]
    note: str

    def __call__(self, left: TextTree, right: TextTree) -> BaselineScore:
        """The baseline of two trees; raises what ``function`` raises."""
        return self.function(left, right)


def kernel_score(similarity: Callable[[Tree, Tree], float], left: Tree, right: Tree) -> BaselineScore:
    """rho_base = sqrt(k(T, T) + k(T', T') - k(T, T') - k(T', T)) with k = ``similarity``."""
    sim = similarity(left, right)
    sim_left = similarity(left, left)
    sim_right = similarity(right, right)
    radicand = (sim_left + sim_right) - (sim + similarity(right, left))
    rounding = 1e-12 * (sim_left + sim_right)
    rho = None if radicand < -rounding else math.sqrt(max(radicand, 0.0))
    return BaselineScore(sim, sim_left, sim_right, rho)
