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
from tted_core.foundations.output import is_leftward
from tted_core.report.palette import KIND_STYLES, SURFACE
from tted_core.report.readings import ReadingLine, read_sentences
from tted_core.report.wording import names_of
from ui.text import shorten

_SIDES = ("left", "right")
BOX_CHARACTERS = 80
TITLE_CHARACTERS = 1500
SIZE = 13  # pixels of letters
THINNEST, THICKEST = 1.0, 5.0  # pixels of a link that costs nothing, and of the most costly one

LIGHT = SURFACE["light"]
FONT = "Source Sans Pro, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif"

NETWORK_OPTIONS = {
    "physics": {"enabled": False},
    "nodes": {
        "margin": 6,
        "borderWidth": 1.5,
        "labelHighlightBold": False,
        "font": {"face": FONT, "size": SIZE, "color": LIGHT["text"], "align": "left"},
        "shapeProperties": {"borderRadius": 4},
    },
    "edges": {"smooth": {"type": "cubicBezier", "forceDirection": "horizontal"}, "hoverWidth": 0},
    "interaction": {"hover": True, "tooltipDelay": 120, "keyboard": {"bindToWindow": False}},
}


def mapping_html(explanation: Explanation) -> str:
    """An HTML page that draws the graph without any request: roots at the outside, counterparts joined."""
    comparison, graph = explanation.comparison, nx.DiGraph()
    width = sum(tree.depth for tree in explanation.trees) + 1
    reading = read_sentences(explanation)
    for number, row in enumerate(reading.rows):
        for node in row.nodes:
            sign = f"{KIND_STYLES[node.status].glyph}{' !' if node.sentence.flags else ''}"
            fill, border = KIND_STYLES[node.status].light
            pointed = {"background": fill, "border": LIGHT["text"]}
            graph.add_node(
                _name(node),
                shape="box",  # pyvis would set another
                label=f"{sign} {shorten(node.label, BOX_CHARACTERS)}",
                font={"align": "right" if is_leftward(node.label) else "left"},
                title=_title(node, row.line),
                row=number,
                column=width - node.level if node.side else node.level,
                color={"background": fill, "border": border} | dict.fromkeys(("hover", "highlight"), pointed),
            )
            if node.parent:
                graph.add_edge(_name(node.parent), _name(node), color=LIGHT["line"], weight=0.7, arrows="")
    most = max(line.amount for line in reading.lines) or 1
    for line in reading.lines:
        left, right = line.nodes
        if left and right:
            colour = LIGHT["line"] if line.kind == "same" else KIND_STYLES[line.kind].light[1]
            thick = THINNEST + (THICKEST - THINNEST) * line.amount / most
            graph.add_edge(_name(left), _name(right), color=colour, weight=thick, dashes=[6, 4], arrows="")
    network = Network(directed=True)
    network.from_nx(graph)  # whose weights are the links' widths
    shown = {"nodes": network.nodes, "edges": network.edges, "options": NETWORK_OPTIONS, "font": FONT}
    return _template().render(
        shown,
        names=names_of(comparison),
        comparison=comparison,
        counts=[(kind, KIND_STYLES[kind], n) for kind, n in explanation.matching.counts.items() if n],
        claims=explanation.matching.claims,
        surface=LIGHT,
    )


def _title(node: Node, line: ReadingLine) -> str:
    """The whole text, with its status, amount, flags and notes."""
    amount = f" · {line.amount_text}" if line.amount_text else ""
    head = f"{KIND_STYLES[node.status].glyph} {line.kind}{amount}"
    return "\n".join([head, *line.remarks, "", shorten(node.label, TITLE_CHARACTERS)])


def _name(node: Node) -> str:
    return f"{_SIDES[node.side]}-{node.index}"


@functools.cache
def _template() -> jinja2.Template:
    """The template, compiled once: with vis-network in it, compiling takes longer than rendering."""
    packaged = resources.files("pyvis") / "templates" / "lib" / "vis-9.1.2"
    folders = [Path(__file__).parent, Path(str(packaged))]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folders), autoescape=True)
    return environment.get_template("graph_file.html")
