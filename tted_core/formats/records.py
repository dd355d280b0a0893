"""JSON records of maps, as data sets have them: ``{"id": ..., "map": {...}}``, one a line (JSONL) or in a list.

The map is a nested dict, an object with label and children, or edges between the record's sentences, which may
stand one object deeper (``generation.mindmap``). Each record is a map, its id the title; ``--field`` names another
place (:mod:`tted_core.formats.fields`).
"""

from tted_core.errors import MapFormatError
from tted_core.formats import nested_json, object_json, sentences_json
from tted_core.formats.document import Document, Format
from tted_core.formats.fields import ID_KEYS, MAP_KEYS, records_of, title_of, with_sentences
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted


def matches(document: Document) -> bool:
    """An object with an id and a map, or a list of such objects, at least half of which have a map."""
    value = document.json_or_none
    if value is None:
        return False
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
    for key in MAP_KEYS:
        found = record.get(key)
        if found is not None:
            return with_sentences(record, found)
    inside = (item.get(key) for item in record.items if item.kind == "object" for key in MAP_KEYS)
    return next(
        (
            with_sentences(record, each)
            for each in inside
            if each is not None and each.get("edges") is not None
        ),
        None,
    )


def read(document: Document) -> list[Forest]:
    """Read a map for each record.

    Raises:
        MapFormatError: no record, or a map in it that can't be read.
        LimitError: too large.
    """
    value, notices = document.json
    forests: list[Forest] = []
    without: list[str] = []
    for number, record in enumerate(records_of(value), start=1):
        found = _map_of(record)
        if found is None or not found.items:
            without.append(title_of(record, None) or f"record {number}")
            continue
        forest = _read_map(found)
        forest.title = title_of(record, None)
        rest = [quoted(key) for key in record.keys if key not in (*ID_KEYS, *MAP_KEYS, "sentences")]
        if rest:
            forest.notices.append(f"keys of the record that are no map were not read: {listed(rest)}")
        forests.append(forest)
    if not forests:
        raise MapFormatError("a record is an object with 'id' and 'map'; there is none", line=value.line)
    if without:
        forests[0].notices.append(
            f"{counted(len(without), 'record')} without a map left out: {listed(without)}"
        )
    forests[0].notices[:0] = notices
    return forests


def _read_map(found: JsonValue) -> Forest:
    if found.get("sentences") is not None:
        return sentences_json.read_value(found)
    return object_json.read_value(found) if object_json.is_map(found) else nested_json.read_value(found)


RECORDS = Format(
    name="records",
    title="JSON records (id, map), JSONL",
    extensions=(".jsonl", ".ndjson", ".json"),
    matches=matches,
    read=read,
)
