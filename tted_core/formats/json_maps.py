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
from tted_core.formats.json_programs import NO_SENTENCES, lacks_sentences, read_sentences
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted

SCALARS = ("string", "literal")


def _nested(top: JsonValue) -> Forest:
    """Read one map; several keys at the top are several roots.

    Raises:
        MapFormatError: not JSON, or empty.
        LimitError: too large.
    """
    if top.kind == "literal" and not top.is_nothing:
        raise MapFormatError(
            f'the JSON is only {quoted(top.text)}; a map looks like {{"root": {{"child": {{}}}}}}',
            line=top.line,
        )
    forest = Forest()
    skipped: list[int] = []
    equal: list[int] = []
    keys = bare = 0
    stack = [(top, -1)]
    while stack:
        value, parent = stack.pop()
        entries = _entries(value, skipped)
        # Children are numbered when their parent is processed and leave the stack first to last, so that siblings
        # keep their order; ``to_tree`` turns this into preorder.
        nodes = [forest.add(label, parent, line=line) for label, line, _ in entries]
        if value.kind == "object":
            keys += len(nodes)
            bare += sum(item.kind in SCALARS and not item.is_nothing for item in value.items)
            first = dict(zip(reversed(value.keys), reversed(nodes), strict=True))
            equal += [node for key, node in zip(value.keys, nodes, strict=True) if first[key] != node]
        below = ((inside, node) for (_, _, inside), node in zip(entries, nodes, strict=True) if inside)
        stack.extend(reversed(list(below)))
    if not forest.labels:
        raise MapFormatError(
            'the JSON has no nodes; it should look like {"root": {"child": {}}}', line=top.line
        )
    forest.notice_if(
        2 * bare > keys,
        f"{bare:,} of {keys:,} keys hold a text, number or truth value and no children, like the data of a "
        "program; check that this is a map",
    )
    forest.notice_if(equal, f"equal keys of one object were kept as siblings: {forest.locations(equal)}")
    empty = counted(len(skipped), "empty list item")
    forest.notice_if(skipped, f"{empty} left out (the first in line {', '.join(map(str, skipped[:1]))})")
    return forest


def _entries(value: JsonValue, skipped: list[int]) -> list[tuple[str, int, JsonValue | None]]:
    """The nodes that a value adds below its key, each with its line and the value below it; a list adds no node.

    Lines of a list's empty items are added to ``skipped``.
    """
    found: list[tuple[str, int, JsonValue | None]] = []
    pending = [] if value.is_nothing else [value]
    while pending:
        each = pending.pop()
        if each.kind == "array":
            pending.extend(reversed(each.items))
        elif each.is_nothing:
            skipped.append(each.line)
        elif each.kind == "object":
            found += [(key, item.line, item) for key, item in zip(each.keys, each.items, strict=True)]
        else:
            found.append((each.text, each.line, None))
    return found


NESTED_JSON = replace(
    json_format(
        "nested-json",
        "nested-dict JSON (sentence: children)",
        (".json",),
        bool,
        _nested,
    ),
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
_FRAMES = ("mindmap", "mind_map", "mind map", "mindMap", "map", "root", "tree")
"""Keys of an object that holds nothing but the map."""


def _role(key: str) -> str:
    """Return a key without its word for the level: "central_topic" is "topic", "subBranches" is "branches"."""
    return _LEVEL.sub("", key, count=1).lower()


def _is_node(value: JsonValue) -> bool:
    """Return True for an object with a scalar label that has children, or has nothing with depth."""
    if value.kind != "object":
        return False
    roles = [(_role(key), item) for key, item in zip(value.keys, value.items, strict=True)]
    return any(role in _LABELS and item.kind in SCALARS for role, item in roles) and (
        any(role in _CHILDREN and (item.kind not in SCALARS or item.is_nothing) for role, item in roles)
        or (value.keys[0] in LABEL_KEYS and not any(item.items for item in value.items))
    )


def _framed(value: JsonValue) -> JsonValue:
    """Return the map in an object that holds nothing else, ``{"mindmap": {...}}``; another value as it is."""
    is_frame = value.kind == "object" and len(value.keys) == 1 and value.keys[0] in _FRAMES
    return value.items[0] if is_frame else value


def is_map(value: JsonValue) -> bool:
    """Return True for such an object, a list of objects that begins with one, or a frame around either."""
    value = _framed(value)
    if value.kind == "array" and value.items:
        return all(item.kind == "object" for item in value.items) and _is_node(value.items[0])
    return _is_node(value)


def _objects(value: JsonValue) -> Forest:
    forest = Forest()
    unread: Counter[str] = Counter()
    value = _framed(value)
    tops = value.items if value.kind == "array" else [value]
    stack = [(top, -1) for top in reversed(tops)]
    while stack:
        value, parent = stack.pop()
        is_branch = bool(value.items) and all(item.kind not in SCALARS for item in value.items)
        # An object without a role may be nested dicts as a child, {"sentence": [...]}.
        if value.kind == "array" or (value.kind == "object" and not (_has_role(value) or is_branch)):
            keys = f"the keys {listed(map(quoted, value.keys))}" if value.keys else "no keys"
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(LABEL_KEYS)}, or a text, but found "
                f"{'a list' if value.kind == 'array' else 'an object with ' + keys}",
                line=value.line,
                path=forest.path(parent) if parent >= 0 else None,
            )
        if value.kind == "literal" and value.is_nothing:
            forest.notices.append(f"an empty child (null) in line {value.line} was left out")
            continue
        if value.kind != "object":
            forest.add(value.text, parent, line=value.line)
            continue
        pairs = [(_role(key), key, item) for key, item in zip(value.keys, value.items, strict=True)]
        if not _has_role(value):
            stack.extend((child, parent) for child in reversed(_children(value)))
            continue
        labels = (
            item for name in _LABELS for role, _, item in pairs if role == name and item.kind in SCALARS
        )
        label = next(labels, None)
        node = forest.add("" if label is None or label.is_nothing else label.text, parent, line=value.line)
        children: list[JsonValue] = []
        for role, key, item in pairs:
            if role in _CHILDREN:
                children += _children(item)
            elif item is not label:
                unread[key] += 1
        stack.extend((child, node) for child in reversed(children))
    if not forest.labels:
        raise MapFormatError("the JSON has no nodes", line=value.line)
    names = listed(f"{quoted(key)} ({count:,} times)" for key, count in unread.most_common())
    forest.notice_if(unread, f"keys without label or children were not read: {names}")
    return forest


