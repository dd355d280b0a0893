"""JSON records of maps, as data sets have them: ``{"id": ..., "map": {...}}``, one a line (JSONL) or in a list.

The map is a nested dict, an object with label and children, or edges between the record's sentences, which may
stand one object deeper (``generation.mindmap``). Each record is a map, its id the title; ``--field`` names another
place (:mod:`tted_core.formats.fields`).
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import json_format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted
from tted_core.formats.numbered import read_sentences
from tted_core.formats.object_json import read_value

ID_KEYS = ("id", "doc_id", "docid", "document_id", "article_id", "key", "name", "file", "filename")
MAP_KEYS = ("map", "mindmap", "mind_map", "tree")


def records_of(value: JsonValue) -> list[JsonValue]:
    """The records of a JSON value: the objects of a list, or itself."""
    return value.items if value.kind == "array" else [value]


def with_sentences(record: JsonValue, found: JsonValue) -> JsonValue:
    """A map of edges between numbers, with the sentences of its record; another map as it is."""
    sentences = record.get("sentences")
    if sentences is None or found.get("edges") is None or found.get("sentences") is not None:
        return found
    return JsonValue("object", found.line, keys=["sentences", "mindmap"], items=[sentences, found])


def name_of(record: JsonValue) -> str | None:
    """The text under the first of the usual keys that a record has."""
    return next((record.string(key) for key in ID_KEYS if record.string(key)), None)


def matches(value: JsonValue) -> bool:
    """An object with an id and a map, or a list of such objects, at least half of which have a map."""
    records = records_of(value)
    return bool(records) and 2 * sum(map(_is_record, records)) >= len(records)


def _is_record(value: JsonValue) -> bool:
    found = _map_of(value)
    return (
        found is not None
        and found.kind in {"object", "array"}
        and bool(found.items)
        and any(key in ID_KEYS and not item.items for key, item in zip(value.keys, value.items, strict=True))
    )


def _map_of(record: JsonValue) -> JsonValue | None:
    """The map of a record: under one of its own keys, or as edges under one of an object in it."""
    own = record.get(*MAP_KEYS)
    if own is not None:
        return with_sentences(record, own)
    inside = (item.get(key) for item in record.items if item.kind == "object" for key in MAP_KEYS)
    return next(
        (
            with_sentences(record, each)
            for each in inside
            if each is not None and each.get("edges") is not None
        ),
        None,
    )


def read(value: JsonValue) -> list[Forest]:
    """Read a map for each record.

    Raises:
        MapFormatError: no record, or a map in it that can't be read.
        LimitError: too large.
    """
    forests: list[Forest] = []
    without: list[str] = []
    for number, record in enumerate(records_of(value), start=1):
        found = _map_of(record)
        if found is None or not found.items:
            without.append(name_of(record) or f"record {number}")
            continue
        forest = read_sentences(found) if found.get("sentences") else read_value(found)
        forest.title = name_of(record)
        rest = [quoted(key) for key in record.keys if key not in (*ID_KEYS, *MAP_KEYS, "sentences")]
        forest.tell(rest, f"keys of the record that are no map were not read: {listed(rest)}")
        forests.append(forest)
    if not forests:
        raise MapFormatError("a record is an object with 'id' and 'map'; there is none", line=value.line)
    forests[0].tell(without, f"{counted(len(without), 'record')} without a map left out: {listed(without)}")
    return forests


RECORDS = json_format(
    "records", "JSON records (id, map), JSONL", (".jsonl", ".ndjson", ".json"), matches, read
)
