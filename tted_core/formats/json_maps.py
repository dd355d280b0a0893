"""JSON whose nesting is the map: nested dicts, objects with a label and a list of children, and records.

Objects, ``{"label": "root", "children": [{"label": "child"}]}``, are written by many programs and language
models. The label is under ``label``, ``text``, ``name``, ``title``, ``topic`` or the like, the children under
``children``, ``nodes``, ``branches`` or the like, either with a word for the level before it (``central_topic``,
``sub_branches``); a child may be a bare text. Programs (KityMinder, simple-mind-map, Mind Elixir, jsMind) write
the label in an object, ``{"data": {"text": "root"}, ...}``, and the map in a frame, ``{"root": {...}, ...}``.
Other keys (ids, colours) are skipped and named in a notice.

Nested dicts are the form of the TTED data: ``{"root sentence": {"child": {}, "other child": {...}}}``. A key is a
node's text, its value contains the children. Equal siblings become equal keys, which are all kept. Leaves may be
``{}``, ``null``, ``[]``, ``""``, a text (one child) or a list (one child per item), as hand edits and language
models write them.

Records are common in data sets: ``{"id": ..., "map": {...}}``, one per line (JSONL) or in a list. The map has
one of these forms, or is edges between the record's sentences, and may be one object deeper
(``generation.mindmap``). Each record is a map with its id as title; ``--field`` selects another path.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.document import Document, Format, json_format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_programs import (
    MAP_KEYS,
    NO_SENTENCES,
    lacks_sentences,
    read_linked,
    read_sentence_edges,
)
from tted_core.formats.json_text import JsonValue, unread_keys
from tted_core.formats.labels import counted, quoted, without_tags
from tted_core.formats.xml_maps import read_freemind


def _read_nested(top: JsonValue) -> Forest:
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
    equal: list[int] = []
    empty = 0
    stack = [(top, -1)]
    while stack:
        value, parent = stack.pop()
        if value.kind == "array":
            empty += sum(item.is_nothing for item in value.items)
            stack.extend((item, parent) for item in reversed(value.items))
        elif value.kind == "object":
            nodes = [forest.add(key, parent) for key in value.keys]
            first = dict(zip(reversed(value.keys), reversed(nodes), strict=True))
            equal += [node for key, node in zip(value.keys, nodes, strict=True) if first[key] != node]
            stack.extend(reversed(list(zip(value.items, nodes, strict=True))))
        elif not value.is_nothing:
            forest.add(value.text, parent)
    if not forest.labels:
        raise MapFormatError('the JSON has no nodes; it should look like {"root": {"child": {}}}')
    forest.notice_if(equal, f"equal keys of one object were kept as siblings: {forest.locations(equal)}")
    forest.notice_if(empty, f"{counted(empty, 'empty list item')} left out")
    return forest


NESTED_JSON = replace(
    json_format("nested-json", "nested-dict JSON (sentence: children)", (".json",), bool, _read_nested),
    # Tried after all more specific formats, and for broken JSON too, so that its error is reported.
    matches=lambda document: document.looks_like_json,
)


LABEL_KEYS = ("label", "text", "name", "title", "topic")
_LABELS = (
    *LABEL_KEYS,
    "idea",
    "theme",
    "concept",
    "content",
    "node",
    "branch",
    "root",
    "center",
    "central",
    "string",
)
_CHILDREN = (
    "children",
    "nodes",
    "topics",
    "ideas",
    "themes",
    "concepts",
    "branches",
    "items",
    "points",
    "details",
)
_FRAMES = (*MAP_KEYS, "root", "nodeData", "data")
_LEVEL = re.compile(
    r"(?:(?:main|central|core|root|sub|key)[ _-]?|child(?:[ _-]|(?=node)))(?=[a-z])", re.IGNORECASE
)


def _role(key: str) -> str:
    """Return a key without its word for the level: "central_topic" is "topic", "subBranches" is "branches"."""
    return _LEVEL.sub("", key, count=1).lower()


def _roles(value: JsonValue) -> list[tuple[str, str, JsonValue]]:
    """The role, key and value of each key of an object."""
    return [(_role(key), key, item) for key, item in zip(value.keys, value.items, strict=bool(value.keys))]


def _has_role(value: JsonValue) -> bool:
    return any(_role(key) in (*_LABELS, *_CHILDREN, "data") for key in value.keys)


def _label_of(value: JsonValue) -> tuple[JsonValue, JsonValue] | None:
    """The value of an object that has the label, and the label: the value itself, or a text in it."""
    roles = _roles(value)
    labels = (item for name in _LABELS for role, _, item in roles if role == name and item.is_scalar)
    label = next(labels, None)
    if label is not None:
        return label, label
    inside = (item for role, _, item in roles if role in ("data", *LABEL_KEYS) and item.kind == "object")
    found = ((item, item.get(*LABEL_KEYS, "caption")) for item in inside)
    return next(((item, label) for item, label in found if label is not None and label.is_scalar), None)


def _is_node(value: JsonValue) -> bool:
    """Return True for an object with a label that has children, or has nothing with depth."""
    return _label_of(value) is not None and (
        any(role in _CHILDREN and (not item.is_scalar or item.is_nothing) for role, _, item in _roles(value))
        or (value.keys[0] in LABEL_KEYS and not any(item.items for item in value.items))
    )


def _unframe(value: JsonValue) -> tuple[JsonValue, list[str]]:
    """The map in an object such as ``{"mindmap": {...}, "theme": ...}``, and other keys with texts."""
    found, others = value, list[str]()
    while not (_is_node(found) or (found.kind == "array" and any(map(_is_node, found.items[:1])))):
        key = next((key for key in _FRAMES if key in found.keys), None)
        inside = found.items[found.keys.index(key)] if key else value
        if key is None or not (
            len(found.keys) == 1
            or inside.kind == "array"
            or any(_role(name) in (*_CHILDREN, *_FRAMES) for name in inside.keys)
        ):
            return value, []
        others += unread_keys([found], (key,))
        found = inside
    return found, others


def is_map(value: JsonValue) -> bool:
    """Return True for such an object, a list of objects that begins with one, or a frame around either."""
    found, _ = _unframe(value)
    return _is_node(found) or (
        found.kind == "array"
        and all(item.kind == "object" for item in found.items)
        and any(map(_is_node, found.items[:1]))
    )


def _read_objects(value: JsonValue, *, all_keys: bool = True) -> Forest:
    """Read one map; without ``all_keys``, only keys with a text are named."""
    forest = Forest()
    alone = 0
    top, others = _unframe(value)
    unread = Counter(others)
    for node, parent in forest.walk(top.items if top.kind == "array" else [top], _children):
        if node.kind == "array" or (node.keys and not _has_role(node)):
            keys = f"an object with the keys {listed(map(quoted, node.keys))}" if node.keys else "a list"
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(LABEL_KEYS)}, or a text, but found {keys}",
                path=forest.path(parent) if parent >= 0 else None,
            )
        holder, label = _label_of(node) or (node, node)
        text = "" if label.is_nothing else label.text
        is_html = holder.string("richText") == "true" or label is node.get("content")  # markmap
        forest.add(without_tags(text) if is_html else text, parent)
        for role, key, item in _roles(node) + (_roles(holder) if holder is not node else []):
            if role in _CHILDREN:
                alone += item.kind == "object" and _has_role(item)
            elif item is not holder and item is not label and (all_keys or item.holds_text):
                unread[key] += 1
    forest.notice_unread(unread, "keys beside label and children")
    forest.notice_if(
        alone, f"an object instead of a list of children is one child ({counted(alone, 'time')})"
    )
    return forest


def _children(node: JsonValue) -> list[JsonValue]:
    """The children of an object: nodes or texts in a list, a single node, or keys that are nodes themselves."""
    found: list[JsonValue] = []
    for role, _, item in _roles(node):
        if role in _CHILDREN and item.kind == "array":
            for child in item.items:
                found += [child] if any(each.is_scalar for each in child.items) else _as_nodes(child)
        elif role in _CHILDREN:
            found += _as_nodes(item)
    return found


def _as_nodes(child: JsonValue) -> list[JsonValue]:
    """A child as it is, or the keys of nested dicts, ``{"sentence": {...}}``, as objects."""
    if child.is_nothing and child.kind != "string":
        return []
    if child.kind != "object" or _has_role(child):
        return [child]
    return [
        JsonValue("object", keys=("label", "children"), items=(JsonValue("string", key), item))
        for key, item in zip(child.keys, child.items, strict=True)
    ]


def _read_jsmind(value: JsonValue) -> Forest:
    data = value.get("data")
    if data is None or value.string("format") not in _JSMIND:
        raise MapFormatError(f"jsMind JSON has 'data' and one of the formats {', '.join(_JSMIND)}")
    if data.kind == "string":
        return read_freemind(Document(data.text))[0]
    return read_linked(data) if data.kind == "array" else _read_objects(data, all_keys=False)


_JSMIND = ("node_tree", "node_array", "freemind")
JSMIND = json_format(
    "jsmind",
    "jsMind JSON",
    (".jm", ".json"),
    lambda value: "data" in value.keys and value.string("format") in _JSMIND,
    _read_jsmind,
)
OBJECT_JSON = json_format(
    "json", "JSON objects with label and children", (".json", ".km", ".smm"), is_map, _read_objects
)


_FIELDS = {
    *LABEL_KEYS,
    *("id", "x", "y", "type", "color", "parent", "children", "key", "value", "content", "data"),
}
ID_KEYS = ("id", "doc_id", "docid", "document_id", "article_id", "key", "name", "file", "filename")


def records_of(value: JsonValue) -> Sequence[JsonValue]:
    """The records of a JSON value: the objects of a list, or the value itself."""
    return value.items if value.kind == "array" else [value]


def with_sentences(record: JsonValue, found: JsonValue) -> JsonValue:
    """Add the record's sentences to a map of edges between numbers; other maps are unchanged."""
    sentences = record.get("sentences")
    if sentences is None or found.get("edges") is None or found.get("sentences") is not None:
        return found
    return JsonValue("object", keys=("sentences", "mindmap"), items=(sentences, found))


