"""JSON objects with a label and a list of children: ``{"label": "root", "children": [{"label": "child"}]}``.

What many programs and language models write. The label stands under ``label``, ``text``, ``name``,
``title`` or ``topic``, the children under ``children`` or ``nodes``; a child may be a bare text. Other keys
(ids, colours) are not read, and named in a notice.
"""

from collections import Counter

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import quoted

LABEL_KEYS = ("label", "text", "name", "title", "topic")
CHILDREN_KEYS = ("children", "nodes")


def is_node(value: JsonValue) -> bool:
    """Whether a value is an object with a scalar label, and nothing but children has depth in it."""
    if value.kind != "object" or not any(
        key in LABEL_KEYS and item.kind in {"string", "literal"}
        for key, item in zip(value.keys, value.items, strict=True)
    ):
        return False
    return any(
        key in CHILDREN_KEYS and (item.kind == "array" or item.is_nothing or _is_object_node(item))
        for key, item in zip(value.keys, value.items, strict=True)
    ) or (value.keys[0] in LABEL_KEYS and not any(item.items for item in value.items))


def matches(document: Document) -> bool:
    """JSON whose top value (or the first item of a top list) is such an object."""
    value = document.json_or_none
    return value is not None and is_map(value)


def is_map(value: JsonValue) -> bool:
    """Whether a value is such an object, or a list of objects that begins with one."""
    if value.kind == "array" and value.items:
        return all(item.kind == "object" for item in value.items) and is_node(value.items[0])
    return is_node(value)


def read(document: Document) -> list[Forest]:
    """Read one map; a list at the top holds several roots.

    Raises:
        MapFormatError: no JSON, or a child that is neither an object nor a text.
        LimitError: too large.
    """
    value, notices = document.json
    return [read_value(value, notices)]


def read_value(value: JsonValue, notices: tuple[str, ...] = ()) -> Forest:
    """Read one map from a parsed value; YAML is read so too.

    Raises:
        MapFormatError: no node in it, or something that is no node.
        LimitError: too large.
    """
    forest = Forest()
    forest.notices.extend(notices)
    unread: Counter[str] = Counter()
    tops = value.items if value.kind == "array" else [value]
    stack = [(top, -1) for top in reversed(tops)]
    while stack:
        value, parent = stack.pop()
        if value.kind == "array" or (value.kind == "object" and not _is_object_node(value)):
            raise MapFormatError(
                f"expected an object with one of the keys {', '.join(LABEL_KEYS)}, or a text, but found "
                f"{'a list' if value.kind == 'array' else 'an object with ' + _keys(value)}",
                line=value.line,
                path=forest.path(parent) if parent >= 0 else None,
            )
        if value.kind == "literal" and value.is_nothing:
            forest.notices.append(f"an empty child (null) in line {value.line} was left out")
            continue
        if value.kind != "object":
            forest.add(value.text, parent, line=value.line)
            continue
        label, children = _take_apart(value, unread)
        node = forest.add(label, parent, line=value.line)
        stack.extend((child, node) for child in reversed(children))
    if not forest.labels:
        raise MapFormatError("the JSON holds no node", line=value.line)
    if unread:
        names = listed(f"{quoted(key)} ({count:,} times)" for key, count in unread.most_common())
        forest.notices.append(f"keys that hold neither label nor children were not read: {names}")
    return forest


def _is_object_node(value: JsonValue) -> bool:
    return value.kind == "object" and any(key in LABEL_KEYS or key in CHILDREN_KEYS for key in value.keys)


def _keys(value: JsonValue) -> str:
    return f"the keys {listed(map(quoted, value.keys))}" if value.keys else "no keys"


def _take_apart(value: JsonValue, unread: Counter[str]) -> tuple[str, list[JsonValue]]:
    """An object's label and children; the first label key in the order of ``LABEL_KEYS`` counts."""
    scalars = {
        key: item
        for key, item in reversed(list(zip(value.keys, value.items, strict=True)))
        if key in LABEL_KEYS and item.kind in {"string", "literal"}
    }
    chosen = next((key for key in LABEL_KEYS if key in scalars), None)
    children: list[JsonValue] = []
    for key, item in zip(value.keys, value.items, strict=True):
        if key in CHILDREN_KEYS:
            if item.kind == "array":
                children.extend(item.items)
            elif not item.is_nothing:
                children.append(item)
        elif chosen is None or item is not scalars[chosen]:
            unread[key] += 1
    if chosen is None or scalars[chosen].is_nothing:
        return "", children
    return scalars[chosen].text, children


OBJECT_JSON = Format(
    name="json",
    title="JSON objects with label and children",
    extensions=(".json",),
    matches=matches,
    read=read,
)
