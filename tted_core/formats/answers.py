"""Lists as chat models write them: mixed marks, bold lines as headings, words for levels ("Branch 1:"), tables.

Markdown, numbers and indentation have readers of their own for texts in one of these forms. This reader takes
mixtures: a mark that returns after another one in the same column, letters and Roman numerals, emoji as bullets,
bold lines above lists, "Central Topic:" and "Branch 1:". The level of a line follows from (in this order) being a
title, its heading level, bold lines, its column, words for its level, and its kind of mark.

The texts of all lists are cleaned here, whichever reader read them.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tted_core.formats.chat_words import LEVEL_LINE, LEVEL_WORD, MAP
from tted_core.formats.document import Document
from tted_core.formats.forest import OF_ITEMS, Forest, Outline
from tted_core.formats.labels import counted, quoted
from tted_core.formats.lines import (
    ROMANS,
    SYMBOLS,
    ListLine,
    symbols_at,
    without_marks,
    without_symbols,
)
from tted_core.formats.markdown import FRONT_MATTER
from tted_core.formats.talk import is_said, topic_of_title

# Logseq's properties, code and underlined headings, which this reader doesn't know.
_OTHERS = re.compile(r"::|```|~~~|^ {0,3}(?:=+|-{2,})\s*$", re.MULTILINE)

_TABLE_RULE = re.compile(r"\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)++\s*+:?-*+:?\s*+$")
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_AFTER_WORD = re.compile(r"[:：–—-]")
_UNRANKED = 9
_MOST_SHORT = 40  # characters of a line that isn't wrapped
_OF_TITLE = -1


def _is_mixed(lines: Sequence[ListLine]) -> bool:
    """Return True if a text has features that only this reader understands."""
    items = [line for line in lines if line.is_item]
    ranked = any(line.rank is not None or _is_level_line(line) for line in lines)
    bold = any(line.mark in {"bold", "run-in"} for line in lines[:-1])
    if not items:
        return ranked or bold or _is_table(lines)
    if _has_plain_children(lines):
        return True
    heads = [
        line for line, below in pairwise(lines) if line.mark == "plain" and not line.column and below.is_item
    ]
    return (
        ranked
        or any(line.is_numbered or line.level > 1 or line.mark.startswith("emoji") for line in items)
        or any(line.mark in {"bold", "run-in"} and below.mark != "plain" for line, below in pairwise(lines))
        or (len(heads) > 1 and lines[0].mark == lines[1].mark == "plain" and lines[0] not in heads)
        or {"branch"} < {line.mark for line in lines}.difference(("plain", "row", "-"))
        or _comes_back(items)
    )


def _is_table(lines: Sequence[ListLine]) -> bool:
    """Return True if a text is a table, with at most a title and a sentence around it."""
    rows = sum(line.mark == "row" for line in lines)
    return rows > 2 and len(lines) - rows < 3 and not any(line.is_item for line in lines)


def _has_plain_children(lines: Sequence[ListLine]) -> bool:
    """Return True if short lines without marks are below numbers, and nothing else shows levels."""
    heads = [line.is_numbered or line.mark.startswith("digit") for line in lines]
    others = [line for line, head in zip(lines, heads, strict=True) if not head]
    is_wrapped = len(others) == sum(heads) and all(line.body[0].islower() for line in others)
    are_chapters = any(line.mark.startswith("chapter") for line in lines)  # which aren't wrapped
    return (
        sum(heads) > 1
        and heads[:2] != [False, False]
        and not is_wrapped
        and (are_chapters or not any(head and below for head, below in pairwise([*heads, True])))
        and all(not line.column and line.text and len(line.body) <= _MOST_SHORT for line in lines)
        and all(line.mark == "plain" for line in others)
    )


def _is_level_line(line: ListLine) -> bool:
    return LEVEL_LINE.match(without_marks(line.text)) is not None


def _comes_back(lines: Sequence[ListLine]) -> bool:
    """Return True if a mark returns after another one in a column, or dashes follow below a number."""
    open_marks: dict[int, dict[str, None]] = {}
    for line in lines:
        open_marks = {column: marks for column, marks in open_marks.items() if column <= line.column}
        seen = open_marks.setdefault(line.column, {})
        first, last = next(iter(seen), ""), next(reversed(seen), line.mark)
        if last != line.mark and (line.mark in seen or (first, line.mark) == ("digit.", "-")):
            return True
        seen[line.mark] = None
    return False


def read_mixed(document: Document) -> Forest | None:
    """Read one map, or return None for a text in one form; lines that are no nodes are counted in a notice.

    Raises:
        LimitError: too large.
    """
    lines = _lines(document)
    if not lines or not _is_mixed(lines):
        return None
    rows = [line for line in lines if line.mark == "row"]
    if _is_table(lines):
        return _read_table(lines, rows)
    lines = [line for line in lines if line.mark != "row"]
    is_flat = _has_plain_children(lines)
    title = lines[0] if is_flat and lines[0].mark == "plain" else _title(lines)
    bare = not any(line.is_item for line in lines)
    has_heads = any(line.mark in {"heading", "bold"} for line in lines)
    outline = Outline()
    emoji: dict[int, str] = {}
    left_out = len(rows)
    for above, line, below in zip([lines[0], *lines], lines, [*lines[1:], lines[-1]], strict=False):
        is_plain = line.mark == "plain" and line.rank is None and line is not title
        is_apart = has_heads and line.number > above.number + 1 and below.number > line.number + 1
        is_text = (is_apart or above.mark == "heading") and _SENTENCE_END.search(line.words) is not None
        is_head = not is_text and (below.column > line.column or (below.is_item and not line.column))
        if is_plain and is_flat:
            outline.add_line(line, line.text, (OF_ITEMS, 1))
            continue
        if is_plain and not bare and (not is_head or is_said(without_marks(line.text))):
            if line.column and outline.last >= 0:
                outline.go_on(line.text)
            else:
                left_out += 1
            continue
        level = (OF_ITEMS, line.column) if bare and is_plain else _level(line)
        outline.add_line(
            line, None if _is_level_line(line) else line.text, (0,) if line is title else level, line.mark
        )
        if line.mark.startswith("emoji"):
            emoji[outline.last] = symbols_at(line.body)
    forest = outline.finish()
    for node in (
        emoji.keys() & forest.parents
    ):  # of heads; settle_texts counts and removes them in all layouts
        forest.labels[node] = emoji[node] + forest.labels[node]
    forest.notice_if(
        left_out, f"only headings and list items are nodes; not read: {counted(left_out, 'line')}"
    )
    return forest


def _level(line: ListLine) -> tuple[int, ...]:
    if line.rank == 0:
        return (0,)
    if line.mark == "heading":
        return (1, line.level)
    if line.mark in {"bold", "run-in"} or (line.mark == "plain" and line.rank is None and not line.column):
        return (2, line.mark == "run-in")
    return (OF_ITEMS, line.column, _UNRANKED if line.rank is None else line.rank, line.level)


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
    is_bare = first.mark == "bold" and lines[1].mark == "plain" and len(heads) == len(lines) - 1
    if has_emoji and len(heads) in {0, len(lines) - 1}:
        return None
    if is_bare and any(line.mark == "bold" for line in heads):
        return None
    return first if not heads or heads[0] is lines[1] else None


def _lines(document: Document) -> list[ListLine]:
    """The lines without words for their levels; none are for others.

    "Central idea:" is one if only one line has it.

    "Topic:" is such a word above the first item only, and "Level 2:" isn't if headings of one level have several.
    """
    if FRONT_MATTER.match(document.text) or _OTHERS.search(document.text):
        return []
    lines = [_without_level_word(line) for line in document.list_lines]
    ranks: dict[int, set[int | None]] = defaultdict(set)
    for line in lines:
        if line.mark == "heading":
            ranks[line.level].add(line.rank)
    for index, line in enumerate(lines):
        if line.mark == "heading" and len(ranks[line.level].difference((None, 0, _OF_TITLE))) > 1:
            lines[index] = document.list_lines[index]
    topics = [index for index, line in enumerate(lines) if line.rank == _OF_TITLE]
    centres = [index for index, line in enumerate(lines) if line.rank == 0]
    for index in centres if len(centres) > 1 else ():
        lines[index] = document.list_lines[index]
    for index in topics:
        is_title = len(topics) == 1 and not any(line.is_item for line in lines[:index])
        lines[index] = replace(lines[index], rank=0) if is_title else document.list_lines[index]
    return lines


def _without_level_word(line: ListLine) -> ListLine:
    """Remove the word for a line's level in front of its text, and set the line's rank."""
    plain = without_marks(line.text) if _AFTER_WORD.search(line.text) else ""
    found = LEVEL_WORD.match(plain[len(symbols_at(plain)) :])
    if found is None or not found["rest"].strip() or line.mark == "row":
        return line
    number = found["sub_number"] or found["branch_number"] or ""
    rank = 1 + max(number.count("."), found["sub"] is not None)
    if found["centre"] or found["topic"]:
        rank = 0 if found["centre"] else _OF_TITLE
    elif found["level"] or found["ordinal"]:
        rank = int(found["level_number"] or "一二三四五".index(found["ordinal"]) + 1)
    return replace(line, text=found["rest"].strip(), rank=rank)


def _read_table(lines: Sequence[ListLine], rows: Sequence[ListLine]) -> Forest:
    """A table: each column contains the children of the one to its left; an empty or equal cell continues it."""
    forest = Forest()
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


_COLON = re.compile(r"(?<=[^\s\\])\s*[:：]([*_]{0,3})\s*$")
_ORDINAL = re.compile(
    r"[（(]?(?:(?:\d{1,3}\.)*(?P<digit>\d{1,3})|(?P<roman>[IVX]{1,5})|(?P<letter>[A-Z])|"
    r"(?P<chinese>[一二三四五六七八九十]{1,3}))"
    r"(?:(?:[.)]|\ufe0f?\u20e3|(?<=\.\d)|(?<=\.\d\d))(?= \S|(?<=\d\.)[^\W\d_])|[、．）](?= ?\S))"
)
_DIGITS = "一二三四五六七八九"
_CHINESE = (*_DIGITS, "十", *(f"十{digit}" for digit in _DIGITS), "二十")
# Dots and a page's number, at the end of a line in a table of contents.
_PAGE = re.compile(r"(?: ?(?<!\.)\.{3,}+|(?<!…)…++|(?<!\t)\t++) ?(?P<page>\d{1,4})$")

_QUOTED = re.compile(r"\"[^\"]+\"$|“[^”]+”$|«[^»]+»$|„[^“]+“$")


def settle_texts(forest: Forest) -> None:
    """Remove what a list adds to its texts.

    These are colons before children, ascending numbers, emoji around texts with children (and those beside them if
    all have one), quotes around each text, and "Mind Map:" before a root.
    """
    _settle_roots(forest)
    _put_title_above(forest)
    pages = [int(found["page"]) for label in forest.labels if (found := _PAGE.search(label))]
    if 2 * len(pages) > len(forest.labels) and pages == sorted(pages):
        forest.labels[:] = [_PAGE.sub("", label) for label in forest.labels]
        forest.notices.append(f"page numbers were removed from {counted(len(pages), 'text')}")
    if all(map(_QUOTED.match, forest.labels)):
        forest.labels[:] = [label[1:-1] for label in forest.labels]
    below: dict[int, list[int]] = defaultdict(list)
    numbers: dict[int, str] = {}
    emoji = 0
    for node, parent in enumerate(forest.parents):
        below[parent].append(node)
    for parent, nodes in below.items():
        if parent >= 0 and "\n" not in forest.labels[parent]:
            forest.labels[parent] = _COLON.sub(r"\1", forest.labels[parent])
        _remove_numbers(forest, nodes, numbers, numbers.get(parent, ""))
        bare = {node: without_symbols(forest.labels[node]) for node in nodes}
        decorated = [node for node in nodes if bare[node] != forest.labels[node]]
        heads = [node for node in decorated if node in below]
        for node in decorated if len(decorated) == len(nodes) and heads else heads:
            forest.labels[node] = bare[node]
            emoji += 1
        if heads:
            _remove_numbers(forest, nodes, numbers, numbers.get(parent, ""))
    forest.notice_if(emoji, f"emoji were removed from the beginning or end of {counted(emoji, 'text')}")


def _remove_numbers(forest: Forest, nodes: Sequence[int], numbers: dict[int, str], above: str) -> None:
    """Remove the numbers of siblings if all have one and they ascend; ``above`` is that of their parent."""
    found = _find_ordinals([forest.labels[node] for node in nodes])
    if found and (len(found) > 1 or above):
        for node, each in zip(nodes, found, strict=True):
            before, _, text = forest.labels[node].partition(each[0])
            forest.labels[node] = before + text.lstrip()
            numbers[node] = each[0].strip(" .)")


def _find_ordinals(labels: Sequence[str]) -> list[re.Match[str]]:
    """The numbers in front of texts; none if not all have one, or if they don't ascend."""
    found = [each for label in labels if (each := _ORDINAL.match(without_marks(label)))]
    count = len(found)
    in_order = (
        [each["digit"] for each in found] == [str(number) for number in range(1, count + 1)]
        or [each["roman"] for each in found] == list(ROMANS[:count])
        or [each["letter"] or each["roman"] for each in found] == list("ABCDEFGHIJKLMNOP"[:count])
        or [each["chinese"] for each in found] == list(_CHINESE[:count])
    )
    return found if count == len(labels) and in_order else []


