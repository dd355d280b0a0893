"""SciaReto and the NetBeans mind map plugin (``.mmd``): headings of any depth below a line ``> __version__=...``.

It looks like Markdown, but headings go deeper than six, and the list items and ``<pre>`` blocks below a heading
are its notes, links and files, which are not nodes.
"""

import html
import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted, without_tags

_VERSION = re.compile(r"^> ?__version__=", re.MULTILINE)
_HEADING = re.compile(r"(#+)[ \t]+(.*)")
_EXTRA = re.compile(r"- (NOTE|FILE|LINK|TOPIC|CODE)\b")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#<>+.!\-])")


def matches(document: Document) -> bool:
    """A version line near the top."""
    return _VERSION.search(document.text[:2000]) is not None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no heading.
        LimitError: too large.
    """
    forest = Forest()
    path: list[tuple[int, int]] = []
    extras = 0
    closing = ""  # what ends the block of text that is open
    for number, line in document.lines:
        if closing:
            closing = "" if closing in line else closing
            continue
        if line.startswith(("<pre>", "```")):
            end = "</pre>" if line.startswith("<pre>") else "```"
            closing = "" if end in line[3:] else end
        extras += _EXTRA.match(line) is not None
        match = _HEADING.match(line)
        if match:
            level = len(match[1])
            while path and path[-1][0] >= level:
                path.pop()
            label = html.unescape(without_tags(_ESCAPE.sub(r"\1", match[2])))
            path.append((level, forest.add(label, path[-1][1] if path else -1, line=number)))
    if not forest.labels:
        raise MapFormatError("the mind map holds no heading", line=document.first_line)
    if extras:
        forest.notices.append(
            f"not part of the labels: {counted(extras, 'note, link or file', 'notes, links and files')}"
        )
    return [forest]


SCIARETO = Format(
    name="sciareto", title="SciaReto, NetBeans mind map", extensions=(".mmd",), matches=matches, read=read
)
