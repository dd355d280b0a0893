"""Nodes with hierarchical numbers such as 1.2.3: numbered outlines, and the stories of CMGN."""

import re
from collections.abc import Iterable

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_DEPTH, check_limit

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
    root = forest.add(title[0], line=title[1]) if title else -1
    known: dict[tuple[int, ...], int] = {(): root}
    repeated: list[str] = []
    orphans: list[str] = []
    for number, label, line in nodes:
        parts = number.split(".")
        check_limit(len(parts), MAX_DEPTH, f"levels in the number in line {line}", "flatten the map")
        key = tuple(map(int, parts))
        above = key[:-1]
        while above not in known:
            above = above[:-1]
            if len(key) - len(above) > _MOST_SKIPPED:
                raise MapFormatError("the number skips too many levels; give the nodes above it", line=line)
        shown = f"{number} (line {line})"
        repeated += [shown] if key in known else []
        orphans += [shown] if len(above) < len(key) - 1 else []
        known[key] = forest.add(label, known[above], line=line)
    forest.notice_if(repeated, f"numbers that occur more than once, kept as siblings: {listed(repeated)}")
    forest.notice_if(
        orphans,
        f"no node has the number above these, so they went below the nearest one there is: {listed(orphans)}",
    )
    return forest


# Numbered outline: ``1. x``, ``1.1. y``, or ``[0] Root``, ``1. [3] x``.
#
# Language models are prompted for the second form. Numbers give the hierarchy, and indentation is ignored. A first
# line without a number is the root. The number in brackets is the sentence's position in the source text and is
# not part of the label.

_NUMBERED = re.compile(
    r"\s*(?:[-*+]\s+)?(?:(?P<number>[0-9]{1,6}(?:\.[0-9]{1,6})*+)(?:[.)](?=\s|$|[^\W\d_])|(?=\s))|(?=\[[0-9]+\]))"
    r"\s*(?P<source>\[[0-9]{1,6}\](?:\s+|$))?(?P<text>.*)"
)


def matches_numbered(document: Document) -> bool:
    """Return True if all lines have a number (except the first), some with several parts or in brackets."""
    found = [_NUMBERED.match(line) for _, line in document.filled_lines]
    numbered = [match for match in (*found[1:], *found[:1]) if match]  # the first line may be a title
    return (
        None not in found[1:]
        and all(match["number"] for match in numbered[:-1])
        and any(match["source"] or "." in (match["number"] or "") for match in numbered)
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
            heading = document.list_lines[0]
            plain = heading.text if heading.mark == "heading" else line.strip()
            title = (match["text"] if match else plain), number
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
        f"opening tags read as closing ones, as they follow one with the same number: {listed(closing)}",
    )
    outside.append(_END.sub("", text[done:end]).strip())
    outside = [each for each in outside if any(map(str.isalnum, each))]
    forest.notice_if(outside, f"text without a number was left out: {listed(map(quoted, outside))}")
    return forest


CMGN = Format(
    name="cmgn",
    title="CMGN story",
    extensions=(".story",),
    # at the very beginning, and an opening one; further on, one may be part of a label
    matches=lambda document: bool(_START.match(document.text) and _OPEN.search(document.text)),
    read=read_cmgn,
)
