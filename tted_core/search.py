"""The search for the best script: costs and trees in, a checked solution and its scores out.

Whoever wants the distance of two trees whose costs are known comes by here: a comparison, the same one under a
person's choices, the rows of a grid.
"""

from dataclasses import dataclass, replace

from tted_core.errors import ChoiceError
from tted_core.foundations.monitor import UNWATCHED, Monitor, share
from tted_core.scores import Scores
from tted_core.solvers import NO_CHOICES, Choices, EditProblem, Solution, solve
from tted_core.solvers.kernels import first_use


@dataclass(frozen=True)
class Search:
    """How to search, and whom to tell of it.

    Attributes:
        order: a name of ``SOLVERS``.
        choices: what must and what must not be in the mapping.
        time_limit: seconds for an order that may take long, and as many again for all TTED@k together.
        monitor: watches the search; once it says stop, the best mapping so far is taken.
    """

    order: str
    choices: Choices = NO_CHOICES
    time_limit: float | None = None
    monitor: Monitor = UNWATCHED

    def bounds(self, what: str = "Searching") -> Monitor:
        """A monitor for a solver, which tells its bounds as a stage of this name."""

        def tell(_stage: str, lower: float, upper: float) -> None:
            text = f"{what}: the best script costs {upper:.4f}, none less than {lower:.4f}"
            self.monitor.stage(text, share(lower, upper))

        return self.monitor.telling(tell)


def solve_and_score(
    problem: EditProblem, search: Search, *, by_depth: bool = False
) -> tuple[tuple[Solution, ...], Scores]:
    """The cheapest mapping of two trees, checked, and its scores; before it those of the trimmed trees, if asked.

    Args:
        problem: the trees and their costs.
        search: how to search.
        by_depth: whether to give TTED@k too, for which the trees trimmed to each depth are solved: about as much
            work again. They keep those choices whose nodes they have; none if they can't, for the partners are
            below.

    Raises:
        UnknownNameError: no such order.
        ChoiceError: no mapping of this order keeps all choices.
        SolverError: the solver's result failed the independent check.
    """
    with first_use(search.order, problem.weights.size, search.monitor):
        whole = solve(
            problem, search.order, search.choices, time_limit=search.time_limit, monitor=search.bounds()
        )
    scores = Scores.of(whole, problem.costs, problem.power)
    if not by_depth:
        return (whole,), scores

    levels = problem.levels
    seconds = None if search.time_limit is None else search.time_limit / levels
    solutions: list[Solution] = []
    at_depth, free = [], []
    for k in range(1, levels):
        search.monitor.stage(f"Computing TTED@k for k = 1 to {levels}", k / levels)
        trimmed = problem.trimmed(k)
        bounds = search.bounds(f"Computing TTED@{k} of {levels}, of the maps' first levels")
        kept = search.choices.within(*problem.kept(k))
        try:
            solution = solve(trimmed, search.order, kept, time_limit=seconds, monitor=bounds)
        except ChoiceError:
            solution = solve(trimmed, search.order, time_limit=seconds, monitor=bounds)
            free.append(k)
        solutions.append(solution)
        at_depth.append(Scores.of(solution, trimmed.costs, trimmed.power))
    search.monitor.stage(f"Computing TTED@k for k = 1 to {levels}", 1.0)
    return (*solutions, whole), replace(scores, by_depth=(*at_depth, scores), free_depths=tuple(free))
