"""Synthetic maps with costs as TTED's, from a seed.

Every node has a unit vector instead of a sentence embedding; costs are ||a - b|| / sqrt(2), to the vector of
the empty text for a delete or an insert, as TTED's cosine costs. Random unit vectors of 384 dimensions are as
distant as sentences of unrelated maps and the empty text are to MiniLM: all distances lie near 1 (measured
on the published base trees: replace 0.97 +- 0.04, delete 0.99 +- 0.03; here 1.00 +- 0.03). So every pair of nodes
is worth keeping and hardly any more than another, which is the hard case for an exact solver: in 8 dimensions the
prototype was 400 times faster than in 384.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree

DIMENSIONS = 384
PARAPHRASE = 0.5  # length of the noise added to a kept node's vector


class Pair(NamedTuple):
    """Two trees and their cost matrix."""

    left: TextTree
    right: TextTree
    costs: NDArray[np.float64]


def unrelated_pair(size: int, seed: int) -> Pair:
    """Two maps that have nothing in common; each node hangs below any node before it."""
    rng = np.random.default_rng(seed)
    trees = [_tree([int(rng.integers(node)) for node in range(1, size)]) for _ in range(2)]
    return _pair(trees[0], trees[1], _vectors(rng, size), _vectors(rng, size), rng)


def edited_pair(size: int, rate: float, seed: int) -> Pair:
    """A map and its revision: a share ``rate`` of the nodes is edited, one edit after another.

    An edit deletes a node, inserts one between a node and some of its children, moves a subtree elsewhere, or
    rewrites a node; the siblings are shuffled and all other sentences are paraphrased a little.
    """
    rng = np.random.default_rng(seed)
    left = _tree([int(rng.integers(node)) for node in range(1, size)])
    vectors = _vectors(rng, size)
    children = {node: list(below) for node, below in enumerate(left.children)}
    revised = {node: _unit(vector + PARAPHRASE * _vectors(rng, 1)[0]) for node, vector in enumerate(vectors)}
    for edit in range(round(rate * size)):
        new = size + edit
        node = int(rng.choice(list(children)))
        parent = next((above for above, below in children.items() if node in below), None)
        action = rng.choice(["delete", "insert", "move", "rewrite"])
        if action == "insert":
            below = [child for child in children[node] if rng.random() < 0.5]
            children[new] = below
            children[node] = [child for child in children[node] if child not in below] + [new]
            revised[new] = _vectors(rng, 1)[0]
        elif action == "rewrite" or parent is None:
            revised[node] = _vectors(rng, 1)[0]
        else:
            children[parent].remove(node)
            if action == "delete":
                children[parent] += children.pop(node)
            else:
                inside = _subtree(children, node)
                children[int(rng.choice([other for other in children if other not in inside]))].append(node)
    right, order = _shuffled(children, rng)
    return _pair(left, right, vectors, np.array([revised[node] for node in order]), rng)


def left_comb(size: int, seed: int) -> Pair:
    """Two equal trees in which each inner node's first child goes on and its second is a leaf."""
    rng = np.random.default_rng(seed)
    children: list[list[int]] = [[] for _ in range(size)]
    node = 0
    for first in range(1, size - 1, 2):
        children[node] = [first, first + 1]
        node = first
    tree = TextTree.from_children([""] * size, children)
    return _pair(tree, tree, _vectors(rng, size), _vectors(rng, size), rng)


def star(leaves: int, seed: int) -> Pair:
    """Two roots with ``leaves`` leaves each."""
    rng = np.random.default_rng(seed)
    tree = _tree([0] * leaves)
    return _pair(tree, tree, _vectors(rng, leaves + 1), _vectors(rng, leaves + 1), rng)


def _tree(parents: list[int]) -> TextTree:
    """The tree of nodes 1, 2, ... with these parents, each smaller than its node."""
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for node, parent in enumerate(parents, start=1):
        children[parent].append(node)
    return TextTree.from_children([""] * len(children), children)


def _shuffled(children: dict[int, list[int]], rng: np.random.Generator) -> tuple[TextTree, list[int]]:
    order: list[int] = []
    parents: list[int] = []
    pending = [(0, -1)]
    while pending:
        node, parent = pending.pop()
        position = len(order)
        order.append(node)
        parents.append(parent)
        pending += [(int(child), position) for child in rng.permutation(children[node])]
    return TextTree(("",) * len(order), tuple(parents)), order


def _subtree(children: dict[int, list[int]], node: int) -> set[int]:
    inside = {node}
    for child in children[node]:
        inside |= _subtree(children, child)
    return inside


def _vectors(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    vectors = rng.standard_normal((count, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = vector / np.linalg.norm(vector)
    return unit


def _pair(
    left: TextTree,
    right: TextTree,
    vectors_left: NDArray[np.float64],
    vectors_right: NDArray[np.float64],
    rng: np.random.Generator,
) -> Pair:
    empty = _vectors(rng, 1)
    rows, columns = np.vstack((vectors_left, empty)), np.vstack((vectors_right, empty))
    costs = np.sqrt(np.maximum(0.0, 1.0 - rows @ columns.T))
    costs[-1, -1] = 0.0
    return Pair(left, right, costs)
