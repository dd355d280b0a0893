"""The graph through pyvis, with a template of our own.

pyvis's template links two files of a CDN even with ``cdn_resources="in_line"`` (behind a firewall that drops
packets the canvas came after 30 s), and turns every tooltip into HTML as soon as one text contains "href".
Ours uses the vis-network files that the package carries and does neither. It also measures the texts in the
browser before it places the boxes, so that nothing overlaps at any width and in any script.
"""

import functools
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import networkx as nx
from pyvis.network import Network

from tted_core.comparison import Comparison
from tted_core.report.svg import marked
from ui.mapping.graph.mapping_graph import SIDES, mapping_graph
from ui.palette import STYLES, SURFACE
from ui.text import shortened

SHOWN_CHARACTERS = 240
TOOLTIP_CHARACTERS = 1500

OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "nodes": {"shape": "box", "fixed": True, "physics": False},
    "edges": {"smooth": False},
    "interaction": {
        "hover": True,
        "tooltipDelay": 120,
        "dragNodes": False,
        "zoomView": False,
        "keyboard": {"enabled": True, "bindToWindow": False},
    },
}


class OfflineNetwork(Network):  # type: ignore[misc]
    """A pyvis network that renders to one HTML file without any request and without HTML in tooltips."""

    def generate_html(self, name: str = "", local: bool = True, notebook: bool = False) -> str:  # noqa: ARG002
        """Render the network with ``template.html``."""
        nodes, edges, *_ = self.get_network_data()
        return _template().render(
            nodes=nodes,
            edges=edges,
            options=self.options,
            theme=self.theme,
            legend=self.legend,
            note=self.note,
        )


@functools.cache
def _template() -> jinja2.Template:
    """Compiled once: with vis-network in it, that takes longer than rendering."""
    packaged = resources.files("pyvis") / "templates" / "lib" / "vis-9.1.2"
    folders = [Path(__file__).parent, Path(str(packaged))]
    return jinja2.Environment(loader=jinja2.FileSystemLoader(folders), autoescape=True).get_template(
        "template.html"
    )


def mapping_html(comparison: Comparison, *, dark: bool) -> str:
    """One self-contained HTML page that draws the mapping; it begins in this theme."""
    graph = mapping_graph(comparison)
    network = OfflineNetwork(directed=True, cdn_resources="in_line")
    network.theme = {
        "dark": dark,
        "surface": SURFACE,
        "ops": {kind: {"light": style.light, "dark": style.dark} for kind, style in STYLES.items()},
    }
    network.legend = [
        (kind, style.glyph, style.meaning, graph.graph["counts"][kind]) for kind, style in STYLES.items()
    ]
    network.note = "siblings on the right reordered for display" if graph.graph["reordered"] else ""
    for key, node in graph.nodes(data=True):
        network.add_node(
            _name(key),
            label=f"{STYLES[node['status']].glyph} {marked(shortened(node['label'], SHOWN_CHARACTERS))}",
            title=_tooltip(key, node, graph),
            side=key[0],
            depth=node["depth"],
            row=node["row"],
            op=node["status"],
        )
    for source, target, edge in graph.edges(data=True):
        extra = {} if edge["kind"] == "tree" else {"op": edge["status"], "strength": edge["strength"]}
        network.add_edge(_name(source), _name(target), kind=edge["kind"], **extra)
    network.set_options(json.dumps(OPTIONS))
    return network.generate_html()


def _name(key: tuple[str, int]) -> str:
    return f"{key[0]}-{key[1]}"


def _tooltip(key: tuple[str, int], node: dict[str, Any], graph: nx.DiGraph) -> str:
    side, _ = key
    lines = [
        f"{STYLES[node['status']].glyph} {node['status']} · cost {node['cost']:.4f} · level {node['depth']}"
    ]
    lines += node["notes"]
    lines += ["", shortened(node["label"], TOOLTIP_CHARACTERS)]
    neighbours = graph.successors(key) if side == SIDES[0] else graph.predecessors(key)
    partner = next((other for other in neighbours if other[0] != side), None)
    if partner and node["status"] in {"reworded", "moved", "replaced"}:
        arrow = "→" if side == SIDES[0] else "←"
        lines += ["", f"{arrow} {shortened(graph.nodes[partner]['label'], TOOLTIP_CHARACTERS)}"]
    return "\n".join(lines)
