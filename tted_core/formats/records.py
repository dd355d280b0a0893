"""JSON records of maps, as data sets have them: ``{"id": ..., "map": {...}}``, one a line (JSONL) or in a list.

The map is a nested dict or an object with label and children. Each record is a map, and its id the title.
"""

from tted_core.errors import MapFormatError
from tted_core.formats import nested_json, object_json
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import quoted

_ID_KEYS = ("id", "doc_id", "docid", "document_id", "key", "name", "file", "filename")
_MAP_KEYS = ("map", "mindmap", "mind_map", "tree")


def matches(document: Document) -> bool:
    """An object with an id and a map, or a list of such objects."""
    value = document.json_or_none
    if value is None:
        return False
    records = value.items if value.kind == "array" else [value]
    return bool(records) and all(map(_is_record, records))


def _is_record(value: JsonValue) -> bool:
    found = _map_of(value)
    return (
        found is not None
        and found.kind in {"object", "array"}
        and bool(found.items)
        and any(key in _ID_KEYS and not item.items for key, item in zip(value.keys, value.items, strict=True))
    )


def _map_of(value: JsonValue) -> JsonValue | None:
    return next((found for key in _MAP_KEYS if (found := value.get(key)) is not None), None)


def read(document: Document) -> list[Forest]:
    """Read a map for each record.

    Raises:
        MapFormatError: no record, or a map in it that can't be read.
        LimitError: too large.
    """
    value, notices = document.json
    forests = []
    for record in value.items if value.kind == "array" else [value]:
        found = _map_of(record)
        if found is None:
            raise MapFormatError("a record is an object with 'id' and 'map'", line=record.line)
        forest = (object_json if object_json.is_map(found) else nested_json).read_value(found)
        forest.title = next((record.string(key) for key in _ID_KEYS if record.string(key)), None)
        rest = [quoted(key) for key in record.keys if key not in (*_ID_KEYS, *_MAP_KEYS)]
        if rest:
            forest.notices.append(f"keys of the record that are no map were not read: {listed(rest)}")
        forests.append(forest)
    if not forests:
        raise MapFormatError("the list holds no record", line=value.line)
    forests[0].notices[:0] = notices
    return forests


RECORDS = Format(
    name="records",
    title="JSON records (id, map), JSONL",
    extensions=(".jsonl", ".ndjson", ".json"),
    matches=matches,
    read=read,
)