def record_name(record: JsonValue) -> str:
    """The text under the first of the usual keys of a record that has one; empty if there is none."""
    return next((record.string(key) for key in ID_KEYS if record.string(key)), "")


def find_repeated_keys(value: JsonValue) -> str:
    """The reason why a JSON value has fields of a program instead of texts of nodes; empty if it hasn't.

    Objects of a list, and the one around it, repeat keys that hold a text or number; or those of an object repeat
    at least two of the usual keys.
    """
    waiting = [(value, value)]
    for inside, around in waiting:
        is_list = inside.kind == "array"
        objects = [item for item in inside.items if item.kind == "object"]
        nested = [around, *objects[:1]] if is_list and around.kind == "object" else []
        for group in (objects, nested):
            if not group[1:]:
                continue
            known = [frozenset(each.keys) for each in group[1:]]
            shared = [key for key in group[0].keys if all(key in keys for keys in known)]
            is_filled = bool(set.intersection(*(set(each.filled_keys) for each in group)))
            if is_filled and len(shared) > 1 and (is_list or len(_FIELDS.intersection(shared)) > 1):
                return Message(
                    f"objects of the JSON repeat the keys {listed(map(quoted, shared))}, so these are names of "
                    "fields, not texts of a map; name the field that holds the text with ",
                    Setting("field"),
                    "; ",
                    Setting("format", "nested-json"),
                    " reads the keys as a map",
                )
        waiting += [(item, inside) for item in inside.items if item.items]
    return ""


