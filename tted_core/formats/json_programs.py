"""JSON of programs and data sets with their own keys: ``PROGRAMS``, a row for each.

jsMind's ``data`` is a map in one of three layouts; the nested one without the frame is written by several other
programs too, and is read as "json". Edges between numbers of sentences are a form that language models are
prompted for: ``{"sentences": [...], "mindmap": {"root": 0, "selected": [0, 2], "edges": [[0, 2]]}}``. Sentences
are a list (numbers from 0) or an object (number: sentence); an edge is a pair or an object. Sentences that the
map doesn't use are not nodes. Nodes with ids, ``{"nodes": [{"id": 1, "label": "root"}, {"id": 2, "label": "child",
"parent": 1}]}``, or with ``edges`` instead of ``parent``, are read likewise.
"""

from collections.abc import Callable, Iterable, Sequence

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import Node, linked
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted
from tted_core.formats.programs import read_freemind_text


def _nested(
    tops: Sequence[JsonValue],
    wanted: str = "a node is an object with 'topic' and 'children'",
    *,
    below: Callable[[JsonValue], list[JsonValue]] = lambda node: node.below("children"),
    text: Callable[[JsonValue], str] = lambda node: node.string("topic"),
    has_note: Callable[[JsonValue], bool] = lambda _: False,
    noun: str = "node",
) -> Forest:
    """A map whose nodes are objects that contain their children; ``wanted`` describes a node for errors."""
    forest = Forest()
    notes = 0
    for node, parent in forest.walk(tops, below):
        if node.kind != "object":
            raise MapFormatError(wanted, line=node.line)
        forest.add(text(node), parent, line=node.line)
        notes += has_note(node)
    forest.notice_notes(notes, noun)
    return forest


def _read_topic_list(data: JsonValue) -> Forest:
    above = ((item.get("parentid"), item) for item in data.items)
    return linked(
        (Node(item.string("id"), item.string("topic"), item.line) for item in data.items),
        ((up.text, item.string("id"), item.line) for up, item in above if up and not up.is_nothing),
    )


_JSMIND: dict[str, Callable[[JsonValue], Forest]] = {
    "node_tree": lambda data: _nested([data]),
    "node_array": _read_topic_list,
    "freemind": lambda data: read_freemind_text(data.text, data.line),
}


def _read_jsmind(value: JsonValue) -> Forest:
    data, read = value.get("data"), _JSMIND.get(value.string("format"))
    if data is None or read is None:
        raise MapFormatError(
            f"jsMind JSON has 'data' and one of the formats {', '.join(_JSMIND)}", line=value.line
        )
    return read(data)


def _read_kityminder(value: JsonValue) -> Forest:
    wanted = "a node of KityMinder is an object with 'data' and 'children'"
    return _nested(
        [value.need("root", "KityMinder JSON is an object with 'root'")],
        wanted,
        text=lambda node: node.need("data", wanted).string("text"),
        has_note=lambda node: bool(node.need("data", wanted).string("note")),
    )


def _read_mind_elixir(value: JsonValue) -> Forest:
    forest = _nested([value.need("nodeData", "mind-elixir's JSON is an object with 'nodeData'")])
    besides = (("arrows", "arrow", ""), ("linkData", "arrow", ""), ("summaries", "summary", "summaries"))
    what = [counted(len(value.below(key)), noun, plural) for key, noun, plural in besides if value.below(key)]
    forest.notice_if(what, f"not part of the tree: {', '.join(what)}")
    return forest


# MindMup: the numeric keys of ``ideas`` give the order of a node's children. Positive keys come first, then
# negative ones (the left side of the root), each by size, as in MindMup itself. Since format version 3 the top
# object isn't an idea but contains the roots; its title is the file's.


def _is_mindmup(value: JsonValue) -> bool:
    ideas = value.get("ideas")
    return (
        ideas is not None
        and ideas.kind == "object"
        and not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
        and all(map(_is_rank, ideas.keys))
    )


