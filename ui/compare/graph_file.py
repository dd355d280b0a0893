"""The mapping as an interactive graph in one file: a networkx graph, drawn by pyvis.

pyvis's own template links two files of a CDN even with ``cdn_resources="in_line"``, and turns tooltips into HTML
as soon as one text contains "href". Ours uses the vis-network files that the package carries and does neither.
"""

import functools
from importlib import resources
from pathlib import Path

import jinja2
import networkx as nx
from pyvis.network import Network

from tted_core.comparison import Comparison
from tted_core.explain.mapping_view import MappingView
from tted_core.report.palette import STYLES, SURFACE
from tted_core.report.svg import marked
from ui.text import shortened

SIDES = ("left", "right")
LABEL_CHARACTERS = 60
TITLE_CHARACTERS = 1500
COLUMN, ROW, WIDTH = 220, 64, 180
"""Pixels between levels, between rows, and of a box."""

OPTIONS = {
    "physics": {"enabled": False},
    "nodes": {"shape": "box", "widthConstraint": WIDTH, "borderWidth": 2, "labelHighlightBold": False},
    "edges": {"smooth": {"type": "cubicBezier", "forceDirection": "horizontal"}},
    "interaction": {"hover": True, "tooltipDelay": 120, "navigationButtons": True, "keyboard": True},
}


def mapping_html(comparison: Comparison) -> str:
    """An HTML page that draws the graph without any request: roots at the outside, counterparts joined."""
    view = MappingView(comparison)
    graph = nx.DiGraph()
    width = sum(tree.depth for tree in view.trees) + 1
    for row, pair in enumerate(view.rows):
        for side, node in enumerate(pair):
            if node is None:
                continue
            tree = view.trees[side]
            status = view.outcome(side, node).status
            text, style = tree.labels[node], STYLES[status]
            column = tree.depths[node] if side == 0 else width - tree.depths[node]
            graph.add_node(
                f"{SIDES[side]}-{node}",
                label=f"{style.glyph} {marked(shortened(text, LABEL_CHARACTERS))}",
                title=f"{style.glyph} {status}\n\n{shortened(text, TITLE_CHARACTERS)}",
                x=COLUMN * column,
                y=ROW * row,
                color=dict(zip(("background", "border"), style.light, strict=True)),
            )
    for name, tree in zip(SIDES, view.trees, strict=True):
        for node, parent in enumerate(tree.parents[1:], start=1):
            graph.add_edge(f"{name}-{parent}", f"{name}-{node}", color=SURFACE["light"]["line"], arrows="")
    for status, (source, target) in view.links:
        ends = f"left-{source}", f"right-{target}"
        graph.add_edge(*ends, color=STYLES[status].light[1], dashes=True, arrows="")
    network = Network(directed=True)
    network.from_nx(graph)
    title = f"{comparison.left.name} and {comparison.right.name}"
    shown = {"nodes": network.nodes, "edges": network.edges, "options": OPTIONS, "title": title}
    return _template().render(shown)


@functools.cache
def _template() -> jinja2.Template:
    """The template, compiled once: with vis-network in it, compiling takes longer than rendering."""
    packaged = resources.files("pyvis") / "templates" / "lib" / "vis-9.1.2"
    folders = [Path(__file__).parent, Path(str(packaged))]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folders), autoescape=True)
    return environment.get_template("graph_file.html")
