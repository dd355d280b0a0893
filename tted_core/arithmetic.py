"""Arithmetic of the method: from the costs of node edits to the distance, its shares and normalised distances.

All formulas of gaps, powers, shares and normalisations are in this file. Arrays may hold one pair of maps or many
pairs at once.

- ``gap``: deleting or inserting v (an indel) costs g(v). The published g is g(v) = r(v, ""). A number x adds to
  it: g(v) = r(v, "") + x. A text "=x" makes every node cost the same: g(v) = x. Any g with
  |g(v) - g(w)| <= r(v, w) keeps the metric; a factor on r(v, "") doesn't.
- ``power``: d_p = (the least sum of c^p over all mappings)^(1/p), c being a mapping's costs. Power 1 is TTED; the
  larger the power, the more the most costly operations count.

Both keep the distance a metric (docs/method.md has the proofs).
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tted_core.errors import OptionsError
from tted_core.options import as_number

# The largest power of costs: beyond it, half the largest cost weighs less than a millionth of the largest.
MAX_POWER = 20.0

MAX_GAP = 1_000_000.0  # the largest value of the option gap

_Floats = NDArray[np.float64]
_Number = TypeVar("_Number", float, _Floats)

Gap: TypeAlias = float | str  # a number >= 0, or "=x" with a number x > 0

FIXED_GAP = "="  # prefix of a fixed gap, which is the cost of every deletion and insertion


def check_gap(gap: Gap) -> Gap:
    """Validate a gap and bring it to the form that signatures use.

    >>> check_gap("0.50"), check_gap("=.8")
    (0.5, '=0.8')
    """
    text = str(gap).strip()
    same = text.startswith(FIXED_GAP)
    number = as_number(text.removeprefix(FIXED_GAP))
    if not (number > 0 if same else number >= 0) or not number <= MAX_GAP:
        raise OptionsError(
            f"the gap is {text or 'empty'!s:.20}; give a number from 0 to {MAX_GAP:g} to add to the cost of "
            f"each missing node, or =x with a number above 0 for a fixed cost"
        )
    return f"{FIXED_GAP}{number:g}" if same else number


def gap_text(gap: Gap) -> str:
    """Format a checked gap for signatures and links."""
    return gap if isinstance(gap, str) else f"{gap:g}"


def check_power(power: float | str) -> float:
    """Validate a power and return it as a number."""
    number = as_number(power)
    if not 1 <= number <= MAX_POWER:
        raise OptionsError(f"the power is {power!s:.20}; give a number from 1 to {MAX_POWER:g}")
    return number


def indel_terms(gap: Gap) -> tuple[float, float]:
    """Return a and b of g(v) = a r(v, "") + b, the cost of deleting or inserting v with this gap.

    >>> indel_terms(0.5), indel_terms("=0.8")
    ((1.0, 0.5), (0.0, 0.8))
    """
    return (0.0, float(gap.removeprefix(FIXED_GAP))) if isinstance(gap, str) else (1.0, gap)


def pairing_limit(gap: str, power: float) -> float:
    """The largest distance at which two nodes are paired with a gap "=x": x 2^(1/p); above it both are indels.

    >>> pairing_limit("=0.8", 1.0), round(pairing_limit("=0.8", 8.0), 3)
    (1.6, 0.872)
    """
    return float(take_root(2 * raise_to_power(indel_terms(gap)[1], power), power))


def with_gap(costs: _Floats, gap: Gap) -> _Floats:
    """Apply a gap to the last row and column, the indels, of (n+1, m+1) costs."""
    if gap == 0:
        return costs
    factor, price = indel_terms(gap)
    changed = costs.copy()
    changed[:-1, -1] = factor * costs[:-1, -1] + price
    changed[-1, :-1] = factor * costs[-1, :-1] + price
    return changed


def raise_to_power(costs: _Number, power: float) -> _Number:
    """c^p of each cost."""
    return costs if power == 1 else costs**power


def take_root(sums: _Number, power: float) -> _Number:
    """s^(1/p) of each sum."""
    return sums if power == 1 else sums ** (1 / power)


def largest_cost(costs: _Floats) -> float:
    """The largest cost, or 1 if all are 0; costs are divided by it before they are raised to a power."""
    return float(costs.max()) or 1.0


def weights_of(costs: _Floats, power: float, largest: float | _Floats) -> _Floats:
    """The weights that solvers add up: (c / largest)^p, or the costs themselves if the power is 1.

    Args:
        costs: costs of one pair, or of many pairs concatenated.
        power: the p of d_p.
        largest: the ``largest_cost`` of the pair, or for each cost that of its pair.
    """
    return costs if power == 1 else raise_to_power(costs / largest, power)


def distance_of(weight: _Number, power: float, largest: float | _Floats) -> _Number:
    """The distance of a weight, which is a sum of entries of ``weights_of``."""
    return weight if power == 1 else largest * take_root(weight, power)  # type: ignore[return-value]


def total(costs: Iterable[float], power: float) -> float:
    """(sum of c^p)^(1/p), with a correctly rounded sum that doesn't depend on the order of the costs.

    >>> total([3.0, 4.0], 1), total([3.0, 4.0], 2), total([], 3)
    (7.0, 5.0, 0.0)
    """
    every = list(costs)
    if power == 1:
        return math.fsum(every)
    largest = max(every, default=0.0)
    if not largest:
        return 0.0
    return float(largest * take_root(math.fsum((cost / largest) ** power for cost in every if cost), power))


def share(cost: float, whole: float, power: float) -> float:
    """The share of c^p in d^p, d being the distance ``whole``; 0 if that is 0."""
    return raise_to_power(cost / whole, power) if whole else 0.0


def shares(costs: Iterable[float], power: float) -> list[float]:
    """Each cost's share of the sum of c^p; 0 if that is 0.

    >>> shares([1.0, 3.0], 1), [round(share, 2) for share in shares([3.0, 4.0], 2)]
    ([0.25, 0.75], [0.36, 0.64])
    """
    every = list(costs)
    whole = total(every, power)
    return [share(cost, whole, power) for cost in every]


def increase(distance: float, added: float, power: float) -> float:
    """The growth of a distance when ``added`` is added to its sum of c^p."""
    return added if power == 1 else take_root(raise_to_power(distance, power) + added, power) - distance


class Sizes(NamedTuple):
    """Sizes of the two maps of a pair, or with a first axis of p pairs, as normalisations use them.

    Attributes:
        nodes: (2,) or (p, 2) numbers of nodes.
        weights: (2,) or (p, 2) distances d_p to the empty map; with power 1 the sum of a map's indel costs.
        largest: () or (p,) the largest indel cost of both maps.
    """

    nodes: NDArray[Any]
    weights: _Floats
    largest: float | _Floats


def sizes_of(costs: _Floats, power: float) -> Sizes:
    """The sizes of one pair from its (n+1, m+1) costs, whose last row and column are the indels."""
    sides = costs[:-1, -1], costs[-1, :-1]
    return Sizes(
        np.array([len(side) for side in sides]),
        np.array([total(side.tolist(), power) for side in sides]),
        max(float(side.max(initial=0.0)) for side in sides),
    )


def normalize_as_published(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:
    """2d / (w_max (n^(1/p) + m^(1/p)) + d), w_max being the largest indel cost.

    Source: the published code of Sobolevsky and Vorontsov 2025, where p is 1. Not a metric, since w_max changes
    from pair to pair. If every indel costs the same, it equals ``steinhaus``.
    """
    return _ratio(distances, sizes.largest * take_root(sizes.nodes, power).sum(axis=-1))


def steinhaus(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:  # noqa: ARG001 - all have one signature
    """2d / (W + W' + d), W being the distance of a map to the empty one: with p = 1 the sum of its indel costs.

    The Steinhaus transform at the empty map: a metric whenever d is one (Marczewski and Steinhaus 1958). For two
    maps of equal weight with nothing in common it is 2r / (2 + r), r being 2^(1/p).
    """
    return _ratio(distances, sizes.weights.sum(axis=-1))


def per_reference(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:
    """Distance per node: d / n^(1/p), n being the number of nodes of the reference, the left map; like TER.

    Unbounded, so extra nodes of the other map count in full. Not symmetric, so not a metric.
    """
    return np.asarray(distances) / take_root(np.asarray(sizes.nodes, dtype=np.float64)[..., 0], power)


_SMALLER = 2.0  # factor a on the size of a small map in ``reference_normalized`` (reasons: docs/quality.md)


def reference_normalized(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:  # noqa: ARG001 - all have one signature
    """2d / (d + W + min(W, a W')), W being the weight of the reference, the left map, and a = 2.

    A map larger than the reference is normalised by the reference alone, so that extra nodes count in full; a map
    smaller than 1 / a of the reference also by its own size, so that leaving nodes out doesn't pay. At most 1 for
    maps that weigh no more than the reference, below 2 for all. Not symmetric, so not a metric.
    """
    reference, other = sizes.weights[..., 0], sizes.weights[..., 1]
    return _ratio(distances, reference + np.minimum(reference, _SMALLER * other))


def _ratio(distances: ArrayLike, weights: Any) -> Any:
    """2d / (w + d), 0 where both are 0."""
    distances = np.asarray(distances)
    whole = weights + distances
    return np.where(whole > 0, 2 * distances / np.where(whole > 0, whole, 1.0), 0.0)[()]


# Functions of distances, ``Sizes`` and power, by the names of the normalised distances in columns and JSON.
NORMALISATIONS: dict[str, Callable[[Any, Sizes, float], Any]] = {
    "normalized": normalize_as_published,
    "steinhaus": steinhaus,
    "tted_per_reference": per_reference,
    "reference_normalized": reference_normalized,
}


def normalize(distances: ArrayLike, sizes: Sizes, power: float) -> dict[str, Any]:
    """All normalised distances of one pair, or of many, by name."""
    return {name: function(distances, sizes, power) for name, function in NORMALISATIONS.items()}
