"""A comparison as a networkx graph: both trees' nodes and edges, and the links between matched nodes."""

import networkx as nx

from tted_core.comparison import Comparison
from tted_core.explain.mapping_view import MappingView

SIDES = ("left", "right")


def mapping_graph(comparison: Comparison) -> nx.DiGraph:
    """Build the graph.

    Nodes are ("left" | "right", preorder index) with ``label``, ``depth``, ``op``, ``look``, ``cost``, ``notes``
    and ``row``; edges have ``kind`` "tree", or "mapping" with ``look``, ``cost`` and ``strength`` (1 for free, 0
    for as dear as deleting and inserting), or "move" between the two ends of a move. The graph's ``counts`` are of
    nodes by their looks; ``reordered`` tells whether siblings on the right changed places for display.
    """
    graph = nx.DiGraph()
    view = MappingView(comparison)
    for side, tree in zip(SIDES, view.trees, strict=True):
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True)):
            graph.add_node((side, node), label=label, depth=depth)
        graph.add_edges_from(
            ((side, parent), (side, node), {"kind": "tree"})
            for node, parent in enumerate(tree.parents)
            if parent >= 0
        )
    for op, look in zip(view.ops, view.looks, strict=True):
        ends = [
            (side, node) for side, node in zip(SIDES, (op.source, op.target), strict=True) if node is not None
        ]
        for end in ends:
            graph.add_node(end, op=op.op, look=look.kind, cost=op.cost, notes=op.notes)
        if len(ends) == 2:
            gap = float(comparison.costs[op.source, -1] + comparison.costs[-1, op.target])
            strength = max(0.0, 1 - op.cost / gap) if gap else 1.0
            graph.add_edge(*ends, kind="mapping", look=look.kind, cost=op.cost, strength=strength)
        if op.source is not None and look.twin is not None:
            other = view.ops[look.twin].target
            graph.add_edge((SIDES[0], op.source), (SIDES[1], other), kind="move", look="move", strength=0.5)
    graph.graph["counts"] = view.counts
    graph.graph["reordered"] = view.reordered
    for row, pair in enumerate(view.rows):
        for side, partner in zip(SIDES, pair, strict=True):
            if partner is not None:
                graph.add_node((side, partner), row=row)
    return graph
