r"""What every reader gets and every reader gives: ``Document`` in, ``Forest`` out, and the record ``Format``.

A document is one piece of input that holds one or several maps: a whole file, or one fenced block of a chat
answer. Its text is decoded and its newlines are ``\n``; an archive (XMind, MindManager) has bytes instead.

What comes of reading is a ``MindMap``: a map, and what had to be decided or repaired on the way.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats.folder import entry_names
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, parse_json
from tted_core.foundations.limits import MAX_LINES, check_limit
from tted_core.tree import TextTree

MAX_LINE_CHARACTERS = 200_000
"""Characters of one line in a format that is read line by line; links and markup count here."""


@dataclass(frozen=True)
class MindMap:
    """A map as read.

    Args:
        tree: its nodes.
        format: the name in ``FORMATS`` that it was read as.
        notices: a sentence for every repair, omission and decision; empty if there was none.
        name: the file's name, if it has one.
        also: names of the formats that it could be read as too.
        maps: the titles of all maps in the file, in order; this one's number is ``sheet``.
        sheet: which of them this is, counted from 1.
        joined: how many roots were put under a node that the file doesn't have; 0 if its map has one root, or
            only the first was taken.
        talk: the lines around the map that were left out: what a chat model said to its reader.
    """

    tree: TextTree
    format: str
    notices: tuple[str, ...] = ()
    name: str | None = None
    also: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    sheet: int = 1
    joined: int = 0
    talk: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The map as JSON has it; labels and parents in preorder, -1 for the root's parent."""
        return {
            "format": self.format,
            "nodes": len(self.tree),
            "depth": self.tree.depth,
            "labels": list(self.tree.labels),
            "parents": list(self.tree.parents),
            "notices": list(self.notices),
        }


JSON_OPENING = re.compile(r"""\s*+(?:\{\s*+(?:["'“”„«}]|\Z)|\[\s*+(?:["'\[{\]“”]|\Z)|"[^\n]*"\s*+\Z)""")


@dataclass(frozen=True)
class Document:
    """One piece of input.

    Args:
        text: the decoded text; empty for an archive.
        archive: the bytes of a zip file, else None.
        name: the file's name, for messages and titles.
        first_line: the number of the text's first line in the file it was cut from.
        value: a JSON value in place of a text, where one was cut out of a larger one.
        around: the lines around it in the text that it was cut out of, each with its number.
        cut: the beginning of the notice that tells what it was cut out of.
    """

    text: str
    archive: bytes | None = None
    name: str | None = None
    first_line: int = 1
    value: JsonValue | None = None
    around: tuple[tuple[int, str], ...] = ()
    cut: str = ""

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """All lines with their numbers in the file.

        Raises:
            LimitError: more or longer lines than are looked at one by one.
        """
        check_limit(self.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
        lines = list(enumerate(self.text.split("\n"), start=self.first_line))
        for number, line in lines:
            if len(line) > MAX_LINE_CHARACTERS:
                check_limit(len(line), MAX_LINE_CHARACTERS, f"characters in line {number}", "break the line")
        return lines

    @cached_property
    def filled_lines(self) -> list[tuple[int, str]]:
        """The lines that hold more than white space."""
        return [(number, line) for number, line in self.lines if line and not line.isspace()]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_of(self, offset: int) -> int:
        """The line number of a place in the text."""
        return self.first_line - 1 + bisect_right(self._line_starts, offset)

    @cached_property
    def entries(self) -> frozenset[str]:
        """The names of the files in an archive.

        Raises:
            MapFormatError: the archive is damaged.
            LimitError: too many entries.
        """
        return frozenset(entry_names(self.archive) if self.archive else ())

    @property
    def looks_like_json(self) -> bool:
        """Whether the text begins as JSON (or a pasted Python dict) does, broken or not."""
        return self.value is not None or JSON_OPENING.match(self.text) is not None

    @cached_property
    def json(self) -> tuple[JsonValue, tuple[str, ...]]:
        """The text as a JSON value, and what had to be repaired.

        Raises:
            MapFormatError: the text isn't JSON; says where and why.
            LimitError: too many values or brackets.
        """
        return (self.value, ()) if self.value is not None else parse_json(self.text, self.first_line)

    @cached_property
    def json_or_none(self) -> JsonValue | None:
        """The text as a JSON value, or None if it isn't JSON; for telling formats apart."""
        if not self.looks_like_json:
            return None
        try:
            return self.json[0]
        except MapFormatError:
            return None


Matches: TypeAlias = Callable[[Document], bool]
Read: TypeAlias = Callable[[Document], Sequence[Forest]]


@dataclass(frozen=True)
class Format:
    """A file format: an entry of ``FORMATS``.

    Args:
        name: the name in options and results ("markdown").
        title: the name shown to people ("Markdown list").
        extensions: file name endings that such files usually have; for upload fields, never for recognition.
        matches: whether a document looks like this format; quick, and raises only ``LimitError``.
        read: the maps in a document, at least one; raises ``MapFormatError`` or ``LimitError``.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    matches: Matches
    read: Read


def json_format(
    name: str,
    title: str,
    extensions: tuple[str, ...],
    matches: Callable[[JsonValue], bool],
    read: Callable[[JsonValue], Forest],
) -> Format:
    """A format of parsed JSON that holds one map; what was repaired in the JSON is noticed first."""

    def read_document(document: Document) -> Sequence[Forest]:
        value, notices = document.json
        forest = read(value)
        forest.notices[:0] = notices
        return [forest]

    return Format(
        name,
        title,
        extensions,
        lambda document: document.json_or_none is not None and matches(document.json_or_none),
        read_document,
    )
