"""The graph in JSON: nodes in a list or by their ids, and links between them, whatever names them.

Links are edges beside the nodes or among them, pairs of texts, the parents or children that nodes name or
contain, or levels. So are written the files of React Flow, Cytoscape, GoJS, vis.js and AntV, and lists of records
with a parent. Language models are prompted for edges between numbers of sentences, ``{"sentences": [...],
"mindmap": {"root": 0, "selected": [0, 2], "edges": [[0, 2]]}}``; other sentences are not nodes.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, compress, pairwise, repeat
from typing import NamedTuple

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.edges import LinkedNode, link_nodes
from tted_core.formats.forest import Forest
from tted_core.formats.json_keys import holds_children, label_of, open_node, roles_of
from tted_core.formats.json_text import KEYS, JsonValue, unread_keys
from tted_core.formats.labels import counted, quoted, without_tags

_FRAMES = (*KEYS["map"], "data", "flow", "flow_data", "graph", "mindMaps", "state", "_data", "@graph")
# Relations of a child to its parent.
_UPWARD = re.compile(
    r"(?:supports?|attacks?|opposes?|rebuts?|undercuts?|evidence[ _-]for|is[ _-]?an?|"
    r"(?:is[ _-]?(?:an?[ _-]?)?)?(?:part|child|kind)[ _-]?of|belongs[ _-]?to|sub[ _-]?class[ _-]?of)",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})*+")
_HEADING = re.compile(r"\A#{1,6} +")  # of a card in Obsidian
# Keys of an edge that say what it means.
_RELATIONS = frozenset({*KEYS["label"], "relation", "relationship", "relationType", "predicate"})


_Row = tuple[str, JsonValue]  # an opened node with its key in an object


class Graph(NamedTuple):
    """Nodes with their ids, links (parent, child), what is left out, the edges, and the title."""

    nodes: Sequence[_Row]
    links: Sequence[tuple[str, str]]
    notices: tuple[str, ...] = ()
    edges: Sequence[JsonValue] = ()
    title: str = ""


def _id_under(node: JsonValue, keys: Sequence[str]) -> str:
    """The id of another node under one of these keys, which may be in an object (AntV's X6, Miro)."""
    found = node.get(*keys)
    if found and found.kind == "array" and len(found.items) == 1:  # JSON-LD
        found = found.items[0]
    return "" if found is None or found.is_nothing else found.text or found.string("cell", *KEYS["id"])


def _ends(edge: JsonValue) -> tuple[str, str]:
    """The keys of parent and child, which may be in an object (Cytoscape); empty if missing."""
    if edge.kind == "array" and len(edge.items) in {2, 3}:  # two, or a relation between them
        return "" if edge.items[0].is_nothing else edge.items[0].text, edge.items[-1].text
    found = edge if edge.get(*KEYS["start"]) else edge.get("data") or edge
    return _id_under(found, KEYS["start"]), _id_under(found, KEYS["end"])


def _text(node: JsonValue) -> str:
    """The text of an opened node."""
    label = label_of(node)
    return node.text or (label.text if label not in {None, node.get("id")} else node.string("file", "url"))


def is_edge(item: JsonValue) -> bool:
    """Return True for an object that names both ends of an edge; a node with a parent may last "from" and "to"."""
    is_node = _id_under(item, KEYS["parent"]) and not item.get("child", "childId", "childName")
    return item.kind == "object" and all(_ends(item)) and not is_node


def lacks_sentences(value: JsonValue) -> bool:
    """Return True for edges between numbers without the sentences, which therefore can't be read."""
    mindmap = value.get(*KEYS["map"]) or value
    edges = mindmap.get("edges") or JsonValue("object")
    has_edges = edges.kind == "array" and bool(edges.items or mindmap.string("root"))
    are_numbers = all(end.isdecimal() for edge in edges.items for end in _ends(edge))
    return has_edges and are_numbers and not (value.get("sentences") or value.get("nodes"))


def _sentences(value: JsonValue) -> Graph:
    """The sentences that edges between their numbers name.

    Raises:
        MapFormatError: an unknown number, or no edges.
    """
    mindmap, sentences = value.get(*KEYS["map"]) or value, value.get("sentences")
    edges = list(map(_ends, mindmap.below("edges")))
    if sentences is None or not sentences.items or not all(child for _, child in edges):
        raise MapFormatError(
            "expected an object with 'sentences', and 'mindmap' with 'edges', which are pairs [parent, child] or "
            "objects with 'parent' and 'child'"
        )
    keys = sentences.keys or map(str, range(len(sentences.items)))
    texts = {item.string("id") or key: item for key, item in zip(keys, sentences.items, strict=True)}
    selected = (item.text for item in mindmap.below("selected"))
    used = dict.fromkeys(filter(None, [mindmap.string("root"), *chain(*edges), *selected]))
    unknown = next((number for number in used if number not in texts), None)
    if unknown is not None:
        raise MapFormatError(
            f"there is no sentence {quoted(unknown)}; sentences are numbered from 0 to {len(texts) - 1}"
        )
    notice = f"no nodes, since not in the map: {counted(len(texts) - len(used), 'sentence')}"
    return Graph([(each, texts[each]) for each in used], edges, (notice,) * (len(texts) > len(used)))


def _turn(
    links: Sequence[tuple[str, str]], edges: Sequence[JsonValue], nodes: int
) -> tuple[list[tuple[str, str]], list[str]]:
    """The links of edges from parent to child, and a notice if they led from child to parent.

    Keys for parents or children say which end is which.
    """
    distinct = list(dict.fromkeys(links))
    starts, targets = (set(ends) for ends in zip(*distinct, strict=True))
    keys = ("type", *_RELATIONS)
    relations = [
        [edge.string(key) for key in keys] if edge.keys else [each.text for each in edge.items[1:-1]]
        for edge in edges
    ]
    are_upward = bool(edges) and all(any(map(_UPWARD.fullmatch, each)) for each in relations)
    are_named = any(edge.get("parent", "parentId", "child", "childId") for edge in edges)
    if (
        not are_named
        and len(starts) == len(distinct) == nodes - 1
        and (are_upward or len(targets) < len(distinct))
    ):
        notice = "edges were read from child to parent, as they make a tree that way"
        return [(end, start) for start, end in distinct], [notice]
    return distinct, []


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
    is_tree = (
        len(texts) - 1 == len(list(filter(all, links))) > 1
        and all(len(row.items) <= 3 for row in rows)
        and all(child and any(map(str.isalpha, parent + child)) for parent, child in links)
    )
    if not is_tree:
        return None
    links, notices = _turn(links, rows, len(texts))
    return Graph([(text, JsonValue("string", text)) for text in texts], links, tuple(notices), rows)


def _lists(rows: Sequence[_Row]) -> Graph | None:
    """The graph of texts with lists of their children, ``{"a": ["b", "c"], "b": ["d"]}``, that is one tree.

    Each text but the first is in one list only, and before its own list. Other lists are branches, which may have
    texts in common.
    """
    texts = dict.fromkeys(key for key, _ in rows[:1])
    links: list[tuple[str, str]] = []
    for key, row in rows:
        links += [(key, each.text) for each in row.items]
        if (
            key not in texts
            or row.kind != "array"
            or any(each.is_nothing or each.items for each in row.items)
        ):
            return None
        texts.update(dict.fromkeys(each.text for each in row.items))
    is_tree = len(texts) - 1 == len(links) and len(rows) == len(dict(rows)) > 1
    if not is_tree or not all(any(map(str.isalpha, parent + child)) for parent, child in links):
        return None
    return Graph([(text, JsonValue("string", text)) for text in texts], links)


def _links_inside(nodes: list[tuple[str, JsonValue]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The links to nodes inside of others, which are added to the nodes, and those to children that nodes name."""
    nested: list[tuple[str, str]] = []
    named: list[tuple[str, str]] = []
    for key, node in nodes:
        for child in node.below("nodes", *KEYS["children"]):
            inner = open_node(child)
            own = inner.text or inner.string(*KEYS["id"]) or f"inner node {len(nodes)}"
            is_name = child.is_scalar or (child.keys[1:] == () and child.keys[0] in KEYS["id"])
            (named if is_name else nested).append((key, own))
            nodes += [] if is_name else [(own, inner)]
    return nested, named


def _graph(
    rows: Sequence[_Row], arrows: Sequence[JsonValue], frames: Sequence[JsonValue], *, has_edges: bool
) -> Graph | None:
    """The graph of nodes with links: edges, or the parents or children that nodes name or contain.

    With edges, nodes may have others inside. If the named parents make one tree, other edges are left out. Their
    root may stand beside the list. Cards of an Obsidian canvas without edges are no map.
    """
    if not rows or not (arrows or rows[0][1].keys):
        return None
    edges = list(map(_ends, arrows))
    ends = set(chain(*edges))
    are_indices = (
        bool(ends) and all(map(str.isdecimal, ends)) and not ends <= {_text(node) for _, node in rows}
    )
    nodes = [
        (node.string(*KEYS["id"]) or key or (str(number) if are_indices else _text(node)), node)
        for number, (key, node) in enumerate(rows)
    ]
    parents = {_id_under(node, KEYS["parent"]) for _, node in rows}
    unknown = parents.union(ends).difference({""}, dict(nodes))
    around = ((each.text or each.string(*KEYS["id"]), each) for frame in frames for each in frame.items)
    nodes = [(key, open_node(each)) for key, each in around if key in unknown] + nodes
    nested, named = _links_inside(nodes)
    known = dict(nodes)
    are_texts = any(" " in key for key in known)  # ids that are the labels
    # Nodes with lists of their own are branches, and edges between them are no part of the tree.
    has_lists = any(
        holds_children(role, item)
        and key not in ("nodes", *KEYS["children"])
        and any(each.text not in known for each in item.items)
        for _, node in rows
        for role, key, item in roles_of(node)
    )
    are_nodes = all(
        key and (are_texts or node.is_scalar or label_of(node) or node.get("file", "url"))
        for key, node in nodes
    )
    if has_lists or not are_nodes:
        return None
    are_named = any(parents) or not known.keys().isdisjoint(child for _, child in named)
    are_roots = has_edges and not (named or any(node.get("x") for _, node in rows))
    is_flat = not nested and (are_named or are_roots)
    links = list(dict.fromkeys(named + [(_id_under(node, KEYS["parent"]), key) for key, node in nodes]))
    is_tree = len({child for parent, child in links if parent in known}) + 1 == len(nodes) > 1
    if not (is_tree or all(map(all, edges)) if edges else is_flat):
        return None
    notices: list[str] = []
    if edges and not is_tree:
        links, notices = _turn(edges, arrows, len(nodes))
    elif unread := len(set(edges).difference(links)):
        notices.append(f"left out, since nodes name their parents or children: {counted(unread, 'edge')}")
    title = next(filter(None, (frame.string(*KEYS["label"]) for frame in reversed(frames))), "")
    return Graph(nodes, nested + links, tuple(notices), arrows, title)


def _levels(rows: Sequence[JsonValue]) -> Graph | None:
    """The graph of a list in which nodes name their levels, as in contents, or have ids such as "1.2".

    No level is skipped. People and games have a name and a level too, so such a list begins with level 0.
    """
    named = ((row.string("level", "depth", "indent"), row.string(*KEYS["id"])) for row in rows if _text(row))
    levels = (level or (str(key.count(".")) if _NUMBERING.fullmatch(key) else "") for level, key in named)
    depths = [int(level) for level in levels if level.isdecimal() and len(level) < 4]  # a longer one is none
    is_tree = (
        len(rows) == len(depths)
        and len(set(depths)) > 1
        and depths[0] == min(depths)
        and all(lower - upper <= 1 for upper, lower in pairwise(depths))
        and not any(row.below("nodes", *KEYS["children"]) for row in rows)
        and not (depths[0] > 0 and any(row.get("name") for row in rows))
    )
    if not is_tree:
        return None
    links: list[tuple[str, str]] = []
    last: dict[int, str] = {}
    for number, depth in enumerate(depths):
        links.append((last.get(depth - 1, ""), str(number)))
        last[depth] = str(number)
    return Graph([(str(number), row) for number, row in enumerate(rows)], links)


def find_graph(value: JsonValue, *, of_texts: bool = True) -> Graph | None:
    """The graph of nodes with links or levels, or, with ``of_texts``, of pairs of texts; None if there is none.

    The list of nodes may be below others keys, one in another; edges stand beside it or among the nodes. Pairs
    that begin with a root are a graph anyway.
    """
    frames = [value]
    while (inside := frames[-1].get(*KEYS["nodes"], *_FRAMES)) and inside.items:
        frames.append(inside)
    nodes = JsonValue("array") if frames[-1].get(*KEYS["edges"]) else frames.pop()
    lists = (found for frame in reversed(frames) if (found := frame.get(*KEYS["edges"])))
    # An object of lists has children below their parents, not edges.
    beside = next(
        (each for each in lists if each.kind == "array" or any(item.keys for item in each.items)), None
    )
    beside = beside and (beside.get("_data") or beside)  # vis.js
    among = [bool(nodes.items[0].keys) and is_edge(each) for each in nodes.items]
    edges = [*(beside.items if beside else ()), *compress(nodes.items, among)]
    keyed = zip(nodes.keys or repeat(""), map(open_node, nodes.items), strict=False)
    rows = [row for row, is_one in zip(keyed, among, strict=False) if not is_one]
    # Texts alone are a graph only if nothing stands beside them.
    is_whole = beside or all(
        sum(item.kind == "string" or bool(item.items) for item in frame.items) == 1 for frame in frames
    )
    names_root = any(each.is_nothing for _, row in rows[:1] for each in row.items[:1])  # [null, "root"]
    texts = None
    if (of_texts or names_root) and is_whole and not (rows and edges):
        texts = _lists(rows) if nodes.keys else _pairs([*(row for _, row in rows), *edges])
    return (
        texts
        or _graph(rows, edges, frames, has_edges=beside is not None)
        or _levels([row for _, row in rows])
    )


def read_graph(value: JsonValue, graph: Graph | bool | None) -> Forest:
    """Read the graph that was found in a value; without one, the sentences with edges in it.

    Raises:
        MapFormatError: other JSON, or links that don't form a tree.
        LimitError: too large.
    """
    graph = graph if isinstance(graph, Graph) else _sentences(value)
    texts = [(key, _text(node)) for key, node in graph.nodes]
    are_ids = any(" " in key for key, _ in texts) or not any(text for _, text in texts)
    texts = [(key, text or key * are_ids) for key, text in texts]
    forest = link_nodes(
        (
            LinkedNode(key, without_tags(text) if text.startswith("<p") else _HEADING.sub("", text))
            for key, text in texts
        ),
        graph.links,
    )
    forest.heading = graph.title
    forest.notices += graph.notices
    relations = (
        key
        for edge in graph.edges
        for key in edge.filled_keys or ["relation"] * (len(edge.items) == 3)
        if key in _RELATIONS
    )
    forest.notice_unread(Counter(relations), "keys of edges")
    read = {*KEYS["id"], *KEYS["label"], *KEYS["parent"], *KEYS["children"], "nodes"}
    forest.notice_unread(unread_keys((node for _, node in graph.nodes), read))
    return forest


def _read_edist(value: JsonValue, _: object) -> Forest:
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
        ("sentences" in value.keys and "edges" in (value.get(*KEYS["map"]) or value).keys)
        or find_graph(value)
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
