"""Maps inside records of a program: ``--field generation.rendered --id article_id`` of JSON or JSON lines.

A path is keys joined by dots; a number is an index in a list. Its value is a map as a text in any format, or as
JSON. Edges between numbers of sentences use the sentences of their record, as in the result files of Sobolevsky
(2026): ``{"sentences": [...], "generation": {"mindmap": {"edges": [[0, 2]]}}}``.
"""

import re
from collections.abc import Iterator

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.document import Document
from tted_core.formats.forest import listed
from tted_core.formats.json_maps import ID_KEYS, find_repeated_keys, record_name, records_of, with_sentences
from tted_core.formats.json_programs import MAP_KEYS
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted

_DEEPEST = 4
"""Levels of a record that are searched for fields with the map."""

_LONGEST_KEY = 100
"""Maximum characters of a key that may lead to one; paths below a longer one, a text, would take gigabytes."""

_WORD = re.compile(r"\$?[a-z][A-Za-z0-9]*+(?:[._-][A-Za-z0-9]++)*\Z")
_OF_PROGRAMS = re.compile(
    r"(?:rouge.*|(?:.*[_-])?(?:id|ids|uuid|prompts?|scores?|model|models|usage|tokens?|created|timestamp|paths?|status|attempts|"
    r"metadata|config|seed|temperature|messages|role|response|completion|outputs?|version|url|split|bleu|"
    r"f1|precision|recall|loss|latency|seconds))\Z",
    re.IGNORECASE,
)
"""Keys typical of programs and rare as texts of nodes."""


_SETTINGS = {"name", "type", "title", "description", "label", "text"}
"""Keys whose texts tell that a file is one of settings or data, if all keys are words of programs."""


def record_title(record: JsonValue, path: str | None) -> str:
    """The name of a record: the text at the path, or under the first of the usual keys.

    Raises:
        MapFormatError: a path is given, but has no text or number.
    """
    if path is None:
        return record_name(record)
    found = record.at(path)
    if found is None or not found.text or found.is_nothing:
        raise MapFormatError(f"the record has no id at {quoted(path)}; it has {_name_keys(record)}")
    return found.text


def documents_at(document: Document, field: str, key: str | None) -> Iterator[Document]:
    """The map at ``field`` of each record in a JSON document, with the text at ``key`` as its title.

    Raises:
        MapFormatError: not JSON, or a record without this field.
        LimitError: too large.
    """
    value, _ = document.json
    for number, record in enumerate(records_of(value), start=1):
        found = record.at(field)
        where = f"the record {quoted(record_name(record) or str(number))}"
        if found is None:
            raise MapFormatError(f"{where} has no field {quoted(field)}; it has {_name_keys(record)}")
        if found.is_nothing:
            raise MapFormatError(f"the field {quoted(field)} of {where} is empty")
        text = found.text if found.kind == "string" else ""
        inside = None if text else with_sentences(record, found)
        yield Document(text, title=record_title(record, key) or None, value=inside)


def find_program_keys(value: JsonValue) -> str:
    """The reason why a JSON value looks like records of a program rather than a map; empty if it doesn't.

    Objects repeat the same keys, or at least half of the keys of a record are single words, and two of them are
    typical of programs (ids, scores, prompts, paths).
    """
    records = records_of(value)
    why = find_repeated_keys(value)
    if why or not records or any(record.kind != "object" for record in records):
        return why
    keys = set(records[0].keys)
    words = [key for key in dict.fromkeys(records[0].keys) if _WORD.match(key)]
    typical = [key for key in words if _OF_PROGRAMS.match(key)]
    is_set = len(words) == len(keys) > 1 and any(
        (each.kind == "literal" and not each.is_nothing) or not _SETTINGS.isdisjoint(each.filled_keys)
        for record in records
        for each in record.walk()
    )
    if not is_set and (len(typical) < 2 or 2 * len(words) < len(keys)):
        return ""
    return Message(
        f"this looks like {counted(len(records), 'record')} of a program (keys {listed(typical or words)}), not "
        "like a map: name the field that holds the map with ",
        Setting("field"),
        *(part for field in fields_of(value)[:1] for part in (", for example ", Setting("field", field))),
        "; ",
        Setting("format", "nested-json"),
        " reads the keys as a map",
    )


def fields_of(value: JsonValue) -> list[str]:
    """The paths in the first record of a JSON value that may contain a map, the likeliest first."""
    records = records_of(value)
    if not records or records[0].kind != "object":
        return []
    maps: list[str] = []
    texts: list[str] = []
    for path, found in _below(records[0]):
        if found.kind == "object" and (path.rpartition(".")[2] in MAP_KEYS or found.get("edges") is not None):
            maps.append(path)
        elif found.text.count("\n") > 1:
            texts.append(path)
    return maps + sorted(texts, key=lambda path: "prompt" in path)


def has_field(content: bytes, path: str | None) -> bool:
    """Return True if a record of JSON or JSON lines has a value at this path."""
    value = _json_in(content)
    return value is not None and path is not None and any(each.at(path) for each in records_of(value))


def candidate_paths(content: bytes) -> tuple[list[str], list[str]]:
    """Likely paths of maps and names in the records of a file, the likeliest first; empty without records."""
    value = _json_in(content)
    fields = fields_of(value) if value is not None else []
    if value is None or not fields:
        return [], []
    record = records_of(value)[0]
    return fields, sorted(record.filled_keys, key=lambda key: key not in ID_KEYS)


def _json_in(content: bytes) -> JsonValue | None:
    """The value of JSON, or of the first line of JSON lines."""
    text = content.decode("utf-8-sig", errors="replace")
    first = next((line for line in text.split("\n") if line.strip()), "")
    return Document(text).json_or_none or Document(first).json_or_none


def _below(record: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    waiting = [("", record)]
    for path, value in waiting:
        for key, item in zip(value.keys, value.items, strict=bool(value.keys)):
            if len(key) > _LONGEST_KEY:
                continue
            inside = f"{path}.{key}" if path else key
            yield inside, item
            if inside.count(".") < _DEEPEST:
                waiting.append((inside, item))


def _name_keys(record: JsonValue) -> str:
    return listed(map(quoted, record.keys)) if record.keys else "no keys"
