"""Lines whose level only their place shows: sections beside numbered ones, and heads of groups of lines.

An introduction, a conclusion, an appendix or an index is on the level of the chapters. The first line of a group
between empty lines is above the others, and so is one in capitals.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from tted_core.formats.chat_words import FRONT_SECTION, NOTE
from tted_core.formats.lines import ListLine
from tted_core.formats.list_texts import without_pages
from tted_core.formats.talk import LEAST_WIDE, VERSE_ENDS, may_be_title


def mark_sections(lines: Sequence[ListLine]) -> None:
    """Give sections without a number the mark of the chapters, the first numbers of the text.

    These are all lines without a mark behind the last chapter, and those between two if there is no title; none
    are if some may be something else: text, heads of several lists, or what is below a chapter. Behind the last
    one, those with a word for another kind of chapter are too, such as appendices. An introduction in front of the
    first is one if it has a title above it or a page behind it, or other sections follow. A list of numbers alone
    has none: what makes a book are words for chapters, numbers of several parts, pages, and lists below sections.
    """
    chapter = next((line for line in lines if line.has_number), None)
    if chapter is None or chapter.column or chapter.level or (lines[0].is_item and lines[0] is not chapter):
        return
    first = lines.index(chapter)
    chapters = [
        index
        for index, line in enumerate(lines)
        if (line.mark, line.column, line.level) == (chapter.mark, 0, 0)
    ]
    before = [index for index, line in enumerate(lines[:first]) if not line.is_item]
    fronts = [index for index in before if FRONT_SECTION.fullmatch(_without_page(lines[index]))]
    numbers = {lines[index].body.removesuffix(lines[index].text) or index for index in chapters}
    if len(numbers) < len(chapters) or len(chapters) + len(fronts) < 2:
        return
    below = {(line.mark, line.column) for line in (lines[index + 1] for index in chapters[:-1])}
    inside = {line.mark for line in lines[: chapters[-1]]}
    sections = [
        index
        for index, line in enumerate(lines)
        if line.mark.startswith("chapter")
        and index > chapters[-1]
        and not (line.column or line.mark in inside)
    ]
    has_title = before[:1] != fronts[:1]
    others = [
        index
        for index, line in enumerate(lines)
        if index > first and not (line.is_item or (line.mark == "plain" and line.column))
    ]
    are_paged = any(_without_page(lines[index]) != lines[index].body for index in fronts)
    is_book = (
        chapter.mark.startswith("chapter")
        or are_paged
        or any(line.has_number and line.level for line in lines)
        or any(
            line.mark == "plain" and below.is_item and below.column
            for line, below in pairwise(lines[chapters[-1] :])
        )
    )
    if (is_book or fronts) and all(
        _may_be_section(lines, index, below)
        and (index > chapters[-1] or not (has_title or index - 1 in chapters))
        for index in others
    ):
        sections += others
    for index in [*fronts, *sections] if sections or (is_book and has_title) or are_paged else []:
        lines[index].mark = chapter.mark


def _may_be_section(lines: Sequence[ListLine], index: int, below: Collection[tuple[str, int]]) -> bool:
    """Return True for a title that isn't the rest of the line above, and has what chapters have ``below`` them."""
    above, line, *others = lines[index - 1 : index + 2]
    is_apart = line.number > above.number + 1
    is_rest = not is_apart and len(_without_page(above)) >= LEAST_WIDE
    is_paragraph = is_apart and lines[0].mark == "heading"  # of Markdown
    words = _without_page(line)
    is_title = may_be_title(words) and not words.endswith(VERSE_ENDS) and not NOTE.match(words)
    has_chapters_form = all(
        not each.is_item or each.column or each.has_number or (each.mark, 0) in below for each in others
    )
    return (
        line.mark == "plain"
        and is_title
        and has_chapters_form
        and not (is_rest or is_paragraph or line.goes_on)
    )


def _without_page(line: ListLine) -> str:
    return without_pages([line.body])[0]


def find_heads_of_groups(lines: Sequence[ListLine]) -> dict[int, int]:
    """The levels of lines above others in a text without marks and columns, by number; 0 is a title.

    They are lines in capitals, and the first ones of groups between empty lines, if most groups have two lines or
    more below that and most lines are short.
    """
    if not lines or any(line.mark != "plain" or line.column for line in lines):
        return {}
    capitals = find_capitals(lines)
    _, *starts = _find_starts(lines)
    has_title = starts[:1] == [1] and len(starts) > 1 and lines[0].number not in capitals
    starts = starts if has_title else [0, *starts]
    sizes = [end - start for start, end in pairwise([*starts, len(lines)])]
    firsts = {lines[start].number for start in starts}
    are_long = 2 * sum(size > 2 for size in sizes) > max(len(sizes), 2)
    short = [may_be_title(line.words) and not line.words.endswith(VERSE_ENDS) for line in lines]
    are_short = 4 * sum(short) >= 3 * len(lines) and all(short[start] for start in starts)
    levels = dict.fromkeys(capitals, 2)
    if (
        are_long
        and are_short
        and firsts.isdisjoint(capitals)
        and not any(lines[start].goes_on for start in starts)
    ):
        levels |= dict.fromkeys(firsts, 1)
    return levels | ({lines[0].number: 0} if has_title and levels else {})


def find_capitals(lines: Sequence[ListLine]) -> set[int]:
    """The numbers of several lines in capitals that are above others: behind empty lines, or repeated."""
    capitals = [
        line for line in lines if line.mark == "plain" and line.words.isupper() and len(line.words) > 3
    ]
    starts = {lines[start].number for start in _find_starts(lines)}
    are_apart = starts.issuperset(line.number for line in capitals)
    are_repeated = len({line.words for line in capitals}) < len(capitals)
    are_heads = 1 < len(capitals) <= len(lines) / 2 and (are_apart or are_repeated)
    return {line.number for line in capitals} if are_heads else set()


def _find_starts(lines: Sequence[ListLine]) -> list[int]:
    """The indices of the first line, and of those behind empty lines."""
    return [0] + [
        index + 1 for index, (above, line) in enumerate(pairwise(lines)) if line.number > above.number + 1
    ]
