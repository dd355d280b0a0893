"""Records: maps inside records of a program, with their names.

Records are common in data sets: ``{"id": ..., "map": {...}}``, one per line (JSONL) or in a list. The map has
one of these forms, or is edges between the record's sentences, and may be one object deeper
(``generation.mindmap``). Each record is a map with its id as title; ``--field`` selects another path.

``--field generation.rendered --id article_id`` names paths: keys joined by dots; a number is an index in a list.
The value is a map as a text in any format, or as JSON. Edges between numbers of sentences use the sentences of
their record, as in the results of Sobolevsky (2026): ``{"sentences": [...], "generation": {"mindmap": ...}}``.
"""

import re
from collections.abc import Iterator, Sequence

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.document import Document
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.foundations.messages import counted, list_some, quoted

# Keys of objects that a program wrote, such as settings or data.
_FIELDS = {
    *KEYS["label"],
    *(
        "id",
        "x",
        "y",
        "type",
        "color",
        "parent",
        "children",
        "key",
        "value",
        "data",
        "description",
        "category",
    ),
    *(
        "status",
        "body",
        "url",
        "tags",
        "date",
        "author",
        "email",
        "price",
        "image",
        "code",
        "message",
        "default",
    ),
    *("language", "kind", "href", "src", "identifier", "level"),
}


def records_of(value: JsonValue) -> Sequence[JsonValue]:
    """The records of a JSON value: the objects of a list, or the value itself."""
    return value.items if value.kind == "array" else [value]


def with_sentences(record: JsonValue, found: JsonValue) -> JsonValue:
    """Add the record's sentences to a map of edges between numbers; other maps are unchanged."""
    sentences = record.get("sentences")
    if sentences is None or found.get("edges") is None or found.get("sentences") is not None:
        return found
    return JsonValue("object", keys=("sentences", "mindmap"), items=(sentences, found))


def record_title(record: JsonValue, path: str | None = None) -> str:
    """The text at the path of a record, or under the first of the usual keys that it has; empty without it."""
    found = record.get(*KEYS["record"]) if path is None else record.at(path)
    return "" if found is None or found.is_nothing else found.text


def find_repeated_keys(value: JsonValue) -> str:
    """The reason why a JSON value has fields of a program instead of texts of nodes; empty if it hasn't.

    Objects of a list repeat keys that hold a text, number or list; or those of an object repeat at least two of
    the usual keys, or identifiers such as "nextToken".
    """
    tables = {each: dict(each.pairs) for each in value.walk() if each.keys}
    for around in value.walk():
        keys = [tables[item] for item in around.items if item.keys]
        shared = [key for key in min(keys, key=len, default={}) if all(key in each for each in keys)]
        are_filled = keys[1:] and any(
            not any(each[key].is_nothing or each[key].kind == "object" for each in keys) for key in shared
        )
        are_usual = len(_FIELDS.intersection(shared)) > 1 or any(map(_IDENTIFIER.search, shared))
        if are_filled and (around.kind == "array" or are_usual):
            return Message(
                f"objects of the JSON repeat the keys {list_some(map(quoted, shared))}, so these are names of "
                "fields, not texts of a map; name the field that holds the text with ",
                Setting("field"),
                "; ",
                Setting("format", "nested-json"),
                " reads the keys as a map",
            )
    return ""


def _map_of(record: JsonValue) -> JsonValue | None:
    """The map of a record: under one of its own keys, or edges under one of an object in it."""
    inside = (item.get(key) for item in record.items for key in KEYS["map"])
    found = record.get(*KEYS["map"]) or next((each for each in inside if each and each.get("edges")), None)
    return with_sentences(record, found) if found and found.items else None


def split_records(document: Document, notices: list[str]) -> list[Document]:
    """The maps of records, under their names; the document itself if fewer than half have a map and a name.

    Notices about what is left out of the records are added.
    """
    records = records_of(document.json_or_none) if document.json_or_none else []
    maps = [(record_title(record), _map_of(record)) for record in records]
    if 2 * sum(bool(name and found) for name, found in maps) < max(1, len(records)):
        return [document]
    maps = [(name or f"record {number}", found) for number, (name, found) in enumerate(maps, start=1)]
    read = {*KEYS["record"], *KEYS["map"], "sentences"}
    rest = dict.fromkeys(quoted(key) for record in records for key in record.keys if key not in read)
    without = [name for name, found in maps if found is None]
    left_out = {
        f"other keys of the records were not read: {list_some(rest)}": rest,
        f"{counted(len(without), 'record')} without a map left out: {list_some(without)}": without,
    }
    every = [*document.json[1], *(notice for notice, found in left_out.items() if found)]
    notices += [notice for notice in every if notice not in notices]  # one for all lines
    return [
        Document("", name=document.name, title=name, value=found) for name, found in maps if found is not None
    ]


# A map at a path of each record.

_DEEPEST = 6  # levels of a record that are searched for fields with the map

# Maximum characters of a key that may lead to one; paths below a longer one, a text, would take gigabytes.
_LONGEST_KEY = 100

_IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z]|[A-Z][a-z])")
_WORD = re.compile(r"\$?[a-z][A-Za-z0-9]*+(?:[._-][A-Za-z0-9]++)*\Z")
# Texts typical of settings: addresses, packages, versions, paths and names of files.
_OF_SETTINGS = re.compile(
    r"https?://\S++$|@[\w-]++/\S++$|[~^<>=]{0,2}\d++\.\d[\w.-]*+$|[<>]=\d++$|\.{1,2}/\S++$|\*{1,2}[./]\S*+$|"
    r"\S+\.(?:jsonl?|gz|csv|zip|tar|txt|[cm]?[jt]sx?|py|css|html|ya?ml)$"
)


def documents_at(document: Document, field: str, key: str | None) -> Iterator[Document]:
    """The map at ``field`` of each record in a JSON document, with the text at ``key`` as its title.

    Raises:
        MapFormatError: not JSON, or a record without this field.
        LimitError: too large.
    """
    for number, record in enumerate(records_of(document.json[0]), start=1):
        found = record.at(field)
        names = list_some(map(quoted, record.keys)) or "no keys"
        if found is None or found.is_nothing:
            raise MapFormatError(
                f"the record {quoted(record_title(record) or str(number))} has no field {quoted(field)}, or an "
                f"empty one; it has {names}"
            )
        title = record_title(record, key)
        if key and not title:
            raise MapFormatError(f"the record has no id at {quoted(key)}; it has {names}")
        text = found.text if found.kind == "string" else ""
        yield Document(text, title=title or None, value=None if text else with_sentences(record, found))


def find_program_keys(value: JsonValue) -> str:
    """The reason why a JSON value looks like records of a program rather than a map; empty if it doesn't.

    Objects repeat the same keys; or all keys of a record are single words, with a number or a setting, or joined
    by dots; or values are switches, without a blank in any key; or the only key holds a text of several lines; or
    nearly all keys are single words, some with settings; or all texts are settings.
    """
    records = records_of(value)
    why = find_repeated_keys(value)
    if why or not records or any(record.kind != "object" for record in records):
        return why
    inside = [each for record in records for each in record.walk()]
    every = [key for each in inside for key in each.keys]
    texts = [each.text for each in inside if each.kind == "string"]
    literals = {each.text for each in inside if each.kind == "literal" and not each.is_nothing}
    settings = sum(
        key in _FIELDS or _IDENTIFIER.match(key) is not None for each in inside for key in each.filled_keys
    )
    keys = records[0].keys
    are_words = all(map(_WORD.match, keys))
    is_set = (
        (are_words and keys[1:] and (literals or settings or any(map(_OF_SETTINGS.match, texts))))
        or (are_words and keys and all("." in key for key in keys))
        or (literals & {"true", "false"} and keys[1:] and not any(" " in key for key in every))
        or any(are_words and len(record.keys) == 1 and "\n" in record.items[0].text for record in records)
        or (settings > 1 and 5 * sum(_WORD.match(key) is not None for key in every) >= 4 * len(every))
        or (
            texts
            and all(map(_OF_SETTINGS.match, texts))
            and all(_WORD.match(key) or _OF_SETTINGS.match(key) for key in every)
        )
    )
    if not is_set:
        return ""
    return Message(
        f"this looks like {counted(len(records), 'record')} of a program (keys {list_some(keys)}), not like a "
        "map: name the field that holds the map with ",
        Setting("field"),
        *(part for field in fields_of(value)[:1] for part in (", for example ", Setting("field", field))),
        "; ",
        Setting("format", "nested-json"),
        " reads the keys as a map",
    )


def fields_of(value: JsonValue) -> list[str]:
    """The paths in the first record of a JSON value that may contain a map, the likeliest first."""
    ranks: dict[str, tuple[bool, bool]] = {}
    waiting = [("", record) for record in records_of(value)[:1]]
    for above, inside in waiting:
        keys = inside.keys or map(str, range(len(inside.items)))
        for key, found in (
            pair for pair in zip(keys, inside.items, strict=True) if len(pair[0]) <= _LONGEST_KEY
        ):
            path = f"{above}.{key}".removeprefix(".")
            waiting += [(path, found)] if path.count(".") < _DEEPEST else []
            is_map = found.kind == "object" and (key in KEYS["map"] or found.get("edges") is not None)
            if is_map or found.text.count("\n") > 1:
                ranks[path] = (not is_map, "prompt" in path)
    return sorted(ranks, key=ranks.__getitem__)


def candidate_paths(content: bytes) -> tuple[list[str], list[str]]:
    """Likely paths of maps and names in the records of a file, the likeliest first; empty without records."""
    records = records_in(content)
    fields = fields_of(JsonValue("array", items=tuple(records)))
    return fields, sorted(records[0].filled_keys if fields else [], key=lambda key: key not in KEYS["record"])


def records_in(content: bytes) -> Sequence[JsonValue]:
    """The records of JSON, or the first line of JSON lines; none in other content."""
    text = content.decode("utf-8-sig", errors="replace")
    first = next((line for line in text.split("\n") if line.strip()), "")
    value = Document(text).json_or_none or Document(first).json_or_none
    return records_of(value) if value else []
