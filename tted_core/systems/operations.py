"""Statuses of the sentences and costs of the operations, by level.

The words are those of a single comparison (``matching``), found by the same function. They have no
costs: the script may pair sentences that don't correspond, and the other way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tted_core.arithmetic import Sizes, normalize, total
from tted_core.baselines import BASELINES
from tted_core.baselines.suite import of_empty_map
from tted_core.batch.table import correspondence_of
from tted_core.errors import TTEDError
from tted_core.foundations.stats import Values
from tted_core.matching.records import STATUSES
from tted_core.method import Method
from tted_core.pipeline import Prepared, Solved, costs_of
from tted_core.solvers.solution import pick_costs

KINDS = tuple(STATUSES)
"""In the order of the rows of ``Operations.counts``."""

PAID = ("replace", "delete", "insert")
"""The operations that cost something, in the order of the rows of ``Operations.costs``."""


@dataclass(frozen=True)
class Operations:
    """The sentences and operations of one comparison, or their means over several.

    Attributes:
        counts: (8, levels) sentences of each of ``KINDS`` by level, the root's first: the level in the reference,
            or for extra ones in the output.
        costs: (3, levels) costs of each of ``PAID`` by level, likewise; of insertions by that of the output.
        coverage: share of the reference that is in the output (``Correspondence.shares``), by the costs of
            deleting its nodes.
        support: share of the output that is in the reference, likewise; 0 if there is no output.
        claims: sentences that may claim something else in the output.
    """

    counts: Values
    costs: Values
    coverage: float
    support: float
    claims: float

    @classmethod
    def mean(cls, every: Sequence["Operations"]) -> "Operations":
        """The means; levels that a comparison lacks have nothing in it."""
        levels = max(each.counts.shape[1] for each in every)

        def mean(arrays: Sequence[Values]) -> Values:
            padded = [np.pad(each, ((0, 0), (0, levels - each.shape[1]))) for each in arrays]
            return np.asarray(np.mean(padded, axis=0))

        return cls(
            mean([each.counts for each in every]),
            mean([each.costs for each in every]),
            float(np.mean([each.coverage for each in every])),
            float(np.mean([each.support for each in every])),
            float(np.mean([each.claims for each in every])),
        )


def operations_of(solved: Solved, number: int) -> Operations:
    """The sentences and operations of a pair (reference, output), given by its number among the solved ones."""
    found, problem, mapping = (
        correspondence_of(solved, number),
        solved.problem(number),
        solved.mapping(number),
    )
    levels = [np.array(tree.depths) - 1 for tree in (problem.left, problem.right)]

    def level(source: int | None, target: int | None) -> int:
        return int(levels[0][source] if source is not None else levels[1][target])

    deepest = max(int(each.max()) for each in levels) + 1
    counts, sums = np.zeros((len(KINDS), deepest)), np.zeros((len(PAID), deepest))
    for each in found.records:
        counts[KINDS.index(each.status), level(each.source, each.target)] += 1
    for (v, w), cost in zip(mapping, pick_costs(problem.costs, mapping), strict=True):
        operation = "delete" if w is None else "insert" if v is None else "replace"
        sums[PAID.index(operation), level(v, w)] += cost
    return Operations(counts, sums, *found.shares(problem.costs), found.claims)


def empty_map(
    prepared: Prepared, method: Method, reference: int
) -> tuple[dict[str, float], Operations] | TTEDError:
    """The scores of a map without nodes against a reference, by measure, and its operations.

    Everything is missing: ``tted`` is what the reference costs to delete, ``support`` is 0 by convention, and a
    baseline finds nothing in common. An error if the reference has one.
    """
    costs = costs_of(prepared, np.array([[reference, reference]], dtype=np.int32), method)
    for error in costs.errors.values():
        return error
    tree = prepared.maps[reference].readable
    prices = costs.with_gap(method.gap).reshape(len(tree) + 1, -1)[:-1, -1]
    tted = total(prices, method.power)
    sizes = Sizes(np.array([len(prices), 0]), np.array([tted, 0.0]), float(prices.max()))
    levels = np.array(tree.depths) - 1
    counts, sums = (np.zeros((len(rows), tree.depth)) for rows in (KINDS, PAID))
    np.add.at(counts[KINDS.index("missing")], levels, 1)
    np.add.at(sums[PAID.index("delete")], levels, prices)
    scores = {"tted": tted, **normalize(tted, sizes, method.power)}
    scores |= {"coverage": 0.0, "support": 0.0, **dict.fromkeys(BASELINES, 0.0)}
    return scores | of_empty_map(prices.tolist()), Operations(counts, sums, 0.0, 0.0, 0.0)
