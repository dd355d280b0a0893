"""The tree layout used by the kernels, computed from parents in preorder."""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import Integers, compile_kernel


class Layout(NamedTuple):
    """A tree of n nodes in preorder.

    The subtree of v is the range ``v .. v + sizes[v] - 1``, its children are
    ``children[first[v] : first[v + 1]]``, and its leaves, numbered from left to right over the whole tree, are
    ``leaves[v] .. leaves[v + sizes[v]] - 1``.
    """

    sizes: Integers  # (n,)
    first: Integers  # (n + 1,)
    children: Integers  # (n - 1,), at least 1
    leaves: Integers  # (n + 1,)


@compile_kernel
def subtree_sizes(parents: Integers) -> Integers:
    """(n,) numbers of nodes of the subtrees."""
    sizes = np.ones(parents.size, dtype=np.int64)
    for node in range(parents.size - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return sizes


@compile_kernel
def tree_layout(parents: Integers) -> Layout:
    """Lay out the tree with these parents; the root's is -1."""
    size = parents.size
    first = np.zeros(size + 1, dtype=np.int64)
    leaves = np.zeros(size + 1, dtype=np.int64)
    for node in range(1, size):
        first[parents[node] + 1] += 1
    for node in range(size):
        leaves[node + 1] = leaves[node] + (1 if first[node + 1] == 0 else 0)
        first[node + 1] += first[node]
    filled = first[:-1].copy()
    children = np.empty(max(size - 1, 1), dtype=np.int64)
    for node in range(1, size):
        children[filled[parents[node]]] = node
        filled[parents[node]] += 1
    return Layout(subtree_sizes(parents), first, children, leaves)


@compile_kernel
def widest(tree: Layout) -> int:
    """The largest number of children, at least 1."""
    most = 1
    for node in range(tree.sizes.size):
        most = max(most, tree.first[node + 1] - tree.first[node])
    return most
