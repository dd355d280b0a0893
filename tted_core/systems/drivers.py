"""What drives a difference: how many nodes are missed, invented, reworded and moved, at what cost and how deep.

TTED has no move. As moved count nodes kept under a new parent, which costs nothing of itself, and nodes that are
deleted here and inserted there with the same text, whose two costs are the move's. All costs add up to the sum of
the script's costs; a node that is kept under a new parent with other words counts as reworded too. Where several
scripts are equally cheap, another one may have other nodes under new parents.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Sizes, normalised, total
from tted_core.baselines import BASELINES
from tted_core.batch.maps import Numbers
from tted_core.batch.work import Work
from tted_core.systems.scores import Values

if TYPE_CHECKING:
    from tted_core.batch.solving import Solved

KINDS = ("missed", "invented", "reworded", "moved")
"""In the order of the rows of ``Operations``."""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Operations:
    """The operations of one comparison, or their means over several.

    Attributes:
        counts: (4, levels) nodes of each of ``KINDS`` by level, the root's first: the level in the reference, or
            for invented nodes in the output.
        costs: (4, levels) their costs.
        coverage: which share of the reference is covered, by what its nodes would cost to delete.
        support: which share of the output is supported by the reference, likewise; 0 if there is no output.
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
    (setting,) = work.settings
    chunk = found.chunk
    row_of = {pair: row for row, pair in enumerate(chunk.rows.tolist())}
    for pair, (left, right) in enumerate(chunk.pairs.tolist()):
        row = row_of.get(pair)
        if row is None or found.errors[pair]:
            yield None
        else:
            yield _operations(work, setting.context, (left, right), chunk.of_row(row), found.partners(row))


def _operations(
    work: Work, context: str, pair: tuple[int, int], costs: Values, partners: Integers
) -> Operations:
    places = [work.maps.place(number) for number in pair]
    above, below = (work.maps.parents[place] for place in places)
    texts = [work.maps.read[context][place] for place in places]
    labels = [work.maps.labels[place].tolist() for place in places]
    levels = [_levels(parents) for parents in (above, below)]
    kept = np.flatnonzero(partners >= 0)
    onto = partners[kept]
    paid = costs[kept, onto]
    reworded = (paid > 0) | (texts[0][kept] != texts[1][onto])
    parents = above[kept], below[onto]
    expected = np.where(parents[0] >= 0, np.where(partners[parents[0]] >= 0, partners[parents[0]], -2), -2)
    roots = (parents[0] < 0) & (parents[1] < 0)
    moved = ~roots & (expected != parents[1])
    deleted = np.flatnonzero(partners < 0)
    alone = np.ones(len(below), dtype=np.bool_)
    alone[onto] = False
    inserted = np.flatnonzero(alone)
    gone, come = _relocated(deleted, inserted, labels)
    deepest = max(int(each.max()) for each in levels) + 1
    counts, sums = np.zeros((len(KINDS), deepest)), np.zeros((len(KINDS), deepest))

    def enter(kind: str, at: Integers, prices: Values, *, counted: bool = True) -> None:
        row = KINDS.index(kind)
        sums[row] += np.bincount(at, prices, deepest)
        if counted:
            counts[row] += np.bincount(at, minlength=deepest)

    enter("missed", levels[0][deleted[~gone]], costs[deleted[~gone], -1])
    enter("invented", levels[1][inserted[~come]], costs[-1, inserted[~come]])
    enter("reworded", levels[0][kept[reworded]], paid[reworded])
    enter("moved", levels[0][kept[moved]], np.zeros(int(moved.sum())))
    enter("moved", levels[0][deleted[gone]], costs[deleted[gone], -1])
    enter("moved", levels[1][inserted[come]], costs[-1, inserted[come]], counted=False)
    weights = costs[:-1, -1].sum(), costs[-1, :-1].sum()
    lost = costs[deleted, -1].sum(), costs[-1, inserted].sum()
    shares = (1 - part / whole if whole else 1.0 for part, whole in zip(lost, weights, strict=True))
    return Operations(counts, sums, *(float(share) for share in shares))


def _levels(parents: Numbers) -> Integers:
    """(n,) levels of nodes in preorder, the root's being 0."""
    levels = np.zeros(len(parents), dtype=np.int64)
    for node in range(1, len(parents)):
        levels[node] = levels[parents[node]] + 1
    return levels


def _relocated(
    deleted: Integers, inserted: Integers, labels: Sequence[Sequence[int]]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of the deleted and of the inserted nodes have the same text as one of the others, each once."""
    here, there = (
        [labels[side][node] for node in nodes.tolist()] for side, nodes in enumerate((deleted, inserted))
    )
    both = Counter(here) & Counter(there)
    if not both:
        return np.zeros(len(here), dtype=np.bool_), np.zeros(len(there), dtype=np.bool_)

    def marked(texts: Sequence[int]) -> NDArray[np.bool_]:
        left = Counter(both)
        marks = []
        for text in texts:
            marks.append(left[text] > 0)
            left[text] -= marks[-1]
        return np.array(marks, dtype=np.bool_)

    return marked(here), marked(there)


def empty_map(work: Work, reference: int) -> tuple[dict[str, float], Operations | None]:
    """The scores of a map without nodes against a reference, by measure, and its operations.

    Everything is missed: ``tted`` is what the reference costs to delete, ``support`` is 0 by convention, and a
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
    np.add.at(counts[0], levels, 1)
    np.add.at(sums[0], levels, prices)
    scores = {"tted": tted, **normalised(tted, sizes, setting.power)}
    scores |= {"coverage": 0.0, "support": 0.0, **dict.fromkeys(BASELINES, 0.0)}
    return scores, Operations(counts, sums, 0.0, 0.0)
