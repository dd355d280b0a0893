"""What both ROUGE baselines share: a tree's edges, and each distinct pair of labels scored once."""

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.limits import MAX_BASELINE_WORD_PAIRS, check_limit
from tted_core.tree import TextTree


def breadth_first_edges(tree: TextTree) -> list[tuple[int, int]]:
    """Edges (parent, child): a node's child edges, then recursively those of each child."""

    def visit() -> Iterator[tuple[int, int]]:
        for node, children in enumerate(tree.children):  # preorder visits the nodes as the recursion does
            yield from ((node, child) for child in children)

    return list(visit())


def score_matrix(
    left: Sequence[str],
    right: Sequence[str],
    words: Callable[[str], Collection[str]],
    score: Callable[[str, str], float],
) -> NDArray[np.float64]:
    """(n, m) scores of all pairs of labels.

    ``score`` is called once per distinct pair, and not at all for two labels without a common word: ROUGE of
    those is 0.

    Raises:
        LimitError: more word pairs than a baseline takes.
    """
    rows, row_of = _distinct(left)
    columns, column_of = _distinct(right)
    row_words = [words(label) for label in rows]
    column_words = [words(label) for label in columns]
    check_limit(
        sum(map(len, row_words)) * sum(map(len, column_words)),
        MAX_BASELINE_WORD_PAIRS,
        "pairs of words for a ROUGE baseline",
        "leave the baselines out or trim the maps to fewer levels",
    )
    column_sets = [frozenset(tokens) for tokens in column_words]
    scores = np.zeros((len(rows), len(columns)))
    for i, label in enumerate(rows):
        row_set = frozenset(row_words[i])
        for j, other in enumerate(columns):
            if not row_set.isdisjoint(column_sets[j]):
                scores[i, j] = score(label, other)
    return scores[np.ix_(row_of, column_of)]


def _distinct(labels: Sequence[str]) -> tuple[list[str], list[int]]:
    index = {label: position for position, label in enumerate(dict.fromkeys(labels))}
    return list(index), [index[label] for label in labels]
