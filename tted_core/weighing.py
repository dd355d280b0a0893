"""Weighing: what a missing sentence costs, and how much the worst sentences weigh.

Two options beside those of the paper, which keep the distance a metric (docs/method.md has the proofs):

- ``gap``: deleting or inserting v costs g(v). Published is g(v) = r(v, ""). A number x adds to it: g(v) is
  r(v, "") + x. A text "=x" lets every node cost the same: g(v) = x. Any g of |g(v) - g(w)| <= r(v, w) would do;
  a factor on r(v, "") gives none such.
- ``power``: d_p = (the least sum of c^p over all mappings)^(1/p), c being a mapping's costs. With 1 it is TTED;
  the larger it is, the more the dearest operations weigh beside the others.
"""

import math
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import OptionsError
from tted_core.limits import MAX_GAP, MAX_POWER

Gap: TypeAlias = float | str
"""A number >= 0, or "=x" with a number x > 0."""

EVERY = "="


def checked_gap(gap: Gap) -> Gap:
    """The gap in one way of writing, with which it goes into a signature.

    Raises:
        OptionsError: it is no such number.

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
    """The power as a number.

    Raises:
        OptionsError: it is not between 1 and ``MAX_POWER``.
    """
    try:
        number = math.nan if isinstance(power, bool) else float(power)
    except (ValueError, TypeError, OverflowError):
        number = math.nan
    if not 1 <= number <= MAX_POWER:
        raise OptionsError(f"the power is {power!s:.20}; give a number from 1 to {MAX_POWER:g}")
    return number


def with_gap(costs: NDArray[np.float64], gap: Gap) -> NDArray[np.float64]:
    """(n+1, m+1) costs, the last row and column being the gap, with what a missing node costs by ``gap``."""
    if gap == 0:
        return costs
    changed = costs.copy()
    gaps = ((slice(None, -1), -1), (-1, slice(None, -1)))
    for place in gaps:
        changed[place] = float(gap[1:]) if isinstance(gap, str) else costs[place] + gap
    return changed


def weighed(costs: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """What the solvers add up: the costs to the power, as shares of the largest unless the power is 1."""
    if power == 1:
        return costs
    weights: NDArray[np.float64] = (costs / _scale(costs)) ** power
    return weights


def unweighed(weight: float, costs: NDArray[np.float64], power: float) -> float:
    """The distance whose weight, as a sum of entries of ``weighed``, is this."""
    return weight if power == 1 else _scale(costs) * float(weight ** (1 / power))


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
    return float(largest * math.fsum((cost / largest) ** power for cost in every) ** (1 / power))


def shares(costs: Iterable[float], power: float) -> list[float]:
    """Each cost's share of the sum of c^p; 0 if that is 0.

    >>> shares([1.0, 3.0], 1), [round(share, 2) for share in shares([3.0, 4.0], 2)]
    ([0.25, 0.75], [0.36, 0.64])
    """
    every = list(costs)
    whole = total(every, power)
    return [(cost / whole) ** power if whole else 0.0 for cost in every]


def _scale(costs: NDArray[np.float64]) -> float:
    return float(costs.max()) or 1.0
