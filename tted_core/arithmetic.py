"""Arithmetic of the method: from the costs of node edits to the distance, its shares and normalised distances.

These are the only formulas of gaps, powers, shares and normalisations. Arrays may be of one pair of maps or of
many pairs at once.

- ``gap``: deleting or inserting v (an indel) costs g(v). Published is g(v) = r(v, ""). A number x adds to it: g(v)
  is r(v, "") + x. A text "=x" lets every node cost the same: g(v) = x. Any g with |g(v) - g(w)| <= r(v, w) would
  do; a factor on r(v, "") gives none such.
- ``power``: d_p = (the least sum of c^p over all mappings)^(1/p), c being a mapping's costs. With 1 it is TTED;
  the larger it is, the more the most costly operations count.

Both keep the distance a metric (docs/method.md has the proofs).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tted_core.errors import OptionsError

MAX_POWER = 20.0
"""The largest power of costs: beyond it, a cost of half the largest weighs less than a millionth of it."""

MAX_GAP = 1_000_000.0
"""What the option gap may add to the cost of a missing node."""

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)

Gap: TypeAlias = float | str
"""A number >= 0, or "=x" with a number x > 0."""

EVERY = "="


def checked_gap(gap: Gap) -> Gap:
    """The gap in one way of writing, with which it goes into a signature.

    >>> checked_gap("0.50"), checked_gap("=.8")
    (0.5, '=0.8')
    """
    text = str(gap).strip()
    same = text.startswith(EVERY)
    try:
        number = float(text.removeprefix(EVERY))
    except ValueError:
        number = math.nan
    if not (number > 0 if same else number >= 0) or not number <= MAX_GAP:
        raise OptionsError(
            f"the gap is {text or 'empty'!s:.20}; give a number from 0 to {MAX_GAP:g}, which is added to what a "
            f"missing node costs, or =x with a number above 0, which is what each of them costs"
        )
    return f"{EVERY}{number:g}" if same else number


def gap_text(gap: Gap) -> str:
    """A checked gap as a signature and an address have it."""
    return gap if isinstance(gap, str) else f"{gap:g}"


def checked_power(power: float | str) -> float:
    """The power as a number."""
    try:
        number = math.nan if isinstance(power, bool) else float(power)
    except (ValueError, TypeError, OverflowError):
        number = math.nan
    if not 1 <= number <= MAX_POWER:
        raise OptionsError(f"the power is {power!s:.20}; give a number from 1 to {MAX_POWER:g}")
    return number


def indel_terms(gap: Gap) -> tuple[float, float]:
    """The a and b of g(v) = a r(v, "") + b, what deleting or inserting v costs with this gap.

    >>> indel_terms(0.5), indel_terms("=0.8")
    ((1.0, 0.5), (0.0, 0.8))
    """
    return (0.0, float(gap.removeprefix(EVERY))) if isinstance(gap, str) else (1.0, gap)


def split_from(gap: str, power: float) -> float:
    """The distance from which two nodes are left unpaired rather than paired, at a gap "=x": x 2^(1/p).

    >>> split_from("=0.8", 1.0), round(split_from("=0.8", 8.0), 3)
    (1.6, 0.872)
    """
    return float(rooted(2 * raised(indel_terms(gap)[1], power), power))


def with_gap(costs: Floats, gap: Gap) -> Floats:
    """(n+1, m+1) costs whose last row and column, the indels, cost what ``gap`` says instead of r(v, "")."""
    if gap == 0:
        return costs
    factor, price = indel_terms(gap)
    changed = costs.copy()
    for place in ((slice(None, -1), -1), (-1, slice(None, -1))):
        changed[place] = factor * costs[place] + price
    return changed


def raised(costs: Number, power: float) -> Number:
    """c^p of each cost."""
    return costs if power == 1 else costs**power


def rooted(sums: Number, power: float) -> Number:
    """s^(1/p) of each sum."""
    return sums if power == 1 else sums ** (1 / power)


def largest_cost(costs: Floats) -> float:
    """The largest cost, 1 if all are 0: what costs are divided by before they are raised to a power."""
    return float(costs.max()) or 1.0


def weights_of(costs: Floats, power: float, largest: float | Floats) -> Floats:
    """What the solvers add up: (c / largest)^p, or the costs themselves where the power is 1.

    Args:
        costs: of one pair or, one after another, of many.
        power: the p of d_p.
        largest: the ``largest_cost`` of the pair, or that of each cost's pair.
    """
    return costs if power == 1 else raised(costs / largest, power)


def distance_of(weight: Number, power: float, largest: float | Floats) -> Number:
    """The distance whose weight, a sum of entries of ``weights_of``, is this."""
    return weight if power == 1 else largest * rooted(weight, power)  # type: ignore[return-value]


def total(costs: Iterable[float], power: float) -> float:
    """(sum of c^p)^(1/p), whose sum is correctly rounded: the same in whatever order they come.

    >>> total([3.0, 4.0], 1), total([3.0, 4.0], 2), total([], 3)
    (7.0, 5.0, 0.0)
    """
    every = list(costs)
    if power == 1:
        return math.fsum(every)
    largest = max(every, default=0.0)
    if not largest:
        return 0.0
    return float(largest * rooted(math.fsum(raised(cost / largest, power) for cost in every), power))


def share(cost: float, whole: float, power: float) -> float:
    """The share of c^p in the sum of c^p whose root is ``whole``; 0 if that is 0."""
    return raised(cost / whole, power) if whole else 0.0


def shares(costs: Iterable[float], power: float) -> list[float]:
    """Each cost's share of the sum of c^p; 0 if that is 0.

    >>> shares([1.0, 3.0], 1), [round(share, 2) for share in shares([3.0, 4.0], 2)]
    ([0.25, 0.75], [0.36, 0.64])
    """
    every = list(costs)
    whole = total(every, power)
    return [share(cost, whole, power) for cost in every]


def increase(distance: float, added: float, power: float) -> float:
    """By how much a distance grows when ``added`` is added to its sum of c^p."""
    return added if power == 1 else rooted(raised(distance, power) + added, power) - distance


class Sizes(NamedTuple):
    """What a normalisation knows of the two maps of a pair, or, with a first axis, of the maps of p pairs.

    Attributes:
        nodes: (2,) or (p, 2) numbers of nodes.
        weights: (2,) or (p, 2) distances d_p to the empty map: with the power 1 the sum of a map's indel costs.
        largest: () or (p,) the largest indel cost of both maps.
    """

    nodes: NDArray[Any]
    weights: Floats
    largest: float | Floats


def sizes_of(costs: Floats, power: float) -> Sizes:
    """The sizes of one pair with these (n+1, m+1) costs, whose last row and column are the indels."""
    sides = costs[:-1, -1], costs[-1, :-1]
    return Sizes(
        np.array([len(side) for side in sides]),
        np.array([total(side.tolist(), power) for side in sides]),
        max(float(side.max(initial=0.0)) for side in sides),
    )


@dataclass(frozen=True)
class Normalisation:
    """A normalised distance: an entry of ``NORMALISATIONS``.

    Attributes:
        title: its name in a table.
        formula: of d, the numbers of nodes n and m, the maps' weights W and W' and the largest indel cost w_max; n
            and W are of the left map, which is the reference.
        function: distances, ``Sizes`` and power -> normalised distances.
    """

    title: str
    formula: str
    function: Callable[[Any, Sizes, float], Any]


def published(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:
    """2d / (w_max (n^(1/p) + m^(1/p)) + d), w_max being the largest indel cost.

    As in the published code of Sobolevsky and Vorontsov 2025, where p is 1. Not a metric, since w_max changes from
    pair to pair; where every indel costs the same, it is ``steinhaus``.
    """
    return _ratio(distances, sizes.largest * rooted(sizes.nodes, power).sum(axis=-1))


def steinhaus(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:  # noqa: ARG001 - as every other one
    """2d / (W + W' + d), W being the distance of a map to the empty one: with p = 1 the sum of its indel costs.

    The Steinhaus transform at the empty map: a metric whenever d is one (Marczewski and Steinhaus 1958). Two maps
    of one weight that have nothing in common come to 2r / (2 + r), r being 2^(1/p).
    """
    return _ratio(distances, sizes.weights.sum(axis=-1))


def per_reference(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:
    """D / n^(1/p), n being the nodes of the reference, which is the left map: what TER is to edit distance.

    Not bounded: the other map's own size doesn't hide its extra nodes. Not symmetric, so no metric.
    """
    return np.asarray(distances) / rooted(np.asarray(sizes.nodes, dtype=np.float64)[..., 0], power)


def reference_normalized(distances: ArrayLike, sizes: Sizes, power: float = 1.0) -> Any:  # noqa: ARG001 - as every other one
    """2d / (d + W + min(W, a W')), W being the weight of the reference, the left map, and a ``SMALLER``.

    A larger map than the reference is measured by the reference alone, so that its size doesn't hide its extra
    nodes; a map of less than 1 / a of it by its own size too, so that it can't win by leaving nodes out. At most 1
    for maps that weigh no more than the reference, below 2 for any. Not symmetric, so no metric.
    """
    reference, other = sizes.weights[..., 0], sizes.weights[..., 1]
    return _ratio(distances, reference + np.minimum(reference, SMALLER * other))


def _ratio(distances: ArrayLike, weights: Any) -> Any:
    """2d / (w + d), 0 where both are 0."""
    distances = np.asarray(distances)
    whole = weights + distances
    return np.where(whole > 0, 2 * distances / np.where(whole > 0, whole, 1.0), 0.0)[()]


SMALLER = 2.0
"""How many times the size of a small map counts in ``reference_normalized``; docs/quality.md tells why."""

NORMALISATIONS: dict[str, Normalisation] = {
    "normalized": Normalisation("normalized", "2d / (w_max (n^(1/p) + m^(1/p)) + d)", published),
    "steinhaus": Normalisation("Steinhaus", "2d / (W + W' + d)", steinhaus),
    "tted_per_reference": Normalisation("TTED per reference node", "d / n^(1/p)", per_reference),
    "reference_normalized": Normalisation(
        "normalized by the reference", f"2d / (d + W + min(W, {SMALLER:g} W'))", reference_normalized
    ),
}
"""Every score, column of a batch and field of a JSON that is a normalised distance, by its name there."""


def normalised(distances: ArrayLike, sizes: Sizes, power: float) -> dict[str, Any]:
    """All normalised distances of one pair or of many, by name."""
    return {name: each.function(distances, sizes, power) for name, each in NORMALISATIONS.items()}
