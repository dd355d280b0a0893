"""Org mode: headlines are the nodes, the number of stars is the level.

TODO keywords (also those that ``#+TODO:`` declares), priorities and tags are not part of a label, and of a link
only its description is. Text, lists and properties below a headline are not nodes; a notice counts them. Own
parser, since orgparse 0.5 takes seconds for a headline full of brackets.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted

_HEADLINE = re.compile(r"(\*+)[ \t]")
_SETTING = re.compile(r"#\+[A-Za-z_]+:|:PROPERTIES:\s*$")
_KEYWORDS = ("#+TODO:", "#+SEQ_TODO:", "#+TYP_TODO:")
_PRIORITY = re.compile(r"\A\[#[A-Za-z0-9]{1,2}\]\s*")
_TAGS = re.compile(r":(?:[\w@#%]+:)+\Z")
_LINK = re.compile(r"\[\[([^\[\]\n]*)\](?:\[([^\[\]\n]*)\])?\]")


def matches(document: Document) -> bool:
    """A headline at the beginning of a line, and either a deeper one or an Org setting."""
    if "*" not in document.text:
        return False
    stars = {len(match[1]) for _, line in document.lines if (match := _HEADLINE.match(line))}
    return bool(stars) and (max(stars) > 1 or any(_SETTING.match(line) for _, line in document.lines))


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no headline.
        LimitError: too large.
    """
    keywords = {"TODO", "DONE"}
    forest = Forest()
    path: list[tuple[int, int]] = []  # level and node of the headlines above
    for number, line in document.lines:
        match = _HEADLINE.match(line)
        if match:
            level = len(match[1])
            while path and path[-1][0] >= level:
                path.pop()
            label = _label(line[match.end() :], keywords)
            path.append((level, forest.add(label, path[-1][1] if path else -1, line=number)))
        elif line.startswith(_KEYWORDS):
            keywords.update(word.partition("(")[0] for word in line.partition(":")[2].split())
    if not forest.labels:
        raise MapFormatError("there is no headline (a line that begins with '* ')", line=document.first_line)
    others = len(document.filled_lines) - len(forest)
    if others:
        text = f"{counted(others, 'line')} of text, lists and properties"
        forest.notices.append(f"only headlines are nodes; not read: {text}")
    return [forest]


def _label(text: str, keywords: set[str]) -> str:
    """A headline without its keyword, priority and tags."""
    text = text.strip()
    first, _, rest = text.partition(" ")
    if first in keywords:
        text = rest.lstrip()
    text = _PRIORITY.sub("", text, count=1)
    last = text.rsplit(None, 1)
    if last and _TAGS.match(last[-1]):
        text = text[: -len(last[-1])].rstrip()
    return _LINK.sub(lambda match: match[2] or match[1], text)


ORG = Format(name="org", title="Org mode", extensions=(".org",), matches=matches, read=read)
