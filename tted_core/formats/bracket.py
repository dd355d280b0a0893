"""Bracket notation of the tree edit distance tools (RTED, APTED): ``{root{child}{other child{leaf}}}``.

A backslash makes the next character part of the label. Several trees in a file, one after the other, are several
maps.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted

_OPENING = re.compile(r"\s*+\{(?!\s*+[\"'}])")
_TOKEN = re.compile(r"[{}]|[^{}\\]+|\\.|\\$", re.DOTALL)
_FLOW = re.compile(r":\s*[{}]|\}\s*,")


def matches(document: Document) -> bool:
    """Text that begins with a brace, but not as JSON does, and ends with one; no YAML in braces."""
    text = document.text
    return _OPENING.match(text) is not None and text.rstrip().endswith("}") and not _FLOW.search(text)


def read(document: Document) -> list[Forest]:
    """Read a map for each tree.

    Raises:
        MapFormatError: braces that don't match, or text outside them.
        LimitError: too large.
    """
    forests: list[Forest] = []
    path: list[int] = []
    for match in _TOKEN.finditer(document.text):
        piece = match[0]
        if piece == "{":
            if not path:
                forests.append(Forest())
            line = document.line_of(match.start())
            path.append(forests[-1].add("", path[-1] if path else -1, line=line))
        elif piece == "}" and path:
            path.pop()
        elif piece == "}":
            raise _misplaced(document, match.start(), "this '}' closes no '{'")
        elif piece.strip():
            _add_text(document, forests, path, match)
    if path:
        line = forests[-1].lines[path[-1]] or document.first_line
        raise MapFormatError(
            f"{counted(len(path), 'brace')} not closed, the last one since this line", line=line
        )
    if not forests:
        raise MapFormatError("the text holds no braces", line=document.first_line)
    return forests


def _add_text(document: Document, forests: list[Forest], path: list[int], match: re.Match[str]) -> None:
    if not path:
        raise _misplaced(
            document, match.start(), "text outside all braces; put the map into one pair of them"
        )
    if path[-1] != len(forests[-1]) - 1:
        raise _misplaced(document, match.start(), "text after a node's children; it belongs before them")
    forests[-1].labels[path[-1]] += match[0][1:] if match[0][0] == "\\" else match[0]


def _misplaced(document: Document, offset: int, message: str) -> MapFormatError:
    column = offset - document.text.rfind("\n", 0, offset)
    return MapFormatError(message, line=document.line_of(offset), column=column)


BRACKET = Format(
    name="bracket",
    title="bracket notation {a{b}{c}}",
    extensions=(".bracket", ".txt"),
    matches=matches,
    read=read,
)
