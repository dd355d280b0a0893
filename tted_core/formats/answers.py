"""Lists as chat models write them: mixed marks, bold lines as headings, words for levels ("Branch 1:"), tables.

In Markdown, bullets and numbers of one column are siblings, and lines without a mark are no nodes. A chat answer
may show its levels by other means too: a mark that returns after another one in the same column, letters and Roman
numerals, emoji as bullets, bold or plain lines above lists, "Central Topic:" and "Branch 1:". The level of a line
follows from (in this order) being a title, its heading level, bold lines, its column, words for its level, and its
kind of mark.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tted_core.formats.chat_words import LEVEL_LINE, LEVEL_WORD
from tted_core.formats.forest import OF_BOLD, OF_ITEMS, OF_TITLE, Forest, Level
from tted_core.formats.labels import counted, symbols_at, without_marks
from tted_core.formats.lines import RULE, ListLine
from tted_core.formats.talk import LEAST_WIDE, VERSE_ENDS, is_said, may_be_title

_TABLE_RULE = re.compile(r"\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)++\s*+:?-*+:?\s*+$")
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_BEGINS = re.compile(r"[^\w\s（(]|[（(]?(?:\d+\.)*(?:1|[aAiI]|一|①)(?!\w|\.\d)")  # a list
_NO_TITLE = re.compile(r"\]\(#|\$\$|^\w+: |\d\.\d+$")  # a link to a place, a formula, a field, a version
_AFTER_WORD = re.compile(r"[:：–—-]")
MOST_SHORT = 40  # characters of a line that surely isn't wrapped
_LEAST_TITLES = 3  # lines without marks that are nodes of a page
# Ranks of lines of one column, below that of chapters and other numbers.
_BELOW_ITEMS, _BELOW_LEADS, _LOWEST = 10, 11, 12
_OF_TOPIC = -1  # the rank of "Topic:" until it is known to be the title


def is_mixed(lines: Sequence[ListLine]) -> bool:
    """Return True if a text shows levels by more than headings, bullets and columns."""
    items = [line for line in lines if line.is_item]
    ranked = any(line.rank is not None or line.is_out for line in lines)
    bold = any(line.mark in {"bold", "run-in"} for line in lines[:-1])
    if not items:
        return ranked or bold
    if has_chapters(lines):
        return True
    heads = [
        line for line, below in pairwise(lines) if line.mark == "plain" and not line.column and below.is_item
    ]
    numbered = [line for line in items if line.is_numbered]
    return (
        ranked
        or len(numbered) > 1
        or any(not _SENTENCE_END.search(line.words) for line in numbered)
        or any(line.level > 1 or line.mark.startswith("emoji") for line in items)
        or any(line.mark in {"bold", "run-in"} and below.mark != "plain" for line, below in pairwise(lines))
        or (
            len(heads) > 1
            and lines[0] not in heads
            and lines[0].mark in {"bold", "plain"}
            and lines[1].mark == "plain"
            and (lines[1] in heads or lines[1].number > lines[0].number + 1)
        )
        or {"branch"} < {line.mark for line in lines}.difference(("plain", "row", "-"))
        or _comes_back(lines, in_sections=True)
    )


def has_chapters(lines: Sequence[ListLine]) -> bool:
    """Return True for a plain text with several chapters, which have the other lines below them."""
    chapters = sum(line.mark.startswith("chapter") for line in lines)
    is_plain = all(line.is_item or line.mark == "plain" for line in lines[lines[0].mark == "heading" :])
    return chapters > 1 and is_plain


def rank_chapters(lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines of a text with chapters; all other items but a title get a rank below leads without a mark."""
    title = lines[0]
    return [
        replace(line, rank=_BELOW_LEADS)
        if line.is_item and line is not title and not line.mark.startswith("chapter")
        else replace(line, rank=None)
        for line in lines
    ]


def _is_title(line: ListLine) -> bool:
    return may_be_title(line.words) and not line.words.endswith(VERSE_ENDS)


