"""The costs of a chunk of pairs: by one matrix product a pair where the distance allows it."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import indel_terms, weights_of
from tted_core.batch.maps import GAP, Maps
from tted_core.batch.work import Pairs, Work
from tted_core.contexts import CONTEXTS, Context
from tted_core.distances.vectors import cosine, euclidean
from tted_core.errors import TTEDError
from tted_core.method import Method
from tted_core.solvers.kernels.arithmetic import price_indels
from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import EditProblems, PackedTrees, cost_starts, pair_of
from tted_core.solvers.kernels.trees import Floats, Integers

NEAR = 1e-6
"""Squared distances below this, for vectors of length 1, are computed from the differences: elsewhere the
product of two vectors is exact to 1e-15, which changes a distance by less than 1e-12."""

SCALES: dict[Callable[..., NDArray[np.float64]], float] = {cosine: math.sqrt(0.5), euclidean: 1.0}
"""Distances that are euclidean, of unit vectors or of raw ones, times a number."""

NO_DIRECTION = (
    "the encoder gives a zero vector for a text, which has no cosine distance; choose the distance euclidean or "
    "manhattan, or another encoder"
)


class ChunkCosts:
    """The costs of p pairs under one setting, whatever its order.

    Attributes:
        pairs: (p, 2) numbers of maps.
        errors: for each pair why it can't be compared; empty if it can.
        rows: which pairs have maps that can be read; ``problems`` are those, in this order.
        problems: these pairs and their costs; those of a pair with an error mean nothing.
        weights: the same with what the solvers add up in place of the costs.
        texts: the number of the text that is read for each node of ``problems.trees``.
    """

    def __init__(self, work: Work, setting: Method, pairs: Pairs) -> None:
        self.pairs = pairs
        maps, context = work.maps, CONTEXTS[setting.context]
        self.errors = [_error(maps, setting.context, left, right) for left, right in pairs.tolist()]
        self.rows = np.flatnonzero([not error for error in self.errors])
        used, local = np.unique(pairs, return_inverse=True)
        starts, nodes = _places(maps, used)
        self.texts = maps.read[setting.context][nodes].astype(np.int64)
        trees = PackedTrees(maps.parents[nodes].astype(np.int64), starts)
        local = local.reshape(-1, 2).astype(np.int64)[self.rows]
        places = cost_starts(trees, local)
        self.problems = EditProblems(trees, local, np.zeros(int(places[-1])), places)
        if setting.record.reads == "encoder":
            vectors = work.models[setting.model, setting.distance].vectors.rows
            of_nodes = vectors[np.insert(self.texts, starts[1:], GAP)].astype(np.float64)
            self._fill_from_vectors(maps, setting, context, used, of_nodes)
        else:
            self._fill_from_texts(work, setting, context)
        if setting.gap:
            price_gaps(self.problems, *indel_terms(setting.gap))
        self.weights = self._weights(setting.power)

    def of_row(self, row: int) -> NDArray[np.float64]:
        """(n + 1, m + 1) costs of the pair ``rows[row]``, a view."""
        problems = self.problems
        sizes = np.diff(problems.trees.starts)
        left, right = problems.pairs[row]
        costs = problems.costs[problems.starts[row] : problems.starts[row + 1]]
        return costs.reshape(sizes[left] + 1, sizes[right] + 1)

    def _weights(self, power: float) -> EditProblems:
        """What the solvers add up in place of the costs."""
        problems = self.problems
        if power == 1 or not len(self.rows):
            return problems
        largest = np.maximum.reduceat(problems.costs, problems.starts[:-1])
        largest[largest == 0.0] = 1.0
        of_each = np.repeat(largest, np.diff(problems.starts))
        return problems._replace(costs=weights_of(problems.costs, power, of_each))

    def _fill_from_vectors(
        self,
        maps: Maps,
        setting: Method,
        context: Context,
        used: NDArray[np.int32],
        vectors: NDArray[np.float64],
    ) -> None:
        """Fill in what vectors cost; those of each tree's nodes are followed by that of the gap."""
        problems, function = self.problems, setting.record.function
        blocks = problems.trees.starts + np.arange(len(used) + 1)
        if context.blend is not None:
            for place, number in enumerate(used.tolist()):
                inside = slice(blocks[place], blocks[place + 1] - 1)
                if inside.stop > inside.start:
                    vectors[inside] = context.blend(maps.tree(number), vectors[inside])
        if function is cosine:
            norms = np.linalg.norm(vectors, axis=1, keepdims=True)
            zero = norms[:, 0] == 0.0
            norms[zero] = 1.0
            vectors = vectors / norms
            self._fail_without_direction(used, blocks, zero)
        if function in SCALES:
            fill_costs(vectors, blocks, problems, SCALES[function])
            return
        for row, (left, right) in enumerate(problems.pairs.tolist()):
            sides = (vectors[blocks[side] : blocks[side + 1]] for side in (left, right))
            self.of_row(row)[:] = function(*sides)

    def _fill_from_texts(self, work: Work, setting: Method, context: Context) -> None:
        distance = work.distance(setting)
        for row, pair in enumerate(self.rows.tolist()):
            left, right = (work.maps.tree(number) for number in self.pairs[pair].tolist())
            try:
                self.of_row(row)[:] = distance.costs(context, left, right)
            except TTEDError as error:
                self.errors[pair] = str(error)

    def _fail_without_direction(
        self, used: NDArray[np.int32], blocks: NDArray[np.int64], zero: NDArray[np.bool_]
    ) -> None:
        """Enter the error of the maps that have such nodes; a used map's nodes begin at its block."""
        places = np.searchsorted(blocks, np.flatnonzero(zero), side="right") - 1
        maps = set(used[places].tolist())
        if maps:
            for row, pair in enumerate(self.pairs.tolist()):
                if not self.errors[row] and maps.intersection(pair):
                    self.errors[row] = NO_DIRECTION


