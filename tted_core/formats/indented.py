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
from collections.abc import Iterable, Iterator, Sequence

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted, quoted, without_tags
from tted_core.formats.lines import TAB, Line, width


class Columns:
    """Adds the lines of an outline to a forest by their columns, and notices those that are ambiguous."""

    def __init__(self, forest: Forest, lines: Iterable[str]) -> None:
        """Start a map; ``lines`` are all of its lines."""
        self.forest = forest
        self._tabs = any(line.startswith("\t") for line in lines)
        self._last: dict[int, int] = {}  # column of each node's last child
        self._more: dict[int, list[str]] = defaultdict(list)  # by node
        self._mixed: list[int] = []
        self._uneven: list[int] = []

    def add(self, text: str, number: int, line: str, column: int, *rank: int) -> None:
        """Add the text of a line below the last line with a smaller column, or a smaller rank in the same."""
        if self._tabs and line[: len(line) - len(line.lstrip())].strip("\t"):
            self._mixed.append(number)
        parent = self.forest.parents[self.forest.add_at(text, column, *rank, line=number)]
        if self._last.get(parent, column) != column:
            self._uneven.append(number)
        self._last[parent] = column

    def go_on(self, text: str) -> None:
        """Continue the text of the last node."""
        self._more[len(self.forest) - 1].append(text)

    def finish(self, between: str = " ") -> None:
        """Join continued texts, and add notices about mixed tabs and spaces and columns of no other line."""
        for node, texts in self._more.items():
            self.forest.labels[node] = between.join([self.forest.labels[node], *texts])
        first = min(self._mixed, default=0)
        self.forest.notice_if(
            first, f"tabs and spaces are mixed (first in line {first}); a tab counts as {TAB} columns"
        )
        first = min(self._uneven, default=0)
        self.forest.notice_if(
            first,
            f"line {first} is indented less than the line above, but as far as no other line; it was taken as a "
            f"sibling ({counted(len(self._uneven), 'line')})",
        )


def read(document: Document) -> list[Forest]:
    """Read one map; several lines in the leftmost column are several roots.

    Raises:
        LimitError: too large.
    """
    forest = Forest()
    lines = document.list_lines
    if any(map(_is_parent, lines)):
        return [_read_both_ways(lines)]
    columns = Columns(forest, (line.source for line in lines))
    drawn = any(line.mark == "branch" for line in lines)
    for line in lines:
        text = line.text if line.is_bullet else line.body
        is_bare = drawn and line.column and not line.is_bullet and line.mark != "branch"
        if is_bare and forest.labels and (text.startswith(("(", "（")) or text[:1].islower()):
            columns.go_on(text)
        else:
            columns.add(text, line.number, line.source, line.column, line.is_bullet)
    columns.finish()
    return [forest]


_UP, _DOWN, _ACROSS = "┌╭┏╔", "└╰┗╚", "├┣╠"


def _without_bar(text: str) -> str:
    """A text of a drawing without the bar that leads to children above and below it, as in ``Tea ──┤``."""
    bare = text.removesuffix("┤").rstrip()
    core = bare.rstrip("─━")
    return core.rstrip() if core != bare != text and any(map(str.isalnum, core)) else text


def _is_parent(line: Line) -> bool:
    return _without_bar(line.text) != line.text


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
        forest.add(_without_bar(lines[row].text), parent, line=lines[row].number)
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
_OPENING = re.compile(r"[^()\[\]{}]*+(\(\(|\{\{|\)\)|\)|\(-|\(|\[)")
_CLASSES = re.compile(r"classDef\s+(\S+)\s")
_LOOKS = re.compile(r"(?:classDef|style|linkStyle)\s+\S+\s+[\w-]+\s*:\s*\S")
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
    classes = set(_CLASSES.findall(document.text))
    for number, line in statements:
        text, _, name = line.strip().rpartition(":::")
        text = text.rstrip() if text and re.fullmatch(r"[\w-]+(?: [\w-]+)*", name) else line.strip()
        words = text.split()
        is_class = len(words) == 3 and words[0] == "class" and words[2].rstrip(";") in classes
        if text.startswith(("::icon(", ":::")) or is_class or _LOOKS.match(text):
            continue
        column = width(line[: len(line) - len(line.lstrip())])
        forest.add_at(_label(text, number), column, line=number)
    return [forest]


def _statements(document: Document) -> Iterator[tuple[int, str]]:
    """The filled lines without comments; lines inside a quoted text are joined to its first one."""
    text = _without_settings(document.text)
    pending: list[str] = []
    start = 0
    for number, line in Document(text, first_line=document.first_line).lines:
        if pending:
            pending.append(line)
            if '"' in line:
                yield start, "\n".join(pending)
                pending = []
        elif line.strip() and not line.lstrip().startswith("%%"):
            quote = re.search(r'[(\[{]"', line)
            if quote and '"' not in line[quote.end() :]:
                start, pending = number, [line]
            else:
                yield number, line
    if pending:
        raise MapFormatError("the quoted text that begins in this line is not closed", line=start)


def _without_settings(text: str) -> str:
    """The text without front matter and directives, keeping newlines for line numbers."""
    return _SETTINGS.sub(lambda match: "\n" * match[0].count("\n"), text)


def _label(text: str, line: int) -> str:
    """The text of a node inside its shape.

    Mermaid takes "Hazards (ash)" for a node with the id "Hazards" that shows "ash", and refuses "Ash (hot) falls";
    who writes either means all of it. A shape follows its id immediately, and ends the line.
    """
    match = _OPENING.match(text)
    before = text[: match.start(1)] if match else ""
    closing = match[1][::-1].translate(_MIRRORED) if match else ""
    inner = text[match.end() : -len(closing)].strip() if match else ""
    if match is None or before.startswith('"') or before[-1:].isspace():
        return _plain(_unquoted(text))
    if closing not in text[match.end() :] and not match[1].startswith(")"):
        raise MapFormatError(f"the bracket {quoted(match[1])} is not closed by {quoted(closing)}", line=line)
    opens, closes = inner.find(match[1][-1]), inner.find(closing[0])
    closes_early = closes >= 0 and not (0 <= opens < closes or inner.startswith('"'))  # as in "[1] and [2]"
    if closes_early or not text.endswith(closing):
        return _plain(_unquoted(text))
    inner = _unquoted(inner)
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
