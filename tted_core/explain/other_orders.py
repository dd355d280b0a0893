"""The other orders of a comparison: whether one of them keeps more sentences in their place."""

from dataclasses import replace

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import correspondence, counted_outcomes
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.script import edit_script
from tted_core.search import Search, solve_and_score
from tted_core.solvers import SOLVERS

ENTRIES = 100_000
"""Of the cost matrix, at most: the orders take some hundredths of a second, the unordered one some tenths."""

UNORDERED_SECONDS = 1.0
"""For the unordered search; a script that is not proven by then says nothing."""


def in_place(comparison: Comparison) -> int:
    """How many sentences are the same or reworded in their place."""
    count = counted_outcomes(correspondence(comparison))
    return count["same"] + count["reworded"]


def in_place_by_order(comparison: Comparison, monitor: Monitor = UNWATCHED) -> dict[str, int]:
    """Order -> how many sentences it keeps in their place, of the orders that are quickly solved for these maps.

    Costs are those of the comparison: nothing is encoded. Its own order is always there.
    """
    entries = len(comparison.left.tree) * len(comparison.right.tree)
    found = {comparison.method.order: in_place(comparison)}
    for order in SOLVERS:
        if order in found or monitor.stopped or entries > ENTRIES:
            continue
        search = Search(order, time_limit=UNORDERED_SECONDS if order == "unordered" else None)
        (solution,), scores = solve_and_score(comparison.problem, search)
        if solution.proven:
            trees = comparison.left.tree, comparison.right.tree
            labels = trees[0].labels, trees[1].labels
            script = edit_script(
                *trees, solution.mapping, comparison.costs, labels, power=comparison.method.power
            )
            method = replace(comparison.method, order=order, time_limit=search.time_limit)
            found[order] = in_place(replace(comparison, method=method, script=script, scores=scores))
    return found
