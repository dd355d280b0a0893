"""JSON of nodes and links: edist, networkx and canvases."""

from pathlib import PurePosixPath

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format, from_json, if_json
from tted_core.formats.edges import Graph
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted
from tted_core.formats.object_json import LABEL_KEYS

# edist JSON: ``{"nodes": [labels], "adj": [[children of node 0], ...]}``, in any numbering.


@if_json
def matches_edist(value: JsonValue) -> bool:
    """An object with the lists ``nodes`` and ``adj``."""
    nodes, adjacency = value.get("nodes"), value.get("adj")
    return nodes is not None and adjacency is not None and nodes.kind == adjacency.kind == "array"


@from_json
def read_edist(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: lists of different lengths, or an adjacency that is no tree.
        LimitError: too large.
    """
    nodes, adjacency = value.get("nodes"), value.get("adj")
    if nodes is None or adjacency is None:
        raise MapFormatError("edist JSON is an object with the lists 'nodes' and 'adj'", line=value.line)
    if len(nodes.items) != len(adjacency.items):
        raise MapFormatError(
            f"{len(nodes.items):,} nodes but {len(adjacency.items):,} lists of children; give each node one",
            line=adjacency.line,
        )
    graph = Graph()
    for number, label in enumerate(nodes.items):
        graph.node(str(number), label.text, line=label.line)
    for number, children in enumerate(adjacency.items):
        for child in children.items:
            graph.edge(str(number), child.text, line=child.line)
    return [graph.forest()]


EDIST = Format(
    name="edist",
    title="edist JSON (nodes, adj)",
    extensions=(".json",),
    matches=matches_edist,
    read=read_edist,
)


# networkx JSON: node-link data (``nodes`` and ``links`` or ``edges``) and tree data (``id`` and
# ``children``).
#
# A node's label is its attribute ``label``, ``text``, ``name``, ``title`` or ``topic``, else its id. Node-
# link graphs must be trees; an undirected one is read in the direction in which its edges are written.

_LINKS = ("links", "edges")


@if_json
def matches_networkx(value: JsonValue) -> bool:
    """An object with lists ``nodes`` and ``links``/``edges``, or one with ``id`` and ``children`` but no label."""
    return _is_node_link(value) or _is_tree(value)


def _is_node_link(value: JsonValue) -> bool:
    nodes = value.get("nodes")
    links = value.get(*_LINKS)
    return (
        nodes is not None
        and links is not None
        and links.kind == nodes.kind == "array"
        and all(node.get("id") is not None for node in nodes.items)
        and all(link.get("source") is not None for link in links.items)
    )


def _is_tree(value: JsonValue) -> bool:
    children = value.get("children")
    scalar = value.get("id")
    return (
        scalar is not None
        and scalar.kind not in {"object", "array"}
        and (children is None or children.kind == "array")
        and ("children" in value.keys or len(value.keys) == 1)
        and not any(key in LABEL_KEYS for key in value.keys)
    )


@from_json
def read_networkx(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: neither form, or links that make no tree.
        LimitError: too large.
    """
    return [_read_node_link(value) if "nodes" in value.keys else _read_tree(value)]


def _read_node_link(value: JsonValue) -> Forest:
    graph = Graph()
    for node in value.below("nodes"):
        if node.get("id") is None:
            raise MapFormatError("a node of networkx is an object with an 'id'", line=node.line)
        graph.node(node.string("id"), node.string(*LABEL_KEYS, "id"), line=node.line)
    for link in value.below(*_LINKS):
        graph.edge(link.string("source"), link.string("target"), line=link.line)
    return graph.forest()


def _read_tree(value: JsonValue) -> Forest:
    forest = Forest()
    for node, parent in forest.walk([value], lambda each: each.below("children")):
        if node.kind != "object" or node.get("id") is None:
            raise MapFormatError("a node of networkx is an object with an 'id'", line=node.line)
        forest.add(node.string(*LABEL_KEYS, "id"), parent, line=node.line)
    return forest


NETWORKX = Format(
    name="networkx",
    title="networkx JSON (node-link, tree)",
    extensions=(".json",),
    matches=matches_networkx,
    read=read_networkx,
)


# JSON Canvas, Obsidian's ``.canvas``: cards (``nodes``) and arrows (``edges``) between them.
#
# A card's text is its label, a file's its name, a web page's its address. An arrow leads from parent to
# child. Siblings come from top to bottom and left to right, as they are seen. Boxes around cards (groups)
# are nodes only if an arrow touches them.

_KINDS = ("text", "file", "link", "group")


@if_json
def matches_canvas(value: JsonValue) -> bool:
    """An object with cards of the known kinds in ``nodes``, and arrows in ``edges``."""
    nodes, edges = value.get("nodes"), value.get("edges")
    return (
        nodes is not None
        and nodes.kind == "array"
        and bool(nodes.items)
        and all(node.string("type") in _KINDS and node.get("id") is not None for node in nodes.items)
        and (edges is None or all(edge.get("fromNode") is not None for edge in edges.items))
    )


def read_canvas(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no canvas, or arrows that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    nodes, edges = value.get("nodes"), value.below("edges")
    if nodes is None or nodes.kind != "array":
        raise MapFormatError("a canvas is an object with the lists 'nodes' and 'edges'", line=value.line)
    arrows = [_ends(edge) for edge in edges]
    touched = {end for parent, child, _ in arrows for end in (parent, child)}
    graph = Graph()
    places: dict[str, tuple[float, float]] = {}
    groups = []
    for node in sorted(nodes.items, key=_place):
        key = node.string("id")
        if node.string("type") == "group" and key not in touched:
            groups.append(quoted(node.string("label")))
            continue
        graph.node(key, _canvas_label(node), line=node.line)
        places[key] = _place(node)
    for parent, child, line in sorted(arrows, key=lambda arrow: places.get(arrow[1], (0, 0))):
        graph.edge(parent, child, line=line)
    forest = graph.forest()
    forest.heading = PurePosixPath(document.name or "").stem if "." in (document.name or "") else ""
    forest.notices[:0] = notices
    labels = sum(bool(edge.string("label")) for edge in edges)
    forest.tell(labels, f"the texts of {counted(labels, 'arrow')} are not part of the labels")
    forest.tell(groups, f"boxes around cards are no nodes: {listed(groups)}")
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


def _canvas_label(node: JsonValue) -> str:
    match node.string("type"):
        case "file":
            return PurePosixPath(node.string("file")).stem + node.string("subpath")
        case "link":
            return node.string("url")
        case "group":
            return node.string("label")
    return " ".join(node.string("text").lstrip("# ").split())


CANVAS = Format(
    name="canvas",
    title="JSON Canvas (Obsidian)",
    extensions=(".canvas",),
    matches=matches_canvas,
    read=read_canvas,
)
