r"""Input and output of every reader: ``Document`` in, ``Forest`` out; the record ``Format``; and ``MindMap``.

A document is an input with one or several maps: a whole file, or one fenced block of a chat answer. Its text is
decoded and its newlines are ``\n``; an archive (XMind, MindManager) has bytes instead.

Reading returns a ``MindMap``: a tree, and notices about decisions and repairs.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tted_core.errors import MAX_LINES, MAX_NODES_READ, LimitError, MapFormatError, check_limit
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JSON_GAP, JsonValue, parse_json
from tted_core.formats.lines import ListLine, lines_of
from tted_core.foundations.files import entry_readers
from tted_core.foundations.messages import counted, quoted
from tted_core.tree import TextTree

# Maximum characters of one line in a format that is read line by line, including links and markup.
MAX_LINE_CHARACTERS = 200_000


@dataclass(frozen=True)
class MindMap:
    """A map as read.

    Args:
        tree: its nodes.
        format: the name in ``FORMATS`` with which it was read.
        notices: a sentence for every repair, omission and decision.
        name: the file's name, if any.
        maps: titles of all maps in the file, in order; this one's number is ``sheet``.
        sheet: number of this map, from 1.
        joined: number of roots that were put below a node that isn't in the file; 0 if the map has one root, or
            only the first was used.
        talk: the lines around the map that were left out: a chat model's words to its reader.

    >>> MindMap(tree, "markdown").tree.labels
    ('Trees', 'Oak', 'Birch')
    """

    tree: TextTree
    format: str
    notices: tuple[str, ...] = ()
    name: str | None = None
    maps: tuple[str, ...] = ()
    sheet: int = 1
    joined: int = 0
    talk: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The map as JSON-compatible data; labels and parents in preorder, -1 for the root's parent.

        >>> MindMap(tree, "markdown").to_dict()["parents"]
        [-1, 0, 0]
        """
        return {
            "format": self.format,
            "nodes": len(self.tree),
            "depth": self.tree.depth,
            "labels": list(self.tree.labels),
            "parents": list(self.tree.parents),
            "notices": list(self.notices),
        }


# The first line of a text that isn't JSON: a heading, a link to a page ([[Tea]]), a task ([ ] tea).
_OF_LIST = (
    r"""\s*+(?:\#|\[\[(?!true|false|null)(?=[^\]\n]*[^\W\d_]|\d++-)(?!')[^\[\]{}"“”\n]++\]\]|"""
    r"\[ ?\](?:[^\W_]|[ \t]++[^\s/#,]))"
)
JSON_OPENING = re.compile(
    rf"""(?!{_OF_LIST}){JSON_GAP}(?:\{{{JSON_GAP}(?:["'“”„«}}]|\Z)|\[{JSON_GAP}(?:["'\[{{\]“”]|\Z)|"[^\n]*"\s*+\Z)"""
)


