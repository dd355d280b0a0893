"""JSON of programs and data sets with their own keys: jsMind, MindMup, edist, and nodes linked by edges.

Edges between numbers of sentences are a form that language models are prompted for: ``{"sentences": [...],
"mindmap": {"root": 0, "selected": [0, 2], "edges": [[0, 2]]}}``. Sentences are a list (numbers from 0) or an
object (number: sentence); an edge is a pair or an object. Sentences that the map doesn't use are not nodes. Nodes
with ids, ``{"nodes": [{"id": 1, "label": "root"}, {"id": 2, "label": "child", "parent": 1}]}``, or with ``edges``
instead of ``parent``, and bare pairs of texts are read likewise.
"""

import re
from collections.abc import Iterable
from itertools import chain

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import Node, linked
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted

MAP_KEYS = ("map", "mindmap", "mind_map", "mindMap", "mind map", "tree")
"""Keys of the map in an object."""

NO_SENTENCES = (
    "a map of edges between numbers of sentences, without the sentences; add them as a list under 'sentences'"
)
_PARENT_KEYS = ("parent", "source", "from", "head")
_CHILD_KEYS = ("child", "target", "to", "tail")
_TEXT_KEYS = ("text", "sentence", "label", "content")
_ABOVE_KEYS = ("parent", "parent_id", "parentId", "parentid")
_LABEL_KEYS = (*_TEXT_KEYS, "name", "title", "topic")


def _map_of(value: JsonValue) -> JsonValue:
    return value.get(*MAP_KEYS) or value


def lacks_sentences(value: JsonValue) -> bool:
    """Return True for edges between numbers without the sentences, which therefore can't be read."""
    edges = _map_of(value).get("edges")
    if edges is None or edges.kind != "array" or value.get("sentences"):
        return False
    are_numbers = all(end.isdecimal() for edge in edges.items for end in _ends(edge))
    return are_numbers and bool(edges.items or _map_of(value).string("root"))


def read_sentences(value: JsonValue) -> Forest:
    """Read one map of edges between sentences.

    Raises:
        MapFormatError: other JSON, an unknown number, or edges that don't form a tree.
        LimitError: too large.
    """
    mindmap, sentences = _map_of(value), value.get("sentences")
    if sentences is None or not sentences.items or mindmap.get("edges") is None:
        raise MapFormatError("expected an object with 'sentences', and 'mindmap' with 'edges'")
    keys = sentences.keys or map(str, range(len(sentences.items)))
    texts = {
        item.string("id") or key: item.text or item.string(*_TEXT_KEYS)
        for key, item in zip(keys, sentences.items, strict=True)
    }
    edges = _edges(mindmap.below("edges"))
    selected = (item.text for item in mindmap.below("selected"))
    used = dict.fromkeys(filter(None, [mindmap.string("root"), *chain(*edges), *selected]))
    unknown = next((number for number in used if number not in texts), None)
    if unknown is not None:
        raise MapFormatError(
            f"there is no sentence {quoted(unknown)}; sentences are numbered from 0 to {len(texts) - 1}"
        )
    forest = linked((Node(number, texts[number]) for number in used), edges)
    unused = len(texts) - len(forest)
    forest.notice_if(unused > 0, f"no nodes, since not in the map: {counted(unused, 'sentence')}")
    return forest


def _ends(edge: JsonValue) -> tuple[str, str]:
    """The keys of parent and child; empty if missing."""
    if edge.kind == "array" and len(edge.items) == 2:
        return edge.items[0].text, edge.items[1].text
    return edge.string(*_PARENT_KEYS), edge.string(*_CHILD_KEYS)


def _edges(edges: Iterable[JsonValue]) -> list[tuple[str, str]]:
    found = list(map(_ends, edges))
    if not all(child for _, child in found):
        raise MapFormatError("an edge is a pair [parent, child] or an object with 'parent' and 'child'")
    return found


def _nodes(value: JsonValue) -> tuple[JsonValue, ...]:
    """Nodes with ids and texts that name parents or stand beside edges; none of an Obsidian canvas."""
    nodes = value.items if value.kind == "array" else value.below("nodes")
    if not all(node.string("id") and node.string(*_LABEL_KEYS) and not node.get("x") for node in nodes):
        return ()
    return nodes if value.get("edges", "links") or any(node.get(*_ABOVE_KEYS) for node in nodes) else ()


