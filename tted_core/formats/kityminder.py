"""KityMinder, Baidu Naotu (``.km``): JSON with ``root``, whose nodes hold ``data.text`` and ``children``."""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted


def matches(document: Document) -> bool:
    """A JSON object whose ``root`` has ``data`` with a text."""
    value = document.json_or_none
    root = value.get("root") if value is not None and value.kind == "object" else None
    data = root.get("data") if root is not None and root.kind == "object" else None
    return data is not None and data.get("text") is not None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON.
        LimitError: too large.
    """
    value, notices = document.json
    root = value.get("root")
    if root is None:
        raise MapFormatError("KityMinder JSON is an object with 'root'", line=value.line)
    forest = Forest()
    forest.notices.extend(notices)
    notes = 0
    stack = [(root, -1)]
    while stack:
        value, parent = stack.pop()
        data = value.get("data")
        if data is None:
            raise MapFormatError(
                "a node of KityMinder is an object with 'data' and 'children'", line=value.line
            )
        node = forest.add(data.string("text"), parent, line=value.line)
        notes += bool(data.string("note"))
        children = value.get("children")
        stack.extend((child, node) for child in reversed(children.items if children else []))
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'node')} are not part of the labels")
    return [forest]


KITYMINDER = Format(name="kityminder", title="KityMinder", extensions=(".km",), matches=matches, read=read)
