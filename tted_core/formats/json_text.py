"""JSON text -> values, iteratively, with the line of every value and a notice for every repair.

``json.loads`` isn't used because it is recursive (RecursionError near 990 brackets in Python 3.11), doesn't report
what is missing at the end of a truncated text, and has no line numbers. Numbers stay as written, so no integer is
too large. Keys keep their order and may repeat. Beyond JSON, two things that people paste are read with a notice:
a Python dict (single quotes, None, True), and a comma before a closing bracket.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Literal

from tted_core.errors import MapFormatError
from tted_core.formats.labels import counted, quoted
from tted_core.foundations.limits import MAX_DEPTH, check_limit

MAX_JSON_NESTING = 4 * MAX_DEPTH
"""Maximum nesting of brackets in a JSON text; no format needs more than three or four per level."""

MAX_JSON_VALUES = 300_000
"""Maximum values (objects, lists, texts, numbers) in a JSON text; maps have ids, colours and dates too."""

_SPACE = re.compile(r"[\s\ufeff]*")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_PYTHON_STRING = re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL)
_PYTHON_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(00[01][0-9a-fA-F]{5})|(.))", re.DOTALL
)
_PYTHON_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\n": "", "\\": "\\", "'": "'", '"': '"'}
_BARE = re.compile(r"[^\s{}\[\]:,\"']*")
_LITERAL = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_PYTHON_LITERAL = re.compile("True|False|None")
_DECODER = json.JSONDecoder(strict=False)
_CLOSING = {"object": "}", "array": "]"}
_HINTS = (
    (re.compile("[“”„«»‘’]"), ": the quotes are curly; use straight ones"),
    (
        re.compile(r"[-+]*(?:nan|inf|infinity|undefined)\Z", re.IGNORECASE),
        ", which JSON does not have; use null or a text in double quotes",
    ),
    (re.compile(r"//|#|/\*"), "; JSON has no comments, so remove it"),
)
"""Typical signs that aren't JSON, and the end of the error's sentence."""


@dataclass(slots=True, eq=False)
class JsonValue:
    """A value: ``items`` of an object or array (with ``keys`` for an object), or the ``text`` of a scalar.

    The text of a "string" is its content, that of a "literal" the number or word as written.
    """

    kind: Literal["object", "array", "string", "literal"]
    line: int
    text: str = ""
    keys: list[str] = field(default_factory=list)
    items: list["JsonValue"] = field(default_factory=list)

    @property
    def is_nothing(self) -> bool:
        """True if the value has no content: {}, [], null or an empty text."""
        if self.kind == "literal":
            return self.text in {"null", "None"}
        return not self.items and not self.text

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

    def need(self, key: str, wanted: str) -> "JsonValue":
        """The value under a required key.

        Raises:
            MapFormatError: it is missing; the message is ``wanted``.
        """
        found = self.get(key)
        if found is None:
            raise MapFormatError(wanted, line=self.line)
        return found

    def below(self, *keys: str) -> list["JsonValue"]:
        """The items under the first of these keys that the object has; empty if there are none."""
        found = self.get(*keys)
        return found.items if found else []

    def string(self, *keys: str) -> str:
        """The text under the first of these keys that the object has; empty if there is none."""
        found = self.get(*keys)
        return "" if found is None or found.is_nothing else found.text


def parse_json(text: str, first_line: int = 1) -> tuple[JsonValue, tuple[str, ...]]:
    """Parse a text with one JSON value; returns it with a notice for each kind of repair.

    Raises:
        MapFormatError: the text isn't JSON; the message has line, column and what is missing.
        LimitError: more values or open brackets than a mind map needs.
    """
    parser = _Parser(text, first_line)
    value = parser.value()
    if not parser.takes("", at_end=True):
        rest = quoted(text[parser.position :][:60])
        raise parser.error(f"more text after the end of the JSON: {rest}; remove it")
    return value, tuple(f"{repair} (first in line {line})" for repair, line in parser.repairs.items())


def first_json_end(text: str, start: int = 0) -> int:
    """The offset just after the JSON value that begins at or after ``start``.

    Raises:
        MapFormatError: no complete JSON value begins there.
        LimitError: more values or open brackets than a mind map needs.
    """
    parser = _Parser(text, 1, start)
    parser.value()
    return parser.position


def _unescaped(match: re.Match[str]) -> str:
    """The meaning of a backslash in a Python text; an unknown escape is kept, as in Python."""
    code = match[1] or match[2] or match[3]
    return chr(min(int(code, 16), 0x10FFFF)) if code else _PYTHON_CHARACTERS.get(match[4], match[0])


class _Parser:
    """The state of parsing: the position, the containers open there, and repairs with their first lines."""

    def __init__(self, text: str, first_line: int, position: int = 0) -> None:
        self.text = text
        self.first_line = first_line
        self.position = position
        self.repairs: dict[str, int] = {}
        self._open: list[JsonValue] = []
        self._counted_to, self._line = position, first_line

    def error(self, message: str) -> MapFormatError:
        column = self.position - self.text.rfind("\n", 0, self.position)
        line = self.first_line + self.text.count("\n", 0, self.position)
        return MapFormatError(message, line=line, column=column)

    def value(self) -> JsonValue:
        """Parse one value, brackets included, from the current position."""
        whole = self._begin_value()
        values = 1
        while self._open:
            container = self._open[-1]
            closing = _CLOSING[container.kind]
            comma = bool(container.items) and self.takes(",")
            if self.takes(closing):
                self._open.pop()
                if comma:
                    self._repair(f"the comma before {closing!r} was ignored")
                continue
            if container.items and not comma:
                raise self._unexpected(f"',' or {closing!r}")
            if container.kind == "object":
                if self.text[self.position : self.position + 1] not in {'"', "'"}:
                    raise self._unexpected("a key in double quotes")
                container.keys.append(self._string())
                if not self.takes(":"):
                    raise self._unexpected("':' after the key")
            container.items.append(self._begin_value())
            values += 1
            check_limit(values, MAX_JSON_VALUES, "values (or more) in the JSON", "split it into smaller maps")
        return whole

    def takes(self, mark: str, *, at_end: bool = False) -> bool:
        """Skip white space and then the mark, if it stands there (or, ``at_end``, if the text ends there)."""
        space = _SPACE.match(self.text, self.position)
        self.position = space.end() if space else self.position
        if not self.text.startswith(mark, self.position) or (at_end and self.position < len(self.text)):
            return False
        self.position += len(mark)
        return True

    def _begin_value(self) -> JsonValue:
        """Parse a scalar, or open a container."""
        self.takes("")
        self._line += self.text.count("\n", self._counted_to, self.position)
        self._counted_to = self.position
        start = self.text[self.position : self.position + 1]
        if start in {'"', "'"}:
            return JsonValue("string", self._line, self._string())
        if start not in {"{", "["}:
            return JsonValue("literal", self._line, self._literal())
        self.position += 1
        self._open.append(JsonValue("object" if start == "{" else "array", self._line))
        brackets = f"open brackets (or more) in line {self._line}"
        check_limit(len(self._open), MAX_JSON_NESTING, brackets, "flatten the map")
        return self._open[-1]

    def _string(self) -> str:
        single = self.text[self.position] == "'"
        match = (_PYTHON_STRING if single else _STRING).match(self.text, self.position)
        if match is None:
            raise self.error(
                f"the text that begins here has no closing quote; the JSON is cut off{self._missing()}"
            )
        content = match[0][1:-1]
        if single:
            self._repair("read as a Python dict (single quotes), since that is not JSON")
            content = _PYTHON_ESCAPE.sub(_unescaped, content)
        elif "\\" in content:
            try:
                content = _DECODER.decode(match[0])  # control characters in it are left to label repair
            except json.JSONDecodeError as error:
                self.position += error.pos
                raise self.error(
                    'a backslash in JSON must be followed by one of " \\ / b f n r t u'
                ) from error
        self.position = match.end()
        return content

    def _literal(self) -> str:
        word = self._word()
        if _PYTHON_LITERAL.fullmatch(word):
            self._repair("None, True or False (Python) was read as null, true or false")
        elif not _LITERAL.fullmatch(word):
            raise self._unexpected("a value")
        self.position += len(word)
        return word

    def _word(self) -> str:
        found = _BARE.match(self.text, self.position)
        return found[0] if found else ""

    def _unexpected(self, wanted: str) -> MapFormatError:
        found = self._word() or self.text[self.position : self.position + 1]
        if not found:
            return self.error(f"the JSON ends where {wanted} is needed; it is cut off{self._missing()}")
        hint = next((hint for sign, hint in _HINTS if sign.match(found)), "")
        return self.error(f"expected {wanted}, found {quoted(found)}{hint}")

    def _missing(self) -> str:
        if not self._open:
            return ""
        last = self._open[-1]
        brackets = "".join(_CLOSING[container.kind] for container in reversed(self._open[-20:]))
        count = counted(len(self._open), "bracket is", "brackets are")
        opened = "'{'" if last.kind == "object" else "'['"
        return f" ({count} still open, the last {opened} since line {last.line}; {brackets!r} closes them)"

    def _repair(self, sentence: str) -> None:
        line = self._line + self.text.count("\n", self._counted_to, self.position)
        self.repairs.setdefault(sentence, line)
