"""A comparison as a networkx graph: both trees' nodes and edges, and the links between matched nodes."""

from bisect import bisect_left

import networkx as nx

from tted_core.comparison import Comparison
from ui.graph.display_order import display_order

SIDES = ("left", "right")


def mapping_graph(comparison: Comparison) -> nx.DiGraph:
    """Build the graph.

    Nodes are ("left" | "right", preorder index) with ``label``, ``depth``, ``op``, ``cost``, ``notes`` and
    ``row``; edges have ``kind`` "tree" or "mapping", the latter with ``cost`` and ``strength`` (1 for free, 0
    for as dear as deleting and inserting). The graph's ``reordered`` tells whether siblings on the right changed
    places for display.
    """
    graph = nx.DiGraph()
    trees = (comparison.left.tree, comparison.right.tree)
    for side, tree in zip(SIDES, trees, strict=True):
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True)):
            graph.add_node((side, node), label=label, depth=depth)
        graph.add_edges_from(
            ((side, parent), (side, node), {"kind": "tree"})
            for node, parent in enumerate(tree.parents)
            if parent >= 0
        )
    for op in comparison.script.ops:
        ends = [
            (side, node) for side, node in zip(SIDES, (op.source, op.target), strict=True) if node is not None
        ]
        for end in ends:
            graph.add_node(end, op=op.op, cost=op.cost, notes=op.notes)
        if len(ends) == 2:
            gap = float(comparison.costs[op.source, -1] + comparison.costs[-1, op.target])
            strength = max(0.0, 1 - op.cost / gap) if gap else 1.0
            graph.add_edge(*ends, kind="mapping", op=op.op, cost=op.cost, strength=strength)
    shown = display_order(comparison)
    graph.graph["reordered"] = shown != sorted(shown)
    for row, pair in enumerate(aligned_rows(comparison, shown)):
        for side, node in zip(SIDES, pair, strict=True):
            if node is not None:
                graph.add_node((side, node), row=row)
    return graph


def aligned_rows(comparison: Comparison, shown: list[int]) -> list[tuple[int | None, int | None]]:
    """Rows that keep both orders of display and put as many matched nodes as possible side by side.

    The matched pairs on common rows are a longest increasing subsequence of the targets in the order of their
    sources; the other nodes get rows of their own. ``shown`` lists the right nodes in the order of display.
    """
    place = {node: index for index, node in enumerate(shown)}
    pairs = sorted(
        (op.source, place[op.target])
        for op in comparison.script.ops
        if op.source is not None and op.target is not None
    )
    rows: list[tuple[int | None, int | None]] = []
    left, right = 0, 0
    end = (len(comparison.left.tree), len(comparison.right.tree))
    for source, target in [*longest_chain(pairs), end]:
        rows += [(node, None) for node in range(left, source)]
        rows += [(None, shown[index]) for index in range(right, target)]
        if (source, target) != end:
            rows.append((source, shown[target]))
        left, right = source + 1, target + 1
    return rows


def longest_chain(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A longest subsequence of ``pairs`` (sorted by source, distinct targets) whose targets increase."""
    tails: list[int] = []  # smallest target that ends a chain of each length
    ends: list[int] = []  # index of the pair that does
    before: list[int] = []
    for index, (_, target) in enumerate(pairs):
        length = bisect_left(tails, target)
        before.append(ends[length - 1] if length else -1)
        tails[length:] = [target, *tails[length + 1 :]]
        ends[length:] = [index, *ends[length + 1 :]]
    chain = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