def _is_pairs(value: JsonValue) -> bool:
    """Return True for a list of pairs of texts, [["parent", "child"], ...], that may be one tree."""
    ends = [end.text for edge in value.items for end in edge.items if end.kind == "string"]
    return (
        value.kind == "array"
        and len(value.items) > 1
        and all(edge.kind == "array" and len(edge.items) == 2 for edge in value.items)
        and len(ends) == 2 * len(value.items)
        and len(set(ends)) == len(value.items) + 1
    )


def _is_linked(value: JsonValue) -> bool:
    is_of_sentences = "sentences" in value.keys and "edges" in _map_of(value).keys
    return is_of_sentences or bool(_nodes(value)) or _is_pairs(value)


def _read_linked(value: JsonValue) -> Forest:
    if _is_pairs(value):
        pairs = _edges(value.items)
        return linked((Node(text, text) for text in dict.fromkeys(chain(*pairs))), pairs)
    nodes = _nodes(value)
    if value.get("sentences") or not nodes:
        return read_sentences(value)
    edges = _edges(value.below("edges", "links"))
    edges += [(node.string(*_ABOVE_KEYS), node.string("id")) for node in nodes]
    return linked((Node(node.string("id"), node.string(*_LABEL_KEYS)) for node in nodes), edges)


_JSMIND = ("node_tree", "node_array")


def _read_jsmind(value: JsonValue) -> Forest:
    data = value.get("data")
    if data is None or value.string("format") not in _JSMIND:
        raise MapFormatError("jsMind JSON has 'data' and the format 'node_tree' or 'node_array'")
    if data.kind == "object":
        forest = Forest()
        for node, parent in forest.walk([data], lambda node: node.below("children")):
            forest.add(node.string("topic"), parent)
        return forest
    edges = [(node.string("parentid"), node.string("id")) for node in data.items]
    return linked((Node(node.string("id"), node.string("topic")) for node in data.items), edges)


# MindMup: the numeric keys of ``ideas`` give the order of a node's children. Positive keys come first, then
# negative ones (the left side of the root), each by size, as in MindMup itself. Since format version 3 the top
# object isn't an idea but contains the roots; its title is the file's.

_RANK = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def _is_mindmup(value: JsonValue) -> bool:
    ideas = value.get("ideas")
    return (
        ideas is not None
        and ideas.kind == "object"
        and not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
        and all(map(_RANK.fullmatch, ideas.keys))
    )


def _read_mindmup(value: JsonValue) -> Forest:
    is_frame = value.string("formatVersion") in {"3", "4"} or value.get("title") is None
    forest = Forest()
    notes = 0
    for idea, parent in forest.walk(_ideas(value) if is_frame else [value], _ideas):
        forest.add(idea.string("title"), parent)
        notes += idea.at("attr.note") is not None
    forest.notice_notes(notes, "idea")
    return forest


def _ideas(idea: JsonValue) -> list[JsonValue]:
    ideas = idea.get("ideas")
    if ideas is None:
        return []
    if not all(map(_RANK.fullmatch, ideas.keys)):
        raise MapFormatError(f"the keys of ideas are numbers, not {quoted(ideas.keys[0])}")
    ranks = map(float, ideas.keys)
    ranked = sorted(zip(ranks, ideas.items, strict=True), key=lambda pair: (pair[0] <= 0, abs(pair[0])))
    return [child for _, child in ranked]


def _read_edist(value: JsonValue) -> Forest:
    nodes, adjacency = value.below("nodes"), value.below("adj")
    if len(nodes) != len(adjacency):
        raise MapFormatError(
            f"{len(nodes):,} nodes but {len(adjacency):,} lists of children; give each node one"
        )
    edges = [(str(number), child.text) for number, below in enumerate(adjacency) for child in below.items]
    return linked((Node(str(number), label.text) for number, label in enumerate(nodes)), edges)


SENTENCES = json_format("sentences", "JSON with sentences and edges", (".json",), _is_linked, _read_linked)

PROGRAMS = (
    json_format(
        "jsmind",
        "jsMind JSON",
        (".jm", ".json"),
        lambda value: "data" in value.keys and value.string("format") in _JSMIND,
        _read_jsmind,
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
