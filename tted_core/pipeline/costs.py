"""Costs of a chunk of pairs: replacing, deleting and inserting all nodes, whatever the gap, power and order."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import indel_terms
from tted_core.distances import cost_error
from tted_core.distances.formulas import cosine, euclidean
from tted_core.encoders.embedding import ZERO_VECTOR
from tted_core.errors import EncoderError, OptionsError, TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.pipeline.prepared import Nodes, Pairs, Prepared, count_up
from tted_core.solvers.kernels.compiling import Floats, Integers, compile_kernel

# Maximum pairs solved at a time, numbers in their costs (16 MB), and nodes of both sides (120 MB of vectors).
CHUNK_PAIRS = 256
CHUNK_CELLS = 2_000_000
CHUNK_NODES = 40_000

# For unit vectors, squared distances below this are computed from differences; for larger ones the product of two
# vectors is exact to 1e-15, which changes a distance by less than 1e-12.
_NEAR = 1e-6

# Distances that are Euclidean, of unit or raw vectors, times a number.
_SCALES: dict[Callable[..., NDArray[np.float64]], float] = {cosine: math.sqrt(0.5), euclidean: 1.0}

SIDES = ("left", "right")


@dataclass(frozen=True)
class ChunkCosts:
    """Costs of p of a chunk's pairs, without a gap, and the errors of the others.

    Attributes:
        chunk: (c, 2) numbers of the maps of all pairs in the chunk.
        pairs: (p, 2) numbers of the maps of pairs with costs.
        positions: (p,) their positions in the chunk.
        errors: position -> the reason why a pair has no costs.
        costs: each pair's (n+1, m+1) costs, concatenated; the last row and column are the gap.
        starts: (p + 1,) starts of the pairs' costs, and the end.
        nodes: (p, 2) numbers of nodes.
    """

    chunk: Pairs
    pairs: Integers
    positions: Integers
    errors: Mapping[int, TTEDError]
    costs: Floats
    starts: Integers
    nodes: Integers

    @cached_property
    def views(self) -> list[Floats]:
        """The (n+1, m+1) costs of each pair."""
        bounds = zip(itertools.pairwise(self.starts.tolist()), self.nodes.tolist(), strict=True)
        return [self.costs[start:end].reshape(n + 1, m + 1) for (start, end), (n, m) in bounds]

    def with_gap(self, gap: float | str) -> Floats:
        """The concatenated costs with a gap, as :func:`tted_core.arithmetic.with_gap`."""
        if gap == 0:
            return self.costs
        factor, price = indel_terms(gap)
        changed, indels = self.costs.copy(), self._indels()
        changed[indels] = factor * changed[indels] + price
        return changed

    def without(self, wrong: Mapping[int, TTEDError]) -> "ChunkCosts":
        """The costs without some pairs, which are given by row with their errors."""
        rows = [row for row in range(len(self.pairs)) if row not in wrong]
        errors = {int(self.positions[row]): error for row, error in wrong.items()}
        kept = [self.views[row].ravel() for row in rows]
        return ChunkCosts(
            self.chunk,
            self.pairs[rows],
            self.positions[rows],
            {**self.errors, **errors},
            np.concatenate(kept) if kept else np.empty(0),
            np.concatenate(([0], np.cumsum([each.size for each in kept], dtype=np.int64))),
            self.nodes[rows],
        )

    def _indels(self) -> Integers:
        """Indices of all deletions and insertions: the last columns and rows without their last entries."""
        rows, columns = self.nodes.T
        first, width = self.starts[:-1], columns + 1
        deletions = np.repeat(first + columns, rows) + np.repeat(width, rows) * count_up(rows)
        return np.concatenate((deletions, np.repeat(first + rows * width, columns) + count_up(columns)))


def chunks(prepared: Prepared, pairs: Pairs) -> Iterator[Pairs]:
    """Split the pairs into chunks that fit into memory."""
    sizes = np.diff(prepared.packed.starts)[pairs]
    cells, nodes = (sizes + 1).prod(axis=1), (sizes + 1).sum(axis=1)
    start = 0
    while start < len(pairs):
        window = slice(start, start + CHUNK_PAIRS)
        fits = (np.cumsum(cells[window]) <= CHUNK_CELLS) & (np.cumsum(nodes[window]) <= CHUNK_NODES)
        count = max(1, int(fits.sum()))
        yield pairs[start : start + count]
        start += count


def costs_of(prepared: Prepared, pairs: Pairs, method: Method, monitor: Monitor = UNWATCHED) -> ChunkCosts:
    """Costs of a chunk's pairs by the method's distance and context."""
    errors = _context_errors(prepared, pairs, method)
    good = np.array([position for position in range(len(pairs)) if position not in errors], dtype=np.int64)
    kept = pairs[good].astype(np.int64)
    nodes = np.diff(prepared.packed.starts)[kept]
    starts = np.concatenate(([0], np.cumsum((nodes + 1).prod(axis=1))))
    found = ChunkCosts(pairs, kept, good, errors, np.empty(int(starts[-1])), starts, nodes)
    if method.record.reads == "encoder":
        wrong = _fill_by_vectors(prepared, method, found)
    else:
        distance, context, maps = prepared.distance(method), method.context, prepared.maps
        sides = ((maps[left].texts[context], maps[right].texts[context]) for left, right in kept.tolist())
        wrong = _fill_each(found, sides, partial(distance.between, monitor=monitor))
    if cost_error(found.costs):  # pairs with an error hold uninitialized costs
        wrong = {row: error for row, view in enumerate(found.views) if (error := cost_error(view))} | wrong
    return found.without(wrong) if wrong else found


def _context_errors(prepared: Prepared, pairs: Pairs, method: Method) -> dict[int, TTEDError]:
    """The errors of pairs, by position, whose maps can't be read in the method's context."""
    errors_of = {number: prepared.maps[number].errors for number in np.unique(pairs).tolist()}
    failed = {number: each[method.context] for number, each in errors_of.items() if method.context in each}
    errors: dict[int, TTEDError] = {}
    for position, pair in enumerate(pairs.tolist() if failed else ()):
        named = [f"{side} map: {failed[n]}" for side, n in zip(SIDES, pair, strict=True) if n in failed]
        if named:
            errors[position] = OptionsError("; ".join(named))
    return errors


def _fill_each(
    found: ChunkCosts, sides: Iterable[tuple[Any, Any]], between: Callable[[Any, Any], Floats]
) -> dict[int, TTEDError]:
    """Write the costs of each pair by a function of its sides; return the errors of pairs by row."""
    wrong = {}
    for row, (left, right) in enumerate(sides):
        try:
            found.views[row][:] = between(left, right)
        except TTEDError as error:
            wrong[row] = error
    return wrong


def _fill_by_vectors(prepared: Prepared, method: Method, found: ChunkCosts) -> dict[int, TTEDError]:
    """Write the costs of a distance between vectors; return the errors of pairs by row.

    Distances in ``_SCALES`` are computed by products of matrices unless exact ones are requested.
    """
    function = method.record.function
    nodes, pairs = prepared.nodes_of(method, found.pairs)
    bounds = nodes.starts.tolist()
    blocks = {
        number: nodes.vectors[bounds[number] : bounds[number + 1]] for number in np.unique(pairs).tolist()
    }
    sides = [(blocks[left], blocks[right]) for left, right in pairs.tolist()]
    if prepared.is_exact or function not in _SCALES:
        return _fill_each(found, sides, function)
    for (left, right), view in zip(sides, found.views, strict=True):
        np.dot(left, right.T, out=view)
    finish_distances.for_size(found.costs.size)(nodes, pairs, found.costs)  # exactly 0 for equal vectors
    np.multiply(found.costs, _SCALES[function], out=found.costs)
    if function is not cosine or nodes.lengths.all():
        return {}
    zero = np.searchsorted(nodes.starts, np.flatnonzero(nodes.lengths == 0.0), side="right") - 1
    error = EncoderError(ZERO_VECTOR)
    return dict.fromkeys(np.flatnonzero(np.isin(pairs, zero).any(axis=1)).tolist(), error)


@compile_kernel
def finish_distances(nodes: Nodes, pairs: Integers, costs: Floats) -> None:
    """Turn products of vectors into distances; near vectors are compared by their differences instead."""
    at = 0
    for pair in range(pairs.shape[0]):
        left, right = pairs[pair, 0], pairs[pair, 1]
        for v in range(nodes.starts[left], nodes.starts[left + 1]):
            for w in range(nodes.starts[right], nodes.starts[right + 1]):
                both = nodes.lengths[v] + nodes.lengths[w]
                square = both - 2.0 * costs[at]
                if square < _NEAR * 0.5 * both:
                    square = 0.0
                    if nodes.texts[v] != nodes.texts[w]:
                        for axis in range(nodes.vectors.shape[1]):
                            difference = nodes.vectors[v, axis] - nodes.vectors[w, axis]
                            square += difference * difference
                costs[at] = np.sqrt(square)
                at += 1
