"""MarkMind's rich maps (Obsidian): JSON in a Markdown note; ``mindData`` holds a flat list of nodes for each tree.

A node has ``id``, ``text`` and its parent's ``pid``. The main tree is the map; free nodes and callouts stand
outside its hierarchy.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.json_text import JsonValue, lists_besides
from tted_core.formats.labels import counted

_REST = (
    ("induceData", "summary", "summaries"),
    ("wireFrameData", "box", "boxes"),
    ("relateLinkData", "link", ""),
)


def matches(document: Document) -> bool:
    """A JSON object with the list ``mindData``."""
    value = document.json_or_none
    data = value.get("mindData") if value is not None and value.kind == "object" else None
    return data is not None and data.kind == "array"


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON, no node in it, or parents that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    data = value.get("mindData")
    trees = [tree.items for tree in data.items if tree.items and tree.kind == "array"] if data else []
    if not trees:
        raise MapFormatError(
            "MarkMind's JSON holds its trees of nodes in 'mindData', and this has none", line=value.line
        )
    trees.sort(key=lambda nodes: not any(node.string("main") == "true" for node in nodes))
    graph = Graph()
    notes = 0
    main = ""
    for nodes in trees:
        for node in nodes:
            if node.kind != "object" or node.get("id") is None:
                raise MapFormatError(
                    "a node of MarkMind is an object with 'id', 'text' and 'pid'", line=node.line
                )
            is_free = bool(main) and not node.string("pid")
            graph.node(node.string("id"), _text(node), line=node.line, aside="free node" if is_free else None)
            main = main or node.string("id")
            notes += bool(node.string("note"))
    tops = [node for nodes in trees for node in nodes if not node.string("pid")]
    root = tops[0].string("id") if tops else ""
    for nodes in trees:
        for node in nodes:
            parent = node.string("pid") or root
            if parent != node.string("id") or node.string("pid"):
                graph.edge(parent, node.string("id"), line=node.line)
    _add_callouts(graph, value)
    forest = graph.forest()
    forest.notices[:0] = notices
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'node')} are not part of the labels")
    forest.notices += lists_besides(value, _REST)
    return [forest]


def _add_callouts(graph: Graph, value: JsonValue) -> None:
    callouts = value.get("calloutData")
    for callout in callouts.items if callouts else []:
        data = callout.get("rootData")
        if data is not None and data.get("id") is not None:
            graph.node(data.string("id"), _text(data), line=data.line, aside="callout")
            graph.edge(callout.string("nodeId"), data.string("id"), line=data.line)


def _text(node: JsonValue) -> str:
    return " ".join(node.string("text").split())


MARKMIND = Format(
    name="markmind", title="MarkMind rich map (Obsidian)", extensions=(".md",), matches=matches, read=read
)
