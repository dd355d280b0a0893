"""Lists as chat models write them: mixed marks, bold lines as headings, words for levels ("Branch 1:"), tables.

In Markdown, bullets and numbers of one column are siblings, and lines without a mark are no nodes. A chat answer
may show its levels by other means too: a mark that returns after another one in the same column, letters and Roman
numerals, emoji as bullets, bold or plain lines above lists, "Central Topic:" and "Branch 1:". The level of a line
follows from (in this order) being a title, its heading level, bold lines, its column, words for its level, and its
kind of mark.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tted_core.formats.chat_words import LEVEL_LINE, LEVEL_WORD
from tted_core.formats.forest import OF_BOLD, OF_ITEMS, OF_TITLE, Forest, Level
from tted_core.formats.labels import symbols_at, without_marks
from tted_core.formats.lines import ListLine
from tted_core.formats.talk import VERSE_ENDS, may_be_title
from tted_core.foundations.messages import counted

_TABLE_RULE = re.compile(r"\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)++\s*+:?-*+:?\s*+$")
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_BEGINS = re.compile(r"[^\w\s（(]|[（(]?(?:\d+\.)*(?:1|[aAiI]|一|①)(?!\w|\.\d)")  # a list
# Ranks of lines of one column in a text with chapters, below these.
_BELOW_CHAPTERS, _BELOW_LEADS = 10, 11
_BOLD = ("bold", "run-in")


def is_mixed(lines: Sequence[ListLine]) -> bool:
    """Return True if a text shows levels by more than headings, bullets and columns."""
    is_bare = not any(line.is_item for line in lines)
    numbered = [line for line in lines if line.is_numbered]
    leads = [
        line for line, below in pairwise(lines) if line.mark == "plain" and not line.column and below.is_item
    ]
    return (
        any(line.mark in _BOLD and (is_bare or below.mark != "plain") for line, below in pairwise(lines))
        or any(line.rank is not None or line.is_out for line in lines)
        or any(line.is_item and (line.level > 1 or line.mark.startswith("emoji")) for line in lines)
        or any(not _SENTENCE_END.search(line.words) for line in numbered)
        or len(numbered) > 1
        or (
            len(leads) > 1
            and lines[0].mark in {"bold", "plain"}
            and lines[1].mark == "plain"
            and lines[0] not in leads
            and (lines[1] in leads or lines[1].number > lines[0].number + 1)
        )
        or {"branch"} < {line.mark for line in lines}.difference(("plain", "row", "-"))
        or has_chapters(lines)
        or _comes_back(lines)
    )


def has_chapters(lines: Sequence[ListLine]) -> bool:
    """Return True for a plain text with several chapters, which have the other lines below them."""
    chapters = sum(line.mark.startswith("chapter") for line in lines)
    return chapters > 1 and all(line.is_item or line.mark == "plain" for line in lines[1:])


def rank_chapters(lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines of a text; if it has chapters, all other items but a title rank below leads without a mark."""
    if not has_chapters(lines):
        return list(lines)
    title = lines[0]
    return [
        replace(line, rank=_BELOW_LEADS)
        if line.is_item and line is not title and not line.mark.startswith("chapter")
        else replace(line, rank=None)
        for line in lines
    ]


def _comes_back(lines: Sequence[ListLine]) -> bool:
    """Return True if a mark returns after another one in a column of a section."""
    marks: dict[int, dict[str, None]] = {}  # by column, in the order in which they first occur
    for line in lines:
        if line.mark == "heading":
            marks = {}
        elif line.is_item:
            seen = marks.setdefault(line.column, {line.mark: None})
            if line.mark in seen and line.mark != next(reversed(seen)):
                return True
            seen[line.mark] = None
    return False


