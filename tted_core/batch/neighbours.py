"""The maps nearest to one, in the order of lower bounds of their distances and no further than they allow.

A bound takes a hundredth of what solving takes. What each distinct text costs against the map's nodes is computed
once, by a few matrix products; the bounds are made of that, and so are the costs of the pairs that are solved in
the end.

A bound is what two maps cost at least as bags of sentences, whatever their trees: a sum of prices of the nodes of
both maps. No price is above what its node costs to delete or insert, and no two together are above what one costs
to be replaced by the other, so no mapping costs less than all prices. Of the larger map at least as many nodes are
missing as it has more; they cost at least what is cheapest of that.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import distance_of, indel_terms, largest_cost, rooted, weights_of, with_gap
from tted_core.batch.costs import SCALES, ChunkCosts, KnownCosts, directions, fill_costs
from tted_core.batch.maps import GAP
from tted_core.batch.solving import CHUNK_PAIRS, chunks, solve_chunk
from tted_core.batch.work import Work
from tted_core.contexts import CONTEXTS
from tted_core.distances.vectors import cosine
from tted_core.method import Method
from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import EditProblems, PackedTrees, pair_of
from tted_core.solvers.kernels.restricted import kept_gains
from tted_core.solvers.kernels.trees import Floats, Integers
from tted_core.solvers.unordered.many import matched_gains

AT_FIRST = 32
"""Maps that are solved before it is looked again which others can be skipped; twice as many each time."""

TEXTS = 4096
"""Vectors held against the map's at a time: 12 MB of 384 numbers each."""

ROUNDING = 1e-12
"""What a bound may be too large by, for each node and as a share of the largest weight: numbers are rounded."""


@dataclass(frozen=True)
class Nearest:
    """The maps nearest to one.

    Attributes:
        found: number and distance of each, the nearest first; of equally near ones the first.
        compared: how many distances were computed.
        skipped: how many maps a lower bound ruled out.
        errors: number and reason of each map that can't be compared.
    """

    found: tuple[tuple[int, float], ...]
    compared: int
    skipped: int
    errors: tuple[tuple[int, str], ...] = ()


def nearest_of(work: Work, k: int) -> Nearest:
    """The k maps nearest to the first one of the work, among the others, which are numbered from 0."""
    setting, count = work.settings[0], len(work.maps) - 1
    pairs = np.zeros((count, 2), dtype=np.int32)
    pairs[:, 1] = np.arange(1, count + 1)
    known = known_costs(work, setting, 0)
    bounds = lower_bounds(work, setting, 0, known)[1:]
    order = np.argsort(bounds, kind="stable")
    found: list[tuple[float, int]] = []
    errors: list[tuple[int, str]] = []
    seen = compared = 0
    at_a_time = max(k, AT_FIRST)
    while seen < count:
        waiting = order[seen : seen + at_a_time]
        if len(found) == k:
            waiting = waiting[bounds[waiting] <= found[-1][0]]
        if not len(waiting):
            break
        seen += len(waiting)
        at_a_time = min(2 * at_a_time, CHUNK_PAIRS)
        for part in chunks(work, pairs[waiting]):
            numbers = waiting[part]
            costs = ChunkCosts(work, setting, pairs[numbers], known)
            if (
                setting.order == "unordered" and len(found) == k
            ):  # which takes a hundred times as long as a bound
                near = np.ones(len(numbers), dtype=np.bool_)
                near[costs.rows] = matched_bounds(costs, setting.power) <= found[-1][0]
                numbers = numbers[near]
                costs = ChunkCosts(work, setting, pairs[numbers], known)
            solved = solve_chunk(work, setting, costs)
            errors += [each for each in zip(numbers.tolist(), solved.errors, strict=True) if each[1]]
            good = [row for row, pair in enumerate(costs.rows.tolist()) if not solved.errors[pair]]
            found += zip(solved.tted[good].tolist(), numbers[costs.rows[good]].tolist(), strict=True)
            found = sorted(found)[:k]
            compared += len(good)
    return Nearest(
        tuple((number, tted) for tted, number in found),
        compared,
        count - compared - len(errors),
        tuple(sorted(errors)),
    )


def known_costs(work: Work, setting: Method, number: int) -> KnownCosts | None:
    """What all texts cost against the nodes of one map.

    None where the costs of a pair are made of more than the vectors of its texts: in a context that blends those
    of a tree, and by a distance that reads the texts themselves.
    """
    if setting.record.reads != "encoder" or CONTEXTS[setting.context].blend is not None:
        return None
    rows = work.models[setting.model, setting.distance].vectors.rows
    own = rows[np.append(work.maps.read[setting.context][work.maps.place(number)], GAP)]
    function = setting.record.function
    texts = np.append(np.arange(len(rows)), GAP)
    costs = np.empty((len(texts), len(own)))
    refused = np.zeros(len(rows), dtype=np.bool_)
    for start in range(0, len(texts), TEXTS):
        block = rows[texts[start : start + TEXTS]]
        part = costs[start : start + len(block)]
        vectors = np.vstack((block, own)).astype(np.float64)
        if function is cosine:
            vectors, zero = directions(vectors)
            refused[texts[start : start + len(block)]] = zero[: len(block)]
        if function in SCALES:
            blocks = np.array([0, len(block), len(vectors)])
            fill_costs(vectors, blocks, _one_pair(part.reshape(-1)), SCALES[function])
        else:
            part[:] = function(vectors[: len(block)], vectors[len(block) :])
    return KnownCosts(costs, refused)