def _read_mindmup(value: JsonValue) -> Forest:
    version = value.string("formatVersion")
    is_frame = (_is_rank(version) and float(version) >= 3) or value.get("title") is None
    forest = _nested(
        _ideas(value) if is_frame else [value],
        "an idea of MindMup is an object with 'title' and 'ideas'",
        below=_ideas,
        text=lambda idea: idea.string("title"),
        has_note=lambda idea: idea.at("attr.note") is not None,
        noun="idea",
    )
    if not forest.labels:
        raise MapFormatError("the MindMup map has no ideas", line=value.line)
    return forest


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
        raise MapFormatError(f"the key {wrong[:40]!r} of an idea is not a number", line=ideas.line)
    ranks = map(float, ideas.keys)
    ranked = sorted(zip(ranks, ideas.items, strict=True), key=lambda pair: (pair[0] <= 0, abs(pair[0])))
    return [child for _, child in ranked]


def _read_edist(value: JsonValue) -> Forest:
    wanted = "edist JSON is an object with the lists 'nodes' and 'adj'"
    nodes, adjacency = value.need("nodes", wanted).items, value.need("adj", wanted)
    if len(nodes) != len(adjacency.items):
        raise MapFormatError(
            f"{len(nodes):,} nodes but {len(adjacency.items):,} lists of children; give each node one",
            line=adjacency.line,
        )
    return linked(
        (Node(str(number), label.text, label.line) for number, label in enumerate(nodes)),
        (
            (str(number), child.text, child.line)
            for number, children in enumerate(adjacency.items)
            for child in children.items
        ),
    )


_PARENT_KEYS = ("parent", "source", "from", "head")
_CHILD_KEYS = ("child", "target", "to", "tail")
_TEXT_KEYS = ("text", "sentence", "label", "content")
_ABOVE_KEYS = ("parent", "parent_id", "parentId", "parentid")
_LABEL_KEYS = (*_TEXT_KEYS, "name", "title", "topic")
_OF_NUMBERS = {"root", "selected", "edges"}

NO_SENTENCES = (
    "a map of edges between numbers of sentences, without the sentences; add them as a list under 'sentences'"
)


def _map_of(value: JsonValue) -> JsonValue:
    return value.get("mindmap", "mind_map", "map") or value


def lacks_sentences(value: JsonValue) -> bool:
    """Return True for a map of numbers without its sentences, which therefore can't be read."""
    edges = _map_of(value).get("edges")
    if edges is None or edges.kind != "array" or value.get("sentences"):
        return False
    return {"root", "edges"} <= set(_map_of(value).keys) <= _OF_NUMBERS or (
        bool(edges.items) and all(map(_is_edge, edges.items))
    )


def _is_edge(edge: JsonValue) -> bool:
    ends = edge.items if edge.kind == "array" else [edge.get(*_PARENT_KEYS), edge.get(*_CHILD_KEYS)]
    return len(ends) == 2 and all(end is not None and end.kind == "literal" for end in ends)


def read_sentences(value: JsonValue) -> Forest:
    """Read one map of edges between sentences.

    Raises:
        MapFormatError: other JSON, an unknown number, or edges that don't form a tree.
        LimitError: too large.
    """
    mindmap, sentences = _map_of(value), value.get("sentences")
    if sentences is None or not sentences.items or mindmap.get("edges") is None:
        raise MapFormatError(
            "expected an object with 'sentences', and 'mindmap' with 'edges'", line=value.line
        )
    texts: dict[str, str] = {}
    keys: Iterable[str] = sentences.keys or map(str, range(len(sentences.items)))
    for key, item in zip(keys, sentences.items, strict=True):
        number, text = item.get("id"), item.get(*_TEXT_KEYS)
        texts[number.text if number else key] = item.string(*_TEXT_KEYS) if text else item.text
    pairs = [_ends(edge) for edge in mindmap.below("edges")]
    root = mindmap.get("root")
    used = [root] if root and not root.is_nothing else []
    used += [*(end for pair in pairs for end in pair), *mindmap.below("selected")]
    nodes: dict[str, Node] = {}
    for item in used:
        if item.text not in texts:
            raise MapFormatError(
                f"there is no sentence {quoted(item.text)}; sentences are numbered from 0 to {len(texts) - 1}",
                line=item.line,
            )
        nodes.setdefault(item.text, Node(item.text, texts[item.text], item.line))
    forest = linked(nodes.values(), ((parent.text, child.text, parent.line) for parent, child in pairs))
    unused = len(texts) - len(forest)
    forest.notice_if(unused > 0, f"no nodes, since not in the map: {counted(unused, 'sentence')}")
    return forest


