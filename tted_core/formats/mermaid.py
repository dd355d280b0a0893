"""Mermaid ``mindmap``: indentation gives the hierarchy, brackets around the text its shape.

Front matter, ``%%`` comments, ``::icon(...)`` and ``:::class`` are no nodes. A text in quotes may span lines;
``#quot;`` and the like are character codes; backticks hold Markdown.
"""

import html
import re
from collections.abc import Iterator

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.indented import width
from tted_core.formats.labels import quoted, without_emphasis, without_tags

_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(?:.*\n)*?[ \t]*---[ \t]*\n")
_DIRECTIVE = ("%%{", "}%%")
_HEAD = re.compile(r"(?:\s|%%[^\n]*+(?:\n|\Z))*+mindmap\b[ \t]*(?:\n|\Z)")
_KEYWORD = re.compile(r"\s*mindmap\b")
_SHAPES = (
    ("((", "))"),
    ("{{", "}}"),
    ("))", "(("),
    (")", "("),
    ("(-", "-)"),
    ("(", ")"),
    ("[", "]"),
)
_LOOKED_AT = 20_000  # characters that tell whether it is a mind map
_OPENING = re.compile(r"[^()\[\]{}]*?(\(\(|\{\{|\)\)|\)|\(-|\(|\[)")
_CODE = re.compile(r"#([A-Za-z]+|[0-9]+);")
_EMPHASIS = re.compile(r"\*{1,2}|(?<!\w)_{1,2}|_{1,2}(?!\w)")


def matches(document: Document) -> bool:
    """The first line that is not front matter, comment or directive is ``mindmap``."""
    return (
        "mindmap" in document.text and _HEAD.match(_without_settings(document.text[:_LOOKED_AT])) is not None
    )


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no line ``mindmap``, or a bracket that isn't closed.
        LimitError: too large.
    """
    statements = _statements(document)
    first = next(statements, None)
    if first is None or not _KEYWORD.match(first[1]):
        raise MapFormatError("a Mermaid mind map begins with the line 'mindmap'", line=document.first_line)
    forest = Forest()
    path: list[tuple[int, int]] = []  # column and node of the lines above
    for number, line in statements:
        text = line.strip()
        if text.startswith(("::icon(", ":::")):
            continue
        column = width(line[: len(line) - len(line.lstrip())])
        while path and path[-1][0] >= column:
            path.pop()
        node = forest.add(_label(text, number), path[-1][1] if path else -1, line=number)
        path.append((column, node))
    return [forest]


def _statements(document: Document) -> Iterator[tuple[int, str]]:
    """The filled lines without comments; lines inside a quoted text are joined to the one it begins on."""
    text = _without_settings(document.text)
    pending: tuple[int, str] | None = None
    for number, line in Document(text, first_line=document.first_line).lines:
        if pending:
            pending = (pending[0], f"{pending[1]}\n{line}")
            if '"' in line:
                yield pending
                pending = None
        elif line.strip() and not line.lstrip().startswith("%%"):
            quote = re.search(r'[(\[{]"', line)
            if quote and '"' not in line[quote.end() :]:
                pending = (number, line)
            else:
                yield number, line
    if pending:
        raise MapFormatError("the quoted text that begins in this line is not closed", line=pending[0])


def _without_settings(text: str) -> str:
    """The text without front matter and directives; their newlines stay, so that lines count on."""
    front = _FRONT_MATTER.match(text)
    if front:
        text = "\n" * front[0].count("\n") + text[front.end() :]
    opening, closing = _DIRECTIVE
    pieces = []
    done = 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        pieces += [text[done:start], "\n" * text.count("\n", start, end)]
        done = end + len(closing)
    return "".join([*pieces, text[done:]])


def _label(text: str, line: int) -> str:
    match = _OPENING.match(text)
    if match is None or (match[1].startswith(")") and not text.endswith("(")):
        return _plain(text)
    closing = next(close for opening, close in _SHAPES if opening == match[1])
    inner = text[match.end() :]
    end = inner.rfind(closing)
    if end < 0:
        raise MapFormatError(f"the bracket {quoted(match[1])} is not closed by {quoted(closing)}", line=line)
    inner = inner[:end].strip()
    if len(inner) > 1 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1].strip()
    if len(inner) > 1 and inner[0] == inner[-1] == "`":
        inner = without_emphasis(inner[1:-1], _EMPHASIS)
    return _plain(inner)


def _plain(text: str) -> str:
    return _CODE.sub(_character, without_tags(text))


def _character(match: re.Match[str]) -> str:
    code = f"&#{match[1]};" if match[1].isdigit() else f"&{match[1]};"
    character = html.unescape(code)
    return match[0] if character == code else character


MERMAID = Format(
    name="mermaid", title="Mermaid mindmap", extensions=(".mmd", ".mermaid"), matches=matches, read=read
)
