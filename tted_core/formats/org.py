"""Org mode: headlines are the nodes, the number of stars is the level.

TODO keywords, priorities, tags, properties and dates are not part of a label, and of a link only its description
is. Text and lists below a headline are not nodes; a notice counts them.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.limits import MAX_LABEL_CHARACTERS, MAX_NODES_READ, check_limit

_HEADLINE = re.compile(r"(\*+)[ \t]")
_SETTING = re.compile(r"#\+[A-Za-z_]+:|:PROPERTIES:\s*$")
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
    import orgparse

    headlines = [(number, line) for number, line in document.lines if _HEADLINE.match(line)]
    if not headlines:
        raise MapFormatError("there is no headline (a line that begins with '* ')", line=document.first_line)
    check_limit(len(headlines), MAX_NODES_READ, "headlines", "split it into smaller maps")
    number, line = max(headlines, key=lambda headline: len(headline[1]))
    check_limit(len(line), MAX_LABEL_CHARACTERS, f"characters in the headline in line {number}", "shorten it")
    # Only what makes headlines goes to the parser: settings such as #+TODO first, since they hold for the file.
    settings = [
        line for _, line in document.lines if line.startswith("#+") and len(line) <= MAX_LABEL_CHARACTERS
    ]
    try:
        nodes = list(orgparse.loads("\n".join([*settings, *(line for _, line in headlines)])))[1:]
    except (ValueError, RuntimeError, AssertionError, LookupError, RecursionError) as error:
        raise MapFormatError(f"the Org text can't be read ({error})", line=document.first_line) from error
    forest = Forest()
    path: list[tuple[int, int]] = []
    for (number, _), headline in zip(headlines, nodes, strict=True):
        while path and path[-1][0] >= headline.level:
            path.pop()
        label = _LINK.sub(lambda match: match[2] or match[1], headline.heading)
        path.append((headline.level, forest.add(label, path[-1][1] if path else -1, line=number)))
    others = sum(bool(line.strip()) for _, line in document.lines) - len(headlines)
    if others:
        forest.notices.append(
            f"only headlines are nodes; not read: {counted(others, 'line')} of text, lists and properties"
        )
    return [forest]


ORG = Format(name="org", title="Org mode", extensions=(".org",), matches=matches, read=read)
