"""JSON with sentences and edges, nodes with ids, and the numbers of children of the package edist.

Edges between numbers of sentences are a form that language models are prompted for: ``{"sentences": [...],
"mindmap": {"root": 0, "selected": [0, 2], "edges": [[0, 2]]}}``. Sentences are a list (numbers from 0) or an
object (number: sentence); an edge is a pair or an object. Sentences that the map doesn't use are not nodes.
Nodes with ids, ``{"nodes": [{"id": 1, "label": "root"}, {"id": 2, "label": "child", "parent": 1}]}``, or with
``edges`` instead of ``parent``, or with the ids of their children, or in order with their levels, and bare pairs
of texts are read likewise. So are the nodes of React Flow, Cytoscape, GoJS and AntV, whose texts may lie deeper.
"""

from collections.abc import Sequence
from itertools import chain, pairwise, repeat

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import LinkedNode, link_nodes
from tted_core.formats.forest import Forest, Outline
from tted_core.formats.json_text import KEYS, JsonValue, unread_keys
from tted_core.formats.labels import counted, quoted, without_tags

_FRAMES = (*KEYS["map"], "data", "flow", "flow_data", "graph", "mindMaps", "state")
_LABELS = (*KEYS["label"], "value", "file", "url")
# Objects in a node that may hold its text.
_PARTS = frozenset({*_LABELS, "data", "attrs", "textWrap", "nodeView"})
_END_KEYS = [*zip(KEYS["start"], KEYS["end"], strict=True)]


def _map_of(value: JsonValue) -> JsonValue:
    return value.get(*KEYS["map"]) or value


def lacks_sentences(value: JsonValue) -> bool:
    """Return True for edges between numbers without the sentences, which therefore can't be read."""
    edges = _map_of(value).get("edges")
    if edges is None or edges.kind != "array" or value.get("sentences") or value.get("nodes"):
        return False
    are_numbers = all(end.isdecimal() for edge in edges.items for end in _ends(edge))
    return are_numbers and bool(edges.items or _map_of(value).string("root"))


def read_sentence_edges(value: JsonValue) -> Forest:
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
        item.string("id") or key: item.text or item.string(*KEYS["label"])
        for key, item in zip(keys, sentences.items, strict=True)
    }
    edges = list(map(_ends, mindmap.below("edges")))
    if not all(child for _, child in edges):
        raise MapFormatError("an edge is a pair [parent, child] or an object with 'parent' and 'child'")
    selected = (item.text for item in mindmap.below("selected"))
    used = dict.fromkeys(filter(None, [mindmap.string("root"), *chain(*edges), *selected]))
    unknown = next((number for number in used if number not in texts), None)
    if unknown is not None:
        raise MapFormatError(
            f"there is no sentence {quoted(unknown)}; sentences are numbered from 0 to {len(texts) - 1}"
        )
    forest = link_nodes((LinkedNode(number, texts[number]) for number in used), edges)
    unused = len(texts) - len(forest)
    forest.notice_if(unused > 0, f"no nodes, since not in the map: {counted(unused, 'sentence')}")
    return forest


def _ends(edge: JsonValue) -> tuple[str, str]:
    """The keys of parent and child; empty if missing."""
    if edge.kind == "array" and len(edge.items) == 2:
        return edge.items[0].text, edge.items[1].text
    return _id_under(edge, KEYS["start"]), _id_under(edge, KEYS["end"])


def _id_under(node: JsonValue, keys: Sequence[str]) -> str:
    """The id of another node under one of these keys, which may be in an object (AntV's X6, Miro)."""
    found = node.get(*keys)
    return _of(node, keys) or (found.string("id", "cell") if found is not None else "")


def _of(node: JsonValue, keys: Sequence[str]) -> str:
    """The text under one of these keys of a node, or of the objects in it that hold its text."""
    part: JsonValue | None = node
    while part is not None:
        if part.string(*keys):
            return part.string(*keys)
        part = next((item for key, item in part.pairs if item.keys and key in _PARTS), None)
    return ""


def _text(node: JsonValue) -> str:
    return node.text or _of(node, _LABELS)


