"""The options gap and power as they are given; :mod:`tted_core.arithmetic` says what they do to costs."""

import math
from typing import TypeAlias

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