def _map_of(record: JsonValue) -> JsonValue | None:
    """The map of a record: under one of its own keys, or edges under one of an object in it."""
    inside = (item.get(key) for item in record.items for key in MAP_KEYS)
    found = record.get(*MAP_KEYS) or next((each for each in inside if each and each.get("edges")), None)
    return with_sentences(record, found) if found and found.items else None


def _is_of_records(document: Document) -> bool:
    """Return True if at least half of the objects of a list, or the only one, have an id and a map."""
    records = records_of(document.json_or_none) if document.json_or_none else []
    named = [record for record in records if _map_of(record) and record_name(record)]
    return bool(records) and 2 * len(named) >= len(records)


def _read_records(document: Document) -> Sequence[Forest]:
    """Read a map for each record.

    Raises:
        MapFormatError: no records, or a map in one can't be read.
        LimitError: too large.
    """
    value, notices = document.json
    forests: list[Forest] = []
    without: list[str] = []
    for number, record in enumerate(records_of(value), start=1):
        found, name = _map_of(record), record_name(record) or f"record {number}"
        if found is None:
            without.append(name)
            continue
        forest = _read_map(found, name)
        forest.title = name
        rest = [quoted(key) for key in record.keys if key not in (*ID_KEYS, *MAP_KEYS, "sentences")]
        forest.notice_if(rest, f"other keys of the record were not read: {listed(rest)}")
        forests.append(forest)
    if not forests:
        raise MapFormatError("a record is an object with 'id' and 'map'; there is none")
    forests[0].notices[:0] = notices
    forests[0].notice_if(
        without, f"{counted(len(without), 'record')} without a map left out: {listed(without)}"
    )
    return forests


def _read_map(found: JsonValue, name: str) -> Forest:
    if lacks_sentences(found):
        raise MapFormatError(f"this is {NO_SENTENCES}", path=name)
    if found.get("sentences"):
        return read_sentence_edges(found)
    if is_map(found):
        return _read_objects(found)
    why = find_repeated_keys(found)
    if why:
        raise MapFormatError(why, path=name)
    return _read_nested(found)


RECORDS_JSON = Format(
    "records", "JSON records (id, map), JSONL", (".jsonl", ".ndjson", ".json"), _is_of_records, _read_records
)
