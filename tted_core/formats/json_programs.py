"""JSON of programs: jsMind, KityMinder, mind-elixir, MindMup, MarkMind and edist.

MarkMind's rich maps (Obsidian): JSON in a Markdown note; ``mindData`` holds a flat list of nodes for each tree.

A node has ``id``, ``text`` and its parent's ``pid``. The main tree is the map; free nodes and callouts stand
outside its hierarchy.
"""

from tted_core.errors import MapFormatError
from tted_core.formats import xml_programs
from tted_core.formats.document import json_format
from tted_core.formats.edges import Graph
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, lists_besides

# jsMind: JSON with ``format`` and ``data``: ``node_tree`` (nested), ``node_array`` (parent ids) or
# ``freemind``.
#
# The nested form is also what several other programs write without the frame; that is read as "json".

LAYOUTS = ("node_tree", "node_array", "freemind")


def matches_jsmind(value: JsonValue) -> bool:
    """A JSON object with ``data`` and one of jsMind's formats."""
    return "data" in value.keys and value.string("format") in LAYOUTS


def read_jsmind(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no jsMind JSON, or links that make no tree.
        LimitError: too large.
    """
    kind, data = value.get("format"), value.get("data")
    if kind is None or data is None or kind.text not in LAYOUTS:
        raise MapFormatError(
            f"jsMind JSON has 'data' and a 'format' out of {', '.join(LAYOUTS)}", line=value.line
        )
    if kind.text == "freemind":
        forest = xml_programs.read_freemind_text(data.text, data.line)
    elif kind.text == "node_array":
        forest = _read_array(data)
    else:
        forest = read_tree(data)
    return [forest]


def read_tree(data: JsonValue) -> Forest:
    """Nodes with ``topic`` and ``children``; mind-elixir has them too.

    Raises:
        MapFormatError: a node that is no object.
        LimitError: too large.
    """
    forest = Forest()
    for value, parent in forest.walk([data], lambda each: each.below("children")):
        if value.kind != "object":
            raise MapFormatError("a node is an object with 'topic' and 'children'", line=value.line)
        forest.add(value.string("topic"), parent, line=value.line)
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


JSMIND = json_format("jsmind", "jsMind JSON", (".jm", ".json"), matches_jsmind, read_jsmind)


# KityMinder, Baidu Naotu (``.km``): JSON with ``root``, whose nodes hold ``data.text`` and ``children``.


def matches_kityminder(value: JsonValue) -> bool:
    """A JSON object whose ``root`` has ``data`` with a text."""
    root = value.get("root")
    data = root.get("data") if root else None
    return data is not None and "text" in data.keys


def read_kityminder(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON.
        LimitError: too large.
    """
    root = value.get("root")
    if root is None:
        raise MapFormatError("KityMinder JSON is an object with 'root'", line=value.line)
    forest = Forest()
    notes = 0
    for node, parent in forest.walk([root], lambda each: each.below("children")):
        data = node.get("data")
        if data is None:
            raise MapFormatError(
                "a node of KityMinder is an object with 'data' and 'children'", line=node.line
            )
        forest.add(data.string("text"), parent, line=node.line)
        notes += bool(data.string("note"))
    forest.tell_notes(notes, "node")
    return [forest]


KITYMINDER = json_format("kityminder", "KityMinder", (".km",), matches_kityminder, read_kityminder)


# mind-elixir (Trilium keeps maps so): JSON whose ``nodeData`` is the root, with ``topic`` and ``children``.

_REST = (("arrows", "arrow", ""), ("linkData", "arrow", ""), ("summaries", "summary", "summaries"))


def matches_mind_elixir(value: JsonValue) -> bool:
    """A JSON object whose ``nodeData`` is an object with a topic."""
    root = value.get("nodeData")
    return root is not None and "topic" in root.keys


def read_mind_elixir(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON.
        LimitError: too large.
    """
    root = value.get("nodeData")
    if root is None:
        raise MapFormatError("mind-elixir's JSON is an object with 'nodeData'", line=value.line)
    forest = read_tree(root)
    forest.notices += lists_besides(value, _REST)
    return [forest]


MIND_ELIXIR = json_format(
    "mind-elixir", "mind-elixir JSON", (".json",), matches_mind_elixir, read_mind_elixir
)


# MindMup ``.mup``: JSON objects with ``title`` and ``ideas``, an object whose numeric keys are the order.
#
# Positive keys come first, then negative ones (the left side of the root), each by size, as in MindMup
# itself. Since format version 3 the top object is no idea, but holds the roots; its title is the file's.


def matches_mindmup(value: JsonValue) -> bool:
    """A JSON object whose ``ideas`` are an object, and which has a title, an id or a format version."""
    ideas = value.get("ideas")
    return (
        ideas is not None
        and ideas.kind == "object"
        and not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
        and all(map(_is_rank, ideas.keys))
    )


def read_mindmup(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no MindMup JSON, or an idea with a key that is no number.
        LimitError: too large.
    """
    forest = Forest()
    version = value.string("formatVersion")
    is_frame = (_is_rank(version) and float(version) >= 3) or value.get("title") is None
    tops = _ideas(value) if is_frame else [value]
    notes = 0
    for idea, parent in forest.walk(tops, _ideas):
        if idea.kind != "object":
            raise MapFormatError("an idea of MindMup is an object with 'title' and 'ideas'", line=idea.line)
        forest.add(idea.string("title"), parent, line=idea.line)
        details = idea.get("attr")
        notes += details is not None and details.get("note") is not None
    if not forest.labels:
        raise MapFormatError("the MindMup map holds no idea", line=value.line)
    forest.tell_notes(notes, "idea")
    return [forest]


def _is_rank(key: str) -> bool:
    try:
        return float(key) == float(key)
    except ValueError:
        return False


def _ideas(idea: JsonValue) -> list[JsonValue]:
    ideas = idea.get("ideas")
    if ideas is None or ideas.kind != "object":
        return []
    for key in ideas.keys:
        if not _is_rank(key):
            raise MapFormatError(f"the key {key[:40]!r} of an idea is no number", line=ideas.line)
    pairs = sorted(
        zip(map(float, ideas.keys), ideas.items, strict=True), key=lambda pair: (pair[0] <= 0, abs(pair[0]))
    )
    return [child for _, child in pairs]


MINDMUP = json_format("mindmup", "MindMup", (".mup",), matches_mindmup, read_mindmup)


_REST_OF_NOTE = (
    ("induceData", "summary", "summaries"),
    ("wireFrameData", "box", "boxes"),
    ("relateLinkData", "link", ""),
)


def matches(value: JsonValue) -> bool:
    """A JSON object with the list ``mindData``."""
    data = value.get("mindData")
    return data is not None and data.kind == "array"


def read(value: JsonValue) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON, no node in it, or parents that make no tree.
        LimitError: too large.
    """
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
    forest.tell_notes(notes, "node")
    forest.notices += lists_besides(value, _REST_OF_NOTE)
    return [forest]


def _add_callouts(graph: Graph, value: JsonValue) -> None:
    for callout in value.below("calloutData"):
        data = callout.get("rootData")
        if data is not None and data.get("id") is not None:
            graph.node(data.string("id"), _text(data), line=data.line, aside="callout")
            graph.edge(callout.string("nodeId"), data.string("id"), line=data.line)


def _text(node: JsonValue) -> str:
    return " ".join(node.string("text").split())


MARKMIND = json_format("markmind", "MarkMind rich map (Obsidian)", (".md",), matches, read)


# edist JSON: ``{"nodes": [labels], "adj": [[children of node 0], ...]}``, in any numbering.


def matches_edist(value: JsonValue) -> bool:
    """An object with the lists ``nodes`` and ``adj``."""
    nodes, adjacency = value.get("nodes"), value.get("adj")
    return nodes is not None and adjacency is not None and nodes.kind == adjacency.kind == "array"


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


EDIST = json_format("edist", "edist JSON (nodes, adj)", (".json",), matches_edist, read_edist)
