"""Indented text, with one line per node and children indented deeper; and Mermaid's ``mindmap``.

Indentation may be tabs, spaces, no-break or ideographic spaces; the text may follow a bullet, a list number or a
task box, or the box drawing of ``tree`` (``├── ``), with children also above a node. A bullet in
the column of a plain line above it is its child, as in chat answers with lists below a title line.

In a Mermaid ``mindmap`` indentation gives the hierarchy, and brackets around the text its shape.

Front matter, ``%%`` comments, ``::icon(...)`` and ``:::class`` are not nodes. A quoted text may span lines;
``#quot;`` and the like are character codes; backticks contain Markdown.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted, quoted, without_tags
from tted_core.formats.lines import TAB, Line, width


def read(document: Document) -> list[Forest]:
    """Read one map; several lines in the leftmost column are several roots.

    Raises:
        LimitError: too large.
    """
    forest = Forest()
    mixed: list[int] = []
    uneven: list[int] = []
    columns: dict[int, int] = {}  # column of each node's last child
    more: dict[int, list[str]] = defaultdict(list)  # further lines of a branch's text
    lines = document.list_lines
    if any(map(_is_parent, lines)):
        return [_read_both_ways(lines)]
    tabs = any(line.source.startswith("\t") for line in lines)
    drawn = any(line.mark == "branch" for line in lines)
    for line in lines:
        text = line.text if line.is_bullet else line.body
        is_bare = drawn and line.column and not line.is_bullet and line.mark != "branch"
        if is_bare and forest.labels and (text[0] in "(（" or text[0].islower()):
            more[len(forest) - 1].append(text)
            continue
        blank = line.source[: len(line.source) - len(line.source.lstrip())]
        if tabs and blank.strip("\t"):
            mixed.append(line.number)
        node = forest.add_at(text, line.column, line.is_bullet, line=line.number)
        parent, column, number = forest.parents[node], line.column, line.number
        if columns.get(parent, column) != column:
            uneven.append(number)
        columns[parent] = column
    for node, texts in more.items():
        forest.labels[node] = " ".join([forest.labels[node], *texts])
    forest.notice_if(
        mixed,
        f"tabs and spaces are mixed (first in line {min(mixed, default=0)}); a tab counts as {TAB} columns",
    )
    forest.notice_if(
        uneven,
        f"line {min(uneven, default=0)} is indented less than the line above, but as far as no other line; it was "
        f"taken as a sibling ({counted(len(uneven), 'line')})",
    )
    return [forest]


_BAR = re.compile(r" ?[─━]+ ?┤$")
_UP, _DOWN, _ACROSS = "┌╭┏╔", "└╰┗╚", "├┣╠"


def _is_parent(line: Line) -> bool:
    """Return True if a line of a drawing ends with a bar that leads to children above and below it."""
    found = _BAR.search(line.text) if line.text.endswith("┤") else None
    return found is not None and any(map(str.isalnum, line.text[: found.start()]))


def _read_both_ways(lines: Sequence[Line]) -> Forest:
    """Read a drawing whose nodes have children above and below them (``┌── a``, ``root ──┤``, ``└── b``)."""
    columns = [line.column for line in lines]
    above = _nearest(columns)
    below = [(len(lines) - 1 - at if at >= 0 else -1) for at, _ in reversed(_nearest(columns[::-1]))]
    is_up: list[bool] = []
    children: list[list[int]] = [[] for _ in range(len(lines) + 1)]  # the last: the roots
    for row, line in enumerate(lines):
        higher, beside = above[row]
        sign = next((char for char in line.source[: line.column] if char in _UP + _DOWN + _ACROSS), " ")
        across = is_up[beside] if beside >= 0 else higher < 0 or not _is_parent(lines[higher])
        is_up.append(sign in _UP or (sign in _ACROSS and across))
        children[-1 if sign == " " else below[row] if is_up[row] else higher].append(row)
    forest = Forest()
    for row, parent in forest.walk(children[-1], children.__getitem__):
        forest.add(_BAR.sub("", lines[row].text), parent, line=lines[row].number)
    return forest


def _nearest(columns: Sequence[int]) -> list[tuple[int, int]]:
    """For each row, the nearest row before it in a lower column, and one in its column behind that (-1: none)."""
    found = []
    open_rows: list[int] = []
    for row, column in enumerate(columns):
        while open_rows and columns[open_rows[-1]] > column:
            open_rows.pop()
        beside = open_rows.pop() if open_rows and columns[open_rows[-1]] == column else -1
        found.append((open_rows[-1] if open_rows else -1, beside))
        open_rows.append(row)
    return found


INDENTED = Format(
    name="indented",
    title="indented text",
    extensions=(".txt",),
    matches=lambda document: not document.looks_like_json and bool(document.filled_lines),
    read=read,
)


# Front matter, and directives; one that isn't closed goes on to the end.
_SETTINGS = re.compile(r"\A\s*---[ \t]*\n(?:.*\n)*?[ \t]*---[ \t]*\n|%%\{(?:[^}]|\}(?!%%))*+(?:\}%%)?")
_HEAD = re.compile(r"(?:\s|%%[^\n]*+(?:\n|\Z))*+mindmap\b[ \t]*(?:\n|\Z)")
_KEYWORD = re.compile(r"\s*mindmap\b")
_MIRRORED = str.maketrans("()[]{}", ")(][}{")
_LOOKED_AT = 20_000  # characters used for recognition
_OPENING = re.compile(r"[^()\[\]{}]*?(\(\(|\{\{|\)\)|\)|\(-|\(|\[)")
_CODE = re.compile(r"#([A-Za-z]+|[0-9]+);")
_EMPHASIS = re.compile(r"(\*\*?|(?<!\w)__?)(?=\S)((?:(?!\1).)++)(?<=\S)\1(?!\w)", re.DOTALL)


def matches_mermaid(document: Document) -> bool:
    """Return True if the first line, except front matter, comments and directives, is ``mindmap``."""
    return (
        "mindmap" in document.text and _HEAD.match(_without_settings(document.text[:_LOOKED_AT])) is not None
    )


def read_mermaid(document: Document) -> list[Forest]:
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
    for number, line in statements:
        text = line.strip()
        if text.startswith(("::icon(", ":::")):
            continue
        column = width(line[: len(line) - len(line.lstrip())])
        forest.add_at(_label(text, number), column, line=number)
    return [forest]


def _statements(document: Document) -> Iterator[tuple[int, str]]:
    """The filled lines without comments; lines inside a quoted text are joined to its first one."""
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
    """The text without front matter and directives, keeping newlines for line numbers."""
    return _SETTINGS.sub(lambda match: "\n" * match[0].count("\n"), text)


def _label(text: str, line: int) -> str:
    """The text of a node inside its shape.

    Mermaid takes "Hazards (ash)" for a node with the id "Hazards" that shows "ash", and refuses "Ash (hot) falls";
    who writes either means all of it.
    """
    match = _OPENING.match(text)
    before = text[: match.start(1)] if match else ""
    if (
        match is None
        or before.startswith('"')
        or (match[1].startswith(")") and not text.endswith("("))
        or (match[1] == "(" and (before[-1:].isspace() or not text.endswith(")")))
    ):
        return _plain(_unquoted(text))
    closing = match[1][::-1].translate(_MIRRORED)
    inner = text[match.end() :]
    end = inner.rfind(closing)
    if end < 0:
        raise MapFormatError(f"the bracket {quoted(match[1])} is not closed by {quoted(closing)}", line=line)
    inner = _unquoted(inner[:end].strip())
    if len(inner) > 1 and inner[0] == inner[-1] == "`":
        inner = _EMPHASIS.sub(r"\2", inner[1:-1])
    return _plain(inner)


def _unquoted(text: str) -> str:
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text


def _plain(text: str) -> str:
    return _CODE.sub(_character, without_tags(text))


def _character(match: re.Match[str]) -> str:
    code = f"&#{match[1]};" if match[1].isdigit() else f"&{match[1]};"
    character = html.unescape(code)
    return match[0] if character == code else character


MERMAID = Format(
    name="mermaid",
    title="Mermaid mindmap",
    extensions=(".mmd", ".mermaid"),
    matches=matches_mermaid,
    read=read_mermaid,
)
