"""JSON of programs: jsMind, KityMinder, mind-elixir, MindMup, MarkMind and edist: ``PROGRAMS``, a row for each."""

from collections.abc import Callable, Iterator, Sequence

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import Edge, Node, linked
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, lists_besides
from tted_core.formats.xml_programs import read_freemind_text


def _nested(
    tops: Sequence[JsonValue],
    wanted: str,
    *,
    below: Callable[[JsonValue], list[JsonValue]] = lambda node: node.below("children"),
    text: Callable[[JsonValue], str] = lambda node: node.string("topic"),
    has_note: Callable[[JsonValue], bool] = lambda _: False,
    noun: str = "node",
) -> Forest:
    """A map whose nodes are objects that hold their children; ``wanted`` says what a node is."""
    forest = Forest()
    notes = 0
    for node, parent in forest.walk(tops, below):
        if node.kind != "object":
            raise MapFormatError(wanted, line=node.line)
        forest.add(text(node), parent, line=node.line)
        notes += has_note(node)
    forest.tell_notes(notes, noun)
    return forest


# jsMind: ``data`` is a map in one of three layouts. The nested one is also what several other programs write
# without the frame; that is read as "json".


def _read_topics(data: JsonValue) -> Forest:
    return _nested([data], "a node is an object with 'topic' and 'children'")


def _read_array(data: JsonValue) -> Forest:
    nodes = (Node(item.string("id"), item.string("topic"), item.line) for item in data.items)
    above = ((item.get("parentid"), item) for item in data.items)
    return linked(
        nodes,
        (
            (parent.text, item.string("id"), item.line)
            for parent, item in above
            if parent and not parent.is_nothing
        ),
    )


_JSMIND: dict[str, Callable[[JsonValue], Forest]] = {
    "node_tree": _read_topics,
    "node_array": _read_array,
    "freemind": lambda data: read_freemind_text(data.text, data.line),
}


def _read_jsmind(value: JsonValue) -> list[Forest]:
    data, read = value.get("data"), _JSMIND.get(value.string("format"))
    if data is None or read is None:
        raise MapFormatError(
            f"jsMind JSON has 'data' and a 'format' out of {', '.join(_JSMIND)}", line=value.line
        )
    return [read(data)]


# KityMinder, Baidu Naotu: a node of ``root`` holds ``data`` with its text, and ``children``.


def _read_kityminder(value: JsonValue) -> list[Forest]:
    root = value.need("root", "KityMinder JSON is an object with 'root'")
    wanted = "a node of KityMinder is an object with 'data' and 'children'"
    return [
        _nested(
            [root],
            wanted,
            text=lambda node: node.need("data", wanted).string("text"),
            has_note=lambda node: bool(node.need("data", wanted).string("note")),
        )
    ]


# mind-elixir (Trilium keeps maps so): ``nodeData`` is the root.

_REST_OF_ELIXIR = (("arrows", "arrow", ""), ("linkData", "arrow", ""), ("summaries", "summary", "summaries"))


def _read_mind_elixir(value: JsonValue) -> list[Forest]:
    forest = _read_topics(value.need("nodeData", "mind-elixir's JSON is an object with 'nodeData'"))
    forest.notices += lists_besides(value, _REST_OF_ELIXIR)
    return [forest]


# MindMup: the numeric keys of ``ideas`` are the order of a node's children. Positive keys come first, then
# negative ones (the left side of the root), each by size, as in MindMup itself. Since format version 3 the top
# object is no idea, but holds the roots; its title is the file's.


def _is_mindmup(value: JsonValue) -> bool:
    ideas = value.get("ideas")
    return (
        ideas is not None
        and ideas.kind == "object"
        and not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
        and all(map(_is_rank, ideas.keys))
    )


def _read_mindmup(value: JsonValue) -> list[Forest]:
    version = value.string("formatVersion")
    is_frame = (_is_rank(version) and float(version) >= 3) or value.get("title") is None
    forest = _nested(
        _ideas(value) if is_frame else [value],
        "an idea of MindMup is an object with 'title' and 'ideas'",
        below=_ideas,
        text=lambda idea: idea.string("title"),
        has_note=lambda idea: idea.at("attr", "note") is not None,
        noun="idea",
    )
    if not forest.labels:
        raise MapFormatError("the MindMup map holds no idea", line=value.line)
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
    wrong = next((key for key in ideas.keys if not _is_rank(key)), None)
    if wrong is not None:
        raise MapFormatError(f"the key {wrong[:40]!r} of an idea is no number", line=ideas.line)
    ranks = map(float, ideas.keys)
    ranked = sorted(zip(ranks, ideas.items, strict=True), key=lambda pair: (pair[0] <= 0, abs(pair[0])))
    return [child for _, child in ranked]


