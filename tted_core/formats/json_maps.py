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
from functools import partial
from math import inf

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, json_format
from tted_core.formats.forest import Forest, list_some
from tted_core.formats.json_keys import (
    has_children,
    has_role,
    holds_children,
    label_of,
    only_text,
    open_node,
    roles_of,
)
from tted_core.formats.json_links import Graph, find_graph, read_graph
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.formats.labels import counted, quoted, without_tags
from tted_core.formats.programs import read_freemind

_MAP_WORD = re.compile(r"mind[ _-]?map", re.IGNORECASE)


def read_nested(top: JsonValue, _: object = None) -> Forest:
    """Read one map; several keys at the top are several roots.

    Raises:
        MapFormatError: only a number or the like, or empty.
        LimitError: too large.
    """
    values = top.items or (top,)
    if all(each.kind == "literal" and not each.is_nothing for each in values) and not top.keys:
        raise MapFormatError(
            f'the JSON is only {quoted(values[0].text)}; a map looks like {{"root": {{"child": {{}}}}}}'
        )
    forest = Forest()
    if len(top.keys) == 1 and _MAP_WORD.fullmatch(top.keys[0]) and top.items[0].keys:
        forest.notices.append(f"the key {quoted(top.keys[0])} around the map is no node")
        top = top.items[0]
    equal: list[int] = []
    empty = 0
    root = -1
    texts = [item for item in top.items[:1] if item is label_of(top) and not item.is_nothing]
    if texts and top.items[1:] and all(item.items for item in top.items[1:]):
        root = forest.add(top.items[0].text)
        forest.notices.append(
            f"the text below the key {quoted(top.keys[0])} is the root, the other keys are below"
        )
        top = JsonValue("object", keys=top.keys[1:], items=top.items[1:])
    stack = [(top, [root])]  # a value with the node above it, and the texts before it in its list
    while stack:
        value, above = stack.pop()
        if value.kind == "array":
            empty += sum(item.is_nothing for item in value.items)
            inside = [above[-1]]
            stack.extend((item, inside) for item in reversed(value.items))
        elif value.kind == "object":
            del above[1:]
            nodes = [forest.add(key, above[0]) for key in value.keys]
            first = dict(zip(reversed(value.keys), reversed(nodes), strict=True))
            equal += [node for key, node in zip(value.keys, nodes, strict=True) if first[key] != node]
            stack.extend(
                (item, [node]) for item, node in reversed(list(zip(value.items, nodes, strict=True)))
            )
        elif not value.is_nothing:
            above.append(forest.add(value.text, above[0]))
    forest.notice_if(
        equal, f"equal keys of one object were kept as siblings: {list_some(map(forest.location, equal))}"
    )
    forest.notice_if(empty, f"{counted(empty, 'empty list item')} left out")
    return forest


NESTED_JSON = replace(
    json_format("nested-json", "nested-dict JSON (sentence: children)", (".json",), bool, read_nested),
    # Tried after all more specific formats, and for broken JSON too, so that its error is reported.
    matches=lambda document: document.looks_like_json,
)


_FRAMES = (*KEYS["map"], "root", "nodeData", "data")
_DEEPEST = 5  # levels that are searched for the map
_RANK = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def _is_top(nodes: Sequence[JsonValue]) -> bool:
    """Return True for nodes with labels and children, several of which one has any, or labels alone."""
    if any(map(has_children, nodes)):
        lists = (item for node in nodes for item in node.items if item.kind == "array")
        is_filled = any(map(_children, nodes)) or not any(each.keys for item in lists for each in item.items)
        return is_filled and all(map(label_of, nodes))
    are_labels = all(node.keys and node.keys[0] in KEYS["label"] for node in nodes)
    has_depth = any(item.items for node in nodes for item in node.items)
    return are_labels and not has_depth and (len(nodes) == 1 or {len(node.keys) for node in nodes} == {1})


def _nodes_of(value: JsonValue) -> list[JsonValue]:
    """The nodes of a list, or an object as one."""
    return list(map(open_node, value.items if value.kind == "array" else [value]))


def _look_below(key: str, value: JsonValue, *, of_texts: bool = False) -> Graph | list[JsonValue] | None:
    """The map below a key: a graph, or nodes with children, which may be empty below a key such as "root"."""
    nodes = _nodes_of(value)
    label = label_of(nodes[0]) if nodes else None
    is_filled = any(map(has_children if key in _FRAMES else _children, nodes))
    is_map = label and not label.is_nothing and is_filled and _is_top(nodes)
    return find_graph(value, of_texts=of_texts and key in _FRAMES) or (nodes if is_map else None)


