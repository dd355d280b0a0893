"""JSON that language models are asked for: the sentences, and edges between their numbers.

``{"sentences": [...], "mindmap": {"root": 0, "selected": [0, 2], "edges": [[0, 2]]}}``. Sentences are a list
(numbers from 0) or an object (number: sentence); an edge is a pair or an object. Sentences that the map does not
use are no nodes.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted

_PARENT_KEYS = ("parent", "source", "from", "head")
_CHILD_KEYS = ("child", "target", "to", "tail")
_TEXT_KEYS = ("text", "sentence", "label", "content")
_MAP_KEYS = ("mindmap", "mind_map", "map")


def matches(document: Document) -> bool:
    """An object with ``sentences`` and a map that has ``edges``."""
    value = document.json_or_none
    if value is None or value.kind != "object" or value.get("sentences") is None:
        return False
    return _map_of(value).get("edges") is not None


def _map_of(value: JsonValue) -> JsonValue:
    return next((found for key in _MAP_KEYS if (found := value.get(key)) is not None), value)


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such JSON, an unknown number, or edges that make no tree.
        LimitError: too large.
    """
    value, notices = document.json
    forest = read_value(value)
    forest.notices[:0] = notices
    return [forest]


def read_value(value: JsonValue) -> Forest:
    """Read one map from a parsed value.

    Raises:
        MapFormatError: an unknown number, or edges that make no tree.
        LimitError: too large.
    """
    sentences = _sentences(value)
    mindmap = _map_of(value)
    edges = mindmap.get("edges")
    if not sentences or edges is None:
        raise MapFormatError(
            "expected an object with 'sentences', and 'mindmap' with 'edges'", line=value.line
        )
    graph = Graph()
    root = mindmap.get("root")
    pairs = [_ends(edge) for edge in edges.items]
    selected = mindmap.get("selected")
    used = [*([root] if root and not root.is_nothing else [])]
    used += [end for pair in pairs for end in pair]
    used += selected.items if selected else []
    for item in used:
        if item.text not in graph:
            if item.text not in sentences:
                raise MapFormatError(
                    f"there is no sentence {quoted(item.text)}; the numbers run from 0 to {len(sentences) - 1}",
                    line=item.line,
                )
            graph.node(item.text, sentences[item.text], line=item.line)
    for parent, child in pairs:
        graph.edge(parent.text, child.text, line=parent.line)
    forest = graph.forest()
    if len(sentences) > len(forest):
        forest.notices.append(
            f"no nodes, since not in the map: {counted(len(sentences) - len(forest), 'sentence')}"
        )
    return forest


def _sentences(value: JsonValue) -> dict[str, str]:
    sentences = value.get("sentences")
    if sentences is None:
        return {}
    keys = sentences.keys or map(str, range(len(sentences.items)))
    texts: dict[str, str] = {}
    for key, item in zip(keys, sentences.items, strict=True):
        number = item.get("id") if item.kind == "object" else None
        text = next((item.string(name) for name in _TEXT_KEYS if name in item.keys), item.text)
        texts[number.text if number else key] = text
    return texts


def _ends(edge: JsonValue) -> tuple[JsonValue, JsonValue]:
    if edge.kind == "array" and len(edge.items) == 2:
        return edge.items[0], edge.items[1]
    parent = next((edge.get(key) for key in _PARENT_KEYS if key in edge.keys), None)
    child = next((edge.get(key) for key in _CHILD_KEYS if key in edge.keys), None)
    if parent is None or child is None:
        raise MapFormatError(
            "an edge is a pair [parent, child] or an object with 'parent' and 'child'", line=edge.line
        )
    return parent, child


SENTENCES = Format(
    name="sentences",
    title="JSON with sentences and edges",
    extensions=(".json",),
    matches=matches,
    read=read,
)
