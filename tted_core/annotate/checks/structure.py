"""Checks of the tree's shape."""

from collections.abc import Iterator

from tted_core.annotate.checks.finding import Issue, Thresholds
from tted_core.annotate.checks.view import MapView
from tted_core.formats.forest import joined_roots


def chains(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Only children in a row, one below the other; the longest first."""
    children, found = view.tree.children, []
    for node, parent in enumerate(view.tree.parents):
        if not node or len(children[parent]) > 1:
            continue  # not an only child
        if parent > 0 and len(children[view.tree.parents[parent]]) == 1:
            continue  # in the middle of a chain, which was found at its top
        chain = [node]
        while len(children[chain[-1]]) == 1:
            chain.append(children[chain[-1]][0])
        if len(chain) >= thresholds.chain_nodes:
            found.append(chain)
    for chain in sorted(found, key=lambda each: (-len(each), each)):
        yield Issue(tuple(chain), f"{len(chain)} only children, one below the other", len(chain))


def unbalanced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """The deepest and the shallowest branch below the root, if their levels differ enough."""
    branches = view.tree.children[0]
    if len(branches) < 2:
        return
    deepest = max(branches, key=lambda node: view.heights[node])
    shallowest = min(branches, key=lambda node: view.heights[node])
    most, least = view.heights[deepest], view.heights[shallowest]
    if most - least >= thresholds.depth_spread:
        levels = "level" if least == 1 else "levels"
        text = f"the deepest main branch has {most} levels, the shallowest {least} {levels}"
        yield Issue((deepest, shallowest), text, most - least)


def several_roots(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """The roots below the node that the reader put above them."""
    roots = view.tree.children[0] if view.joined else joined_roots(view.tree)
    if roots:
        yield Issue(roots, f"{len(roots)} roots", len(roots))