def _with_known_keys(value: JsonValue) -> JsonValue | None:
    """Objects with keys in any language as ones with label and children; None if that isn't clear.

    Each has one text and at most one list, and some in a list have the same keys, so these are no texts of a map.
    """
    while len(value.keys) == 1 and value.items[0].keys:
        value = value.items[0]
    keys: dict[JsonValue, tuple[str, ...]] = {}
    are_alike = has_levels = False
    for each in value.walk():
        strings = [(key in KEYS["id"], item) for key, item in each.pairs if item.kind == "string"]
        texts = [item for is_id, item in strings if not is_id or len(strings) == 1]
        lists = [item for item in each.items if item.kind == "array"]
        objects = [item for item in each.items if item.keys]
        if each.keys and (len(texts) != 1 or len(lists) > 1 or objects or "type" in each.keys):
            return None
        has_levels |= bool(each.keys and lists and lists[0].items)
        are_alike |= len(objects) > 1 and objects[0].keys == objects[1].keys
        names = dict.fromkeys(texts, "label") | dict.fromkeys(lists, "children")
        keys[each] = tuple(names.get(item, key) for key, item in each.pairs)
    made: dict[JsonValue, JsonValue] = {}
    for each in reversed(keys):
        made[each] = JsonValue(each.kind, each.text, keys[each], tuple(made[item] for item in each.items))
    return made[value] if are_alike and has_levels else None


# A value with its key, or that of the list around it, and the values around it with the keys that lead to it.
_Inside = tuple[str, JsonValue, tuple[tuple[JsonValue, str], ...]]

# The map in JSON, and keys around it with texts.
_Found = tuple[Graph | list[JsonValue], list[str]]


def _find(value: JsonValue) -> _Found | None:
    """The map in JSON; None if there isn't exactly one.

    The map nearest to the top counts, inside objects, ``{"mindmap": {...}, "theme": ...}``, and lists of one item.
    """
    only = value.items[0] if value.kind == "array" and len(value.items) == 1 else None
    value = only or value
    tops = _nodes_of(value)
    # Sheets of XMind are in a list, each with its topic; elsewhere a topic is a node.
    has_list = any(
        item.kind == "array" and item.items and holds_children(role, item)
        for role, _, item in roles_of(value)
    )
    frames = (*_FRAMES, "topic") if only and not has_list else _FRAMES
    if _is_top(tops) and not any(_look_below(*pair) for pair in value.pairs if pair[0] in frames):
        return tops, []
    if only and (graph := find_graph(only, of_texts=False)):
        return graph, []
    is_whole = sum(item.holds_text for item in value.items) == 1  # else texts alone are no graph
    level: list[_Inside] = [("", value, ())]
    maps: list[tuple[_Inside, Graph | list[JsonValue]]] = []
    for _ in range(_DEEPEST):
        level = [
            (name or key, item, (*around, (frame, name)))
            for key, frame, around in level
            if frame.keys or len(frame.items) == 1
            for name, item in zip(frame.keys or ("",), frame.items, strict=True)
        ]
        found = (
            (each, _look_below(*each[:2], of_texts=is_whole and not each[2][1:]))
            for each in level
            if not maps and each[1].items
        )
        maps = maps or [(each, inside) for each, inside in found if inside]
    named = (
        [each for each in maps if each[0][0] in frames] or [each for each in maps if each[0][1].keys] or maps
    )
    if not named and (renamed := _with_known_keys(value)):
        return _nodes_of(renamed), []
    if len(named) != 1:
        return None
    (key, top, around), inside = named[0]
    frame = around[-1][0]
    is_title = len(frame.keys) == 1 and (key[:1].isupper() or " " in key)  # else a program's word
    title = label_of(open_node(frame)) or (JsonValue("string", key) if is_title else None)
    root = title if not isinstance(inside, Graph) and len(inside) > 1 else None
    others = [
        name
        for frame, read in around
        for name, item in frame.pairs
        if name != read and item is not root and item.holds_text
    ]
    return inside if root is None else [_branch(root, top)], others


def _read_objects(value: JsonValue, found: _Found | None) -> Forest:
    inside, others = found or (_nodes_of(value), [])
    forest = read_graph(value, inside) if isinstance(inside, Graph) else _read_nodes(inside)
    forest.notice_unread(Counter(others), "keys around the map")
    return forest


