"""Outlines as plain text, by indentation or by numbers; and the numbered stories of CMGN.

In indented text, a line is a node and children are indented deeper.
Indentation may be tabs, spaces, no-break or ideographic spaces; the text may follow a bullet, a list number or a
task box, or the box drawing of ``tree`` (``├── ``), with children also above a node. A bullet in
the column of a plain line above it is its child, as in chat answers with lists below a title line.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tted_core.errors import MAX_DEPTH, MapFormatError, check_limit
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import OF_ITEMS, OF_TITLE, Forest
from tted_core.formats.lines import RULE, ListLine, find_numbers
from tted_core.foundations.messages import list_some, quoted

_MOST_SKIPPED = 50


def _by_numbers(nodes: Iterable[tuple[str, str, int]], title: tuple[str, int] | None = None) -> Forest:
    """Put each node below the one whose number it extends; irregular numbers are kept, with a notice.

    Args:
        nodes: number, text and line of each.
        title: text and line of an unnumbered node above all others.

    Raises:
        MapFormatError: a number skips more levels than an outline can.
        LimitError: too many nodes or levels.
    """
    forest = Forest()
    known: dict[tuple[int, ...], int] = {(): forest.add(title[0], line=title[1]) if title else -1}
    irregular: list[str] = []
    for number, label, line in nodes:
        parts = number.split(".")
        check_limit(len(parts), MAX_DEPTH, f"levels in the number in line {line}", "flatten the map")
        key = tuple(map(int, parts))
        above = key[:-1]
        while above not in known:
            above = above[:-1]
            if len(key) - len(above) > _MOST_SKIPPED:
                raise MapFormatError("the number skips too many levels; give the nodes above it", line=line)
        is_irregular = key in known or len(above) < len(key) - 1
        irregular += [f"{number} (line {line})"] if is_irregular else []
        known[key] = forest.add(label, known[above], line=line)
    forest.notice_if(
        irregular,
        f"numbers that recur or skip a level; they went below the nearest one above: {list_some(irregular)}",
    )
    return forest


# Numbered outline: ``1. x``, ``1.1. y``, or ``[0] Root``, ``1. [3] x``.
#
# Language models are prompted for the second form. Numbers give the hierarchy, and indentation is ignored. A first
# line without a number is the root. The number in brackets is the sentence's position in the source text and is
# not part of the label.

_NUMBERED = re.compile(
    r"\s*(?:[-*+]\s+)?(?:(?P<number>[0-9]{1,6}(?:\.[0-9]{1,6})*+)"
    r"(?:[.):：、](?=\s|$|[^\W\d_])|\s+[-–—](?=\s)|(?=\s)|(?<=\.[0-9])(?=[A-Z㐀-鿿]))|(?=\[[0-9]+\]))"
    r"\s*(?P<source>\[[0-9]{1,6}\](?:\s+|$))?(?P<text>.*)"
)


def matches_numbered(document: Document) -> bool:
    """Return True if all lines have a number (except the first), some with several parts or in brackets.

    Most of those with several parts are to go on from others; prices, versions and addresses don't.
    """
    found = [_NUMBERED.match(line) for _, line in document.filled_lines]
    numbered = [match for match in (*found[1:], *found[:1]) if match]  # the first line may be a title
    texts = [match["number"] or "" for match in numbered]
    dotted = [text for text in texts if "." in text]
    in_order = find_numbers(dotted, set(texts).difference(dotted))
    return (
        None not in found[1:]
        and all(texts[:-1])
        and any(match["source"] or match["number"] in dotted for match in numbered)
        and 2 * sum(text in in_order for text in dotted) >= len(dotted)
    )


def read_numbered(document: Document) -> list[Forest]:
    """Read one map; several top numbers without a title line are several roots.

    Raises:
        MapFormatError: a line without a number.
        LimitError: too large.
    """
    nodes: list[tuple[str, str, int]] = []
    title = None
    for number, line in document.filled_lines:
        match = _NUMBERED.match(line)
        if match and match["number"]:
            nodes.append((match["number"], match["text"].strip(), number))
        elif nodes or title:
            raise MapFormatError(
                f"{quoted(line.strip())} has no number; begin it with one such as 1.2.", line=number
            )
        else:
            title = (match["text"] if match else document.list_lines[0].text), number
    return [_by_numbers(nodes, title)]


NUMBERED = Format(
    name="numbered",
    title="numbered outline (1., 1.1.)",
    extensions=(".txt",),
    matches=matches_numbered,
    read=read_numbered,
)


# CMGN ``.story``: the mind-map generation data of CNN/DailyMail (``<T1>root</T1> <T1.1>child</T1.1>``).
#
# It resembles XML but isn't (raw ampersands, wrong closing tags, repeated ids), so only opening tags are trusted:
# their numbers give the hierarchy, and a text runs to the next tag. An opening tag without a text, directly after
# one of the same number, was meant to close it. A file may have several ``<highlight>`` blocks, each a map. An
# article with the same tags may precede the first one; it isn't a map and is left out with a notice.

_OPEN = re.compile(r"<\s*T\s*([0-9]{1,6}(?:\.[0-9]{1,6})*+)\s*\.?>")
_END = re.compile(
    r"</?\s*+(?:T\s*+)?[0-9]++(?:\.[0-9]+)*+\s*\.?>|</?\s*T\b[^<>]{0,20}>|</?highlight>", re.IGNORECASE
)
_START = re.compile(r"\s*+</?\s*+(?:highlight\b|T\s*+[0-9])", re.IGNORECASE)
_BLOCK = re.compile(r"<highlight>", re.IGNORECASE)


def read_cmgn(document: Document) -> list[Forest]:
    """Read a map for each block.

    Raises:
        MapFormatError: there are no tags such as <T1>.
        LimitError: too large.
    """
    starts = [match.start() for match in _BLOCK.finditer(document.text)] or [0]
    forests = [
        _read_block(document, start, end)
        for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True)
        if _OPEN.search(document.text, start, end)
    ]
    if not forests:
        raise MapFormatError("there are no tags such as <T1> for a map, so this is not a CMGN story")
    forests[0].notice_if(
        _OPEN.search(document.text, 0, starts[0]),
        "the text before <highlight>, which has tags too, was left out: the map is what stands inside <highlight>",
    )
    return forests


def _read_block(document: Document, start: int, end: int) -> Forest:
    """Read one map, with its nodes in the order of their numbers rather than of the lines."""
    text = document.text
    tags: list[tuple[str, str, int]] = []
    closing: list[str] = []
    outside: list[str] = []
    done = start
    for match in _OPEN.finditer(text, start, end):
        outside.append(_END.sub("", text[done : match.start()]).strip())
        stop = _END.search(text, match.end(), end)
        done = stop.start() if stop else end
        label = text[match.end() : done].strip()
        line = document.line_of(match.start())
        if not label and tags and tags[-1][0] == match[1]:
            closing.append(f"{match[1]} (line {line})")
        else:
            tags.append((match[1], label, line))

    in_order = sorted(tags, key=lambda tag: [int(part) for part in tag[0].split(".")])
    forest = _by_numbers(in_order)
    forest.notice_if(in_order != tags, "lines were sorted by their numbers")
    forest.notice_if(
        closing,
        f"opening tags read as closing ones, as they follow one with the same number: {list_some(closing)}",
    )
    outside.append(_END.sub("", text[done:end]).strip())
    outside = [each for each in outside if any(map(str.isalnum, each))]
    forest.notice_if(outside, f"text without a number was left out: {list_some(map(quoted, outside))}")
    return forest


CMGN = Format(
    name="cmgn",
    title="CMGN story",
    extensions=(".story",),
    # at the very beginning, and an opening one; further on, one may be part of a label
    matches=lambda document: bool(_START.match(document.text) and _OPEN.search(document.text)),
    read=read_cmgn,
)


# Indented text


def read_indented(document: Document) -> list[Forest]:
    """Read one map; several lines in the leftmost column are several roots.

    Raises:
        LimitError: too large.
    """
    lines = [line for line in document.list_lines if not RULE.match(line.source)]
    # What has no line above it belongs to one below.
    if any(_BAR.search(line.text) for line in lines) or (lines and lines[0].source.strip()[0] in _UP):
        return [_read_both_ways(lines)]
    outline = Forest()
    drawn = any(line.mark == "branch" for line in lines)
    # A first line that is set off from all others, or has emoji below it in its column, is their title.
    apart = [line for above, line in pairwise(lines) if line.number > above.number + 1]
    has_title = (
        any(line.column for line in lines)
        and lines[0].mark in {"plain", "bold", "emoji"}
        and not any(line.column for line in lines[1:2])
        and (apart == lines[1:2] or all(line.column or line.mark.startswith("emoji") for line in lines[1:]))
    )
    # In other columns, all lines begin with emoji that recur: bullets, unlike signs for yes and no.
    signed = {line.column for line in lines if line.mark == "emoji ✓" or not line.mark.startswith("emoji ")}
    for line in lines:
        text = line.text if line.is_bullet or line.column not in signed else line.body
        is_bare = drawn and line.mark != "branch"
        # In one column, a bullet is below a line without a mark, and both are below a branch of a drawing.
        place = OF_ITEMS, line.column, is_bare + line.is_bullet
        if is_bare and not line.is_bullet and outline.last >= 0 and line.goes_on:
            outline.go_on(text)
        else:
            outline.add_at(text, (OF_TITLE,) if has_title and line is lines[0] else place, line=line.number)
    return [outline.finish()]


_UP, _DOWN, _ACROSS = "┌╭┏╔", "└╰┗╚", "├┣╠"
# The bar behind a text of a drawing that leads to children above and below it, as in ``Tea ──┤``.
_BAR = re.compile(r"(?<=[^\s─━])\s*+[─━]++\s*+┤$")


def _read_both_ways(lines: Sequence[ListLine]) -> Forest:
    """Read a drawing whose nodes have children above and below them (``┌── a``, ``root ──┤``, ``└── b``)."""
    children: list[list[int]] = [[] for _ in range(len(lines) + 1)]  # the last: the roots
    path: list[int] = []  # rows that those below may belong to
    waiting: list[int] = []  # rows that belong to one below
    for row, line in enumerate(lines):
        while waiting and lines[waiting[-1]].column > line.column:
            children[row].append(waiting.pop())
        while path and lines[path[-1]].column >= line.column:
            path.pop()
        sign = next((char for char in line.source[: line.column] if char in _UP + _DOWN + _ACROSS), " ")
        is_beside = bool(waiting) and lines[waiting[-1]].column == line.column
        if sign in _UP or (sign in _ACROSS and is_beside):
            waiting.append(row)
        else:
            children[path[-1] if path and sign != " " else -1].append(row)
        path.append(row)
    children[-1] += waiting
    forest = Forest()
    for row, parent in forest.walk(sorted(children[-1]), lambda above: sorted(children[above])):
        forest.add(_BAR.sub("", lines[row].text), parent, line=lines[row].number)
    return forest


INDENTED = Format(
    name="indented",
    title="indented text",
    extensions=(".txt",),
    matches=lambda document: not document.looks_like_json and bool(document.filled_lines),
    read=read_indented,
)
