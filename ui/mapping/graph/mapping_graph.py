"""A comparison as a networkx graph: both trees' nodes and edges, and the links between matched nodes."""

import networkx as nx

from tted_core.comparison import Comparison
from tted_core.explain.mapping_view import MappingView

SIDES = ("left", "right")


def mapping_graph(comparison: Comparison) -> nx.DiGraph:
    """Build the graph.

    Nodes are ("left" | "right", preorder index) with ``label``, ``depth``, ``status``, ``cost``, ``notes`` and
    ``row``; edges have ``kind`` "tree", or "mapping" or "move" between counterparts, with ``status``, ``cost``
    and ``strength`` (1 for free, 0 for as costly as deleting and inserting). The graph's ``counts`` are of
    sentences by status; ``reordered`` tells whether siblings on the right changed places for display.
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
    for number, each in enumerate(view.outcomes):
        cost, notes = view.cost(number), view.notes(number)
        ends = [
            (side, node)
            for side, node in zip(SIDES, (each.source, each.target), strict=True)
            if node is not None
        ]
        for end in ends:
            graph.add_node(end, status=each.status, cost=cost, notes=notes)
        if len(ends) == 2:
            gap = float(comparison.costs[each.source, -1] + comparison.costs[-1, each.target])
            strength = max(0.0, 1 - float(comparison.costs[each.source, each.target]) / gap) if gap else 1.0
            kind = "move" if each.status == "moved" else "mapping"
            graph.add_edge(*ends, kind=kind, status=each.status, cost=cost, strength=strength)
    graph.graph["counts"] = view.counts
    graph.graph["reordered"] = view.reordered
    for row, pair in enumerate(view.rows):
        for side, partner in zip(SIDES, pair, strict=True):
            if partner is not None:
                graph.add_node((side, partner), row=row)
    return graph
