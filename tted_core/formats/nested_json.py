"""Nested-dict JSON, the form of the TTED data: ``{"root sentence": {"child": {}, "other child": {...}}}``.

A key is a node's text, its value are the children. Equal siblings become equal keys, which are all kept.
Leaves may be ``{}``, ``null``, ``[]``, ``""``, a text (one child) or a list (one child for each item), as
hand edits and language models write them.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue
from tted_core.formats.labels import counted, quoted


def matches(document: Document) -> bool:
    """Any JSON that no more special format has claimed; broken JSON too, so that its error is told."""
    return document.looks_like_json


def read(document: Document) -> list[Forest]:
    """Read one map; several keys at the top are several roots.

    Raises:
        MapFormatError: no JSON, or nothing in it.
        LimitError: too large.
    """
    value, notices = document.json
    if value.kind == "literal" and not value.is_nothing:
        raise MapFormatError(
            f'the JSON is only {quoted(value.text)}; a map looks like {{"root": {{"child": {{}}}}}}',
            line=value.line,
        )
    return [read_value(value, notices)]


def read_value(value: JsonValue, notices: tuple[str, ...] = ()) -> Forest:
    """Read one map from a parsed value; YAML is read so too.

    Raises:
        MapFormatError: no node in it, or something that is no node.
        LimitError: too large.
    """
    forest = Forest()
    forest.notices.extend(notices)
    skipped: list[int] = []
    equal: list[int] = []
    keys = bare = 0
    top = value
    stack = [(top, -1)]
    while stack:
        value, parent = stack.pop()
        if value.is_nothing:
            continue
        if value.kind == "object":
            keys += len(value.keys)
            bare += sum(item.kind in {"string", "literal"} and not item.is_nothing for item in value.items)
            # Children are numbered when their parent is met and come off the stack first to last, so that
            # siblings keep their order; ``to_tree`` turns this into preorder.
            nodes = [
                forest.add(key, parent, line=item.line)
                for key, item in zip(value.keys, value.items, strict=True)
            ]
            if len(set(value.keys)) < len(nodes):
                first = dict(zip(reversed(value.keys), reversed(nodes), strict=True))
                equal += [node for key, node in zip(value.keys, nodes, strict=True) if first[key] != node]
            stack.extend(zip(reversed(value.items), reversed(nodes), strict=True))
        elif value.kind == "array":
            _add_items(forest, value, parent, stack, skipped)
        else:
            forest.add(value.text, parent, line=value.line)
    if not forest.labels:
        raise MapFormatError(
            'the JSON holds no node; it should look like {"root": {"child": {}}}', line=top.line
        )
    if 2 * bare > keys:
        forest.notices.append(
            f"{bare:,} of {keys:,} keys hold a text, number or truth value and no children, as the data of a "
            "program do; see whether this is a map"
        )
    if equal:
        forest.notices.append(f"equal keys of one object were kept as siblings: {forest.places(equal)}")
    if skipped:
        forest.notices.append(
            f"{counted(len(skipped), 'empty list item')} left out (the first in line {skipped[0]})"
        )
    return forest


def _add_items(
    forest: Forest, array: JsonValue, parent: int, stack: list[tuple[JsonValue, int]], skipped: list[int]
) -> None:
    """Add a list's children in order; a list or object inside it adds no node of its own."""
    flat: list[JsonValue] = []
    pending = [array]
    while pending:
        value = pending.pop()
        if value.kind == "array":
            pending.extend(reversed(value.items))
        elif value.is_nothing:
            skipped.append(value.line)
        else:
            flat.append(value)
    children = []
    for value in flat:
        if value.kind == "object":
            for key, item in zip(value.keys, value.items, strict=True):
                children.append((item, forest.add(key, parent, line=item.line)))
        else:
            forest.add(value.text, parent, line=value.line)
    stack.extend(reversed(children))


NESTED_JSON = Format(
    name="nested-json",
    title="nested-dict JSON (sentence: children)",
    extensions=(".json",),
    matches=matches,
    read=read,
)