def _error(maps: Maps, context: str, left: int, right: int) -> str:
    sides = (("left", maps.error(left, context)), ("right", maps.error(right, context)))
    return "; ".join(f"{side} map: {error}" for side, error in sides if error)


def _places(maps: Maps, used: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each used map's nodes begin among those of the chunk, and the places of these among all nodes."""
    starts = np.zeros(len(used) + 1, dtype=np.int64)
    np.cumsum(np.diff(maps.starts)[used], out=starts[1:])
    return starts, np.arange(starts[-1]) + np.repeat(maps.starts[used] - starts[:-1], np.diff(starts))


@compiled
def fill_costs(vectors: Floats, blocks: Integers, problems: EditProblems, scale: float) -> None:
    """Put euclidean distances times ``scale`` where the problems' costs are: nodes and gap against nodes and gap.

    Args:
        vectors: (rows, d); a tree's nodes one after another, and then its gap.
        blocks: (t + 1,) where each tree's rows begin.
        problems: the pairs.
        scale: what the distances are multiplied by.
    """
    pairs, costs = problems.pairs, problems.costs
    squares = np.empty(vectors.shape[0])
    for row in range(vectors.shape[0]):
        squares[row] = np.dot(vectors[row], vectors[row])
    for pair in range(pairs.shape[0]):
        a, b = pairs[pair, 0], pairs[pair, 1]
        left, right = vectors[blocks[a] : blocks[a + 1]], vectors[blocks[b] : blocks[b + 1]]
        products = np.dot(left, right.T)
        place = problems.starts[pair]
        for i in range(left.shape[0]):
            for j in range(right.shape[0]):
                both = squares[blocks[a] + i] + squares[blocks[b] + j]
                square = both - 2.0 * products[i, j]
                if square < NEAR * 0.5 * both:
                    square = 0.0
                    for axis in range(left.shape[1]):
                        difference = left[i, axis] - right[j, axis]
                        square += difference * difference
                costs[place] = np.sqrt(square) * scale
                place += 1


@compiled
def price_gaps(problems: EditProblems, factor: float, price: float) -> None:
    """Let the indels of every pair cost ``factor`` times what they do, and ``price``."""
    for pair in range(problems.pairs.shape[0]):
        _, _, costs = pair_of(problems, pair)
        price_indels(costs, factor, price)