def _comes_back(lines: Sequence[ListLine], *, in_sections: bool) -> bool:
    """Return True if a mark returns after another one in a column, or dashes follow below a number."""
    open_marks: dict[int, dict[str, None]] = {}
    for line in lines:
        if not line.is_item:
            open_marks = {} if in_sections and line.mark == "heading" else open_marks
            continue
        open_marks = {column: marks for column, marks in open_marks.items() if column <= line.column}
        seen = open_marks.setdefault(line.column, {})
        first, last = next(iter(seen), ""), next(reversed(seen), line.mark)
        if last != line.mark and (line.mark in seen or (first, line.mark) == ("digit.", "-")):
            return True
        seen[line.mark] = None
    return False


def find_heads(lines: Sequence[ListLine]) -> dict[int, Level]:
    """The levels of the lines without a list mark that are nodes, and of the title, by number."""
    are_chapters = has_chapters(lines)
    first, second = lines[0], lines[:2][-1]
    is_apart = second.mark == "plain" and second.number > first.number + 1
    has_title = first.mark == "plain" and (is_apart or second.mark.startswith("chapter"))
    title = (first if has_title else None) if are_chapters else _title(lines)
    bare = not any(line.is_item for line in lines)
    are_short = all(len(line.body) <= MOST_SHORT for line in lines)
    is_page = any(line.mark == "heading" for line in lines)  # in which sentences are no nodes
    heads: dict[int, Level] = {}
    for above, line, below in zip([lines[0], *lines], lines, [*lines[1:], lines[-1]], strict=False):
        if line is title or line.rank == 0:
            heads[line.number] = (OF_TITLE,)
        elif line.mark in {"bold", "run-in"}:
            heads[line.number] = (OF_BOLD, line.mark == "run-in")
        elif line.mark == "plain":
            is_near = line.number == above.number + 1
            goes_on = is_near and (
                line.body.startswith("(")
                if above.is_item
                else above.mark == "plain" and above.column == line.column and len(above.body) >= LEAST_WIDE
            )
            is_above = below.column > line.column
            begins = below.is_item and (not below.has_number or _BEGINS.match(below.body))
            is_lead = begins and not line.column and not _SENTENCE_END.search(line.words)
            if are_chapters:
                if are_short or _is_title(line):
                    goes_on = above.rank == _BELOW_LEADS and not (
                        below.is_bullet and _BEGINS.match(below.body)
                    )
                    heads[line.number] = (OF_ITEMS, line.column, _LOWEST if goes_on else _BELOW_ITEMS)
            elif (bare and (not is_page or may_be_title(line.words))) or line.rank is not None:
                heads[line.number] = (OF_ITEMS, line.column, line.rank or 0)
            elif (is_above or is_lead) and not (goes_on or is_said(line.words)):
                heads[line.number] = (OF_ITEMS, line.column) if line.column else (OF_BOLD, False)
    return heads