def find_heads(lines: Sequence[ListLine], *, are_mixed: bool) -> dict[int, Level]:
    """The levels of the lines without a list mark that are nodes, and of the title, by number.

    These are bold lines and plain ones above a list; on a page of Markdown, where most text is no node, bold ones
    directly above bullets, and plain ones if there are several. In a text without lists or with chapters, all are.
    """
    are_chapters = are_mixed and has_chapters(lines)
    title = _title(lines) if are_mixed else None
    is_bare = are_mixed and not any(line.is_item for line in lines)
    has_headings = any(line.mark == "heading" for line in lines)  # among which sentences are no nodes
    first = next((index for index, line in enumerate(lines) if line.is_item), 0)
    are_led = first > 0 and lines[first - 1].mark == "plain"  # the first list, and so the others
    heads: dict[int, Level] = {}
    leads: dict[int, Level] = {}
    for above, line, below in zip([*lines[:1], *lines], lines, [*lines[1:], *lines[-1:]], strict=False):
        is_title = may_be_title(line.words) and not line.words.endswith(VERSE_ENDS)
        is_rest = above.mark == "plain" or (above.is_item and above.column <= line.column)
        is_first = line.number != above.number + 1 or not is_rest
        is_led = are_led or below.number == line.number + 1 or line.words.endswith((":", "："))
        begins = below.is_item and (not below.has_number or _BEGINS.match(below.body))
        if line is title or line.rank == 0:
            heads[line.number] = (OF_TITLE,)
        elif line.mark in _BOLD and (are_mixed or below.is_bullet):
            heads[line.number] = (OF_BOLD, line.mark == "run-in")
        elif line.mark != "plain":
            continue
        elif line.rank is not None or (is_bare and (is_title or not has_headings)):
            heads[line.number] = (OF_ITEMS, line.column, line.rank or 0)
        elif are_chapters and is_title:
            heads[line.number] = (OF_ITEMS, line.column, _BELOW_CHAPTERS)
        elif begins and is_title and not line.column and (are_mixed or (is_first and is_led)):
            leads[line.number] = (OF_BOLD, False)
    return heads | leads if are_mixed or len(leads) > 1 else heads


def _title(lines: Sequence[ListLine]) -> ListLine | None:
    """The first line, if it is the title: bold, unmarked or with an emoji, and above another such line."""
    first = lines[0]
    has_emoji = first.mark.startswith("emoji")
    if not (has_emoji or first.mark in {"bold", "plain"}) or first.column or len(lines) < 2:
        return None
    heads = [
        line
        for line in lines[1:]
        if not line.column and (not line.is_item or (has_emoji and line.mark == first.mark))
    ]
    is_beside = (
        first.mark == "bold" and lines[1].mark == "plain" and any(line.mark == "bold" for line in heads)
    )
    return first if not is_beside and heads[:1] in ([], [lines[1]]) else None


def without_level_words(plain: Sequence[ListLine]) -> list[ListLine]:
    """The lines without words for their levels, with the ranks that these give them.

    "Central idea:" and "Topic:" are such words if only one line has them. Lines of nothing else, such as "Main
    Branches:", are out.
    """
    ranked = [_without_level_word(line) for line in plain]
    has_centre = sum(line.rank == 0 for line in ranked) == 1
    return [
        with_word if line.rank == 0 and not has_centre else line
        for line, with_word in zip(ranked, plain, strict=True)
    ]


def _without_level_word(line: ListLine) -> ListLine:
    """Remove the word for a line's level in front of its text, and set the line's rank."""
    plain = without_marks(line.text)
    if LEVEL_LINE.match(plain):
        return replace(line, is_out=True)
    found = LEVEL_WORD.match(plain[len(symbols_at(plain)) :])
    if found is None or not found["rest"].strip() or line.mark == "row":
        return line
    number = found["sub_number"] or found["branch_number"] or ""
    rank = 1 + max(number.count("."), found["sub"] is not None)
    if found["centre"] or found["topic"]:
        rank = 0
    elif found["level"] or found["ordinal"]:
        rank = int(found["level_number"] or "一二三四五".index(found["ordinal"]) + 1)
    return replace(line, text=found["rest"].strip(), rank=rank)


def is_table(lines: Sequence[ListLine]) -> bool:
    """Return True if a text is a table, with at most a title and a sentence around it."""
    rows = sum(line.mark == "row" for line in lines)
    return rows > 2 and len(lines) - rows < 3 and not any(line.is_item for line in lines)


def read_table(lines: Sequence[ListLine]) -> Forest:
    """A table: each column contains the children of the one to its left; an empty or equal cell continues it."""
    forest = Forest()
    rows = [line for line in lines if line.mark == "row"]
    heads = [line for line in lines if line.mark in {"heading", "bold"} and line.number < rows[0].number]
    root = forest.add(heads[-1].text, line=heads[-1].number) if heads else -1
    path: list[tuple[str, int]] = []
    for row in rows[2:] if _TABLE_RULE.match(rows[1].text) else rows:
        parent = root
        cells = [cell.strip() for cell in row.text.strip("|").split("|")]
        for column, cell in enumerate(cells):
            goes_on = column < len(path) and cell in {"", path[column][0]}
            if cell and not goes_on:
                parent = forest.add(cell, parent, line=row.number)
                path[column:] = [(cell, parent)]
            elif goes_on:
                parent = path[column][1]
    others = len(lines) - len(rows) - bool(heads)
    forest.notice_if(others, f"only the table was read; left out: {counted(others, 'line')}")
    return forest
