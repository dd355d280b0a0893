"""JSON whose nesting is the map: nested dicts, and objects with a label and a list of children.

Objects, ``{"label": "root", "children": [{"label": "child"}]}``, are written by many programs and language
models; a child may be a bare text. Numbers as keys of children (MindMup) are their order, with the negative ones,
the root's left side, behind. The map may be below other keys, ``{"root": {...}, ...}``. Keys beside label and
children (ids, colours) are skipped and named in a notice.

Nested dicts are the form of the TTED data: ``{"root sentence": {"child": {}, "other child": {...}}}``. A key is a
node's text, its value contains the children. Equal siblings become equal keys, which are all kept. Leaves may be
``{}``, ``null``, ``[]``, ``""``, a text (one child) or a list (one child per item), as hand edits and language
models write them. A list in a list contains the children of the last text before it, ``["a", ["b", "c"]]``.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import starmap

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, json_format
from tted_core.formats.fields import records_of
from tted_core.formats.forest import Forest
from tted_core.formats.json_keys import (
    has_children,
    holds_children,
    label_key,
    label_of,
    only_text,
    open_node,
    roles_of,
)
from tted_core.formats.json_links import Graph, find_graph, read_graph
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.formats.labels import without_tags
from tted_core.formats.programs import read_freemind
from tted_core.foundations.messages import counted, list_some, quoted

_MAP_WORD = re.compile(r"mind[ _-]?map", re.IGNORECASE)


def read_nested(top: JsonValue, _: object = None) -> Forest:
    """Read one map; several keys at the top are several roots.

    Raises:
        MapFormatError: only a number or the like, or empty.
        LimitError: too large.
    """
    if not top.is_nothing and (top.kind == "literal" or "\n" in top.text):
        raise MapFormatError(
            f'the JSON is only {quoted(top.text)}; a map looks like {{"root": {{"child": {{}}}}}}, and an outline '
            "is read without the quotes around it"
        )
    forest = Forest()
    if len(top.keys) == 1 and _MAP_WORD.fullmatch(top.keys[0]) and top.items[0].keys:
        forest.notices.append(f"the key {quoted(top.keys[0])} around the map is no node")
        top = top.items[0]
    stack = [(top, [-1])]  # a value with the node above it, and the texts before it in its list
    while stack:
        value, above = stack.pop()
        if value.kind == "array":
            inside = [above[-1]]
            stack.extend((item, inside) for item in reversed(value.items))
        elif value.kind == "object":
            del above[1:]
            nodes = [forest.add(key, above[0]) for key in value.keys]
            stack.extend(
                (item, [node]) for item, node in reversed(list(zip(value.items, nodes, strict=True)))
            )
        elif not value.is_nothing:
            above.append(forest.add(value.text, above[0]))
    return forest


NESTED_JSON = replace(
    json_format("nested-json", "nested-dict JSON (sentence: children)", (".json",), bool, read_nested),
    # Tried after all more specific formats, and for broken JSON too, so that its error is reported.
    matches=lambda document: document.looks_like_json,
)


_FRAMES = (*KEYS["map"], "root", "nodeData", "data")
_DEEPEST = 5  # levels that are searched for the map
_RANK = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def _nodes_of(value: JsonValue) -> list[JsonValue]:
    """The nodes of a list, an object as one, or those under the names in it."""
    fields = _fields_of(value)
    return _as_nodes(value, {"children", *fields}) if fields else list(map(open_node, records_of(value)))


def _fields_of(value: JsonValue) -> set[str]:
    """The keys that objects under names have in common with those in their children.

    Such are "note" and "topics" in ``{"a": {"note": "x", "topics": {"b": {"note": "y"}}}}``.
    """
    return {
        key
        for _, item in value.pairs
        if item.keys and not item.string(*KEYS["label"])
        for role, name, below in roles_of(item)
        if name.islower() and holds_children(role, below)  # as texts of maps, such words have capitals
        for _, each in below.pairs
        for key in set(item.keys).intersection(each.keys)
    }


def _is_top(nodes: Sequence[JsonValue]) -> bool:
    """Return True for nodes with labels and children, several of which one has any, or labels alone."""
    if any(map(has_children, nodes)):
        lists = (item for node in nodes for item in node.items if item.kind == "array")
        is_filled = any(map(_children, nodes)) or not any(each.keys for item in lists for each in item.items)
        return is_filled and all(map(label_of, nodes))
    return all(
        len(node.keys) == 1 and node.keys[0] in KEYS["label"] and not node.items[0].items for node in nodes
    )


def _look_below(value: JsonValue) -> Graph | list[JsonValue] | None:
    """The map in a value: a graph, or nodes with children; rows of a table are pairs only below a root."""
    nodes = _nodes_of(value)
    is_table = all(node.kind == "array" and node.items and not node.items[0].is_nothing for node in nodes)
    is_named = any(label and not label.is_nothing for label in map(label_of, nodes))
    return (None if is_table else find_graph(value)) or (
        nodes if is_named and any(map(has_children, nodes)) and _is_top(nodes) else None
    )


# The map in JSON, and keys around it with texts.
_Found = tuple[Graph | list[JsonValue], list[str]]


def _find(value: JsonValue) -> _Found | None:
    """The map in JSON; None if there isn't exactly one.

    The map nearest to the top counts, inside objects, ``{"mindmap": {...}, "theme": ...}``, and lists of one item.
    """
    tops = _nodes_of(value)
    if _is_top(tops) and not any(_look_below(item) for key, item in value.pairs if key in _FRAMES):
        return tops, []
    # Values with their keys, and the values around each with the keys that lead to it.
    level: list[tuple[str, JsonValue, tuple[tuple[JsonValue, str], ...]]] = [("", value, ())]
    for _ in range(_DEEPEST):
        level = [
            (name or key, item, (*around, (frame, name)))
            for key, frame, around in level
            if frame.keys or len(frame.items) == 1
            for name, item in zip(frame.keys or ("",), frame.items, strict=True)
        ]
        maps = [(inside, *each) for each in level if each[1].items and (inside := _look_below(each[1]))]
        if maps:
            break
    named = [each for each in maps if each[1] in _FRAMES] or [each for each in maps if each[2].keys] or maps
    if len(named) != 1:
        return None
    inside, key, top, around = named[0]
    title = label_of(open_node(around[-1][0])) or (JsonValue("string", key) if " " in key else None)
    root = title if not isinstance(inside, Graph) and len(inside) > 1 else None
    others = [
        name
        for frame, read in around
        for name, item in frame.pairs
        if name != read and item is not root and item.holds_text
    ]
    return inside if root is None else [_branch(root, top, set())], others


def _read_objects(value: JsonValue, found: _Found | None) -> Forest:
    inside, others = found or (_nodes_of(value), [])
    forest = read_graph(value, inside) if isinstance(inside, Graph) else _read_nodes(inside)
    forest.notice_unread(Counter(others), "keys around the map")
    return forest


def _read_nodes(tops: Sequence[JsonValue], *, all_keys: bool = True) -> Forest:
    """Read opened nodes with all below them; without ``all_keys``, only keys with a text are named."""
    forest = Forest()
    alone = 0
    unread: Counter[str] = Counter()
    first = label_key([value for top in tops for value in top.walk()])
    for node, parent in forest.walk(tops, _children):
        label = label_of(node, first) or only_text(node)
        if label.kind == "array" or label.keys:
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(KEYS['label'][:5])}, or a text, but found "
                + (f"an object with the keys {list_some(map(quoted, node.keys))}" if node.keys else "a list"),
                path=forest.path(parent) if parent >= 0 else None,
            )
        text = "" if label.is_nothing else label.text
        is_html = (
            node.string("richText") == "true"
            or label is node.get("content")  # markmap
            or (label is node.get("text") and text.startswith(("<p>", "<span")))  # Miro, Mubu
        )
        forest.add(without_tags(f"{text}<br>") if is_html else text, parent)  # with a tag, so it's HTML
        for role, key, item in roles_of(node):
            if holds_children(role, item):
                alone += item.kind == "object" and label_of(item) is not None
            elif item is not label and (all_keys or item.holds_text):
                unread[key] += 1
    forest.notice_unread(unread)
    forest.notice_if(
        alone, f"an object instead of a list of children is one child ({counted(alone, 'time')})"
    )
    return forest


def _children(node: JsonValue) -> list[JsonValue]:
    """The opened children of an object: nodes or texts in a list, a single node, or under keys."""
    fields = {"children", *node.keys}
    return [
        open_node(child)
        for role, _, item in roles_of(node)
        if holds_children(role, item) and not item.is_nothing
        for each in _nodes_of(item)
        if each.kind == "string" or not each.is_nothing
        for child in _as_nodes(each, fields, in_list=item.kind == "array")
    ]


def _as_nodes(child: JsonValue, fields: set[str], *, in_list: bool = False) -> list[JsonValue]:
    """An opened child as it is, or those under its keys, ``{"sentence": {...}}``.

    Keys may be ids of nodes with titles, or numbers, which are their order: positive ones, then negative ones. An
    object in a list that has texts is a node, whatever its keys. Objects with keys of their parent (``fields``)
    are nodes that have all but their labels.
    """
    is_record = in_list and any(item.is_scalar for item in child.items)
    if child.kind != "object" or is_record or label_of(child) or "children" in child.keys:
        return [child]
    pairs = list(child.pairs)
    if all(map(_RANK.fullmatch, child.keys)):
        pairs.sort(key=lambda pair: (float(pair[0]) <= 0, abs(float(pair[0]))))
    known = {key for item in child.items if not fields.isdisjoint(item.keys) for key in item.keys}
    return [
        item if _is_id(key, item) else _branch(JsonValue("string", key), item, known) for key, item in pairs
    ]


def _is_id(key: str, item: JsonValue) -> bool:
    """Return True for a number as a key, and for one without blanks of a node with a title."""
    title = item.string("title", "name", "label")
    return bool(_RANK.fullmatch(key) or (title and (title == key or " " not in key)))


def _branch(label: JsonValue, item: JsonValue, fields: set[str]) -> JsonValue:
    """A node of this label; the item is one without a label, if it has any of the fields, or its children."""
    pairs = [("children", item)] if fields.isdisjoint(item.keys) else item.pairs
    keys, items = zip(("label", label), *pairs, strict=True)
    return JsonValue("object", keys=keys, items=items)


def _find_mindmup(value: JsonValue) -> list[JsonValue] | None:
    """Since format version 3 the top object isn't an idea but contains the roots; its title is the file's."""
    ideas = value.get("ideas")
    if ideas is None or ideas.kind != "object" or not all(starmap(_is_id, ideas.pairs)):
        return None
    is_frame = value.string("formatVersion") in {"3", "4"} or value.get("title") is None
    return _children(value) if is_frame else [value]


def _read_jsmind(value: JsonValue, _: object) -> Forest:
    data = value.get("data") or value
    if data.kind == "string":
        return read_freemind(Document(data.text))[0]
    return read_graph(data, find_graph(data)) if data.kind == "array" else _read_nodes([data], all_keys=False)


JSMIND = json_format(
    "jsmind",
    "jsMind JSON",
    (".jm", ".json"),
    lambda value: "data" in value.keys and value.string("format") in {"node_tree", "node_array", "freemind"},
    _read_jsmind,
)
MINDMUP = json_format(
    "mindmup",
    "MindMup",
    (".mup",),
    _find_mindmup,
    lambda value, found: _read_nodes(found or [value], all_keys=False),
)
OBJECT_JSON = json_format(
    "json",
    "JSON objects with label and children",
    (".json", ".km", ".smm"),
    _find,
    _read_objects,
)
