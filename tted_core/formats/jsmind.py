"""jsMind: JSON with ``format`` and ``data``: ``node_tree`` (nested), ``node_array`` (parent ids) or ``freemind``.

The nested form is also what several other programs write without the frame; that is read as "json".
"""

from tted_core.errors import MapFormatError
from tted_core.formats import freemind
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.json_text import JsonValue

LAYOUTS = ("node_tree", "node_array", "freemind")


def matches(document: Document) -> bool:
    """A JSON object with ``data`` and one of jsMind's formats."""
    value = document.json_or_none
    if value is None or value.kind != "object" or value.get("data") is None:
        return False
    kind = value.get("format")
    return kind is not None and kind.text in LAYOUTS


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no jsMind JSON, or links that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    kind, data = value.get("format"), value.get("data")
    if kind is None or data is None or kind.text not in LAYOUTS:
        raise MapFormatError(
            f"jsMind JSON has 'data' and a 'format' out of {', '.join(LAYOUTS)}", line=document.first_line
        )
    if kind.text == "freemind":
        forest = freemind.read_text(data.text, data.line)
    elif kind.text == "node_array":
        forest = _read_array(data)
    else:
        forest = read_tree(data)
    forest.notices[:0] = notices
    return [forest]


def read_tree(data: JsonValue) -> Forest:
    """Nodes with ``topic`` and ``children``; mind-elixir has them too.

    Raises:
        MapFormatError: a node that is no object.
        LimitError: too large.
    """
    forest = Forest()
    stack = [(data, -1)]
    while stack:
        value, parent = stack.pop()
        if value.kind != "object":
            raise MapFormatError("a node is an object with 'topic' and 'children'", line=value.line)
        node = forest.add(value.string("topic"), parent, line=value.line)
        children = value.get("children")
        stack.extend((child, node) for child in reversed(children.items if children else []))
    return forest


def _read_array(data: JsonValue) -> Forest:
    graph = Graph()
    for item in data.items:
        graph.node(item.string("id"), item.string("topic"), line=item.line)
    for item in data.items:
        parent = item.get("parentid")
        if parent is not None and not parent.is_nothing:
            graph.edge(parent.text, item.string("id"), line=item.line)
    return graph.forest()


JSMIND = Format(name="jsmind", title="jsMind JSON", extensions=(".jm", ".json"), matches=matches, read=read)
