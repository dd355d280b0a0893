"""Comparisons as map files, which mind-map programs open: both maps in one, coloured and signed.

Every text stands behind the sign of what became of it, the old text after a new one; colours come on top where
the format has any. Read again, such a file is one map with the texts that it shows; a replay file holds both maps.
"""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import Status
from tted_core.explain.merged import merged_map
from tted_core.formats.labels import LabelRepairs
from tted_core.formats.writing import (
    elements,
    freemind,
    freemind_start,
    is_first,
    markdown_lines,
    mermaid_lines,
    nested,
    opml,
    opml_start,
)
from tted_core.report.palette import STYLES, SURFACE
from tted_core.tree import TextTree

_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip file: equal comparisons give equal files
_TEXT = SURFACE["light"]["text"]


@dataclass(frozen=True)
class Export:
    """One kind of file: its title, media type, a sentence on what is in it, and what makes it.

    ``drawn`` says that its pixels or pages are drawn here, which needs the extra "figures"; ``has_baselines`` that
    the comparison's baselines stand in it.
    """

    title: str
    mime: str
    note: str
    write: Callable[[Comparison], str | bytes]
    drawn: bool = False
    has_baselines: bool = False


@dataclass(frozen=True)
class _Nodes:
    """The merged map with its texts as they are shown, and what became of each node."""

    tree: TextTree
    statuses: tuple[Status, ...]


def _nodes(comparison: Comparison) -> _Nodes:
    merged = merged_map(comparison)
    repairs = LabelRepairs()
    texts = []
    for status, text, old in zip(merged.statuses, merged.texts, merged.old, strict=True):
        written, was = (
            None if each is None else repairs.clean(each, lambda: "a node of the comparison")
            for each in (text, old)
        )
        texts.append(f"{STYLES[status].glyph} {written}".rstrip() + ("" if was is None else f" (was: {was})"))
    return _Nodes(TextTree(tuple(texts), merged.parents), merged.statuses)


def _freemind(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    starts, within = [], []
    for label, status in zip(nodes.tree.labels, nodes.statuses, strict=True):
        fill, border = STYLES[status].light
        starts.append(f'{freemind_start(label)} COLOR="{_TEXT}" BACKGROUND_COLOR="{fill}"')
        within.append(f'<edge COLOR="{border}"/>')
    return freemind(elements(nodes.tree, starts, indent=0, within=within))


def _opml(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    starts = [opml_start(label) for label in nodes.tree.labels]
    return opml(nodes.tree.labels[0], elements(nodes.tree, starts, indent=2))


def _markdown(comparison: Comparison) -> str:
    return "".join(f"{line}\n" for line in markdown_lines(_nodes(comparison).tree))


def _mermaid(comparison: Comparison) -> str:
    nodes = _nodes(comparison)
    css = " ".join(
        f".{kind} rect, .{kind} path, .{kind} circle {{ fill: {style.light[0]} !important; "
        f"stroke: {style.light[1]} !important; }} .{kind} span, .{kind} text {{ color: {_TEXT} !important; "
        f"fill: {_TEXT} !important; }}"
        for kind, style in STYLES.items()
    )
    lines = [f'%%{{init: {{"themeCSS": "{css}"}}}}%%', "mindmap"]
    for line, status in zip(mermaid_lines(nodes.tree), nodes.statuses, strict=True):
        blank = line[: len(line) - len(line.lstrip())]
        lines += [line, f"{blank}:::{status}"]
    return "\n".join([*lines, ""])


def _xmind(comparison: Comparison) -> bytes:
    nodes = _nodes(comparison)
    topics: list[dict[str, object]] = []
    for node, (label, status) in enumerate(zip(nodes.tree.labels, nodes.statuses, strict=True)):
        fill, border = STYLES[status].light
        looks = {"svg:fill": fill, "fo:color": _TEXT, "border-line-color": border}
        topics.append(
            {
                "id": f"n{node}",
                "title": label,
                "style": {"id": f"s{node}", "properties": looks},
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

    def opening(node: int) -> str:
        comma = "" if is_first(tree, node) else ", "
        below = ', "children": {"attached": [' if tree.children[node] else "}"
        return f"{comma}{json.dumps(topics[node], ensure_ascii=False).removesuffix('}')}{below}"

    def closing(node: int) -> str:
        return "]}}" if tree.children[node] else ""

    topic = nested(tree, opening, closing)
    return f'[{{"id": "sheet", "class": "sheet", "title": "TTED", "rootTopic": {topic}}}]'


MARKED_MAPS: dict[str, Export] = {
    "mm": Export(
        "Freeplane",
        "application/x-freemind",
        "Both maps in one, coloured, for Freeplane and FreeMind.",
        _freemind,
    ),
    "xmind": Export(
        "XMind",
        "application/vnd.xmind.workbook",
        "Both maps in one, coloured, for XMind.",
        _xmind,
    ),
    "opml": Export("OPML", "text/x-opml", "Both maps in one, with signs, for outliners.", _opml),
    "md": Export(
        "Markdown",
        "text/markdown",
        "Both maps in one, with signs, for notes and markmap.",
        _markdown,
    ),
    "mmd": Export(
        "Mermaid",
        "text/vnd.mermaid",
        "Both maps in one, coloured, as a Mermaid mind map.",
        _mermaid,
    ),
}
"""Ending of the file's name -> a comparison as a map in that format."""
