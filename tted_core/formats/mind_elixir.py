"""mind-elixir (Trilium keeps maps so): JSON whose ``nodeData`` is the root, with ``topic`` and ``children``."""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.jsmind import read_tree
from tted_core.formats.json_text import lists_besides

_REST = (("arrows", "arrow", ""), ("linkData", "arrow", ""), ("summaries", "summary", "summaries"))


def matches(document: Document) -> bool:
    """A JSON object whose ``nodeData`` is an object with a topic."""
    value = document.json_or_none
    root = value.get("nodeData") if value is not None and value.kind == "object" else None
    return root is not None and root.get("topic") is not None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON.
        LimitError: too large.
    """
    value, notices = document.json
    root = value.get("nodeData")
    if root is None:
        raise MapFormatError("mind-elixir's JSON is an object with 'nodeData'", line=value.line)
    forest = read_tree(root)
    forest.notices[:0] = notices
    forest.notices += lists_besides(value, _REST)
    return [forest]


MIND_ELIXIR = Format(
    name="mind-elixir", title="mind-elixir JSON", extensions=(".json",), matches=matches, read=read
)