def _read_nodes(tops: Sequence[JsonValue], *, all_keys: bool = True) -> Forest:
    """Read opened nodes with all below them; without ``all_keys``, only keys with a text are named."""
    forest = Forest()
    alone = 0
    are_ids = False
    keys: list[str] = []  # of the nodes' texts
    unread: Counter[str] = Counter()
    # Where some nodes have a list of details, a single text of them is a child too, and no note.
    with_details = any(each.below("details") for top in tops for each in top.walk())
    for node, parent in forest.walk(tops, partial(_children, with_details=with_details)):
        only = only_text(node)
        if node.kind == "array" or (node.keys and not has_role(node) and only is node):
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(KEYS['label'][:5])}, or a text, but found "
                + (f"an object with the keys {list_some(map(quoted, node.keys))}" if node.keys else "a list"),
                path=forest.path(parent) if parent >= 0 else None,
            )
        # The key of the parent's text comes first: a label beside titles is none.
        own = node.get(keys[parent]) if parent >= 0 and keys[parent] in KEYS["label"] else None
        label = own if own and own.is_scalar and not own.is_nothing else label_of(node) or only
        keys.append(next((key for key, item in node.pairs if item is label), ""))
        are_ids = label is node.get("id") if parent < 0 else are_ids
        text = "" if label.is_nothing or (label is node.get("id") and not are_ids) else label.text
        is_html = (
            node.string("richText") == "true"
            or label is node.get("content")  # markmap
            or (label is node.get("text") and text.startswith(("<p>", "<span")))  # Miro, Mubu
        )
        forest.add(without_tags(f"{text}<br>") if is_html else text, parent)  # with a tag, so it's HTML
        for role, key, item in roles_of(node):
            if holds_children(role, item, with_details=with_details):
                alone += item.kind == "object" and has_role(item)
            elif item is not label and (all_keys or item.holds_text):
                unread[key] += 1
    forest.notice_unread(unread, "keys beside label and children")
    forest.notice_if(
        alone, f"an object instead of a list of children is one child ({counted(alone, 'time')})"
    )
    return forest


def _children(node: JsonValue, *, with_details: bool = False) -> list[JsonValue]:
    """The children of an object: nodes or texts in a list, a single node, or keys that are nodes themselves."""
    found: list[JsonValue] = []
    for role, key, item in roles_of(node):
        if holds_children(role, item, with_details=with_details) and item.kind == "array":
            for child in map(open_node, item.items):
                found += [child] if any(each.is_scalar for each in child.items) else _as_nodes(child)
        elif holds_children(role, item, with_details=with_details) and not (
            item.is_scalar and item.is_nothing
        ):
            found += _by_rank(item, ids=key == "ideas") or _as_nodes(open_node(item))
    return list(map(open_node, found))


def _by_rank(value: JsonValue, *, ids: bool = False) -> list[JsonValue]:
    """The nodes in an object whose keys are numbers: positive ones, then negative ones.

    With ``ids``, also those whose keys are any ids, beside titles.
    """
    are_ids = ids and all(" " not in key and "title" in item.keys for key, item in value.pairs)
    are_ranks = all(map(_RANK.fullmatch, value.keys))
    if not (are_ranks or are_ids) or not all(item.kind == "string" or has_role(item) for item in value.items):
        return []
    ranked = ((float(key) if _RANK.fullmatch(key) else inf, item) for key, item in value.pairs)
    return [item for _, item in sorted(ranked, key=lambda pair: (pair[0] <= 0, abs(pair[0])))]


def _as_nodes(child: JsonValue) -> list[JsonValue]:
    """An opened child as it is, or the keys of nested dicts, ``{"sentence": {...}}``, as objects."""
    if child.is_nothing and child.kind != "string":
        return []
    if child.kind != "object" or label_of(child) or "children" in child.keys:
        return [child]
    return [
        item if item.string("name", "label", "title") == key else _branch(JsonValue("string", key), item)
        for key, item in child.pairs
    ]


def _branch(label: JsonValue, item: JsonValue) -> JsonValue:
    """A node of this label; the item is one without a label, or its children."""
    pairs = item.pairs if "children" in item.keys else [("children", item)]
    keys, items = zip(("label", label), *pairs, strict=True)
    return JsonValue("object", keys=keys, items=items)


def _find_mindmup(value: JsonValue) -> list[JsonValue] | None:
    """Since format version 3 the top object isn't an idea but contains the roots; its title is the file's."""
    ideas = value.get("ideas")
    is_named = value.keys == ("ideas",) or not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
    if (
        not is_named
        or ideas is None
        or ideas.kind != "object"
        or len(_by_rank(ideas, ids=True)) != len(ideas.items)
    ):
        return None
    is_frame = value.string("formatVersion") in {"3", "4"} or value.get("title") is None
    return _children(value) if is_frame else [value]


def _read_jsmind(value: JsonValue, _: object) -> Forest:
    data = value.get("data") or value
    if data.kind == "string":
        return read_freemind(Document(data.text))[0]
    return read_graph(data, find_graph(data)) if data.kind == "array" else _read_nodes([data], all_keys=False)


_JSMIND = ("node_tree", "node_array", "freemind")
JSMIND = json_format(
    "jsmind",
    "jsMind JSON",
    (".jm", ".json"),
    lambda value: "data" in value.keys and value.string("format") in _JSMIND,
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
