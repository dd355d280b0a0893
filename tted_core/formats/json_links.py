"""The graph in JSON: nodes in a list or by their ids, and links between them, whatever names them.

Links are edges beside the nodes or among them, pairs of texts, or the parents or children that nodes name. So are
written the files of React Flow, Cytoscape, GoJS, vis.js and AntV, and lists of records with a parent. Language
models are prompted for edges between numbers of sentences, ``{"sentences": [...], "mindmap": {"root": 0,
"selected": [0, 2], "edges": [[0, 2]]}}``; other sentences are not nodes.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat, zip_longest
from typing import NamedTuple

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import link_nodes
from tted_core.formats.forest import Forest
from tted_core.formats.json_keys import holds_children, label_key, label_of, open_node, roles_of
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.formats.labels import without_tags
from tted_core.foundations.messages import counted

_FRAMES = (*KEYS["map"], "data", "flow", "flow_data", "graph", "mindMaps", "state", "@graph")
_HEADING = re.compile(r"\A#{1,6} +")  # of a card in Obsidian
_COLUMNS = frozenset({*KEYS["id"], *KEYS["label"], *KEYS["parent"]})
# Keys of an edge that say what it means.
_RELATIONS = frozenset({*KEYS["label"], "relation", "relationship", "relationType", "predicate"})


_Row = tuple[str, JsonValue]  # an opened node with its key in an object


class Graph(NamedTuple):
    """Nodes with their ids, links (parent, child), what is left out, and the edges."""

    nodes: Sequence[_Row]
    links: Sequence[tuple[str, str]]
    notices: tuple[str, ...] = ()
    edges: Sequence[JsonValue] = ()


def _id_under(node: JsonValue, keys: Sequence[str]) -> str:
    """The id of another node under one of these keys, which may be in an object (AntV's X6, Miro)."""
    found = node.get(*keys)
    return "" if found is None or found.is_nothing else found.text or found.string("cell", *KEYS["id"])


def _ends(edge: JsonValue) -> tuple[str, str]:
    """The keys of parent and child, which may be in an object (Cytoscape); empty if missing."""
    if edge.kind == "array" and len(edge.items) in {2, 3}:  # two, or a relation between them
        return "" if edge.items[0].is_nothing else edge.items[0].text, edge.items[-1].text
    found = edge if edge.get(*KEYS["start"]) else edge.get("data") or edge
    return _id_under(found, KEYS["start"]), _id_under(found, KEYS["end"])


def _text(node: JsonValue, first: str = "") -> str:
    """The text of an opened node, without HTML and the mark of a heading."""
    label = label_of(node, first)
    text = node.text or (label.text if label else node.string("file", "url"))
    return without_tags(text) if text.startswith("<p") else _HEADING.sub("", text)


def is_edge(item: JsonValue) -> bool:
    """Return True for an object that names both ends of an edge."""
    return item.kind == "object" and all(_ends(item))


def _has_numbers(value: JsonValue) -> bool:
    """Return True for edges between numbers of sentences, which may be missing, or a root alone."""
    mindmap = value.get(*KEYS["map"]) or value
    is_any = "sentences" in value.keys or "nodes" not in mindmap.keys
    return is_any and any(key == "edges" and item.kind == "array" for key, item in mindmap.pairs)


def _sentences(value: JsonValue) -> Graph:
    """The sentences that edges between their numbers name.

    Raises:
        MapFormatError: an unknown number, no edges, or no sentences.
    """
    mindmap, sentences = value.get(*KEYS["map"]) or value, value.get("sentences")
    edges = list(map(_ends, mindmap.below("edges")))
    if sentences is None or not sentences.items or not all(child for _, child in edges):
        raise MapFormatError(
            "this is a map of edges between numbers of sentences, without the sentences; add them as a list under "
            "'sentences'; the edges are pairs [parent, child] or objects with 'parent' and 'child'"
        )
    keys = sentences.keys or map(str, range(len(sentences.items)))
    texts = {item.string("id") or key: item for key, item in zip(keys, sentences.items, strict=True)}
    links = [("", mindmap.string("root")), *edges, *(("", item.text) for item in mindmap.below("selected"))]
    nodes = [(each, texts[each]) for each in dict.fromkeys(chain(*links)) if each in texts]
    notice = f"no nodes, since not in the map: {counted(len(texts) - len(nodes), 'sentence')}"
    return Graph(nodes, links, (notice,) * (len(texts) > len(nodes)))


def _pairs(rows: Sequence[JsonValue]) -> Graph | None:
    """The graph of pairs of texts, [["parent", "child"], ...], that may be one tree.

    A pair may be an object, ``{"source": ..., "target": ...}``, with another key for the relation, or with a list
    of children.
    """
    links = [
        link
        for row in rows
        for link in [(row.string("parent"), each.text) for each in row.below("children")] or [_ends(row)]
    ]
    texts = dict.fromkeys(filter(None, chain(*links)))
    is_tree = len(texts) - 1 == len(list(filter(all, links))) > 1 and all(len(row.items) <= 3 for row in rows)
    if not is_tree or not all(child and any(map(str.isalpha, parent + child)) for parent, child in links):
        return None
    return Graph([(text, JsonValue("string", text)) for text in texts], links, edges=rows)


def _graph(rows: Sequence[_Row], arrows: Sequence[JsonValue], frames: Sequence[JsonValue]) -> Graph | None:
    """The graph of nodes with links: edges, or else the parents or children that nodes name.

    Their root may stand beside the list.
    """
    if not rows or not (arrows or rows[0][1].keys):
        return None
    edges = list(map(_ends, arrows))
    parents = {_id_under(node, KEYS["parent"]) for _, node in rows}
    ends = set(chain(*edges)) or parents.difference({"", "-1"})
    are_indices = all(map(str.isdecimal, ends)) and not ends <= {_text(node) for _, node in rows}
    nodes = [
        (node.string(*KEYS["id"]) or key or (str(number) if are_indices else _text(node)), node)
        for number, (key, node) in enumerate(rows)
    ]
    unknown = parents.union(ends).difference({""}, dict(nodes))
    nodes[:0] = [
        (key, open_node(each))
        for frame in frames
        for each in frame.items
        for key in [each.text or each.string(*KEYS["id"])]
        if key in unknown
    ]
    children = [
        (key, child.text or child.string(*KEYS["id"]))
        for key, node in nodes
        for role, name, item in roles_of(node)
        if name in KEYS["children"] or holds_children(role, item)
        for child in item.items
    ]
    # Nodes with others inside are branches, and edges between them are no part of the tree.
    has_branches = not {child for _, child in children} <= dict(nodes).keys()
    are_linked = all(map(all, edges)) if edges else children or any(parents)
    if has_branches or not are_linked or not all(key and _text(node) for key, node in nodes):
        return None
    named = (*children, *((_id_under(node, KEYS["parent"]), key) for key, node in nodes))
    return Graph(nodes, edges or named, edges=arrows)


def _adjacency(value: JsonValue) -> Graph | None:
    """The graph of lists of children under their parents, ``{"a": ["b"], "b": ["c"]}``, if one has another key."""
    value = (value.get(*_FRAMES) if len(value.keys) == 1 else None) or value
    links = [(key, child.text) for key, below in value.pairs for child in below.items]
    are_lists = all(item.is_nothing or item.kind == "array" for item in value.items)
    if not are_lists or {child for parent, child in links if child != parent}.isdisjoint(value.keys):
        return None
    texts = {text: JsonValue("string", text) for text in chain(value.keys, *links)}
    return None if "" in texts else Graph(list(texts.items()), links)


def _rows_of(value: JsonValue) -> JsonValue:
    """The list of objects that columns stand for (treemaps of Plotly): ``{"labels": [...], "parents": [...]}``."""
    table = value.items[0] if value.kind == "array" and len(value.items) == 1 else value
    columns = {
        key.removesuffix("s"): item.items
        for key, item in table.pairs
        if item.kind == "array" and key.removesuffix("s") in _COLUMNS
    }
    if len(columns) < 2 or columns.keys().isdisjoint(KEYS["parent"]):
        return value
    return JsonValue(
        "array",
        items=tuple(
            JsonValue("object", keys=tuple(columns), items=row)
            for row in zip_longest(*columns.values(), fillvalue=JsonValue("literal", "null"))
        ),
    )


def find_graph(value: JsonValue) -> Graph | None:
    """The graph of nodes with links, or of pairs of texts; None if there is none.

    The list of nodes may be below others keys, one in another; edges stand beside it or among the nodes.
    """
    frames = [value]
    while (inside := frames[-1].get(*KEYS["nodes"], *_FRAMES)) and inside.items:
        frames.append(inside)
    nodes = JsonValue("array") if frames[-1].get(*KEYS["edges"]) else _rows_of(frames.pop())
    beside = (each for frame in frames for each in frame.below(*KEYS["edges"]) if _ends(each)[1])
    edges = [*beside, *filter(is_edge, nodes.items)]
    rows = [
        (key, open_node(each))
        for key, each in zip(nodes.keys or repeat(""), nodes.items, strict=False)
        if not is_edge(each)
    ]
    pairs = [] if (rows and edges) or nodes.keys else [*(row for _, row in rows), *edges]
    return _pairs(pairs) or _graph(rows, edges, frames)


def read_graph(value: JsonValue, graph: Graph | bool | None) -> Forest:
    """Read the graph that was found in a value; without one, the sentences with edges in it.

    Raises:
        MapFormatError: other JSON, or links that don't form a tree.
        LimitError: too large.
    """
    graph = graph if isinstance(graph, Graph) else _sentences(value)
    first = label_key([node for _, node in graph.nodes])
    forest = link_nodes(
        ((key, _text(node, first)) for key, node in graph.nodes), list(dict.fromkeys(graph.links))
    )
    forest.notices += graph.notices
    forest.notice_unread(
        Counter(
            key
            for edge in graph.edges
            for key in edge.filled_keys or ["relation"] * (len(edge.items) == 3)
            if key in _RELATIONS
        ),
        "keys of edges",
    )
    read = {*KEYS["id"], *KEYS["parent"], *KEYS["children"], "nodes"}
    forest.notice_unread(
        Counter(
            key
            for _, node in graph.nodes
            for label in [label_of(node, first)]
            for key, item in node.pairs
            if key not in read and item is not label and (key in KEYS["label"] or item.holds_text)
        )
    )
    return forest


def _read_edist(value: JsonValue, _: object) -> Forest:
    nodes, adjacency = value.below("nodes"), value.below("adj")
    if len(nodes) != len(adjacency):
        raise MapFormatError(
            f"{len(nodes):,} nodes but {len(adjacency):,} lists of children; give each node one"
        )
    return link_nodes(
        ((str(number), label.text) for number, label in enumerate(nodes)),
        [(str(number), child.text) for number, below in enumerate(adjacency) for child in below.items],
    )


SENTENCES_JSON = json_format(
    "sentences",
    "JSON with sentences and edges",
    (".json",),
    lambda value: (
        find_graph(value)
        or _adjacency(value)
        or any(map(_has_numbers, value.items if value.kind == "array" else [value]))
    ),
    read_graph,
)

EDIST = json_format(
    "edist",
    "edist JSON (nodes, adj)",
    (".json",),
    lambda value: all(each and each.kind == "array" for each in (value.get("nodes"), value.get("adj"))),
    _read_edist,
)
