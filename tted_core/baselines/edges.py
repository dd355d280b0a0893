"""Edges of maps as the ROUGE baselines take them, and the best one-to-one matching."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.limits import MAX_BASELINE_WORD_PAIRS, check_limit
from tted_core.tree import TextTree

# What both ROUGE baselines share: a map's edges, its distinct labels, and what two edges are worth together.

Text: TypeAlias = list[list[str]]
"""The words of each sentence."""

Edge: TypeAlias = tuple[int, int]
"""A parent and its child, as preorder indices."""

LabelEdges: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]
"""The labels of the edges' upper ends and of their lower ends, as numbers."""


def breadth_first_edges(tree: TextTree) -> list[Edge]:
    """Edges (parent, child): a node's child edges, then recursively those of each child."""

    def visit() -> Iterator[Edge]:
        for node, children in enumerate(tree.children):  # preorder visits the nodes as the recursion does
            yield from ((node, child) for child in children)

    return list(visit())


def distinct_texts(left: TextTree, right: TextTree, split: Callable[[str], Text]) -> dict[str, Text]:
    """Each distinct label of both maps, split into words once.

    Raises:
        LimitError: more word pairs than a baseline takes.
    """
    texts = {label: split(label) for label in dict.fromkeys((*left.labels, *right.labels))}
    words = max(
        sum(len(sentence) for label in set(tree.labels) for sentence in texts[label])
        for tree in (left, right)
    )
    check_limit(
        words**2,  # a map is compared with itself too
        MAX_BASELINE_WORD_PAIRS,
        "pairs of words for a ROUGE baseline",
        "leave the baselines out or trim the maps to fewer levels",
    )
    return texts


def label_edges(tree: TextTree, texts: Iterable[str]) -> LabelEdges:
    """The tree's edges, breadth-first, as the places of their labels among the distinct ``texts``."""
    place = {label: number for number, label in enumerate(texts)}
    places = np.array([place[label] for label in tree.labels])
    parents, children = places[np.array(breadth_first_edges(tree), dtype=np.intp).reshape(-1, 2).T]
    return parents, children


def edge_gains(scores: NDArray[np.float64], rows: LabelEdges, columns: LabelEdges) -> NDArray[np.float64]:
    """R(parents) + R(children) of each edge of ``rows`` with each of ``columns``; ``scores`` holds all R."""
    (p, c), (q, d) = rows, columns
    return scores[np.ix_(p, q)] + scores[np.ix_(c, d)]


# The best one-to-one matching: the assignment problem, as scipy solves it (Jonker and Volgenant 1987).


def best_assignment(gains: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pairs whose gains sum to the most; of n x m, min(n, m) pairs."""
    from scipy.optimize import linear_sum_assignment  # 0.3 s, which importing tted_core need not wait for

    rows, columns = linear_sum_assignment(gains, maximize=True)
    return rows, columns