def find_titles(lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines without marks that are nodes of a page: those above lists; or all, if most are short."""
    runs: list[list[ListLine]] = [[]]  # lines that follow each other
    leads = []
    item: ListLine | None = None  # what a line may go on with
    first = next((index for index, line in enumerate(lines) if line.is_item), 0)
    are_led = first > 0 and lines[first - 1].mark == "plain"  # the first list, and so the others
    has_items = False  # the section, so far
    are_between = False  # leads behind lists or text of their sections
    inside: set[int] = set()  # lines between the items of one list
    belows = [*lines[1:], *lines[-1:]]
    for above, line, below, next_one in zip(
        [*lines[:1], *lines], lines, belows, [*belows[1:], *belows[-1:]], strict=False
    ):
        is_apart = line.number > above.number + 1
        if line.mark != "plain" or RULE.match(line.source) or RULE.match(below.source):
            item = line if line.is_item else None
            has_items = line.is_item or (has_items and line.mark != "heading")
        elif is_apart or item is None or line.column < item.column:
            item = None
            is_first = is_apart or above.mark != "plain"
            runs += [[]] if is_first else []
            runs[-1].append(line)
            is_close = below.is_bullet and below.number <= line.number + 2
            if is_close and _goes_on_below(line, below, next_one, are_led=are_led):
                inside.add(line.number)
            elif is_first and is_close and not line.column and may_be_title(line.words):
                leads.append(line)
                are_between = are_between or has_items or above.mark == "plain"
    titles = [
        line
        for run in runs
        if all(
            _is_title(line) and line.number not in inside and not _NO_TITLE.search(line.body) for line in run
        )
        and all(len(line.body) <= MOST_SHORT or (len(run) == 1 and not line.goes_on) for line in run)
        for line in run
    ]
    times = Counter(line.words for line in titles)
    titles = [line for line in titles if times[line.words] < _LEAST_TITLES]  # "To do" below each heading
    is_page = any(line.mark == "heading" and line.level > 1 for line in lines)  # others may be comments
    is_most = len(titles) >= max(_LEAST_TITLES, 0.75 * sum(map(len, runs)))
    # One alone introduces the list, unless it is behind other lines of a section, where lists differ.
    are_heads = len(leads) > 1 or (are_between and _comes_back(lines, in_sections=False))
    return titles if is_page and is_most else leads if are_heads else []


def _goes_on_below(line: ListLine, below: ListLine, next_one: ListLine, *, are_led: bool) -> bool:
    """Return True for a line apart from the item ``below`` it, which doesn't begin a list."""
    if below.number == line.number + 1:
        return False
    if below.has_number:
        return _BEGINS.match(below.body) is None
    is_tight = next_one.number == below.number + 1 and next_one.is_bullet and next_one.column == below.column
    return not (are_led or is_tight or line.words.endswith((":", "：")))


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
    is_item = has_emoji and len(heads) in {0, len(lines) - 1}
    is_beside = (
        first.mark == "bold" and lines[1].mark == "plain" and any(line.mark == "bold" for line in heads)
    )
    return first if not (is_item or is_beside) and heads[:1] in ([], [lines[1]]) else None


def without_level_words(plain: Sequence[ListLine]) -> list[ListLine]:
    """The lines without words for their levels, with the ranks that these give them.

    "Central idea:" is one if only one line has it, "Topic:" above the first item only, and "Level 2:" isn't if
    headings of one level have several. Lines of nothing else, such as "Main Branches:", are out.
    """
    ranked = [_without_level_word(line) for line in plain]
    words = {(line.level, line.rank) for line in ranked if line.mark == "heading" and (line.rank or 0) > 0}
    ranks_of = Counter(level for level, _ in words)
    times = Counter(line.rank for line in ranked)
    items = 0
    lines = []
    for line, with_word in zip(ranked, plain, strict=True):
        is_topic = line.rank == _OF_TOPIC and times[_OF_TOPIC] == 1 and not items
        is_many = line.rank == 0 and times[0] > 1
        is_part = line.mark == "heading" and ranks_of[line.level] > 1
        is_word = not (is_many or is_part or (line.rank == _OF_TOPIC and not is_topic))
        items += line.is_item
        lines.append(replace(line, rank=0) if is_topic else line if is_word else with_word)
    return lines


def _without_level_word(line: ListLine) -> ListLine:
    """Remove the word for a line's level in front of its text, and set the line's rank."""
    plain = without_marks(line.text)
    if LEVEL_LINE.match(plain):
        return replace(line, is_out=True)
    found = LEVEL_WORD.match(plain[len(symbols_at(plain)) :]) if _AFTER_WORD.search(plain) else None
    if found is None or not found["rest"].strip() or line.mark == "row":
        return line
    number = found["sub_number"] or found["branch_number"] or ""
    rank = 1 + max(number.count("."), found["sub"] is not None)
    if found["centre"] or found["topic"]:
        rank = 0 if found["centre"] else _OF_TOPIC
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
            is_parent = not column or any(cells[column + 1 :])
            if cell and not (goes_on and is_parent):
                parent = forest.add(cell, parent, line=row.number)
                path[column:] = [(cell, parent)]
            elif goes_on:
                parent = path[column][1]
    others = len(lines) - len(rows) - bool(heads)
    forest.notice_if(others, f"only the table was read; left out: {counted(others, 'line')}")
    return forest
