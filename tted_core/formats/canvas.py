"""JSON Canvas, Obsidian's ``.canvas``: cards (``nodes``) and arrows (``edges``) between them.

A card's text is its label, a file's its name, a web page's its address. An arrow leads from parent to child.
Siblings come from top to bottom and left to right, as they are seen. Boxes around cards (groups) are nodes only if
an arrow touches them.
"""

from pathlib import PurePosixPath

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.graph import Graph
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted

_KINDS = ("text", "file", "link", "group")


def matches(document: Document) -> bool:
    """An object with cards of the known kinds in ``nodes``, and arrows in ``edges``."""
    value = document.json_or_none
    if value is None or value.kind != "object":
        return False
    nodes, edges = value.get("nodes"), value.get("edges")
    return (
        nodes is not None
        and nodes.kind == "array"
        and bool(nodes.items)
        and all(node.string("type") in _KINDS and node.get("id") is not None for node in nodes.items)
        and (edges is None or all(edge.get("fromNode") is not None for edge in edges.items))
    )


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no canvas, or arrows that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    nodes, edges = value.get("nodes"), value.get("edges")
    if nodes is None or nodes.kind != "array":
        raise MapFormatError("a canvas is an object with the lists 'nodes' and 'edges'", line=value.line)
    arrows = [_ends(edge) for edge in (edges.items if edges else [])]
    touched = {end for parent, child, _ in arrows for end in (parent, child)}
    graph = Graph()
    places: dict[str, tuple[float, float]] = {}
    groups = []
    for node in sorted(nodes.items, key=_place):
        key = node.string("id")
        if node.string("type") == "group" and key not in touched:
            groups.append(quoted(node.string("label")))
            continue
        graph.node(key, _label(node), line=node.line)
        places[key] = _place(node)
    for parent, child, line in sorted(arrows, key=lambda arrow: places.get(arrow[1], (0, 0))):
        graph.edge(parent, child, line=line)
    forest = graph.forest()
    forest.heading = PurePosixPath(document.name or "").stem if "." in (document.name or "") else ""
    forest.notices[:0] = notices
    labels = sum(bool(edge.string("label")) for edge in (edges.items if edges else []))
    if labels:
        forest.notices.append(f"the texts of {counted(labels, 'arrow')} are not part of the labels")
    if groups:
        forest.notices.append(f"boxes around cards are no nodes: {listed(groups)}")
    return [forest]


def _ends(edge: JsonValue) -> tuple[str, str, int]:
    """Parent, child and line of an arrow; one whose only head is at its beginning points the other way."""
    parent, child = edge.string("fromNode"), edge.string("toNode")
    if edge.string("fromEnd") == "arrow" and edge.string("toEnd") == "none":
        parent, child = child, parent
    return parent, child, edge.line


def _place(node: JsonValue) -> tuple[float, float]:
    try:
        return float(node.string("y") or 0), float(node.string("x") or 0)
    except ValueError:
        return 0.0, 0.0


def _label(node: JsonValue) -> str:
    match node.string("type"):
        case "file":
            return PurePosixPath(node.string("file")).stem + node.string("subpath")
        case "link":
            return node.string("url")
        case "group":
            return node.string("label")
    return " ".join(node.string("text").lstrip("# ").split())


CANVAS = Format(
    name="canvas", title="JSON Canvas (Obsidian)", extensions=(".canvas",), matches=matches, read=read
)
