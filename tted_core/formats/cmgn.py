"""CMGN ``.story``: the mind-map generation data of CNN/DailyMail (``<T1>root</T1> <T1.1>child</T1.1>``).

It looks like XML and is none (raw ampersands, wrong closing tags, repeated ids), so opening tags alone are
trusted: the numbers say where a node belongs, and its text runs to the next tag. A file may hold several
``<highlight>`` blocks, each a map.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
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
    starts[0] = 0
    forests = [
        _read_block(document, start, end)
        for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True)
        if _OPEN.search(document.text, start, end)
    ]
    if not forests:
        raise MapFormatError("there is no tag such as <T1> in it, so it is no CMGN story")
    return forests


def _read_block(document: Document, start: int, end: int) -> Forest:
    nodes = NumberedNodes()
    text = document.text
    for match in _OPEN.finditer(text, start, end):
        closing = _END.search(text, match.end(), end)
        label = text[match.end() : closing.start() if closing else end]
        nodes.add(match[1], label.strip(), document.line_of(match.start()))
    nodes.note()
    return nodes.forest


CMGN = Format(name="cmgn", title="CMGN story", extensions=(".story",), matches=matches, read=read)
