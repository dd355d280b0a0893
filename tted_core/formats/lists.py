"""Lists: the lines of Markdown, and of what chat models write in its place, become nodes.

A line that begins with a list mark is an item in every context but a fence; its column, compared with those of the
lines above, is its level. (CommonMark takes much of what people indent for code.) An item belongs to the heading
above it, and a heading to the nearest heading of a higher level, even if levels are skipped; a bold line above a
list is a heading below these. Paragraphs, code, tables and quotations are not nodes, but counted in a notice.
Several roots get the title in the front matter, or the file's name.

:mod:`tted_core.formats.answers` finds what else shows levels in a chat answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from tted_core.errors import MAX_MARKDOWN_CHARACTERS, check_limit
from tted_core.formats.answers import (
    find_heads,
    is_mixed,
    is_outline,
    is_table,
    read_table,
    without_level_words,
)
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import OF_HEADINGS, OF_ITEMS, Forest, Level
from tted_core.formats.lines import RULE, ListLine
from tted_core.formats.markdown import (
    PROPERTY,
    UNDERLINE,
    list_left_out,
    matches,
    split_front_matter,
    without_blocks,
)

# Logseq's properties and underlined headings: who writes them writes Markdown.
_OF_MARKDOWN = re.compile(r"::|^ {0,3}(?:=+|-{2,})\s*$", re.MULTILINE)
_UNRANKED = 9  # the rank of an item, below those of headings and words for levels

_ITEM_PROPERTY = re.compile(
    r"(?:id|collapsed|title|tags?|alias(?:es)?|type|icon|template|public|author|created|updated|date|status|source|"
    r"url|heading|up|(?:background|card|exclude|file|hl|logseq|ls|pdf|query)[.-][\w.-]++)::(?:\s|$)"
)
# Words with which Logseq begins a task.
_STATUS = re.compile(
    r"(?:TODO|DONE|DOING|NOW|LATER|WAIT(?:ING)?|CANCELL?ED|IN-PROGRESS)\s+(?:\[#[ABC]\]\s+)?(?=\S)"
)


def shows_levels_otherwise(document: Document) -> bool:
    """Return True for a text without marks of Markdown that is a table, or has levels as chat answers have."""
    lines = without_level_words(document.list_lines)
    return is_table(lines) or (
        not _OF_MARKDOWN.search(document.text) and is_mixed(lines) and not is_outline(lines)
    )


def read_list(document: Document) -> list[Forest]:
    """Read one map, with its markup; several top headings, or lists without a heading, are several roots.

    Raises:
        LimitError: too large.
    """
    front, title, body = split_front_matter(document.text)
    check_limit(len(body), MAX_MARKDOWN_CHARACTERS, "characters of Markdown", "split it into smaller maps")
    first_line = document.first_line + front.count("\n")
    page = replace(document, text=body, first_line=first_line) if front else document
    if not front and is_table(page.list_lines):
        return [read_table(page.list_lines)]
    text, left_out, unread = without_blocks(body)
    lines = (page if text == body else replace(page, text=text)).list_lines
    reader = _ListReader(lines, left_out, is_page=bool(front or _OF_MARKDOWN.search(body)))
    forest = reader.read()
    what = list_left_out(left_out, unread)
    forest.notice_if(what, f"only headings and list items are nodes; not read: {what}")
    forest.notice_if(
        front, f"the front matter (lines {document.first_line} to {first_line - 1}) was not read"
    )
    if not reader.is_mixed:
        name = PurePath(document.name or "")
        forest.heading = title or (name.stem if name.suffix else "")
    return [forest]


class _ListReader:
    """A reader of the nodes in the lines of a text.

    ``heads`` are the levels of lines without a list mark that are nodes, and of the title, by number. ``marks``,
    if any, are those of items beside bullets: different ones in one column are levels. ``block`` is what a line
    without a mark continues: an item, a paragraph, or nothing after a blank line. ``item`` is the last item.
    """

    def __init__(self, plain: Sequence[ListLine], left_out: Counter[str], *, is_page: bool) -> None:
        """Find what shows the levels of a text with these lines; on a page, it is what Markdown has."""
        self.lines = plain if is_page else without_level_words(plain)
        self.is_mixed = not is_page and is_mixed(self.lines)
        self.heads = find_heads(self.lines, are_mixed=self.is_mixed)
        times = Counter(
            line.mark
            for line in self.lines
            if (line.has_number and not line.is_bullet) or (self.is_mixed and line.is_item)
        )
        self.marks = {mark for mark, count in times.items() if self.is_mixed or count > 1}
        self.left_out = left_out
        self.outline = Forest()
        self.block = ""
        self.paragraph: list[ListLine] = []  # which an underline would make a heading
        self.item = ListLine(0, "", 0, "plain", "", "")

    def read(self) -> Forest:
        """Read the lines, and add notices about ambiguous ones."""
        above = 0
        for line in self.lines:
            is_alone = self.block == "item" and self.outline.last < 0  # there is no node to go on with
            is_left = line.column <= self.item.column and self.item.mark != "plain" and not line.goes_on
            if line.number > above + 1 or is_alone or (self.is_mixed and is_left):
                self.block = ""
            self._read_line(line)
            above = line.number
        if self.left_out["property line"] or self.left_out["drawer"]:
            self.outline.labels[:] = [_STATUS.sub("", label, count=1) for label in self.outline.labels]
        return self.outline.finish("\n")

    def _read_line(self, line: ListLine) -> None:
        text = line.source.strip()
        if self.paragraph and self.block == "paragraph" and UNDERLINE.match(line.source):
            self.left_out["paragraph"] -= 1
            self._add(
                self.paragraph[0],
                " ".join(each.source.strip() for each in self.paragraph),
                (OF_HEADINGS, 1 if "=" in text else 2),
            )
        elif RULE.match(text) or (self.block == "item" and not text.strip("=")):
            self.block = ""
        elif line.number in self.heads:
            self._add(line, line.text, self.heads[line.number])
        elif line.is_bullet or line.mark in self.marks:
            is_property = _ITEM_PROPERTY.match(line.text) is not None
            self.left_out["property line"] += is_property
            level = (
                OF_ITEMS,
                line.column,
                _UNRANKED if line.rank is None else line.rank,
                line.level if self.marks else 0,
            )
            self._add(line, None if is_property else line.text, level)
        elif line.mark == "heading" and line.column < 4:
            self._add(line, line.text, (OF_HEADINGS, line.level))
        elif PROPERTY.match(text):
            self.left_out["property line"] += 1
        elif self.block == "item" and (line.column > self.item.column or line.mark not in {"bold", "run-in"}):
            self._go_on(line)
        elif self.block == "paragraph":
            self.paragraph += [line] if self.paragraph else []
        else:
            self.left_out["paragraph"] += 1
            self.block = "paragraph"
            self.paragraph = [] if line.column > 3 else [line]

    def _go_on(self, line: ListLine) -> None:
        """Add a line to the text of the item; deeper below a colon or a number, it is a child."""
        item = self.item
        is_number = item.has_number and not line.goes_on
        is_deeper = line.column > item.column + len(item.body) - len(item.text)
        is_beside = item.mark == "plain" and line.column == item.column and not line.goes_on
        if is_beside or (is_deeper and (is_number or item.text.endswith((":", "：")))):
            self._add(line, line.body, (OF_ITEMS, line.column, _UNRANKED))
        else:
            self.outline.go_on(line.body)

    def _add(self, line: ListLine, text: str | None, level: Level) -> None:
        """Add a line at a level; one that is no item ends the items above."""
        is_item = level[0] == OF_ITEMS
        mark = line.mark if is_item and self.marks else ""
        self.outline.add_at(None if line.is_out else text, level, mark, line=line.number)
        self.block = "item" if is_item else ""
        self.item = line if is_item else self.item


MARKDOWN = Format(
    name="markdown",
    title="Markdown list",
    extensions=(".md", ".markdown"),
    matches=matches,
    read=read_list,
)