@dataclass(frozen=True)
class Document:
    """An input with one or several maps.

    Args:
        text: the decoded text; empty for an archive.
        archive: the bytes of a zip file, else None.
        name: the file's name, for messages and titles.
        title: the name of its maps, if they have none of their own.
        first_line: the number of the text's first line in its file.
        value: a JSON value instead of a text, if one was cut out of a larger one.
        around: lines around it in the text that it was cut out of.
        heading: the title in the line above it, which becomes the root of a map with several.
    """

    text: str
    archive: bytes | None = None
    name: str | None = None
    title: str | None = None
    first_line: int = 1
    value: JsonValue | None = None
    around: tuple[str, ...] = ()
    heading: str = ""

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """All lines with their numbers in the file.

        Raises:
            LimitError: more or longer lines than allowed.
        """
        check_limit(self.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
        lines = list(enumerate(self.text.split("\n"), start=self.first_line))
        number, longest = max(lines, key=lambda line: len(line[1]))
        check_limit(len(longest), MAX_LINE_CHARACTERS, f"characters in line {number}", "break the line")
        return lines

    @cached_property
    def filled_lines(self) -> list[tuple[int, str]]:
        """The lines that have more than white space."""
        return [(number, line) for number, line in self.lines if line and not line.isspace()]

    @cached_property
    def list_lines(self) -> list[ListLine]:
        """The filled lines as those of a list, taken apart.

        Raises:
            LimitError: more than nodes that are read.
        """
        check_limit(len(self.filled_lines), MAX_NODES_READ, "filled lines", "split it into smaller maps")
        return lines_of(self.filled_lines)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_of(self, offset: int) -> int:
        """The line number of an offset in the text."""
        return self.first_line - 1 + bisect_right(self._line_starts, offset)

    @cached_property
    def entries(self) -> dict[str, Callable[[], bytes]]:
        """The names of the files in an archive, each with the function that unpacks it.

        Raises:
            MapFormatError: the archive is damaged.
            LimitError: too many entries.
        """
        return entry_readers(self.archive) if self.archive else {}

    @property
    def looks_like_json(self) -> bool:
        """Return True if the text begins like JSON (or a pasted Python dict), valid or not."""
        return self.value is not None or JSON_OPENING.match(self.text) is not None

    @cached_property
    def json(self) -> tuple[JsonValue, tuple[str, ...]]:
        """The text as a JSON value, with notices about repairs.

        Raises:
            MapFormatError: the text isn't JSON; the message has the position and the reason.
            LimitError: too many values or brackets.
        """
        return (self.value, ()) if self.value is not None else parse_json(self.text, self.first_line)

    @cached_property
    def json_or_none(self) -> JsonValue | None:
        """The text as a JSON value, or None if it isn't JSON or is too large; for recognising formats."""
        if self.looks_like_json:
            with suppress(MapFormatError, LimitError):
                return self.json[0]
        return None


@dataclass(frozen=True)
class Format:
    """A file format: an entry of ``FORMATS``.

    Args:
        name: the name in options and results ("markdown").
        title: the name shown to users ("Markdown list").
        extensions: usual file name extensions; for upload fields, not for recognition.
        matches: returns True if a document looks like this format; fast, and raises only ``LimitError``.
        read: returns the maps in a document, at least one; raises ``MapFormatError`` or ``LimitError``.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    matches: Callable[[Document], bool]
    read: Callable[[Document], Sequence[Forest]]


def json_format(
    name: str,
    title: str,
    extensions: tuple[str, ...],
    find: Callable[[JsonValue], Any],
    read: Callable[[JsonValue, Any], Forest],
) -> Format:
    """A format of parsed JSON with one map; notices about repairs of the JSON come first.

    Args:
        name: as in ``Format``.
        title: likewise.
        extensions: likewise.
        find: looks for the map in a value.
        read: reads the map in a value from what was found, which is nothing if the format was only chosen.
    """

    def matches(document: Document) -> bool:
        return bool(document.json_or_none and find(document.json_or_none))

    def read_document(document: Document) -> Sequence[Forest]:
        value, notices = document.json
        forest = read(value, find(value))
        forest.notices[:0] = notices
        return [forest]

    return Format(name, title, extensions, matches, read_document)


# Bytes -> text: byte order marks and UTF-8 first; anything else is guessed, with a notice.
#
# charset-normalizer guesses among encodings in which real mind maps occur (Windows and DOS code pages, KOI8-R,
# East Asian ones); among all that it knows it takes the six bytes of a Russian word in windows-1251 for Big5.

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, since it begins with that mark
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_GUESSES = [
    "cp1252",
    "cp1251",
    "koi8_r",
    "cp866",
    "cp1250",
    "cp1253",
    "shift_jis",
    "gb18030",
    "euc_kr",
    "big5",
]
_SAMPLE = 20_000
BINARY = "a binary file, or UTF-16 without a byte order mark; save it as UTF-8"
_DECLARED = re.compile(r"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'<>\s]{1,40})["']""", re.IGNORECASE)
_HEAD = 1_000  # bytes searched for a declaration
# Codecs in which no mind map is stored; the first two take more than linear time.
_UNUSED = {"idna", "punycode", "utf-7"}

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def decode(data: bytes) -> tuple[str, list[str]]:
    r"""Decode a file's bytes; returns the text with ``\n`` newlines, and notices.

    Raises:
        MapFormatError: the bytes don't match their byte order mark, or aren't text.
    """
    marked = next((encoding for mark, encoding in _MARKS.items() if data.startswith(mark)), None)
    encoding = marked or "utf-8"
    declared = _DECLARED.match(data[:_HEAD].decode(encoding, "replace").removeprefix("\ufeff"))
    meant = _decode_as(declared[1], data) if declared else None
    try:
        text = with_newlines(data.decode(encoding, "surrogatepass"))  # label repair reports half pairs
    except UnicodeDecodeError as error:
        if marked:
            raise MapFormatError(
                f"the file begins with the byte order mark of {encoding.upper()}, but byte {error.start:,} isn't "
                "valid in it; save it again as UTF-8"
            ) from error
        if is_gibberish(data[:_SAMPLE].decode("ascii", "ignore"), most=0.05):
            raise MapFormatError(f"this is {BINARY}") from error
        if declared and meant is None:
            raise MapFormatError(
                f"the file declares the encoding {declared[1]!r}, but its bytes aren't valid in it; save it again "
                "as UTF-8",
                line=1,
            ) from error
        return _guess(data) if meant is None else (meant, [])
    if declared and meant != text:
        named = f"the file declares the encoding {quoted(declared[1])}"
        return text, [f"{named}, but its bytes are {encoding.upper()}; read as that"]
    return text, []


