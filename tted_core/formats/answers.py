"""Lists as chat models write them: mixed marks, bold lines as headings, words for levels ("Branch 1:"), tables.

In Markdown, bullets and numbers of one column are siblings, and lines without a mark are no nodes. A chat answer
may show its levels by other means too: a mark that returns after another one in the same column, letters and Roman
numerals, emoji as bullets, bold or plain lines above lists, "Central Topic:" and "Branch 1:". The level of a line
follows from (in this order) being a title, its heading level, bold lines, its column, words for its level, and its
kind of mark.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tted_core.formats.chat_words import LEVEL_LINE, LEVEL_WORD, MAP
from tted_core.formats.forest import OF_BOLD, OF_ITEMS, OF_TITLE, Forest, Level
from tted_core.formats.labels import symbols_at, without_marks, without_symbols
from tted_core.formats.lines import ListLine
from tted_core.formats.talk import LEAST_WRAPPED, VERSE_ENDS, may_be_title, topic_of_title
from tted_core.foundations.messages import counted

_TABLE_RULE = re.compile(r"\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)++\s*+:?-*+:?\s*+$")
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_BEGINS = re.compile(r"[^\w\s（(]|[（(]?(?:\d+\.)*(?:1|[aAiI]|一|①)(?!\w|\.\d)")  # a list
_BOLD = ("bold", "run-in")


def is_mixed(lines: Sequence[ListLine]) -> bool:
    """Return True if a text shows levels by more than headings, bullets and columns."""
    is_bare = not any(line.is_item for line in lines)
    are_indented = any(line.column and line.mark.startswith(("plain", "chapter")) for line in lines)
    numbered = [
        line
        for line in lines
        if line.has_number
        and not line.is_bullet
        and not (are_indented and not lines[0].is_bullet and (line.column or line.mark.startswith("chapter")))
    ]
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


def is_outline(lines: Sequence[ListLine]) -> bool:
    """Return True if columns are the levels of lines with and without emoji, none of which is wrapped."""
    return (
        all(
            line.rank is None
            and (
                line.mark.startswith("emoji")
                or (line.mark == "plain" and (line.column > 0 or lines[0].mark != "bold"))
            )
            for line in lines[1:]
        )
        and any(
            line.column > lines[0].column and (line.mark == "plain" or line is lines[1]) for line in lines
        )
        and not any(
            line.goes_on and above.text[:1].isupper() and len(above.words) >= LEAST_WRAPPED
            for above, line in pairwise(lines)
        )
    )


def has_chapters(lines: Sequence[ListLine]) -> bool:
    """Return True for a plain text with several chapters, which have the other lines below them."""
    below = [
        next_line
        for line, next_line in pairwise([*lines, *lines[-1:]])
        if line.mark.startswith("chapter") and not line.column
    ]
    return (
        len(below) > 1
        # Else their lines are indented, and others aren't.
        and (
            any(line.is_item or not line.column for line in below)
            or all(line.is_item or line.column for line in lines[1:])
        )
        and all(line.is_item or line.mark == "plain" for line in lines[1:])
    )


def _comes_back(lines: Sequence[ListLine]) -> bool:
    """Return True if a mark returns after another one in a column of a section."""
    marks: dict[tuple[int, int], list[str]] = defaultdict(list)  # without repetitions
    section = 0
    for line in lines:
        section += line.mark == "heading"
        if line.is_item and marks[section, line.column][-1:] != [line.mark]:
            marks[section, line.column].append(line.mark)
    return any(len(set(each)) < len(each) for each in marks.values())


def find_heads(lines: Sequence[ListLine], *, are_mixed: bool) -> dict[int, Level]:
    """The levels of the lines without a list mark that are nodes, and of the title, by number.

    These are bold lines and plain ones above a list; on a page of Markdown, where most text is no node, bold ones
    directly above bullets, and plain ones if there are several. In a text without lists or with chapters, all are.
    """
    are_chapters = are_mixed and has_chapters(lines)
    chapters = list(dict.fromkeys(line.mark for line in lines if line.mark.startswith("chapter")))
    title = _title(lines) if are_mixed else None
    is_bare = are_mixed and not any(line.is_item for line in lines)
    has_headings = any(line.mark == "heading" for line in lines)  # among which sentences are no nodes
    first = next((index for index, line in enumerate(lines) if line.is_item), 0)
    are_led = first > 0 and lines[first - 1].mark == "plain"  # the first list, and so the others
    heads: dict[int, Level] = {}
    leads: dict[int, Level] = {}
    for above, line, below in zip([*lines[:1], *lines], lines, [*lines[1:], *lines[-1:]], strict=False):
        is_title = may_be_title(line.words) and not line.words.endswith(VERSE_ENDS)
        is_first = line.number != above.number + 1 or not (
            above.mark == "plain" or (above.is_item and above.column <= line.column)
        )
        is_led = are_led or below.number == line.number + 1 or line.words.endswith((":", "："))
        is_above = are_chapters and line is lines[0] and line.is_item and line.mark not in chapters
        if line is title or line.rank == 0 or is_above:
            heads[line.number] = (OF_TITLE,)
        elif are_chapters and line.mark in chapters and not line.column:
            heads[line.number] = (OF_BOLD, chapters.index(line.mark))
        elif line.mark in _BOLD and (are_mixed or below.is_bullet):
            heads[line.number] = (OF_BOLD, line.mark == "run-in")
        elif line.mark != "plain":
            continue
        elif (
            line.rank is not None
            or (are_chapters and is_title)
            or (is_bare and (is_title or not has_headings))
        ):
            heads[line.number] = (OF_ITEMS, line.column, line.rank or 0)
        elif (
            below.is_item
            and (not below.has_number or _BEGINS.match(below.body))
            and is_title
            and not line.column
            and (are_mixed or (is_first and is_led))
        ):
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
    is_beside = lines[1].mark == "plain" and any(line.mark == "bold" for line in heads)
    return first if not is_beside and heads[:1] in ([], [lines[1]]) else None


def without_level_words(plain: Sequence[ListLine]) -> list[ListLine]:
    """The lines without words for their levels, with the ranks that these give them; elsewhere they are text.

    In one place (a column, bold lines), words count if the text names its centre, or if most lines have one; and
    if all have the same, but in headings, or nothing else shows levels. In a text about a map, lines of nothing
    else ("Main Branches:") are out.
    """
    bare = [_without_level_word(line) for line in plain]
    centre = _find_centre(plain, bare)
    beside: dict[Level, list[int]] = defaultdict(list)  # the ranks in a place, 0 without a word
    for line in bare:
        beside[_place(line)].append(line.rank or 0)
    are_words = centre >= 0 or sum(line.rank is not None for line in bare) > 1
    is_flat = len(beside) == 1 and (centre >= 0 or not plain[0].is_item)
    ranks = {
        place: max(each)
        for place, each in beside.items()
        if (centre >= 0 or (are_words and 2 * sum(map(bool, each)) > len(each)))
        and (len({*each} - {0}) == 1 or place[0] or is_flat)
    }
    names_map = centre >= 0 or any(MAP.search(line.words) for line in plain[:1])
    lines = list(plain)
    for index, (line, given) in enumerate(zip(bare, plain, strict=True)):
        rank = ranks.get(_place(line))
        if index == centre:
            lines[index] = line
        elif rank and (line.rank or may_be_title(line.words)):
            rank = line.rank or rank if is_flat or not line.is_item else None
            lines[index] = replace(line if line.rank else given, rank=rank)
        elif names_map and LEVEL_LINE.match(without_marks(line.text)):
            lines[index] = replace(given, is_out=True)
    return lines


def _without_level_word(line: ListLine) -> ListLine:
    """Remove the word for a line's level in front of its text, and set the line's rank."""
    plain = without_marks(line.text)
    found = LEVEL_WORD.match(plain[len(symbols_at(plain)) :])
    if found is None or not found["rest"].strip() or line.mark == "row":
        return line
    rank = 0 if found["centre"] else 1 + (found["sub"] is not None)
    if found["level"] or found["ordinal"]:
        rank = int(found["level_number"] or "一二三四五".index(found["ordinal"]) + 1)
    return replace(line, text=found["rest"].strip(), rank=rank)


def _find_centre(plain: Sequence[ListLine], bare: Sequence[ListLine]) -> int:
    """The index of the word for the centre, below nothing but titles of the map or the centre; -1: none.

    Beside a heading or an item such as "Setting: Denmark", "Theme: revenge" is no such word.
    """
    centre = next((index for index, line in enumerate(bare) if line.rank == 0), -1)
    topic = without_symbols(bare[centre].text).casefold() if bare else ""
    titles = [topic_of_title(without_symbols(line.text)).casefold() for line in plain[: max(0, centre)]]
    are_titles = all(
        title == topic
        or (MAP.search(line.words) and (title in topic or topic in title or MAP.fullmatch(title)))
        for line, title in zip(plain, titles, strict=False)
    )
    is_pair = any(
        line.rank is None
        and _place(line) == _place(bare[centre])
        and (":" in line.words[:-1] or "：" in line.words[:-1])
        for line in bare
        if line.is_item or line.mark == "heading"
    )
    return centre if are_titles and not is_pair else -1


def _place(line: ListLine) -> Level:
    """What lines beside one another have in common; the first number is the level of a heading."""
    return line.level * (line.mark == "heading"), line.mark in _BOLD, line.column, line.is_item


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
        for column, cell in enumerate(map(str.strip, row.text.strip("|").split("|"))):
            goes_on = column < len(path) and cell in {"", path[column][0]}
            if cell and not goes_on:
                parent = forest.add(cell, parent, line=row.number)
                path[column:] = [(cell, parent)]
            elif goes_on:
                parent = path[column][1]
    others = len(lines) - len(rows) - bool(heads)
    forest.notice_if(others, f"only the table was read; left out: {counted(others, 'line')}")
    return forest
