"""Searches that report their bounds: of whole maps, and of maps trimmed to k levels (TTED@k)."""

from functools import partial
from typing import NamedTuple

from tted_core.errors import ChoiceError
from tted_core.foundations.monitor import UNWATCHED, Monitor, share
from tted_core.solvers import NO_CHOICES, Choices, EditProblem, Mapping, Solution, solve
from tted_core.solvers.kernels import report_compiling


def search(
    problem: EditProblem,
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
    what: str = "Searching",
) -> Solution:
    """Find the cheapest mapping that keeps the choices, verify it, and report bounds as a stage named ``what``."""
    report_compiling(order, problem.weights.size, monitor)
    return solve(problem, order, choices, time_limit=time_limit, monitor=reporting_bounds(monitor, what))


def reporting_bounds(monitor: Monitor, what: str) -> Monitor:
    """A monitor of a search that reports its bounds as a stage named ``what``."""

    def report(_stage: str, lower: float, upper: float) -> None:
        text = f"{what}: best script {upper:.4f}, lower bound {lower:.4f}"
        monitor.stage(text, share(lower, upper))

    return monitor.reporting(report)


class AtDepth(NamedTuple):
    """Result for both maps trimmed to k levels.

    Attributes:
        mapping: the mapping of the cheapest script found.
        tted: the cost of that script.
        proven: True if it is proven optimal.
        normalized: the normalized distance.
        is_free: True if no mapping can keep the person's choices at this depth, so that they were ignored.
    """

    mapping: Mapping
    tted: float
    proven: bool
    normalized: float
    is_free: bool = False


def solve_depths(
    problem: EditProblem,
    order: str,
    whole: AtDepth,
    *,
    choices: Choices = NO_CHOICES,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> tuple[AtDepth, ...]:
    """Solve two maps trimmed to k levels, for k = 1 .. the deeper map's depth; the last result is ``whole``.

    A depth keeps the choices whose nodes it has, or ignores them if it can't keep them, since the partners are
    deeper. The time limit applies to all depths together.
    """
    levels, found = problem.levels, []
    for k in range(1, levels):
        monitor.stage(f"Computing TTED@k for k = 1 to {levels}", k / levels)
        trimmed = problem.trimmed(k)
        searching = partial(
            search,
            trimmed,
            order,
            time_limit=None if time_limit is None else time_limit / levels,
            monitor=monitor,
            what=f"Computing TTED@{k} of {levels}, of the maps' first levels",
        )
        is_free = False
        try:
            best = searching(choices and choices.within(*problem.kept(k)))
        except ChoiceError:
            best, is_free = searching(), True
        normalized = trimmed.normalised(best.upper)["normalized"]
        found.append(AtDepth(best.mapping, best.upper, best.proven, normalized, is_free))
    monitor.stage(f"Computing TTED@k for k = 1 to {levels}", 1.0)
    return (*found, whole)
