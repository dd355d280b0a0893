"""networkx JSON: node-link data (``nodes`` and ``links`` or ``edges``) and tree data (``id`` and ``children``).

A node's label is its attribute ``label``, ``text``, ``name``, ``title`` or ``topic``, else its id. Node-link
graphs must be trees; an undirected one is read in the direction in which its edges are written.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.json_text import JsonValue
from tted_core.formats.object_json import LABEL_KEYS

_LINKS = ("links", "edges")


def matches(document: Document) -> bool:
    """An object with lists ``nodes`` and ``links``/``edges``, or one with ``id`` and ``children`` but no label."""
    value = document.json_or_none
    return value is not None and value.kind == "object" and (_is_node_link(value) or _is_tree(value))


def _is_node_link(value: JsonValue) -> bool:
    nodes = value.get("nodes")
    links = next((value.get(key) for key in _LINKS if key in value.keys), None)
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


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: neither form, or links that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    forest = _read_node_link(value) if "nodes" in value.keys else _read_tree(value)
    forest.notices[:0] = notices
    return [forest]


def _label(value: JsonValue) -> str:
    return next((value.string(key) for key in LABEL_KEYS if key in value.keys), value.string("id"))


def _read_node_link(value: JsonValue) -> Forest:
    graph = Graph()
    nodes = value.get("nodes")
    for node in nodes.items if nodes else []:
        if node.get("id") is None:
            raise MapFormatError("a node of networkx is an object with an 'id'", line=node.line)
        graph.node(node.string("id"), _label(node), line=node.line)
    links = next((value.get(key) for key in _LINKS if key in value.keys), None)
    for link in links.items if links else []:
        graph.edge(link.string("source"), link.string("target"), line=link.line)
    return graph.forest()


def _read_tree(value: JsonValue) -> Forest:
    forest = Forest()
    stack = [(value, -1)]
    while stack:
        value, parent = stack.pop()
        if value.kind != "object" or value.get("id") is None:
            raise MapFormatError("a node of networkx is an object with an 'id'", line=value.line)
        node = forest.add(_label(value), parent, line=value.line)
        children = value.get("children")
        stack.extend((child, node) for child in reversed(children.items if children else []))
    return forest


NETWORKX = Format(
    name="networkx",
    title="networkx JSON (node-link, tree)",
    extensions=(".json",),
    matches=matches,
    read=read,
)
