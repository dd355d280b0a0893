"""Ordered and constrained distances by edist (Paaßen 2021), which the published code calls."""

from edist import ted, uted


def edist_distance(problem, order):
    """The distance by edist, which calls back to Python for the cost of each pair."""
    distance = {"ordered": ted.ted, "constrained": uted.uted}[order]
    return problem.distance(float(distance(*edist_arguments(problem.left, problem.right, problem.weights))))


def edist_arguments(left, right, costs):
    """Nodes and child lists of both trees in preorder, and a function of two nodes, None for the gap."""
    rows = costs.tolist()

    def delta(source, target):
        return rows[-1 if source is None else source][-1 if target is None else target]

    here, there = ((list(range(len(tree))), list(map(list, tree.children))) for tree in (left, right))
    return *here, *there, delta
