"""What any two of many texts have in common: counted for all pairs in one sweep, and made into F1 scores."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item", bound=Hashable)

CELLS_AT_ONCE = 1 << 18
"""Pairs of texts whose intermediate results are held at once."""


def row_blocks(texts: int) -> Iterator[slice]:
    """Slices of rows that cut all pairs of ``texts`` texts into blocks of bounded size."""
    height = max(1, CELLS_AT_ONCE // max(1, texts))
    return (slice(start, min(start + height, texts)) for start in range(0, texts, height))


def numbered(items: Iterable[Item]) -> Iterator[tuple[Item, int]]:
    """Each item with how often it came before, which makes of equal items different ones.

    >>> list(numbered("abaa"))
    [('a', 0), ('b', 0), ('a', 1), ('a', 2)]

    What two such sets have in common is what the two multisets have in common.
    """
    seen: defaultdict[Item, int] = defaultdict(int)
    for item in items:
        yield item, seen[item]
        seen[item] += 1


class ItemSets:
    """The set of items of each text: words, or pairs of words."""

    def __init__(self, texts: Iterable[Iterable[Hashable]]) -> None:
        number: dict[Hashable, int] = {}
        self._items = [
            [number.setdefault(item, len(number)) for item in dict.fromkeys(text)] for text in texts
        ]
        self.sizes = np.array([len(items) for items in self._items], dtype=np.int64)
        # The texts that hold item 0, then those that hold item 1, ...; item i's begin at _starts[i].
        flat = np.fromiter(chain.from_iterable(self._items), dtype=np.int64)
        self._holders = np.repeat(np.arange(len(self._items)), self.sizes)[np.argsort(flat, kind="stable")]
        self._starts = [0, *np.cumsum(np.bincount(flat, minlength=len(number))).tolist()]

    def common(self, rows: slice) -> NDArray[np.int64]:
        """How many items each text of ``rows`` has in common with each text of all."""
        texts = len(self._items)
        counts = np.zeros((rows.stop - rows.start, texts), dtype=np.int64)
        for count, items in zip(counts, self._items[rows], strict=True):
            if items:
                holders = [self._holders[self._starts[item] : self._starts[item + 1]] for item in items]
                count[:] = np.bincount(np.concatenate(holders), minlength=texts)
        return counts


def f_scores(
    common: NDArray[np.int64],
    row_sizes: NDArray[np.int64],
    column_sizes: NDArray[np.int64],
    formula: Callable[[int, int, int], float],
) -> NDArray[np.float64]:
    """``formula(in common, row's size, column's size)`` of each pair that has something in common; otherwise 0.

    The packages' own formulas take single numbers, so each is called once for each distinct triple of them.
    """
    rows, columns = np.nonzero(common)
    sizes = (common[rows, columns], row_sizes[rows], column_sizes[columns])
    limits = [int(size.max(initial=0)) + 1 for size in sizes]
    _, first, place = np.unique(np.ravel_multi_index(sizes, limits), return_index=True, return_inverse=True)
    values = map(formula, *(size[first].tolist() for size in sizes))
    scores = np.zeros(common.shape)
    scores[rows, columns] = np.fromiter(values, dtype=np.float64)[place]
    return scores


def lcs_lengths(rows: Sequence[Sequence[int]], columns: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The length of the longest common subsequence of each row with each column."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    return cdist(rows, columns, scorer=LCSseq.similarity, dtype=np.int64)
