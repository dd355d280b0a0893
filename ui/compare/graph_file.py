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
    """A graph of both trees, roots at the outside, with edges between counterparts.

    Attributes are those of vis-network; edges also have ``status``, that of two counterparts, or None between a
    node and its child.
    """
    view = MappingView(comparison)
    graph = nx.DiGraph(title=f"{comparison.left.name} and {comparison.right.name}")
    levels = sum(tree.depth for tree in view.trees)
    for row, pair in enumerate(view.rows):
        for side, node in enumerate(pair):
            if node is None:
                continue
            tree, status = view.trees[side], view.status(side, node)
            text, style, level = tree.labels[node], STYLES[status], tree.depths[node] - 1
            graph.add_node(
                _name(side, node),
                label=f"{style.glyph} {marked(shortened(text, LABEL_CHARACTERS))}",
                title=f"{style.glyph} {status}\n\n{shortened(text, TITLE_CHARACTERS)}",
                x=COLUMN * (levels - level if side else level),
                y=ROW * row,
                shape="box",
                color=dict(zip(("background", "border"), style.light, strict=True)),
            )
    plain = {"status": None, "color": SURFACE["light"]["line"], "dashes": False, "arrows": ""}
    for side, tree in enumerate(view.trees):
        for node, parent in enumerate(tree.parents[1:], start=1):
            graph.add_edge(_name(side, parent), _name(side, node), **plain)
    for status, (source, target) in view.links:
        look = {"status": status, "color": STYLES[status].light[1], "dashes": True}
        graph.add_edge(_name(0, source), _name(1, target), **plain | look)
    return graph


def _name(side: int, node: int) -> str:
    return f"{('left', 'right')[side]}-{node}"


def mapping_html(comparison: Comparison) -> str:
    """An HTML page that draws the graph without any request."""
    network = _Network(directed=True, cdn_resources="in_line")
    graph = mapping_graph(comparison)
    network.title = graph.graph["title"]
    network.from_nx(graph)
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