def _has_role(value: JsonValue) -> bool:
    return any(_role(key) in (*_LABELS, *_CHILDREN) for key in value.keys)


def _children(value: JsonValue) -> list[JsonValue]:
    """Return the items of a list, an object that is a node, or else the keys of an object as nodes."""
    if value.kind == "array" or value.is_nothing:
        return value.items
    if value.kind != "object" or _has_role(value):
        return [value]
    return [
        JsonValue(
            "object", item.line, keys=["label", "children"], items=[JsonValue("string", item.line, key), item]
        )
        for key, item in zip(value.keys, value.items, strict=True)
    ]


OBJECT_JSON = json_format(
    "json",
    "JSON objects with label and children",
    (".json",),
    is_map,
    _objects,
)


ID_KEYS = ("id", "doc_id", "docid", "document_id", "article_id", "key", "name", "file", "filename")
MAP_KEYS = ("map", "mindmap", "mind_map", "tree")


def records_of(value: JsonValue) -> list[JsonValue]:
    """The records of a JSON value: the objects of a list, or the value itself."""
    return value.items if value.kind == "array" else [value]


def with_sentences(record: JsonValue, found: JsonValue) -> JsonValue:
    """Add the record's sentences to a map of edges between numbers; other maps are unchanged."""
    sentences = record.get("sentences")
    if sentences is None or found.get("edges") is None or found.get("sentences") is not None:
        return found
    return JsonValue("object", found.line, keys=["sentences", "mindmap"], items=[sentences, found])


def name_of(record: JsonValue) -> str | None:
    """The text under the first of the usual keys of a record."""
    return next((record.string(key) for key in ID_KEYS if record.string(key)), None)


def _map_of(record: JsonValue) -> JsonValue | None:
    """The map of a record: under one of its own keys, or edges under one of an object in it."""
    inside = (item.get(key) for item in record.items if item.kind == "object" for key in MAP_KEYS)
    found = record.get(*MAP_KEYS) or next((each for each in inside if each and each.get("edges")), None)
    return found and with_sentences(record, found)


def _is_of_records(document: Document) -> bool:
    """Return True if at least half of the objects of a list, or the only one, have an id and a map."""
    records = records_of(document.json_or_none) if document.json_or_none else []
    with_map = [each for each in records if (found := _map_of(each)) and found.items]
    named = [
        each
        for each in with_map
        if any(key in ID_KEYS and not item.items for key, item in zip(each.keys, each.items, strict=True))
    ]
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
        found, name = _map_of(record), name_of(record)
        if found is None or not found.items:
            without.append(name or f"record {number}")
            continue
        if lacks_sentences(found):
            raise MapFormatError(f"this is {NO_SENTENCES}", line=found.line)
        if found.get("sentences"):
            forest = read_sentences(found)
        else:
            forest = _objects(found) if is_map(found) else _nested(found)
        forest.title = name
        rest = [quoted(key) for key in record.keys if key not in (*ID_KEYS, *MAP_KEYS, "sentences")]
        forest.notice_if(rest, f"other keys of the record were not read: {listed(rest)}")
        forests.append(forest)
    if not forests:
        raise MapFormatError("a record is an object with 'id' and 'map'; there is none", line=value.line)
    forests[0].notices[:0] = notices
    forests[0].notice_if(
        without, f"{counted(len(without), 'record')} without a map left out: {listed(without)}"
    )
    return forests


RECORDS = Format(
    "records", "JSON records (id, map), JSONL", (".jsonl", ".ndjson", ".json"), _is_of_records, _read_records
)
