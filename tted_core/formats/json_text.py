"""JSON text -> values that keep repeated keys and numbers as written; and the keys of a node's text and children.

Beyond JSON, what people paste is read with a notice: a Python dict (single quotes, None, True), comments, NaN, and
a comma before a closing bracket.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from tted_core.errors import LimitError, MapFormatError, check_limit

# Maximum commas and opening brackets in a JSON text; maps have ids, colours and dates too.
MAX_JSON_VALUES = 300_000

# Keys of programs: of a node's text, id, parent and children, an edge's ends, lists, a map and its record.
KEYS: dict[str, tuple[str, ...]] = {
    "label": ("name", "title", "label", "topic", "text", "sentence", "content", "caption"),
    "id": ("id", "key", "uid", "_id", "uuid", "node_id", "nodeId", "@id"),
    "parent": (
        *("parent", "parent_id", "parentId", "parentID", "parentid", "pid", "parentNode", "parentKey"),
        *("parentName", "parent_node_id", "parentNodeId", "parentUuid", "parent_uuid"),
        *("broader", "skos:broader"),
    ),
    "children": (
        *("children", "childrenIds", "childIds", "children_ids", "child_ids", "connections", "subKeys"),
        *("narrower", "skos:narrower"),
    ),
    "start": (
        *("parent", "source", "from", "fromNode", "startNodeID", "head"),
        *("parentId", "source_id", "sourceId", "sourceNodeId", "from_id", "subject"),
    ),
    "end": (
        *("child", "target", "to", "toNode", "endNodeID", "tail"),
        *("childId", "target_id", "targetId", "targetNodeId", "to_id", "object"),
    ),
    "nodes": (
        *("nodes", "nodeDataArray", "items", "topics", "elements", "ideas", "branches", "entities", "node"),
        *("cells", "concepts"),
    ),
    "edges": ("edges", "links", "linkDataArray", "connections", "relationships", "relations", "triples"),
    "map": ("map", "mindmap", "mind_map", "mindMap", "mind map", "tree"),
    "record": ("id", "doc_id", "docid", "document_id", "article_id", "key", "name", "file", "filename"),
}

_STRING = r""""[^"\\]*+(?:\\.[^"\\]*+)*+"?|'[^'\\]*+(?:\\.[^'\\]*+)*+'?"""
_COMMENT = r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\#[^\n]*+"
JSON_GAP = rf"(?:\s|{_COMMENT})*+"  # white space and comments

# Texts (unclosed ones too, so that each is searched once), comments, Python's words, surplus commas, spaces.
_TOKEN = re.compile(
    rf"{_STRING}|(?P<comment>{_COMMENT})|\b(?:None|True|False)\b|,(?={JSON_GAP}[}}\]])|[^\S \t\r\n]",
    re.DOTALL,
)

_PIECE = re.compile(rf"{_STRING}|{_COMMENT}|[{{}}\[\]]", re.DOTALL)
_WORDS = {"None": "null", "True": "true", "False": "false"}


@dataclass(frozen=True, slots=True, eq=False)
class JsonValue:
    """A value: ``items`` of an object or array (with ``keys`` for an object), or the ``text`` of a scalar.

    The text of a "string" is its content, that of a "literal" the number or word as written.
    """

    kind: Literal["object", "array", "string", "literal"]
    text: str = ""
    keys: tuple[str, ...] = ()
    items: tuple["JsonValue", ...] = ()

    @property
    def is_nothing(self) -> bool:
        """True if the value has no content: {}, [], null or an empty text."""
        return self.text in {"", "null"} and not self.items if self.kind != "string" else not self.text

    @property
    def is_scalar(self) -> bool:
        """True for a text, number, truth value or null."""
        return self.kind in {"string", "literal"}

    def walk(self) -> Iterator["JsonValue"]:
        """Iterate over the value and all values inside, by levels."""
        waiting = [self]
        for value in waiting:
            yield value
            waiting += value.items

    @property
    def holds_text(self) -> bool:
        """True for a text of several words, and for a list or object with any text inside."""
        return any(
            value.kind == "string" and (value is not self or " " in value.text.strip())
            for value in self.walk()
        )

    @property
    def pairs(self) -> Iterable[tuple[str, "JsonValue"]]:
        """The keys of an object with their values; none for other values."""
        return zip(self.keys, self.items, strict=bool(self.keys))

    @property
    def filled_keys(self) -> list[str]:
        """The keys of an object that hold a text or a number."""
        return [key for key, item in self.pairs if item.is_scalar and not item.is_nothing]

    def get(self, *keys: str) -> "JsonValue | None":
        """The value under the first of these keys that the object has, or None."""
        return next((self.items[self.keys.index(key)] for key in keys if key in self.keys), None)

    def at(self, path: str) -> "JsonValue | None":
        """The value at a path of keys joined by dots, or None; a number is an index in a list."""
        found: JsonValue | None = self
        for step in path.split("."):
            if found is not None and found.kind == "array":
                found = found.items[int(step)] if step.isdecimal() and int(step) < len(found.items) else None
            else:
                found = found and found.get(step)
        return found

    def below(self, *keys: str) -> tuple["JsonValue", ...]:
        """The items of the list under the first of these keys that the object has; another object is one item."""
        found = self.get(*keys)
        return () if found is None else (found,) if found.keys else found.items

    def string(self, *keys: str) -> str:
        """The text under the first of these keys that the object has; empty if there is none."""
        found = self.get(*keys)
        return "" if found is None or found.is_nothing else found.text


def parse_json(text: str, first_line: int = 1) -> tuple[JsonValue, tuple[str, ...]]:
    """Parse a text with one JSON value; returns it with a notice for each kind of repair.

    Raises:
        MapFormatError: the text isn't JSON; the message has line and column.
        LimitError: more values or open brackets than a mind map needs.
    """
    check_limit(
        sum(map(text.count, ",[{")),
        MAX_JSON_VALUES,
        "commas and brackets in the JSON",
        "split it into smaller maps",
    )
    notices: dict[str, None] = {}
    try:
        return _parse(text, first_line, notices), tuple(notices)
    except MapFormatError:
        repaired = _repair(text, notices)
        if repaired == text:
            raise
        return _parse(repaired, first_line, notices), tuple(notices)


def first_json_end(text: str, start: int = 0) -> int:
    """The offset just after the JSON object or list that begins at or after ``start``.

    Raises:
        MapFormatError: no complete JSON value begins there.
    """
    depth = 0
    for piece in _PIECE.finditer(text, start):
        depth += (piece[0] in "{[") - (piece[0] in "}]")
        if not depth:
            parse_json(text[start : piece.end()])
            return piece.end()
    raise MapFormatError("no JSON begins here")


def _parse(text: str, first_line: int, notices: dict[str, None]) -> JsonValue:
    def constant(written: str) -> JsonValue:
        notices[f"{written} is no value in JSON; it was read as a text"] = None
        return JsonValue("literal", written)

    try:
        return _value(
            json.loads(
                text,
                strict=False,  # control characters in texts are left to label repair
                object_pairs_hook=lambda pairs: JsonValue(
                    "object", "", tuple(key for key, _ in pairs), tuple(_value(item) for _, item in pairs)
                ),
                parse_int=partial(JsonValue, "literal"),
                parse_float=partial(JsonValue, "literal"),
                parse_constant=constant,
            )
        )
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 40].partition("\n")[0]
        curly = "; the quotes are curly, so use straight ones" if re.match("[“”„«»‘’]", found) else ""
        is_cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        what, advice = (
            ("cut off", "; close its quotes and brackets") if is_cut else (f"broken at {found!r}", curly)
        )
        reason = f"the JSON is {what}: {error.msg[0].lower()}{error.msg[1:]}{advice}"
        raise MapFormatError(reason, line=first_line - 1 + error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise LimitError("the brackets of the JSON are nested too deeply; flatten the map") from error


def _value(parsed: Any) -> JsonValue:
    """A value made of what the parser returns; objects and numbers are values already."""
    if isinstance(parsed, JsonValue):
        return parsed
    if isinstance(parsed, list):
        return JsonValue("array", items=tuple(map(_value, parsed)))
    if isinstance(parsed, str):
        return JsonValue("string", parsed)
    return JsonValue("literal", json.dumps(parsed))


def _repair(text: str, notices: dict[str, None]) -> str:
    """The text with what is Python's in JSON's form, and without comments; adds notices."""

    def repair(token: re.Match[str]) -> str:
        written = token[0]
        if written.startswith('"') or written.isspace():
            return written if written.startswith('"') else " "
        if token["comment"]:
            notices["comments in the JSON were ignored"] = None
            return "\n" * written.count("\n")
        if written == ",":
            notices["commas before closing brackets were ignored"] = None
            return ""
        notices["read as a Python dict (single quotes, None, True), since that is not JSON"] = None
        if written in _WORDS:
            return _WORDS[written]
        try:
            is_plain = written[1:].endswith("'") and not {"\\", "\n"}.intersection(written)
            return json.dumps(
                written[1:-1] if is_plain else ast.literal_eval(written)
            )  # slow, so only if needed
        except (SyntaxError, ValueError):
            return written

    return _TOKEN.sub(repair, text)
