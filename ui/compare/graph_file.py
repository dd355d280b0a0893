"""The mapping as an interactive graph in one file: a networkx graph, drawn by pyvis.

pyvis's own template links two files of a CDN even with ``cdn_resources="in_line"``, and turns tooltips into HTML
as soon as one text contains "href". Ours uses the vis-network files that the package carries and does neither.
"""

import functools
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import networkx as nx
from pyvis.network import Network

from tted_core.compare import Comparison
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


def mapping_graph(comparison: Comparison) -> nx.DiGraph:
    """A graph of both trees with edges between counterparts.

    Nodes are (side, preorder index) with ``text``, ``depth``, ``row`` and ``status``; edges have ``status``, that
    of two counterparts, or None between a node and its child.
    """
    graph = nx.DiGraph(title=f"{comparison.left.name} and {comparison.right.name}")
    view = MappingView(comparison)
    for side, tree in zip(SIDES, view.trees, strict=True):
        for node, (text, depth) in enumerate(zip(tree.labels, tree.depths, strict=True)):
            graph.add_node((side, node), text=text, depth=depth)
        graph.add_edges_from(
            ((side, parent), (side, node), {"status": None})
            for node, parent in enumerate(tree.parents)
            if parent >= 0
        )
    for row, pair in enumerate(view.rows):
        graph.add_nodes_from(
            (end, {"row": row}) for end in zip(SIDES, pair, strict=True) if end[1] is not None
        )
    for each in view.outcomes:
        ends = [end for end in zip(SIDES, (each.source, each.target), strict=True) if end[1] is not None]
        graph.add_nodes_from(ends, status=each.status)
        if len(ends) == len(SIDES):
            graph.add_edge(*ends, status=each.status)
    return graph


def mapping_html(comparison: Comparison) -> str:
    """An HTML page that draws the graph without any request: roots at the outside, counterparts joined."""
    graph = mapping_graph(comparison)
    network = _Network(directed=True, cdn_resources="in_line")
    network.title = graph.graph["title"]
    widths = {
        side: max(node["depth"] for key, node in graph.nodes(data=True) if key[0] == side) for side in SIDES
    }
    for (side, number), node in graph.nodes(data=True):
        style = STYLES[node["status"]]
        from_edge = node["depth"] - 1
        network.add_node(
            f"{side}-{number}",
            label=f"{style.glyph} {marked(shortened(node['text'], LABEL_CHARACTERS))}",
            title=f"{style.glyph} {node['status']}\n\n{shortened(node['text'], TITLE_CHARACTERS)}",
            x=COLUMN * (from_edge if side == SIDES[0] else sum(widths.values()) - from_edge),
            y=ROW * node["row"],
            shape="box",
            color=dict(zip(("background", "border"), style.light, strict=True)),
        )
    for source, target, edge in graph.edges(data=True):
        status = edge["status"]
        colour = STYLES[status].light[1] if status else SURFACE["light"]["line"]
        network.add_edge(
            *(f"{side}-{number}" for side, number in (source, target)),
            color=colour,
            dashes=status is not None,
            arrows="",
        )
    network.set_options(json.dumps(OPTIONS))
    return network.generate_html()


class _Network(Network):  # type: ignore[misc]
    title = ""

    def generate_html(self, name: str = "", local: bool = True, notebook: bool = False) -> str:  # noqa: ARG002
        """Render the network with ``graph_file.html``."""
        nodes, edges, *_ = self.get_network_data()
        shown: dict[str, Any] = {"nodes": nodes, "edges": edges, "options": self.options, "title": self.title}
        return _template().render(shown)


@functools.cache
def _template() -> jinja2.Template:
    """The template, compiled once: with vis-network in it, compiling takes longer than rendering."""
    packaged = resources.files("pyvis") / "templates" / "lib" / "vis-9.1.2"
    folders = [Path(__file__).parent, Path(str(packaged))]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folders), autoescape=True)
    return environment.get_template("graph_file.html")
