"""Texts of lists, cleaned of what only a list adds to them, whichever reader read it.

These are colons before children, ascending numbers, emoji, page numbers, and "Mind Map:" before a root.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from operator import ne
from string import ascii_uppercase

from tted_core.formats.chat_words import MAP
from tted_core.formats.forest import Forest
from tted_core.formats.labels import SYMBOLS, without_marks, without_symbols
from tted_core.formats.lines import ROMANS
from tted_core.formats.talk import topic_of_title
from tted_core.foundations.messages import counted, quoted

_COLON = re.compile(r"(?<=[^\s\\])\s*[:：]([*_]{0,3})\s*$")
_ORDINAL = re.compile(
    r"[（(]?(?P<above>(?:\d{1,3}\.)*)(?P<sign>\d{1,3}|[IVX]{1,5}|[ivx]{1,5}|[A-Za-z]|[一二三四五六七八九十]{1,3})"
    r"(?:(?:[.)]|\ufe0f?\u20e3|(?<=\.\d)|(?<=\.\d\d))(?= \S|(?<=\d\.)[^\W\d_])|[、．）](?= ?\S))"
)
# Dots and a page's number, at the end of a line in a table of contents.
_PAGE = re.compile(r"(?<![ .…\t]) ?(?=\.{3}|\.{0,2}…|\t)[.…\t]++\s?(?P<page>\d{1,4}|[ivxlc]{1,7})$")

_QUOTED = re.compile(r"\"[^\"]+\"$|“[^”]+”$|«[^»]+»$|„[^“]+“$")


def settle_texts(forest: Forest) -> None:
    """Remove what a list adds to its texts.

    These are colons before children, ascending numbers, emoji around texts with children (and those beside them if
    all have one), quotes around each text, and "Mind Map:" before a root.
    """
    _settle_roots(forest)
    _put_title_above(forest)
    labels = without_pages(forest.labels)
    pages = sum(map(ne, labels, forest.labels))
    forest.labels[:] = labels
    forest.notice_if(pages, f"page numbers were removed from {counted(pages, 'text')}")
    if all(map(_QUOTED.match, forest.labels)):
        forest.labels[:] = [label[1:-1] for label in forest.labels]
    below: dict[int, list[int]] = defaultdict(list)
    numbered: set[int] = set()
    emoji = 0
    for node, parent in enumerate(forest.parents):
        below[parent].append(node)
    for parent, nodes in below.items():
        if parent >= 0 and "\n" not in forest.labels[parent]:
            forest.labels[parent] = _COLON.sub(r"\1", forest.labels[parent])
        bare = {node: without_symbols(forest.labels[node]) for node in nodes}
        decorated = [node for node in nodes if bare[node] != forest.labels[node]]
        heads = [node for node in decorated if node in below]
        for node in decorated if len(decorated) == len(nodes) and heads else heads:
            forest.labels[node] = bare[node]
            emoji += 1
        found = _find_ordinals([forest.labels[node] for node in nodes])
        if len(found) > 1 or (found and parent in numbered):
            numbered.update(nodes)
            for node, each in zip(nodes, found, strict=True):
                before, _, text = forest.labels[node].partition(each[0])
                forest.labels[node] = before + text.lstrip()
    forest.notice_if(emoji, f"emoji were removed from the beginning or end of {counted(emoji, 'text')}")


def without_pages(labels: Sequence[str]) -> list[str]:
    r"""Texts without the numbers of pages at their ends, if more than half have one and they ascend.

    >>> without_pages(["Preface ... iii", "One\t1", "Two\t7"])
    ['Preface', 'One', 'Two']
    """
    pages = [
        int(found["page"]) if found["page"].isdecimal() else 0
        for label in labels
        if (found := _PAGE.search(label))
    ]
    is_contents = 2 * len(pages) > len(labels) and pages == sorted(pages)
    return [_PAGE.sub("", label) for label in labels] if is_contents else list(labels)


def _find_ordinals(labels: Sequence[str]) -> list[re.Match[str]]:
    """The numbers in front of texts; none if not all have one, or if they don't count on."""
    found = [each for label in labels if (each := _ORDINAL.match(without_marks(label)))]
    signs = [each["sign"].upper() for each in found]
    numbers = [int(each["sign"]) for each in found if each["sign"].isdecimal() and not each["above"]]
    is_rising = (
        len(numbers) == len(labels)
        and numbers[0] < 2
        and numbers[-1] <= 2 * len(numbers)  # of dates, most are missing
        and numbers == sorted(set(numbers))
    )
    rows = (ROMANS, ascii_uppercase, "一二三四五六七八九十", list(map(str, range(1, len(labels) + 1))))
    return found if is_rising or any(signs == list(row[: len(labels)]) for row in rows) else []


def _put_title_above(forest: Forest) -> None:
    """Put numbered roots below the first one, if it is a title: without a number and children."""
    first, *others = [node for node, parent in enumerate(forest.parents) if parent < 0] or [-1]
    if (
        len(others) > 1
        and first not in forest.parents
        and _find_ordinals([forest.labels[node] for node in others])
    ):
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
    names_map = any(MAP.search(without_marks(forest.labels[node])) for node in roots[:1])
    for node in roots:
        forest.labels[node] = topic_of_title(forest.labels[node])
    nodes = [*roots, *(child for child, parent in enumerate(forest.parents) if parent in roots[:1])]
    if len(nodes) != 2:
        return
    bare = (SYMBOLS.sub("", without_marks(forest.labels[node])) for node in nodes)
    first, second = (title.strip(" :：").casefold() for title in bare)
    is_same = first == second and (names_map or len(roots) > 1)
    is_part = names_map and len(roots) > 1 and (second in first or first in second)
    if is_same or is_part or MAP.fullmatch(first):
        forest.notice_if(
            first != second and not MAP.fullmatch(first),
            f"left out, as a title of the map: {quoted(forest.labels[roots[0]])}",
        )
        forest.remove({roots[0]})
