"""Which parameters of a test ``make test`` takes, and which are left to ``make test-all``."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], usual: int) -> list[Any]:
    """All values as parameters: ``usual`` of them, evenly spread, run by default, the others are "thorough".

    Of values that are tuples each is a set of arguments.

    >>> [len(each.marks) for each in sampled("abcde", 3)]
    [0, 1, 0, 1, 0]
    """
    every = list(values)
    last = len(every) - 1
    chosen = {round(place * last / max(1, usual - 1)) for place in range(usual)}
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if place in chosen else pytest.mark.thorough,
        )
        for place, value in enumerate(every)
    ]
