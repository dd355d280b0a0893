"""JSON whose nesting is the map: nested dicts, objects with a label and a list of children, and records.

Objects, ``{"label": "root", "children": [{"label": "child"}]}``, are written by many programs and language
models. The label is under ``label``, ``text``, ``name``, ``title``, ``topic`` or the like, the children under
``children``, ``nodes``, ``branches`` or the like, either with a word for the level before it (``central_topic``,
``sub_branches``); a child may be a bare text. Other keys (ids, colours) are skipped and named in a notice.

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

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format, json_format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_programs import MAP_KEYS, NO_SENTENCES, lacks_sentences, read_sentences
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted


def _nested(top: JsonValue) -> Forest:
    """Read one map; several keys at the top are several roots.

    Raises:
        MapFormatError: only a number or the like, or empty.
        LimitError: too large.
    """
    if top.kind == "literal" and not top.is_nothing:
        raise MapFormatError(
            f'the JSON is only {quoted(top.text)}; a map looks like {{"root": {{"child": {{}}}}}}'
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
    json_format("nested-json", "nested-dict JSON (sentence: children)", (".json",), bool, _nested),
    # Tried after all more specific formats, and for broken JSON too, so that its error is reported.
    matches=lambda document: document.looks_like_json,
)


LABEL_KEYS = ("label", "text", "name", "title", "topic")
_LABELS = (*LABEL_KEYS, "idea", "theme", "concept", "content", "node", "branch", "root", "center", "central")
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
_LEVEL = re.compile(
    r"(?:(?:main|central|core|root|sub|key)[ _-]?|child(?:[ _-]|(?=node)))(?=[a-z])", re.IGNORECASE
)


def _role(key: str) -> str:
    """Return a key without its word for the level: "central_topic" is "topic", "subBranches" is "branches"."""
    return _LEVEL.sub("", key, count=1).lower()


def _has_role(value: JsonValue) -> bool:
    return any(_role(key) in (*_LABELS, *_CHILDREN) for key in value.keys)


def _is_node(value: JsonValue) -> bool:
    """Return True for an object with a scalar label that has children, or has nothing with depth."""
    roles = [(_role(key), item) for key, item in zip(value.keys, value.items, strict=bool(value.keys))]
    return any(role in _LABELS and item.is_scalar for role, item in roles) and (
        any(role in _CHILDREN and (not item.is_scalar or item.is_nothing) for role, item in roles)
        or (value.keys[0] in LABEL_KEYS and not any(item.items for item in value.items))
    )


def _framed(value: JsonValue) -> JsonValue:
    """Return the map in an object that holds nothing else, ``{"mindmap": {...}}``; another value as it is."""
    return value.items[0] if len(value.keys) == 1 and value.keys[0] in (*MAP_KEYS, "root") else value


def is_map(value: JsonValue) -> bool:
    """Return True for such an object, a list of objects that begins with one, or a frame around either."""
    value = _framed(value)
    if value.kind == "array" and value.items:
        return all(item.kind == "object" for item in value.items) and _is_node(value.items[0])
    return _is_node(value)


def _objects(value: JsonValue) -> Forest:
    forest = Forest()
    unread: Counter[str] = Counter()
    top = _framed(value)
    for node, parent in forest.walk(top.items if top.kind == "array" else [top], _children):
        roles = [(_role(key), key, item) for key, item in zip(node.keys, node.items, strict=bool(node.keys))]
        if node.kind == "array" or (node.keys and not _has_role(node)):
            keys = f"an object with the keys {listed(map(quoted, node.keys))}" if node.keys else "a list"
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(LABEL_KEYS)}, or a text, but found {keys}",
                path=forest.path(parent) if parent >= 0 else None,
            )
        labels = (item for name in _LABELS for role, _, item in roles if role == name and item.is_scalar)
        label = next(labels, node)
        forest.add("" if label.is_nothing else label.text, parent)
        unread.update(key for role, key, item in roles if role not in _CHILDREN and item is not label)
    names = listed(f"{quoted(key)} ({count:,} times)" for key, count in unread.most_common())
    forest.notice_if(unread, f"keys without label or children were not read: {names}")
    return forest


def _children(node: JsonValue) -> list[JsonValue]:
    """The children of an object: nodes or texts in a list, a single node, or keys that are nodes themselves."""
    found: list[JsonValue] = []
    for key, item in zip(node.keys, node.items, strict=bool(node.keys)):
        if _role(key) in _CHILDREN and item.kind == "array":
            for child in item.items:
                found += [child] if any(each.is_scalar for each in child.items) else _as_nodes(child)
        elif _role(key) in _CHILDREN:
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


OBJECT_JSON = json_format("json", "JSON objects with label and children", (".json",), is_map, _objects)


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


def name_of(record: JsonValue) -> str:
    """The text under the first of the usual keys of a record that has one; empty if there is none."""
    return next((record.string(key) for key in ID_KEYS if record.string(key)), "")


def _map_of(record: JsonValue) -> JsonValue | None:
    """The map of a record: under one of its own keys, or edges under one of an object in it."""
    inside = (item.get(key) for item in record.items for key in MAP_KEYS)
    found = record.get(*MAP_KEYS) or next((each for each in inside if each and each.get("edges")), None)
    return with_sentences(record, found) if found and found.items else None


def _is_of_records(document: Document) -> bool:
    """Return True if at least half of the objects of a list, or the only one, have an id and a map."""
    records = records_of(document.json_or_none) if document.json_or_none else []
    named = [record for record in records if _map_of(record) and name_of(record)]
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
        found, name = _map_of(record), name_of(record) or f"record {number}"
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
        return read_sentences(found)
    return _objects(found) if is_map(found) else _nested(found)


RECORDS = Format(
    "records", "JSON records (id, map), JSONL", (".jsonl", ".ndjson", ".json"), _is_of_records, _read_records
)
