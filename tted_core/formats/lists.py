"""Lists: the lines of Markdown, and of what chat models write in its place, become nodes.

A line that begins with a list mark is an item in every context but a fence; its column, compared with those of the
lines above, is its level. (CommonMark takes much of what people indent for code.) An item belongs to the heading
above it, and a heading to the nearest heading of a higher level, even if levels are skipped; a bold line above a
list is a heading below these. Paragraphs, code, tables and quotations are not nodes, but counted in a notice.
Several roots get the title in the front matter, or the file's name.

What else shows levels is the ``_Form`` of a text; :mod:`tted_core.formats.answers` finds that of a chat answer.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from tted_core.errors import MAX_MARKDOWN_CHARACTERS, check_limit
from tted_core.formats.answers import (
    find_heads,
    has_chapters,
    is_mixed,
    is_table,
    rank_chapters,
    read_table,
    without_level_words,
)
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import OF_HEADINGS, OF_ITEMS, Forest, Level, Outline
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
_MOST_SHORT = 40  # characters of a line that surely isn't wrapped
_UNRANKED = 9  # the rank of an item, below those of headings and words for levels

_ITEM_PROPERTY = re.compile(
    r"(?:id|collapsed|title|tags?|alias(?:es)?|type|icon|template|public|author|created|updated|date|status|source|"
    r"url|heading|up|(?:background|card|exclude|file|hl|logseq|ls|pdf|query)[.-][\w.-]++)::(?:\s|$)"
)
# Words with which Logseq begins a task.
_STATUS = re.compile(
    r"(?:TODO|DONE|DOING|NOW|LATER|WAIT(?:ING)?|CANCELL?ED|IN-PROGRESS)\s+(?:\[#[ABC]\]\s+)?(?=\S)"
)


class _Form(NamedTuple):
    """What shows the levels of a text, beside headings and bullets.

    Args:
        lines: its lines.
        heads: the levels of lines without a list mark that are nodes, and of the title, by number.
        marks: of items, beside bullets; if there are any, different marks in one column are levels.
        is_mixed: True if it shows levels as chat answers do.
    """

    lines: Sequence[ListLine]
    heads: Mapping[int, Level]
    marks: Collection[str]
    is_mixed: bool = False


def _find_form(plain: Sequence[ListLine], *, is_page: bool) -> _Form:
    """The form of a text with these lines; that of a page is Markdown's."""
    ranked = [] if is_page else without_level_words(plain)
    if is_mixed(ranked):
        lines = rank_chapters(ranked) if has_chapters(ranked) else ranked
        marks = {line.mark for line in lines if line.is_item}
        return _Form(lines, find_heads(lines, are_mixed=True), marks, is_mixed=True)
    times = Counter(line.mark for line in plain if line.is_numbered)
    marks = {mark for mark, count in times.items() if count > 1}
    return _Form(plain, find_heads(plain, are_mixed=False), marks)


def shows_levels_otherwise(document: Document) -> bool:
    """Return True for a text without marks of Markdown that is a table, or has levels as chat answers have."""
    return is_table(document.list_lines) or (
        not _OF_MARKDOWN.search(document.text) and is_mixed(without_level_words(document.list_lines))
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
    form = _find_form(lines, is_page=bool(front or _OF_MARKDOWN.search(body)))
    forest = _ListReader(form, left_out).read()
    what = list_left_out(left_out, unread)
    forest.notice_if(what, f"only headings and list items are nodes; not read: {what}")
    forest.notice_if(
        front, f"the front matter (lines {document.first_line} to {first_line - 1}) was not read"
    )
    if not form.is_mixed:
        name = PurePath(document.name or "")
        forest.heading = title or (name.stem if name.suffix else "")
    return [forest]


class _ListReader:
    """A reader of the nodes in the lines of a text.

    ``block`` is what a line without a mark continues: an item, a paragraph, or nothing after a blank line.
    ``margin`` is the least column of the items below the last heading, ``item`` the last of them.
    """

    def __init__(self, form: _Form, left_out: Counter[str]) -> None:
        self.form = form
        self.left_out = left_out
        self.outline = Outline()
        self.block = ""
        self.paragraph: list[ListLine] = []  # which an underline would make a heading
        self.margin: int | None = None
        self.item = ListLine(0, "", 0, "plain", "", "")

    def read(self) -> Forest:
        """Read the lines, and add notices about ambiguous ones."""
        above = 0
        for line in self.form.lines:
            is_beside = line.column == self.item.column and self.item.mark != "plain"
            is_left = (line.column < self.item.column or is_beside) and not line.goes_on
            is_apart = line.number > above + 1 or (self.form.is_mixed and is_left)
            if is_apart or (self.block == "item" and self.outline.last < 0):  # no node to go on with
                self.block = ""
            self._read_line(line)
            above = line.number
        labels = self.outline.labels
        if self.left_out["property line"] or self.left_out["drawer"]:
            labels[:] = [_STATUS.sub("", label, count=1) for label in labels]
        return self.outline.finish("\n")

    def _read_line(self, line: ListLine) -> None:
        text = line.source.strip()
        is_inside = self.margin is not None and self.margin + 2 <= line.column <= self.item.column + 5
        if self.paragraph and self.block == "paragraph" and UNDERLINE.match(line.source):
            self.left_out["paragraph"] -= 1
            heading = " ".join(each.source.strip() for each in self.paragraph)
            self._add(self.paragraph[0], heading, (OF_HEADINGS, 1 if "=" in text else 2))
        elif RULE.match(text) or (self.block == "item" and not text.strip("=")):
            self.block = ""
        elif line.number in self.form.heads:
            self._add(line, line.text, self.form.heads[line.number])
        elif line.is_bullet or line.mark in self.form.marks:
            is_property = _ITEM_PROPERTY.match(line.text) is not None
            self.left_out["property line"] += is_property
            rank = _UNRANKED if line.rank is None else line.rank
            level = (OF_ITEMS, line.column, rank, line.level if self.form.marks else 0)
            self._add(line, None if is_property else line.text, level)
        elif line.mark == "heading" and is_inside:
            self.outline.add_at(line.text, (OF_ITEMS, line.column, line.level), line=line.number)
            self.block = ""
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
            self.paragraph = [] if is_inside or line.column > 3 else [line]

    def _go_on(self, line: ListLine) -> None:
        """Add a line to the text of the item; deeper below a colon or a short one with a number, it is a child."""
        item = self.item
        is_number = item.is_numbered or item.mark.startswith("digit")
        is_deeper = line.column > item.column + len(item.body) - len(item.text)
        is_beside = item.mark == "plain" and line.column == item.column
        is_whole = len(item.body) <= _MOST_SHORT and line.mark == "plain" and not line.goes_on
        is_below = is_deeper and item.text.endswith((":", "："))
        if is_below or (is_whole and ((is_number and is_deeper) or is_beside)):
            self._add(line, line.body, (OF_ITEMS, line.column, _UNRANKED))
        else:
            self.outline.go_on(line.body)

    def _add(self, line: ListLine, text: str | None, level: Level) -> None:
        """Add a line at a level; one that is no item ends the items above."""
        is_item = level[0] == OF_ITEMS
        mark = line.mark if is_item and self.form.marks else ""
        self.outline.add_at(None if line.is_out else text, level, mark, line=line.number)
        if is_item:
            self.block = "item"
            self.item = line
            self.margin = line.column if self.margin is None else min(line.column, self.margin)
        else:
            self.block = ""
            self.margin = None


MARKDOWN = Format(
    name="markdown",
    title="Markdown list",
    extensions=(".md", ".markdown"),
    matches=matches,
    read=read_list,
)
