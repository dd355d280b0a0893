"""Sections without a number beside numbered ones: an introduction, a conclusion, an appendix, an index.

In tables of contents and outlines of theses they are on the level of the chapters, though nothing shows it but
their place and that nothing else stands there without a mark.
"""

from collections.abc import Collection, Sequence

from tted_core.formats.chat_words import FRONT_SECTION, NOTE
from tted_core.formats.lines import ListLine
from tted_core.formats.list_texts import without_pages
from tted_core.formats.talk import LEAST_WIDE, VERSE_ENDS, may_be_title


def mark_sections(lines: Sequence[ListLine]) -> None:
    """Give sections without a number the mark of the chapters, the first numbers of the text.

    These are all lines without a mark behind the last chapter, and those between two if there is no title; none
    are if some may be something else: text, heads of several lists, or what is below a chapter. Behind the last
    one, those with a word for another kind of chapter are too, such as appendices. An introduction in front of the
    first is one if it has a title above it or a page behind it, or other sections follow.
    """
    first = next((index for index, line in enumerate(lines) if line.has_number), len(lines))
    chapter = next(iter(lines[first:]), None)
    if chapter is None or chapter.column or chapter.level or (first and lines[0].is_item):
        return
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
    if all(
        _may_be_section(lines, index, below)
        and (index > chapters[-1] or not (has_title or index - 1 in chapters))
        for index in others
    ):
        sections += others
    are_paged = any(_without_page(lines[index]) != lines[index].body for index in fronts)
    for index in [*fronts, *sections] if sections or has_title or are_paged else []:
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