def _put_title_above(forest: Forest) -> None:
    """Put numbered roots below the first one, if it is a title: without a number and children."""
    first, *others = [node for node, parent in enumerate(forest.parents) if parent < 0] or [-1]
    is_title = len(others) > 1 and first not in forest.parents and not _ORDINAL.match(forest.labels[first])
    if is_title and _find_ordinals([forest.labels[node] for node in others]):
        for node in others:
            forest.parents[node] = first
        forest.notices.append(
            f"{counted(len(others), 'numbered root')} went below the title, {quoted(forest.labels[first])}"
        )


def _settle_roots(forest: Forest) -> None:
    """Remove "Mind Map:" before a root, and a root that is only that or equal to the next one.

    The real root is then below or beside it.
    """
    roots = [node for node, parent in enumerate(forest.parents) if parent < 0]
    if not roots:
        return
    names_map = MAP.search(without_marks(forest.labels[roots[0]])) is not None
    for node in roots:
        forest.labels[node] = topic_of_title(forest.labels[node])
    below = [child for child, parent in enumerate(forest.parents) if parent == roots[0]]
    nodes = roots[:2] if len(roots) > 1 else [*roots, *below[:1]]
    bare = (SYMBOLS.sub("", without_marks(forest.labels[node])) for node in nodes)
    first, *others = (title.strip(" :：").casefold() for title in bare)
    if len(roots) > 1:
        is_title = len(roots) == 2 and not below
        is_same = first == others[0] or (names_map and (others[0] in first or first in others[0]))
    else:
        is_title = len(below) == 1 and below[0] in forest.parents
        is_same = names_map and first in others
    if is_title and (is_same or MAP.fullmatch(first)):
        forest.notice_if(
            first not in others and not MAP.fullmatch(first),
            f"left out, as a title of the map: {quoted(forest.labels[roots[0]])}",
        )
        forest.remove({roots[0]})
