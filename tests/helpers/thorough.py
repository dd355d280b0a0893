"""Selection of a test's parameters for ``make test``; ``make test-all`` runs the others too."""

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
    chosen = {round(index * last / max(1, usual - 1)) for index in range(usual)}
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if index in chosen else pytest.mark.thorough,
        )
        for index, value in enumerate(every)
    ]
