"""CMGN ``.story``: the mind-map generation data of CNN/DailyMail (``<T1>root</T1> <T1.1>child</T1.1>``).

It looks like XML and is none (raw ampersands, wrong closing tags, repeated ids), so opening tags alone are
trusted: the numbers say where a node belongs, and its text runs to the next tag. An opening tag without a text,
right behind one of the same number, was meant to close it. A file may hold several
``<highlight>`` blocks, each a map. Before the first one an article may stand in which the same tags were marked
first; it is no map and is left out with a notice.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import counted
from tted_core.formats.outline_numbers import NumberedNodes

_OPEN = re.compile(r"<\s*T\s*([0-9]{1,6}(?:\.[0-9]{1,6})*+)\s*\.?>")
_END = re.compile(
    r"</?\s*+(?:T\s*+)?[0-9]++(?:\.[0-9]+)*+\s*\.?>|</?\s*T\b[^<>]{0,20}>|</?highlight>", re.IGNORECASE
)
_START = re.compile(r"\s*+</?\s*+(?:highlight\b|T\s*+[0-9])", re.IGNORECASE)
_BLOCK = re.compile(r"<highlight>", re.IGNORECASE)


def matches(document: Document) -> bool:
    """A tag at the very beginning, and an opening one such as <T1>; further on, one may be part of a label."""
    return _START.match(document.text) is not None and _OPEN.search(document.text) is not None


def read(document: Document) -> list[Forest]:
    """Read a map for each block.

    Raises:
        MapFormatError: no tag such as <T1> in it.
        LimitError: too large.
    """
    starts = [match.start() for match in _BLOCK.finditer(document.text)] or [0]
    marked = len(_OPEN.findall(document.text, 0, starts[0]))
    if not _OPEN.search(document.text, starts[0]):
        starts[0] = marked = 0
    forests = [
        _read_block(document, start, end)
        for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True)
        if _OPEN.search(document.text, start, end)
    ]
    if not forests:
        raise MapFormatError("there is no tag such as <T1> in it, so it is no CMGN story")
    if marked:
        forests[0].notices.append(
            f"the text before <highlight>, which has {counted(marked, 'tag')} too, was left out: the map is what "
            f"stands inside <highlight>"
        )
    return forests


def _read_block(document: Document, start: int, end: int) -> Forest:
    """Read one map, its nodes in the order of their numbers, whatever the order of the lines."""
    text = document.text
    tags: list[tuple[str, str, int]] = []
    closing: list[str] = []
    for match in _OPEN.finditer(text, start, end):
        stop = _END.search(text, match.end(), end)
        label = text[match.end() : stop.start() if stop else end].strip()
        line = document.line_of(match.start())
        if not label and tags and tags[-1][0] == match[1]:
            closing.append(f"{match[1]} (line {line})")
        else:
            tags.append((match[1], label, line))

    nodes = NumberedNodes()
    in_order = sorted(tags, key=lambda tag: [int(part) for part in tag[0].split(".")])
    for number, label, line in in_order:
        nodes.add(number, label, line)
    nodes.note()
    if closing:
        nodes.forest.notices.append(
            f"opening tags that close the node before them, taken as closing ones: {listed(closing)}"
        )
    if in_order != tags:
        nodes.forest.notices.append("the lines are not in the order of their numbers, which was taken")
    return nodes.forest


CMGN = Format(name="cmgn", title="CMGN story", extensions=(".story",), matches=matches, read=read)