# MarkMind's rich maps (Obsidian): JSON in a Markdown note. ``mindData`` holds a flat list of nodes for each tree,
# a node its parent's ``pid``. The main tree is the map; free nodes and callouts stand outside its hierarchy.

_REST_OF_MARKMIND = (
    ("induceData", "summary", "summaries"),
    ("wireFrameData", "box", "boxes"),
    ("relateLinkData", "link", ""),
)


def _read_markmind(value: JsonValue) -> list[Forest]:
    trees = [tree.items for tree in value.below("mindData") if tree.items and tree.kind == "array"]
    if not trees:
        raise MapFormatError(
            "MarkMind's JSON holds its trees of nodes in 'mindData', and this has none", line=value.line
        )
    trees.sort(key=lambda nodes: not any(node.string("main") == "true" for node in nodes))
    nodes = [node for tree in trees for node in tree]
    root = next((node.string("id") for node in nodes if not node.string("pid")), "")
    callouts = [
        (callout, data)
        for callout in value.below("calloutData")
        if (data := callout.get("rootData")) is not None and data.get("id") is not None
    ]

    def all_nodes() -> Iterator[Node]:
        for place, node in enumerate(nodes):
            node.need("id", "a node of MarkMind is an object with 'id', 'text' and 'pid'")
            yield Node(
                node.string("id"),
                _line(node),
                node.line,
                None if node.string("pid") or not place else "free node",
            )
        for _, data in callouts:
            yield Node(data.string("id"), _line(data), data.line, "callout")

    def all_edges() -> Iterator[Edge]:
        for node in nodes:
            parent = node.string("pid") or root
            if parent != node.string("id") or node.string("pid"):
                yield parent, node.string("id"), node.line
        for callout, data in callouts:
            yield callout.string("nodeId"), data.string("id"), data.line

    forest = linked(all_nodes(), all_edges())
    forest.tell_notes(sum(bool(node.string("note")) for node in nodes), "node")
    forest.notices += lists_besides(value, _REST_OF_MARKMIND)
    return [forest]


def _line(node: JsonValue) -> str:
    return " ".join(node.string("text").split())


# edist: labels, and the numbers of each node's children, in any numbering.


def _read_edist(value: JsonValue) -> list[Forest]:
    wanted = "edist JSON is an object with the lists 'nodes' and 'adj'"
    nodes, adjacency = value.need("nodes", wanted).items, value.need("adj", wanted)
    if len(nodes) != len(adjacency.items):
        raise MapFormatError(
            f"{len(nodes):,} nodes but {len(adjacency.items):,} lists of children; give each node one",
            line=adjacency.line,
        )
    return [
        linked(
            (Node(str(number), label.text, label.line) for number, label in enumerate(nodes)),
            (
                (str(number), child.text, child.line)
                for number, children in enumerate(adjacency.items)
                for child in children.items
            ),
        )
    ]


def _is_list(value: JsonValue | None) -> bool:
    return value is not None and value.kind == "array"


PROGRAMS = (
    json_format(
        "jsmind",
        "jsMind JSON",
        (".jm", ".json"),
        lambda value: "data" in value.keys and value.string("format") in _JSMIND,
        _read_jsmind,
    ),
    json_format(
        "kityminder",
        "KityMinder",
        (".km",),
        lambda value: value.at("root", "data", "text") is not None,
        _read_kityminder,
    ),
    json_format(
        "mind-elixir",
        "mind-elixir JSON",
        (".json",),
        lambda value: value.at("nodeData", "topic") is not None,
        _read_mind_elixir,
    ),
    json_format("mindmup", "MindMup", (".mup",), _is_mindmup, _read_mindmup),
    json_format(
        "markmind",
        "MarkMind rich map (Obsidian)",
        (".md",),
        lambda value: _is_list(value.get("mindData")),
        _read_markmind,
    ),
    json_format(
        "edist",
        "edist JSON (nodes, adj)",
        (".json",),
        lambda value: _is_list(value.get("nodes")) and _is_list(value.get("adj")),
        _read_edist,
    ),
)
