"""Ordered tree edit distance with its mapping (Zhang and Shasha 1989), decomposed from the cheaper side.

Nodes are numbered in postorder; x's subtree is the range first(x) .. x, first(x) being its leftmost leaf.
With D(x, y) the distance of the subtrees and f the distance of the prefixes of two subtrees (i, j),

    f(x, y) = min( f(x-1, y) + delete(x),  f(x, y-1) + insert(y),
                   f(first(x)-1, first(y)-1) + D(x, y) ),

where D(x, y) = f(x-1, y-1) + replace(x, y) if both first leaves are those of i and j. One table per pair of
keyroots (nodes with a left sibling, and the root) covers all pairs. The number of cells is the product of the two
trees' sums of keyroot subtree sizes. It depends on the side from which the postorder starts: for a left-leaning
comb the sum is linear from one side and quadratic from the other. Mirroring both trees changes nothing else.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import Floats, Integers, borrowing, compile_kernel
from tted_core.solvers.kernels.trees import subtree_sizes


class Postorder(NamedTuple):
    """A tree (or its mirror image) in postorder."""

    preorder: Integers  # (n,) each node's preorder number
    first: Integers  # (n,) each subtree's first leaf
    keyroots: Integers  # ascending
    keyroot_cells: int  # the sum of the keyroots' subtree sizes


class _Tables(NamedTuple):
    """Costs, first leaves and distances in postorder; ``forests`` is the workspace for one pair of subtrees."""

    first_left: Integers  # (n,)
    first_right: Integers  # (m,)
    replace: Floats  # (n, m)
    delete: Floats  # (n,)
    insert: Floats  # (m,)
    trees: Floats  # (n, m): D
    forests: Floats  # (n + 1, m + 1): f


@compile_kernel
def _postorder(parents: Integers, mirrored: bool) -> Postorder:
    size = parents.size
    sizes = subtree_sizes(parents)
    preorder = np.empty(size, dtype=np.int64)
    first = np.empty(size, dtype=np.int64)
    is_keyroot = np.zeros(size, dtype=np.bool_)
    depth = np.zeros(size, dtype=np.int64)
    cells = 0
    for node in range(size):
        parent = parents[node]
        if node > 0:
            depth[node] = depth[parent] + 1
        if mirrored:
            # The postorder of the mirrored tree is the reversed preorder.
            position = size - 1 - node
            opens_path = node == 0 or node + sizes[node] != parent + sizes[parent]
        else:
            # A node is preceded by nodes with smaller preorder numbers except its ancestors, and by its subtree.
            position = node - depth[node] + sizes[node] - 1
            opens_path = node == 0 or node != parent + 1
        preorder[position] = node
        first[position] = position - sizes[node] + 1
        is_keyroot[position] = opens_path
        if opens_path:
            cells += sizes[node]
    return Postorder(preorder, first, np.flatnonzero(is_keyroot), cells)


@compile_kernel
def _tables(left: Postorder, right: Postorder, costs: Floats) -> _Tables:
    size_left, size_right = left.first.size, right.first.size
    replace = np.empty((size_left, size_right))
    delete = np.empty(size_left)
    insert = np.empty(size_right)
    for y in range(size_right):
        insert[y] = costs[size_left, right.preorder[y]]
    for x in range(size_left):
        delete[x] = costs[left.preorder[x], size_right]
        for y in range(size_right):
            replace[x, y] = costs[left.preorder[x], right.preorder[y]]
    return _Tables(
        left.first,
        right.first,
        replace,
        delete,
        insert,
        np.empty((size_left, size_right)),
        np.empty((size_left + 1, size_right + 1)),
    )


@borrowing
def _fill(last_left: int, last_right: int, tables: _Tables) -> None:
    """Fill the forest table of one pair of subtrees, and D(x, y) for the nodes on their outer paths."""
    first_left, first_right, replace, delete, insert, trees, forests = tables
    start_left, start_right = first_left[last_left], first_right[last_right]
    forests[0, 0] = 0.0
    for y in range(start_right, last_right + 1):
        forests[0, y - start_right + 1] = forests[0, y - start_right] + insert[y]
    for x in range(start_left, last_left + 1):
        row = x - start_left + 1
        deletion = delete[x]
        left_start = first_left[x] - start_left
        forests[row, 0] = forests[row - 1, 0] + deletion
        for y in range(start_right, last_right + 1):
            column = y - start_right + 1
            right_start = first_right[y] - start_right
            best = min(forests[row - 1, column] + deletion, forests[row, column - 1] + insert[y])
            if left_start == 0 and right_start == 0:
                best = min(best, forests[row - 1, column - 1] + replace[x, y])
                trees[x, y] = best
            else:
                best = min(best, forests[left_start, right_start] + trees[x, y])
            forests[row, column] = best


@compile_kernel
def _trace(tables: _Tables) -> Integers:
    """Trace back through the tables; (n,) partner of each left node in postorder, -1 for a deleted one.

    A forest table is filled again for each pair of subtrees that the traceback enters. The same operations give
    the same floats, so the step taken is found by equality. Among equal steps a kept pair comes first.
    """
    first_left, first_right, replace, delete, _, trees, forests = tables
    size_left, size_right = trees.shape
    partner = np.full(size_left, -1, dtype=np.int64)
    pending = np.empty((min(size_left, size_right) + 1, 2), dtype=np.int64)
    pending[0, 0], pending[0, 1] = size_left - 1, size_right - 1
    count = 1
    while count > 0:
        count -= 1
        x, y = pending[count, 0], pending[count, 1]
        start_left, start_right = first_left[x], first_right[y]
        _fill(x, y, tables)
        while x >= start_left and y >= start_right:
            row, column = x - start_left + 1, y - start_right + 1
            left_start, right_start = first_left[x] - start_left, first_right[y] - start_right
            here = forests[row, column]
            if left_start == 0 and right_start == 0:
                if here == forests[row - 1, column - 1] + replace[x, y]:
                    partner[x] = y
                    x -= 1
                    y -= 1
                    continue
            elif here == forests[left_start, right_start] + trees[x, y]:
                pending[count, 0], pending[count, 1] = x, y
                count += 1
                x, y = first_left[x] - 1, first_right[y] - 1
                continue
            if here == forests[row - 1, column] + delete[x]:
                x -= 1
            else:
                y -= 1
    return partner


@compile_kernel
def pair_ordered(parents_left: Integers, parents_right: Integers, costs: Floats) -> tuple[float, Integers]:
    """The ordered distance and each left node's partner (preorder, -1 for none). O(n m) memory."""
    left, right = _postorder(parents_left, False), _postorder(parents_right, False)
    mirrored_left, mirrored_right = _postorder(parents_left, True), _postorder(parents_right, True)
    if mirrored_left.keyroot_cells * mirrored_right.keyroot_cells < left.keyroot_cells * right.keyroot_cells:
        left, right = mirrored_left, mirrored_right
    tables = _tables(left, right, costs)
    for x in left.keyroots:
        for y in right.keyroots:
            _fill(x, y, tables)
    distance = tables.trees[-1, -1]
    partner = np.full(parents_left.size, -1, dtype=np.int64)
    in_postorder = _trace(tables)
    for x in range(in_postorder.size):
        if in_postorder[x] >= 0:
            partner[left.preorder[x]] = right.preorder[in_postorder[x]]
    return distance, partner