def _ends(edge: JsonValue) -> tuple[JsonValue, JsonValue]:
    if edge.kind == "array" and len(edge.items) == 2:
        return edge.items[0], edge.items[1]
    parent, child = edge.get(*_PARENT_KEYS), edge.get(*_CHILD_KEYS)
    if parent is None or child is None:
        raise MapFormatError(
            "an edge is a pair [parent, child] or an object with 'parent' and 'child'", line=edge.line
        )
    return parent, child


def _linked_nodes(value: JsonValue) -> list[JsonValue]:
    """Return nodes with ids and texts that name parents or stand beside edges; none of an Obsidian canvas."""
    nodes = value.items if value.kind == "array" else value.below("nodes")
    if not all(node.get("id") and node.string(*_LABEL_KEYS) and node.get("x") is None for node in nodes):
        return []
    are_linked = value.get("edges", "links") or any(node.get(*_ABOVE_KEYS) for node in nodes)
    return nodes if are_linked else []


def _is_pairs(value: JsonValue) -> bool:
    """Return True for a list of pairs of texts, [["parent", "child"], ...], that may be one tree."""
    ends = [[end.text for end in edge.items if end.kind == "string"] for edge in value.items]
    return (
        value.kind == "array"
        and len(ends) > 1
        and all(len(pair) == 2 for pair in ends)
        and all(edge.kind == "array" and len(edge.items) == 2 for edge in value.items)
        and len({text for pair in ends for text in pair}) == len(ends) + 1
    )


def _read_edges(value: JsonValue) -> Forest:
    """Read edges between sentences, or between the nodes that graph libraries and chat models write."""
    if value.get("sentences"):
        return read_sentences(value)
    if _is_pairs(value):
        texts = dict.fromkeys(end.text for edge in value.items for end in edge.items)
        pairs = ((edge.items[0].text, edge.items[1].text, edge.line) for edge in value.items)
        return linked((Node(text, text, value.line) for text in texts), pairs)
    nodes = _linked_nodes(value)
    edges = [_ends(edge) for edge in value.below("edges", "links")]
    edges += [(above, node.need("id", "")) for node in nodes if (above := node.get(*_ABOVE_KEYS))]
    return linked(
        (Node(node.string("id"), node.string(*_LABEL_KEYS), node.line) for node in nodes),
        ((above.text, below.text, below.line) for above, below in edges if not above.is_nothing),
    )


SENTENCES = json_format(
    "sentences",
    "JSON with sentences and edges",
    (".json",),
    lambda value: (
        ("sentences" in value.keys and "edges" in _map_of(value).keys)
        or bool(_linked_nodes(value))
        or _is_pairs(value)
    ),
    _read_edges,
)

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
        lambda value: value.at("root.data.text") is not None,
        _read_kityminder,
    ),
    json_format(
        "mind-elixir",
        "mind-elixir JSON",
        (".json",),
        lambda value: value.at("nodeData.topic") is not None,
        _read_mind_elixir,
    ),
    json_format("mindmup", "MindMup", (".mup",), _is_mindmup, _read_mindmup),
    json_format(
        "edist",
        "edist JSON (nodes, adj)",
        (".json",),
        lambda value: all(each and each.kind == "array" for each in (value.get("nodes"), value.get("adj"))),
        _read_edist,
    ),
)
