"""MindMup ``.mup``: JSON objects with ``title`` and ``ideas``, an object whose numeric keys are the order.

Positive keys come first, then negative ones (the left side of the root), each by size, as in MindMup itself. Since
format version 3 the top object is no idea, but holds the roots; its title is the file's.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted


def matches(document: Document) -> bool:
    """A JSON object whose ``ideas`` are an object, and which has a title, an id or a format version."""
    value = document.json_or_none
    if value is None or value.kind != "object":
        return False
    ideas = value.get("ideas")
    return (
        ideas is not None
        and ideas.kind == "object"
        and not {"title", "id", "formatVersion"}.isdisjoint(value.keys)
        and all(map(_is_rank, ideas.keys))
    )


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no MindMup JSON, or an idea with a key that is no number.
        LimitError: too large.
    """
    value, notices = document.json
    forest = Forest()
    forest.notices.extend(notices)
    version = value.string("formatVersion")
    is_frame = (_is_rank(version) and float(version) >= 3) or value.get("title") is None
    tops = _ideas(value) if is_frame else [value]
    notes = 0
    stack = [(top, -1) for top in reversed(tops)]
    while stack:
        idea, parent = stack.pop()
        if idea.kind != "object":
            raise MapFormatError("an idea of MindMup is an object with 'title' and 'ideas'", line=idea.line)
        node = forest.add(idea.string("title"), parent, line=idea.line)
        details = idea.get("attr")
        notes += details is not None and details.get("note") is not None
        stack.extend((child, node) for child in reversed(_ideas(idea)))
    if not forest.labels:
        raise MapFormatError("the MindMup map holds no idea", line=document.first_line)
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'idea')} are not part of the labels")
    return [forest]


def _is_rank(key: str) -> bool:
    try:
        return float(key) == float(key)
    except ValueError:
        return False


def _ideas(idea: JsonValue) -> list[JsonValue]:
    ideas = idea.get("ideas")
    if ideas is None or ideas.kind != "object":
        return []
    for key in ideas.keys:
        if not _is_rank(key):
            raise MapFormatError(f"the key {key[:40]!r} of an idea is no number", line=ideas.line)
    pairs = sorted(
        zip(map(float, ideas.keys), ideas.items, strict=True), key=lambda pair: (pair[0] <= 0, abs(pair[0]))
    )
    return [child for _, child in pairs]


MINDMUP = Format(name="mindmup", title="MindMup", extensions=(".mup",), matches=matches, read=read)
