"""Numbered outline: ``1. x``, ``1.1. y``, or ``[0] Root``, ``1. [3] x``.

The second form is one that language models are asked for. The number says where a node belongs; indentation
does not matter. A first line without a number is the root of the numbered lines. The number in brackets is
the sentence's place in the source text and is not part of the label.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import quoted
from tted_core.formats.outline_numbers import NumberedNodes

_NUMBERED = re.compile(
    r"\s*(?:[-*+]\s+)?(?:(?P<number>[0-9]{1,6}(?:\.[0-9]{1,6})*+)(?:[.)](?=\s|$)|(?=\s))|(?=\[[0-9]+\]))"
    r"\s*(?P<source>\[[0-9]{1,6}\](?:\s+|$))?(?P<text>.*)"
)


def matches(document: Document) -> bool:
    """Lines that all have a number (the first may have none), some with several parts or a bracketed one."""
    lines = document.filled_lines
    if not lines:
        return False
    found = [_NUMBERED.match(line) for _, line in lines]
    numbered = [match for match in found[1:] if match]
    if len(numbered) < len(lines) - 1 or not (numbered or found[0]):
        return False
    if found[0]:
        numbered.append(found[0])
    if any(match["number"] is None for match in numbered[:-1]):
        return False
    return any(match["source"] or "." in (match["number"] or "") for match in numbered)


def read(document: Document) -> list[Forest]:
    """Read one map; several top numbers without a title line are several roots.

    Raises:
        MapFormatError: a line without a number.
        LimitError: too large.
    """
    nodes = NumberedNodes()
    for index, (number, line) in enumerate(document.filled_lines):
        match = _NUMBERED.match(line)
        if match and match["number"]:
            nodes.add(match["number"], match["text"].strip(), number)
        elif not index:
            nodes.title = nodes.forest.add(match["text"] if match else line.strip(), line=number)
        else:
            raise MapFormatError(
                f"{quoted(line.strip())} has no number; begin it with one such as 1.2.", line=number
            )
    nodes.note()
    return [nodes.forest]


NUMBERED = Format(
    name="numbered",
    title="numbered outline (1., 1.1.)",
    extensions=(".txt",),
    matches=matches,
    read=read,
)
