"""Comparisons as map files, which mind-map programs open: both maps in one, coloured and signed.

Every text stands behind the sign of its operation, the old text after a replaced one; colours come on top where
the format has any. A mark at each node (``tted_core/formats/marks.py``) lets both maps and the script be read.
"""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from tted_core.comparison import Comparison
from tted_core.errors import MapFormatError
from tted_core.explain.merged import merged_map
from tted_core.formats.marks import NAME, Mark, Place, clean, shown
from tted_core.formats.reading import list_operations
from tted_core.formats.writing import (
    elements,
    freemind,
    freemind_start,
    markdown_lines,
    mermaid_lines,
    opml,
    opml_start,
    xml_value,
)
from tted_core.report.palette import STYLES, SURFACE
from tted_core.script import GLYPHS, EditOp
from tted_core.tree import TextTree

_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip file: equal comparisons give equal files
_TEXT = SURFACE["light"]["text"]


@dataclass(frozen=True)
class MarkedMap:
    """A format of maps that a comparison is written in: an entry of ``MARKED_MAPS``."""

    title: str
    mime: str
    note: str
    write: Callable[[Comparison], str | bytes]


@dataclass(frozen=True)
class _Nodes:
    """The merged map with its texts as they are shown; operations and marks by node."""

    tree: TextTree
    ops: tuple[EditOp, ...]
    marks: tuple[str, ...]


def read_operations(content: bytes | str) -> tuple[EditOp, ...]:
    """The operations in a file that ``MARKED_MAPS`` wrote, in the order of the script.

    The two maps are read as from any file with several.

    Raises:
        MapFormatError: the content can't be read, or holds no comparison that is still whole.
        LimitError: it is too large.
    """
    marks = list_operations(content)
    if not marks:
        raise MapFormatError("this file holds no comparison that TTED wrote, or was changed; write it again")
    ops = [
        EditOp(kind, mark.left and mark.left.node, mark.right and mark.right.node, mark.cost, mark.notes)
        for mark in marks
        for kind in GLYPHS
        if kind == mark.op
    ]
    return tuple(sorted(ops, key=_place_in_script))


def _place_in_script(op: EditOp) -> tuple[int, int]:
    if op.source is None:
        return 2, op.target or 0
    return (0, op.source) if op.target is not None else (1, -op.source)


def _nodes(comparison: Comparison) -> _Nodes:
    merged = merged_map(comparison)
    left, right = comparison.left.tree, comparison.right.tree
    marks = [
        Mark(
            op.op,
            _place(left, op.source),
            _place(right, op.target),
            op.cost,
            None if old is None else clean(old),
            op.notes,
        )
        for op, old in zip(merged.ops, merged.old, strict=True)
    ]
    texts = (shown(mark, clean(text)) for mark, text in zip(marks, merged.texts, strict=True))
    return _Nodes(TextTree(tuple(texts), merged.parents), merged.ops, tuple(mark.text for mark in marks))


def _place(tree: TextTree, node: int | None) -> Place | None:
    return None if node is None else Place(node, tree.parents[node])


def _freemind(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    starts, within = [], []
    for label, op, mark in zip(nodes.tree.labels, nodes.ops, nodes.marks, strict=True):
        fill, border = STYLES[op.op].light
        starts.append(f'{freemind_start(label)} COLOR="{_TEXT}" BACKGROUND_COLOR="{fill}"')
        within.append(f'<edge COLOR="{border}"/><attribute NAME="{NAME}" VALUE="{xml_value(mark)}"/>')
    # Without this line the programs show a table of attributes at every node.
    registry = '<attribute_registry SHOW_ATTRIBUTES="selected"/>\n'
    return freemind(registry + elements(nodes.tree, starts, indent=0, within=within))


def _opml(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    starts = [
        f'{opml_start(label)} _{NAME}="{xml_value(mark)}"'
        for label, mark in zip(nodes.tree.labels, nodes.marks, strict=True)
    ]
    return opml(nodes.tree.labels[0], elements(nodes.tree, starts, indent=2))


def _markdown(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    lines = zip(markdown_lines(nodes.tree), nodes.marks, strict=True)
    return "".join(f"{line} <!-- {NAME}: {mark} -->\n" for line, mark in lines)


def _mermaid(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    css = " ".join(
        f".{kind} rect, .{kind} path, .{kind} circle {{ fill: {style.light[0]} !important; "
        f"stroke: {style.light[1]} !important; }} .{kind} span, .{kind} text {{ color: {_TEXT} !important; "
        f"fill: {_TEXT} !important; }}"
        for kind, style in STYLES.items()
        if kind in GLYPHS
    )
    lines = [f'%%{{init: {{"themeCSS": "{css}"}}}}%%', "mindmap"]
    for line, op, mark in zip(mermaid_lines(nodes.tree), nodes.ops, nodes.marks, strict=True):
        blank = line[: len(line) - len(line.lstrip())]
        lines += [f"{blank}%% {NAME}: {mark}", line, f"{blank}:::{op.op}"]
    return "\n".join([*lines, ""])


def _xmind(comparison: Comparison) -> bytes:
    nodes = _nodes(comparison)
    topics: list[dict[str, object]] = []
    for node, (label, op, mark) in enumerate(zip(nodes.tree.labels, nodes.ops, nodes.marks, strict=True)):
        fill, border = STYLES[op.op].light
        looks = {"svg:fill": fill, "fo:color": _TEXT, "border-line-color": border}
        topics.append(
            {
                "id": f"n{node}",
                "title": label,
                "style": {"id": f"s{node}", "properties": looks},
                "notes": {"plain": {"content": f"{NAME}: {mark}"}},
            }
        )
    files = {
        "content.json": _sheet(nodes.tree, topics),
        "metadata.json": "{}",
        "manifest.json": '{"file-entries": {"content.json": {}, "metadata.json": {}}}',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, _BEGINNING)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return packed.getvalue()


def _sheet(tree: TextTree, topics: list[dict[str, object]]) -> str:
    """The one sheet, written piece by piece: ``json`` recurses, and a map may be deep."""
    pieces = ['[{"id": "sheet", "class": "sheet", "title": "TTED", "rootTopic": ']
    stack: list[int | str] = ["}]", 0]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        below = tree.children[part]
        pieces.append(json.dumps(topics[part], ensure_ascii=False).removesuffix("}"))
        if below:
            pieces.append(', "children": {"attached": [')
            stack.append("]}}")
            for child in reversed(below):
                stack += [child, ", "]
            stack.pop()  # no comma before the first
        else:
            pieces.append("}")
    return "".join(pieces)


MARKED_MAPS: dict[str, MarkedMap] = {
    "mm": MarkedMap(
        "Freeplane",
        "application/x-freemind",
        "Both maps in one, coloured, for Freeplane and FreeMind; can be read again as two maps.",
        _freemind,
    ),
    "xmind": MarkedMap(
        "XMind",
        "application/vnd.xmind.workbook",
        "Both maps in one, coloured, for XMind; can be read again as two maps.",
        _xmind,
    ),
    "opml": MarkedMap(
        "OPML", "text/x-opml", "Both maps in one, with signs, for outliners; can be read again.", _opml
    ),
    "md": MarkedMap(
        "Markdown",
        "text/markdown",
        "Both maps in one, with signs, for notes and markmap; can be read again.",
        _markdown,
    ),
    "mmd": MarkedMap(
        "Mermaid",
        "text/vnd.mermaid",
        "Both maps in one, coloured, as a Mermaid mind map; can be read again.",
        _mermaid,
    ),
}
"""Ending of the file's name -> a comparison as a map in that format."""
