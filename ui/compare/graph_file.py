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

from tted_core.explanation import Explanation, Node
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


def mapping_html(explanation: Explanation) -> str:
    """An HTML page that draws the graph without any request: roots at the outside, counterparts joined."""
    comparison, graph = explanation.comparison, nx.DiGraph()
    width = sum(tree.depth for tree in explanation.trees) + 1
    for row, pair in enumerate(explanation.rows):
        for node in pair.nodes:
            style = STYLES[node.status]
            column = width - node.level if node.side else node.level
            graph.add_node(
                _name(node),
                label=f"{style.glyph} {marked(shortened(node.label, LABEL_CHARACTERS))}",
                title=f"{style.glyph} {node.status}\n\n{shortened(node.label, TITLE_CHARACTERS)}",
                x=COLUMN * column,
                y=ROW * row,
                color=dict(zip(("background", "border"), style.light, strict=True)),
            )
    for node in (node for of in explanation.nodes for node in of):
        if node.parent:
            graph.add_edge(_name(node.parent), _name(node), color=SURFACE["light"]["line"], arrows="")
    for each in explanation.sentences:
        if each.left and each.right:
            ends = _name(each.left), _name(each.right)
            graph.add_edge(*ends, color=STYLES[each.status].light[1], dashes=True, arrows="")
    network = Network(directed=True)
    network.from_nx(graph)
    title = f"{comparison.left.name} and {comparison.right.name}"
    shown = {"nodes": network.nodes, "edges": network.edges, "options": OPTIONS, "title": title}
    return _template().render(shown)


def _name(node: Node) -> str:
    return f"{SIDES[node.side]}-{node.index}"


@functools.cache
def _template() -> jinja2.Template:
    """The template, compiled once: with vis-network in it, compiling takes longer than rendering."""
    packaged = resources.files("pyvis") / "templates" / "lib" / "vis-9.1.2"
    folders = [Path(__file__).parent, Path(str(packaged))]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folders), autoescape=True)
    return environment.get_template("graph_file.html")
