"""What drives a difference: what became of the sentences, at what cost and how deep.

The words are those of a single comparison (``explain.correspondence``), found by the same function. All costs add
up to the sum of the script's costs: an operation's cost is that of its left node's sentence, or of its right one's
where it inserts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tted_core.arithmetic import Sizes, normalised, total
from tted_core.baselines import BASELINES
from tted_core.baselines.suite import of_empty_map
from tted_core.batch.engine import Solved, edit_problems
from tted_core.batch.rows import correspondence_of
from tted_core.batch.work import Work
from tted_core.explain.correspondence import STATUSES
from tted_core.solvers import EditProblem
from tted_core.systems.scores import Values

KINDS = tuple(STATUSES)
"""In the order of the rows of ``Operations``."""


@dataclass(frozen=True)
class Operations:
    """The operations of one comparison, or their means over several.

    Attributes:
        counts: (8, levels) sentences of each of ``KINDS`` by level, the root's first: the level in the reference,
            or for extra ones in the output.
        costs: (8, levels) what the script pays for these.
        coverage: which share of the reference is in the output (``Correspondence.shares``), by what its nodes
            would cost to delete.
        support: which share of the output has one in the reference, likewise; 0 if there is no output.
        claims: sentences that may claim something else in the output.
    """

    counts: Values
    costs: Values
    coverage: float
    support: float
    claims: float

    @cached_property
    def levels(self) -> int:
        """How many levels are told of."""
        return int(self.counts.shape[1])

    @classmethod
    def mean(cls, every: Sequence["Operations"]) -> "Operations":
        """The means; levels that a comparison lacks have nothing in it."""
        levels = max(each.levels for each in every)

        def padded(values: Values) -> Values:
            return np.pad(values, ((0, 0), (0, levels - values.shape[1])))

        return cls(
            np.mean([padded(each.counts) for each in every], axis=0),
            np.mean([padded(each.costs) for each in every], axis=0),
            float(np.mean([each.coverage for each in every])),
            float(np.mean([each.support for each in every])),
            float(np.mean([each.claims for each in every])),
        )


def operations_of(work: Work, solved: Solved) -> Operations:
    """The operations of a pair (reference, output)."""
    found, costs = correspondence_of(work, solved), solved.problem.costs
    levels = [np.array(tree.depths) - 1 for tree in (solved.problem.left, solved.problem.right)]
    shape = len(KINDS), max(int(each.max()) for each in levels) + 1
    counts, sums = np.zeros(shape), np.zeros(shape)
    rows: tuple[dict[int, int], dict[int, int]] = ({}, {})  # the row of each node's first outcome
    for each in found.outcomes:
        row = KINDS.index(each.status)
        level = levels[1][each.target] if each.source is None else levels[0][each.source]
        counts[row, level] += 1
        for of_side, node in zip(rows, (each.source, each.target), strict=True):
            if node is not None:
                of_side.setdefault(node, row)
    for v, w in enumerate(solved.partners):
        sums[rows[0][v], levels[0][v]] += costs[v, w]
    for w in rows[1].keys() - set(solved.partners):
        sums[rows[1][w], levels[1][w]] += costs[-1, w]
    return Operations(counts, sums, *found.shares(costs), found.claims)


def empty_map(work: Work, reference: int) -> tuple[dict[str, float], Operations | None]:
    """The scores of a map without nodes against a reference, by measure, and its operations.

    Everything is missing: ``tted`` is what the reference costs to delete, ``support`` is 0 by convention, and a
    baseline finds nothing in common. Without scores where the reference has an error.
    """
    (method,) = work.options.methods
    (problem,) = edit_problems(work, method, np.array([[reference, reference]], dtype=np.int32))
    if not isinstance(problem, EditProblem):
        return {}, None
    prices = problem.costs[:-1, -1]
    tted = total(prices, method.power)
    sizes = Sizes(np.array([len(prices), 0]), np.array([tted, 0.0]), float(prices.max()))
    levels = np.array(problem.left.depths) - 1
    shape = len(KINDS), problem.left.depth
    counts, sums = np.zeros(shape), np.zeros(shape)
    missing = KINDS.index("missing")
    np.add.at(counts[missing], levels, 1)
    np.add.at(sums[missing], levels, prices)
    scores = {"tted": tted, **normalised(tted, sizes, method.power)}
    scores |= {"coverage": 0.0, "support": 0.0, **dict.fromkeys(BASELINES, 0.0)}
    scores |= of_empty_map(prices.tolist())
    return scores, Operations(counts, sums, 0.0, 0.0, 0.0)
