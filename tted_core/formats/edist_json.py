"""edist JSON: ``{"nodes": [labels], "adj": [[children of node 0], ...]}``, in any numbering."""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph


def matches(document: Document) -> bool:
    """An object with the lists ``nodes`` and ``adj``."""
    value = document.json_or_none
    if value is None or value.kind != "object":
        return False
    nodes, adjacency = value.get("nodes"), value.get("adj")
    return nodes is not None and adjacency is not None and nodes.kind == adjacency.kind == "array"


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: lists of different lengths, or an adjacency that is no tree.
        LimitError: too large.
    """
    value, notices = document.json
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
    forest = graph.forest()
    forest.notices[:0] = notices
    return [forest]


EDIST = Format(
    name="edist", title="edist JSON (nodes, adj)", extensions=(".json",), matches=matches, read=read
)