def _has_label(node: JsonValue) -> bool:
    """Return True for a text, and for a node with a key for one, which may be empty."""
    return bool(_text(node)) or not {*node.keys, *(node.get("data", "attrs") or node).keys}.isdisjoint(
        _LABELS
    )


def is_edge(item: JsonValue) -> bool:
    """Return True for an object that names both ends of an edge; a node with a parent may last "from" and "to"."""
    if not _id_under(item, KEYS["start"]) or (_id_under(item, KEYS["parent"]) and not _of(item, ["child"])):
        return False
    return any(_id_under(item, [start]) and _id_under(item, [end]) for start, end in _END_KEYS)


def _open(value: JsonValue) -> tuple[JsonValue, JsonValue | None, list[JsonValue]]:
    """The object or list that holds the nodes, the list of edges if there is one, and the values around both."""
    around: list[JsonValue] = []
    links: JsonValue | None = None
    while (inside := value.get(*KEYS["nodes"], *_FRAMES)) and inside.items:
        links = value.get(*KEYS["edges"]) or links
        around += value.items
        value = inside
    return value, links, around


def _links_inside(nodes: list[tuple[str, JsonValue]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The links to nodes inside of others, which are added to the nodes, and those to children that nodes name."""
    nested: list[tuple[str, str]] = []
    named: list[tuple[str, str]] = []
    for key, node in nodes:
        for child in node.below("nodes", *KEYS["children"]):
            own = child.text or _of(child, KEYS["id"]) or f"inner node {len(nodes)}"
            is_name = child.is_scalar or child.keys == ("id",)
            (named if is_name else nested).append((key, own))
            nodes += [] if is_name else [(own, child)]
    return nested, named


def _graph(value: JsonValue) -> tuple[list[tuple[str, JsonValue]], list[tuple[str, str]], int]:
    """The nodes of JSON with their ids, their links (parent, child), and the number of edges left out.

    Edges stand beside the nodes or among them (React Flow, Cytoscape), or nodes name their parents or children;
    with edges, nodes may have others inside. If the named parents make one tree, other edges are left out. Their
    root may stand beside the list. Cards of an Obsidian canvas without edges are no map.
    """
    found, links, around = _open(value)
    if not (links and links.items) and not any(each.keys for each in found.items[:1]):
        return [], [], 0
    edges = list(map(_ends, [*(links.items if links else ()), *filter(is_edge, found.items)]))
    rows = [
        (key, each)
        for key, each in zip(found.keys or repeat(""), found.items, strict=False)
        if not is_edge(each)
    ]
    texts = [_text(node) for _, node in rows]
    parents = {_id_under(node, KEYS["parent"]) for _, node in rows}
    # The root's parent is empty.
    are_ids = len(set(texts)) == len(texts) > 1 >= len(parents.union(*edges).difference(texts))
    nodes = [
        (_of(node, KEYS["id"]) or key or text * are_ids, node)
        for (key, node), text in zip(rows, texts, strict=True)
    ]
    unknown = parents.difference({""}, dict(nodes))
    nodes = [(key, each) for each in around if (key := each.text or _of(each, KEYS["id"])) in unknown] + nodes
    nested, named = _links_inside(nodes)
    known = dict(nodes)
    are_texts = any(" " in key for key in known)  # ids that are the labels
    are_named = any(parents) or not known.keys().isdisjoint(child for _, child in named)
    is_canvas = any(node.get("x") for _, node in rows)
    is_flat = not nested and (are_named or not (links is None or is_canvas or named))
    are_nodes = all(key and (are_texts or _has_label(node)) for key, node in nodes)
    named = list(dict.fromkeys(named + [(_id_under(node, KEYS["parent"]), key) for key, node in nodes]))
    is_tree = len({child for parent, child in named if parent in known}) + 1 == len(nodes) > 1
    if not (are_nodes and (edges or is_flat) and (is_tree or all(map(all, edges)))):
        return [], [], 0
    if edges and not is_tree:
        return nodes, nested + edges, 0
    return nodes, nested + named, len(set(edges).difference(named))


def _levels(value: JsonValue) -> list[tuple[int, JsonValue]]:
    """The levels and nodes of a list in which nodes name their levels, as in contents; none is skipped.

    People and games have a name and a level too, so such a list begins with level 0.
    """
    rows = _open(value)[0].items
    levels = [row.string("level", "depth", "indent") for row in rows]
    if (
        not all(level.isdecimal() and len(level) < 4 for level in levels)  # a longer one is no level
        or not all(map(_text, rows))
        or len(set(levels)) < 2
    ):
        return []
    depths = list(map(int, levels))
    are_steps = all(lower - upper <= 1 for upper, lower in pairwise(depths))
    has_lists = any(row.below("nodes", *KEYS["children"]) for row in rows)
    are_records = depths[0] > 0 and any(row.get("name") for row in rows)
    is_tree = depths[0] == min(depths) and are_steps and not (has_lists or are_records)
    return list(zip(depths, rows, strict=True)) if is_tree else []


def is_linked(value: JsonValue) -> bool:
    """Return True for nodes with links or levels."""
    return bool(_graph(value)[0] or _levels(value))


def _is_pairs(value: JsonValue) -> bool:
    """Return True for a list of pairs of texts, [["parent", "child"], ...], that may be one tree.

    A pair may be an object, ``{"source": ..., "target": ...}``, with another key for the relation.
    """
    pairs = list(map(_ends, value.items)) if value.kind == "array" else []
    texts = set(chain(*pairs))
    return (
        len(pairs) > 1
        and all(len(edge.items) <= 3 for edge in value.items)
        and all(any(map(str.isalpha, text)) for text in texts)
        and len(texts) == len(pairs) + 1
    )


def read_linked(value: JsonValue) -> Forest:
    """Read pairs of texts, sentences with edges, or nodes with ids or levels.

    Raises:
        MapFormatError: other JSON, or links that don't form a tree.
        LimitError: too large.
    """
    if _is_pairs(value):
        pairs = list(map(_ends, value.items))
        return link_nodes((LinkedNode(text, text) for text in dict.fromkeys(chain(*pairs))), pairs)
    nodes, links, unread = _graph(value)
    levels = [] if nodes else _levels(value)
    if value.get("sentences") or not (nodes or levels):
        return read_sentence_edges(value)
    outline = Outline()
    for level, row in levels:
        outline.add_at(_text(row), level)
    are_texts = any(" " in key for key, _ in nodes)
    named = ((key, _text(node) or key * are_texts) for key, node in nodes)
    linked = (LinkedNode(key, without_tags(text) if text.startswith("<p") else text) for key, text in named)
    forest = outline if levels else link_nodes(linked, links)
    forest.notice_if(
        unread, f"left out, since nodes name their parents or children: {counted(unread, 'edge')}"
    )
    forest.notice_unread(
        unread_keys(
            [node for _, node in nodes] + [row for _, row in levels],
            {
                *(*KEYS["id"], *KEYS["label"], *KEYS["parent"], *KEYS["children"], "nodes"),
                *_PARTS.difference(_LABELS),
            },
        )
    )
    return forest


def _read_edist(value: JsonValue) -> Forest:
    nodes, adjacency = value.below("nodes"), value.below("adj")
    if len(nodes) != len(adjacency):
        raise MapFormatError(
            f"{len(nodes):,} nodes but {len(adjacency):,} lists of children; give each node one"
        )
    return link_nodes(
        (LinkedNode(str(number), label.text) for number, label in enumerate(nodes)),
        [(str(number), child.text) for number, below in enumerate(adjacency) for child in below.items],
    )


SENTENCES_JSON = json_format(
    "sentences",
    "JSON with sentences and edges",
    (".json",),
    lambda value: (
        ("sentences" in value.keys and "edges" in _map_of(value).keys) or is_linked(value) or _is_pairs(value)
    ),
    read_linked,
)

EDIST = json_format(
    "edist",
    "edist JSON (nodes, adj)",
    (".json",),
    lambda value: all(each and each.kind == "array" for each in (value.get("nodes"), value.get("adj"))),
    _read_edist,
)
