"""Lower bounds of the distances from one map to all others, for a hundredth of what solving them takes.

What each distinct text costs against the map's nodes is computed once, by a few matrix products. The bounds are
made of that, and so are the costs of the pairs that are solved in the end.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import distance_of, indel_terms, largest_cost, rooted, weights_of, with_gap
from tted_core.batch.bound_kernels import matched_bags, priced_bags
from tted_core.batch.chunk_kernels import fill_costs
from tted_core.batch.costs import SCALES, ChunkCosts, KnownCosts, directions
from tted_core.batch.maps import GAP
from tted_core.batch.work import Work
from tted_core.contexts import CONTEXTS
from tted_core.distances.vectors import cosine
from tted_core.method import Method
from tted_core.solvers.kernels.many import EditProblems, Forest

TEXTS = 4096
"""Vectors held against the map's at a time: 12 MB of 384 numbers each."""

ROUNDING = 1e-12
"""What a bound may be too large by, for each node and as a share of the largest weight: numbers are rounded."""


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
    return EditProblems(Forest(nothing, nothing), np.array([[0, 1]]), costs, np.array([0, len(costs)]))


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