def _decode_as(encoding: str, data: bytes) -> str | None:
    """The text in the encoding that XML declares, or None if it has no such text."""
    with suppress(LookupError, UnicodeError):
        if encoding.lower() not in _UNUSED:
            return with_newlines(data.decode(encoding))
    return None


def with_newlines(text: str) -> str:
    r"""The text with ``\n`` line ends and without a byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def is_gibberish(text: str, most: float = 0.2) -> bool:
    """Return True if more than this share of a text is control characters, as in binary files."""
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > most * len(sample)


def _guess(data: bytes) -> tuple[str, list[str]]:
    """The text as UTF-8 if nearly all its non-ASCII letters are valid in it, or in the likeliest encoding."""
    from charset_normalizer import from_bytes

    text = data.decode("utf-8", "replace")
    wrong = text.count("\N{REPLACEMENT CHARACTER}")
    if len(text) - len(text.encode("ascii", "ignore")) >= 10 * wrong:
        line = text.count("\n", 0, text.index("\N{REPLACEMENT CHARACTER}")) + 1
        return with_newlines(text), [
            (
                f"the file is UTF-8, except for {counted(wrong, 'position')} (the first in line {line}) that "
                "became \N{REPLACEMENT CHARACTER}; it may be cut off or damaged"
            )
        ]
    guesses = [
        # of several that are equally plausible, the first in our order
        (round(found.chaos, 2), -round(found.coherence, 1), _GUESSES.index(encoding), encoding)
        for found in from_bytes(data[:_SAMPLE], cp_isolation=_GUESSES, threshold=1)
        for encoding in found.could_be_from_charset
        if encoding in _GUESSES
    ]
    best = min(guesses)[-1] if guesses else _GUESSES[0]
    text = data.decode(best, errors="replace")
    preview = " ".join(next((line for line in text.splitlines() if not line.isascii()), text)[:200].split())
    return with_newlines(text), [
        (
            f"the file isn't UTF-8; guessed {codecs.lookup(best).name} from its letters, so look at "
            f"this: {preview[:60]!r}. If that is wrong, save the file as UTF-8"
        )
    ]
