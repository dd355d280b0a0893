"""Indented text: one line for each node, deeper lines are children.

Indentation may be tabs, spaces, no-break or ideographic spaces; the text may stand behind a bullet, a list
number or a task box, or in the box drawing of ``tree`` (``├── ``). A bullet in the same column as a plain
line above it is its child, as in the lists that chat answers write below a title line. Markdown that holds
nothing but bullets is read by these rules too: markdown-it recurses with depth and takes a bullet that is
indented by one space for a sibling.
"""

import re

from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest

TAB = 4
"""Columns of a tab where tabs and spaces are mixed."""

BULLET = re.compile(r"(?:[-*+•◦▪▫‣⁃–—·○●■□►▸▹➢➤✓✔]|[0-9]{1,9}[.)])(?:\s+|$)")
_TASK = re.compile(r"\[[ xX]\]\s+(?=\S)")
_BOX = re.compile(r"[\s│┃║┆┊|]*(?:[├└╰┣┗╠╚┠┖][\s─━═╌┄-]*[╴>]?\s?|[+`\\|](?:-{1,2}\s|-{3}\s?))")
_SPACER = re.compile(r"[\s│┃║┆┊|]+$")


def matches(document: Document) -> bool:
    """Every text that is not JSON: the last format that is tried."""
    return not document.looks_like_json and bool(document.filled_lines)


def read(document: Document) -> list[Forest]:
    """Read one map; several lines in the leftmost column are several roots.

    Raises:
        LimitError: too large.
    """
    forest = Forest()
    mixed: list[int] = []
    uneven: list[int] = []
    path: list[tuple[tuple[int, bool], int]] = []  # level and node of the lines above, outermost first
    tabs = any(line.startswith("\t") for _, line in document.filled_lines)
    for number, line in document.filled_lines:
        if _SPACER.match(line):
            continue
        column, bulleted, text = take_apart(line)
        if tabs and line[0].isspace() and line[: len(line) - len(line.lstrip())].strip("\t"):
            mixed.append(number)
        level = (column, bulleted)
        left = level
        while path and path[-1][0] >= level:
            left = path.pop()[0]
        if left[0] != column:
            uneven.append(number)
        path.append((level, forest.add(text, path[-1][1] if path else -1, line=number)))
    if mixed:
        forest.notices.append(
            f"tabs and spaces are mixed (first in line {mixed[0]}); a tab was counted as {TAB} columns"
        )
    if uneven:
        forest.notices.append(
            f"line {uneven[0]} is indented less than the line above, but as far as no other line; it was "
            f"taken as a sibling ({len(uneven):,} such lines)"
        )
    return [forest]


def take_apart(line: str) -> tuple[int, bool, str]:
    """A line's column, whether it has a bullet or a branch, and its text without them.

    >>> take_apart("  - [x] done"), take_apart("├── leaf")
    ((2, True, 'done'), (4, False, 'leaf'))
    """
    box = _BOX.match(line)
    if box:
        text = line[box.end() :]
        return box.end(), False, text.strip()
    text = line.lstrip()
    column = width(line[: len(line) - len(text)])
    bullet = BULLET.match(text)
    if bullet is None:
        return column, False, text.rstrip()
    text = text[bullet.end() :]
    task = _TASK.match(text)
    return column, True, text[task.end() :].rstrip() if task else text.rstrip()


def width(blank: str) -> int:
    """The columns that white space takes."""
    columns = 0
    for char in blank:
        if char == "\t":
            columns += TAB - columns % TAB
        else:
            columns += 2 if char == "\N{IDEOGRAPHIC SPACE}" else 1
    return columns


INDENTED = Format(
    name="indented",
    title="indented text",
    extensions=(".txt",),
    matches=matches,
    read=read,
)
