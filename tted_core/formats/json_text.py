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
from tted_core.formats.labels import quoted
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
_PYTHON_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\n": ""}
_BARE = re.compile(r"[^\s{}\[\]:,\"']+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_DECODER = json.JSONDecoder(strict=False)
_WORDS = {"true", "false", "null"}
_PYTHON_WORDS = {"True", "False", "None"}
_CLOSING = {"object": "}", "array": "]"}


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

    def at(self, *path: str) -> "JsonValue | None":
        """The value at a path of keys, or None."""
        found: JsonValue | None = self
        for key in path:
            found = found and found.get(key)
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
    parser.skip_space()
    if parser.position < len(text):
        raise parser.error(
            f"more text after the end of the JSON: {quoted(text[parser.position :][:60])}; remove it"
        )
    return value, tuple(parser.notices)


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
    if code:
        return chr(min(int(code, 16), 0x10FFFF))
    character = match[4]
    if character in "\\'\"":
        return character
    return _PYTHON_CHARACTERS.get(character, match[0])


class _Parser:
    def __init__(self, text: str, first_line: int, start: int = 0) -> None:
        self.text = text
        self.first_line = first_line
        self.position = start
        self.notices: list[str] = []
        self._values = 0
        self._counted_to, self._line = start, first_line
        self._open: list[JsonValue] = []

    def line(self) -> int:
        self._line += self.text.count("\n", self._counted_to, self.position)
        self._counted_to = self.position
        return self._line

    def skip_space(self) -> None:
        if " " < self.text[self.position : self.position + 1] < "\x7f":  # fast path
            return
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def error(self, message: str) -> MapFormatError:
        column = self.position - self.text.rfind("\n", 0, self.position)
        line = self.first_line + self.text.count("\n", 0, self.position)
        return MapFormatError(message, line=line, column=column)

    def value(self) -> JsonValue:
        """Parse one value, brackets included, from the current position."""
        done = self._begin_value()
        while self._open:
            container = self._open[-1]
            self.skip_space()
            if self._closes(container):
                done = self._open.pop()
                continue
            if container.items:
                self._comma(container)
                if self._closes(container):
                    self._notice(f"the comma before {_CLOSING[container.kind]!r} was ignored", self.line())
                    done = self._open.pop()
                    continue
            if container.kind == "object":
                self._key(container)
            done = self._begin_value()
            container.items.append(done)
        return done

    def _closes(self, container: JsonValue) -> bool:
        if self.text.startswith(_CLOSING[container.kind], self.position):
            self.position += 1
            return True
        return False

    def _comma(self, container: JsonValue) -> None:
        if not self.text.startswith(",", self.position):
            raise self._unexpected(f"',' or {_CLOSING[container.kind]!r}")
        self.position += 1
        self.skip_space()

    def _key(self, container: JsonValue) -> None:
        if not self.text.startswith(('"', "'"), self.position):
            raise self._unexpected("a key in double quotes")
        container.keys.append(self._string())
        self.skip_space()
        if not self.text.startswith(":", self.position):
            raise self._unexpected("':' after the key")
        self.position += 1

    def _begin_value(self) -> JsonValue:
        self.skip_space()
        self._values += 1
        check_limit(
            self._values, MAX_JSON_VALUES, "values (or more) in the JSON", "split it into smaller maps"
        )
        char = self.text[self.position : self.position + 1]
        line = self.line()
        if char in {"{", "["}:
            self.position += 1
            container = JsonValue("object" if char == "{" else "array", line)
            self._open.append(container)
            brackets = f"open brackets (or more) in line {line}"
            check_limit(len(self._open), MAX_JSON_NESTING, brackets, "flatten the map")
            return container
        if char in {'"', "'"}:
            return JsonValue("string", line, self._string())
        return JsonValue("literal", line, self._literal())

    def _string(self) -> str:
        single = self.text[self.position] == "'"
        match = (_PYTHON_STRING if single else _STRING).match(self.text, self.position)
        if match is None:
            raise self.error(
                f"the text that begins here has no closing quote; the JSON is cut off{self._missing()}"
            )
        if single:
            self._notice("read as a Python dict (single quotes), since that is not JSON", self.line())
            content = _PYTHON_ESCAPE.sub(_unescaped, match[0][1:-1])
        else:
            try:
                # Control characters in it are left to label repair.
                content = _DECODER.decode(match[0]) if "\\" in match[0] else match[0][1:-1]
            except json.JSONDecodeError as error:
                self.position += error.pos
                raise self.error(
                    'a backslash in JSON must be followed by one of " \\ / b f n r t u'
                ) from error
        self.position = match.end()
        return str(content)

    def _literal(self) -> str:
        match = _BARE.match(self.text, self.position)
        word = match[0] if match else ""
        if word in _PYTHON_WORDS:
            self._notice("None, True or False (Python) was read as null, true or false", self.line())
        elif word not in _WORDS and not _NUMBER.match(word):
            raise self._unexpected("a value")
        self.position += len(word)
        return word

    def _unexpected(self, wanted: str) -> MapFormatError:
        if self.position >= len(self.text):
            return self.error(f"the JSON ends where {wanted} is needed; it is cut off{self._missing()}")
        match = _BARE.match(self.text, self.position)
        found = quoted(match[0] if match else self.text[self.position])
        hint = ""
        if found[1] in "“”„«»‘’":
            hint = ": the quotes are curly; use straight ones"
        elif match and match[0].lstrip("-+").lower() in {"nan", "infinity", "inf", "undefined"}:
            hint = ", which JSON does not have; use null or a text in double quotes"
        elif match and match[0].startswith(("//", "#", "/*")):
            hint = "; JSON has no comments, so remove it"
        return self.error(f"expected {wanted}, found {found}{hint}")

    def _missing(self) -> str:
        if not self._open:
            return ""
        last = self._open[-1]
        opened = "{" if last.kind == "object" else "["
        brackets = "".join(_CLOSING[container.kind] for container in reversed(self._open[-20:]))
        count = "1 bracket is" if len(self._open) == 1 else f"{len(self._open):,} brackets are"
        return f" ({count} still open, the last {opened!r} since line {last.line}; {brackets!r} closes them)"

    def _notice(self, sentence: str, line: int) -> None:
        if not any(notice.startswith(sentence) for notice in self.notices):
            self.notices.append(f"{sentence} (first in line {line})")
