"""Common words of all pairs of texts in one pass, and the subsequence that the package rouge selects."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

# Common items of all pairs of texts, counted in one pass and converted to F1 scores.

Item = TypeVar("Item", bound=Hashable)

CELLS_AT_ONCE = 1 << 18
"""Pairs of texts whose intermediate results are in memory at once."""


def row_blocks(texts: int) -> Iterator[slice]:
    """Slices of rows that split all pairs of ``texts`` texts into blocks of bounded size."""
    height = max(1, CELLS_AT_ONCE // max(1, texts))
    return (slice(start, min(start + height, texts)) for start in range(0, texts, height))


def numbered(items: Iterable[Item]) -> Iterator[tuple[Item, int]]:
    """Each item with the number of its previous occurrences, which makes equal items distinct.

    >>> list(numbered("abaa"))
    [('a', 0), ('b', 0), ('a', 1), ('a', 2)]

    The intersection of two such sets is that of the two multisets.
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
        # The texts with item 0, then those with item 1, ...; item i's begin at _starts[i].
        flat = np.fromiter(chain.from_iterable(self._items), dtype=np.int64)
        self._holders = np.repeat(np.arange(len(self._items)), self.sizes)[np.argsort(flat, kind="stable")]
        self._starts = [0, *np.cumsum(np.bincount(flat, minlength=len(number))).tolist()]

    def common(self, rows: slice) -> NDArray[np.int64]:
        """Number of items that each text of ``rows`` has in common with each text."""
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
    """``formula(in common, row's size, column's size)`` of each pair with common items; otherwise 0.

    The packages' own formulas take single numbers, so they are called once per distinct triple.
    """
    rows, columns = np.nonzero(common)
    sizes = (common[rows, columns], row_sizes[rows], column_sizes[columns])
    limits = [int(size.max(initial=0)) + 1 for size in sizes]
    _, first, inverse = np.unique(np.ravel_multi_index(sizes, limits), return_index=True, return_inverse=True)
    values = map(formula, *(size[first].tolist() for size in sizes))
    scores = np.zeros(common.shape)
    scores[rows, columns] = np.fromiter(values, dtype=np.float64)[inverse]
    return scores


def lcs_lengths(rows: Sequence[Sequence[int]], columns: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The length of the longest common subsequence of each row with each column."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    return cdist(rows, columns, scorer=LCSseq.similarity, dtype=np.int64)


# The one longest common subsequence that the package rouge 1.0.1 selects, without its table of all prefixes.
#
# Rows of the table come from bit vectors: Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.


class Sentence:
    """A sequence of words and, for each distinct word, the bits of its positions."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = words
        self.positions: dict[int, int] = {}
        for position, word in enumerate(words):
            self.positions[word] = self.positions.get(word, 0) | 1 << position


def holders(sentences: Iterable[Sentence]) -> dict[int, list[Sentence]]:
    """The sentences that contain each word."""
    found: dict[int, list[Sentence]] = {}
    for sentence in sentences:
        for word in sentence.positions:
            found.setdefault(word, []).append(sentence)
    return found


def union_size(references: Iterable[Sentence], hypotheses: Mapping[int, list[Sentence]], common: int) -> int:
    """Number of distinct words in the subsequences of all pairs of sentences, as summary-level ROUGE-L counts.

    ``hypotheses`` are the other text's sentences by the words that they contain: only these have a common
    subsequence. The number can't exceed ``common``, that of distinct common words of both texts.
    """
    chosen: set[int] = set()
    for reference in references:
        for hypothesis in {partner for word in reference.positions for partner in hypotheses.get(word, ())}:
            chosen |= lcs_words(reference, hypothesis)
        if len(chosen) == common:
            break
    return len(chosen)


def lcs_words(x: Sentence, y: Sentence) -> set[int]:
    """The words of the longest common subsequence that the package reads from its table T.

    T[i, j] is the length for the first i words of x and the first j of y. From (i, j) the package steps to
    (i-1, j-1), taking the word, if x_i = y_j; otherwise to (i-1, j) if T[i-1, j] > T[i, j-1]; otherwise to
    (i, j-1). Let k = T[i, j] > 0 and c the first column with T[i, c] = k. The word it takes next is y_c, at the
    last position r <= i of x that has it, and k - 1 is left in row r - 1, in whatever column:

    - It goes left from j to c unless x_i = y_j on the way. In that case T[i-1, j-1] = k - 1, so T[i-1, c] < k;
      T[i, c] is also above T[i, c-1], so x_i = y_c. The word is y_c, r = i, and T[i-1, c-1] = k - 1 as well.
    - At c it goes up until x_r = y_c, because T[i, c-1] < k; c remains the first column with k in those rows.

    So the first columns of each row are enough. They are the zero bits of the row's vector.
    """
    words = [word for word in x.words if word in y.positions]  # the others don't change a row
    if len(words) == 1:
        return set(words)
    row = below = (1 << len(y.words)) - 1
    rows = []
    for word in words:
        rows.append(row)
        matches = row & y.positions[word]
        row = (row + matches) | (row - matches)  # the carry beyond the last column is cut off by ``below``
    chosen = set()
    while first_columns := ~row & below:
        column = first_columns.bit_length() - 1
        word = y.words[column]
        chosen.add(word)
        while words.pop() != word:
            rows.pop()
        row = rows.pop()
        below = (1 << column) - 1
    return chosen
