"""What drives a difference: what became of the sentences, at what cost and how deep.

The words are those of a single comparison (``explain.correspondence``), found by the same function. All costs add
up to the sum of the script's costs: an operation's cost is that of the sentence that it concerns, or of the louder
one where the script pairs two that don't correspond.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Sizes, normalised, total
from tted_core.baselines import BASELINES
from tted_core.baselines.suite import of_empty_map
from tted_core.batch.maps import Numbers
from tted_core.batch.work import Work
from tted_core.explain.correspondence import STATUSES, Outcome, operation_outcomes, shares_covered
from tted_core.systems.scores import Values

if TYPE_CHECKING:
    from tted_core.batch.solving import Solved

KINDS = tuple(STATUSES)
"""In the order of the rows of ``Operations``."""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Operations:
    """The operations of one comparison, or their means over several.

    Attributes:
        counts: (6, levels) sentences of each of ``KINDS`` by level, the root's first: the level in the reference,
            or for extra ones in the output.
        costs: (6, levels) their costs.
        coverage: which share of the reference has a counterpart in the output (is the same, reworded or moved), by
            what its nodes would cost to delete.
        support: which share of the output has one in the reference, likewise; 0 if there is no output.
    """

    counts: Values
    costs: Values
    coverage: float
    support: float

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
        )


def operations_of(work: Work, found: "Solved") -> Iterator[Operations | None]:
    """The operations of each pair (reference, output) of a chunk; None where there is an error."""
    from tted_core.batch.solving import outcomes_of

    chunk = found.chunk
    row_of = {pair: row for row, pair in enumerate(chunk.rows.tolist())}
    for pair, (left, right) in enumerate(chunk.pairs.tolist()):
        row = row_of.get(pair)
        if row is None or found.errors[pair]:
            yield None
        else:
            levels = [_levels(work.maps.parents[work.maps.place(number)]) for number in (left, right)]
            yield _operations(
                outcomes_of(work, found, row), levels, chunk.of_row(row), found.partners(row).tolist()
            )


def _operations(
    every: Sequence[Outcome], levels: Sequence[Integers], costs: Values, targets: Sequence[int]
) -> Operations:
    shape = len(KINDS), max(int(each.max()) for each in levels) + 1
    counts, sums, rows = np.zeros(shape), np.zeros(shape), []
    for each in every:
        level = levels[1][each.target] if each.source is None else levels[0][each.source]
        rows.append((KINDS.index(each.status), level))
        counts[rows[-1]] += 1
    for source, target, number in operation_outcomes(every, targets):
        sums[rows[number]] += costs[-1 if source is None else source, -1 if target is None else target]
    return Operations(counts, sums, *shares_covered(every, costs))


def _levels(parents: Numbers) -> Integers:
    """(n,) levels of nodes in preorder, the root's being 0."""
    levels = np.zeros(len(parents), dtype=np.int64)
    for node in range(1, len(parents)):
        levels[node] = levels[parents[node]] + 1
    return levels


def empty_map(work: Work, reference: int) -> tuple[dict[str, float], Operations | None]:
    """The scores of a map without nodes against a reference, by measure, and its operations.

    Everything is missing: ``tted`` is what the reference costs to delete, ``support`` is 0 by convention, and a
    baseline finds nothing in common. Without scores where the reference has an error.
    """
    from tted_core.batch.costs import ChunkCosts

    (setting,) = work.settings
    costs = ChunkCosts(work, setting, np.array([[reference, reference]], dtype=np.int32))
    if costs.errors[0]:
        return {}, None
    prices = costs.of_row(0)[:-1, -1]
    tted = total(prices, setting.power)
    sizes = Sizes(np.array([len(prices), 0]), np.array([tted, 0.0]), float(prices.max()))
    levels = _levels(work.maps.parents[work.maps.place(reference)])
    counts, sums = (
        np.zeros((len(KINDS), int(levels.max()) + 1)),
        np.zeros((len(KINDS), int(levels.max()) + 1)),
    )
    missing = KINDS.index("missing")
    np.add.at(counts[missing], levels, 1)
    np.add.at(sums[missing], levels, prices)
    scores = {"tted": tted, **normalised(tted, sizes, setting.power)}
    scores |= {"coverage": 0.0, "support": 0.0, **dict.fromkeys(BASELINES, 0.0)}
    scores |= of_empty_map(prices.tolist())
    return scores, Operations(counts, sums, 0.0, 0.0)