def _one_pair(costs: NDArray[np.float64]) -> EditProblems:
    """A first block of vectors against a second one, as a problem whose costs are to be filled in."""
    nothing = np.zeros(1, dtype=np.int64)
    return EditProblems(PackedTrees(nothing, nothing), np.array([[0, 1]]), costs, np.array([0, len(costs)]))


def lower_bounds(work: Work, setting: Method, number: int, known: KnownCosts | None) -> NDArray[np.float64]:
    """(m,) bounds of the distances from one map to all m, in every order; 0 for one that can't be compared.

    With ``known`` costs they are those of bags of sentences, or a little less. Without, they are what the larger
    map has more than the other, if all nodes cost the same.
    """
    maps, power = work.maps, setting.power
    sizes = np.diff(maps.starts)
    if known is None:
        factor, price = indel_terms(setting.gap)
        more: NDArray[np.float64] = np.abs(sizes - sizes[number]).astype(np.float64)
        bounds = (0.0 if factor else price) * (1 - ROUNDING) * rooted(more, power)
    else:
        texts = maps.read[setting.context].astype(np.int64)
        costs = with_gap(known.costs, setting.gap)
        largest = largest_cost(costs)
        weights, found = weights_of(costs, power, largest), np.zeros(len(maps))
        priced_bags(texts, maps.starts, weights, found)
        found -= ROUNDING * weights.max() * (sizes + sizes[number])
        bounds = _distances(found, largest, power)
        bounds[np.repeat(np.arange(len(maps)), sizes)[known.refused[texts]]] = 0.0
    bounds[sizes == 0] = 0.0
    return bounds


def matched_bounds(chunk: ChunkCosts, power: float) -> NDArray[np.float64]:
    """(p,) bounds for the problems of a chunk: what their maps cost as bags of sentences."""
    found = np.zeros(len(chunk.rows))
    if not len(found):
        return found
    matched_bags(chunk.weights, found)
    largest = np.maximum.reduceat(chunk.problems.costs, chunk.problems.starts[:-1])
    found -= ROUNDING * (largest if power == 1 else 1.0) * np.diff(chunk.problems.starts)
    return _distances(found, largest, power)


def _distances(
    weights: NDArray[np.float64], largest: float | NDArray[np.float64], power: float
) -> NDArray[np.float64]:
    """The distances of these weights, or a little less."""
    positive: NDArray[np.float64] = np.maximum(weights, 0.0)
    return (1 - ROUNDING) * distance_of(positive, power, largest)


@compiled
def priced_bags(texts: Integers, starts: Integers, weights: Floats, bounds: Floats) -> None:
    """Bounds of the weight of one map's mappings to each of m maps.

    Args:
        texts: (N,) the number of each node's text.
        starts: (m + 1,) where each map's nodes begin.
        weights: (t + 1, n + 1) of each text and the gap against the one map's nodes and the gap.
        bounds: (m,) receives them.
    """
    for number in range(starts.size - 1):
        chosen = texts[starts[number] : starts[number + 1]]
        bounds[number] = max(_priced(chosen, weights, True), _priced(chosen, weights, False))


@compiled
def _priced(chosen: Integers, weights: Floats, own_first: bool) -> float:
    """The sum of prices, each as high as those that were made before it let it be."""
    own = weights[-1, :-1].copy()
    others = np.zeros(chosen.size)
    for turn in range(3):
        if own_first == (turn % 2 == 0):
            own[:] = weights[-1, :-1]
            for j in range(chosen.size):
                row = weights[chosen[j]]
                for i in range(own.size):
                    own[i] = min(own[i], row[i] - others[j])
        else:
            if turn == 0:
                own[:] = 0.0
            for j in range(chosen.size):
                row = weights[chosen[j]]
                price = row[own.size]
                for i in range(own.size):
                    price = min(price, row[i] - own[i])
                others[j] = price
    missing = own.size - chosen.size
    if missing > 0:
        more = np.sort(weights[-1, :-1] - own)[:missing].sum()
    else:
        spare = np.empty(chosen.size)
        for j in range(chosen.size):
            spare[j] = weights[chosen[j], own.size] - others[j]
        more = np.sort(spare)[:-missing].sum()
    return float(own.sum() + others.sum() + more)


@compiled
def matched_bags(problems: EditProblems, bounds: Floats) -> None:
    """For each pair the weight of its best mapping, whatever the trees."""
    for pair in range(problems.pairs.shape[0]):
        _, _, weights = pair_of(problems, pair)
        kept, total = kept_gains(weights)
        bounds[pair] = total - matched_gains(kept)
