"""``write_map`` and ``map_text``: writing maps in formats that mind-map programs open.

``WRITERS`` has a function for each format. A written map is read back as an equal tree if its labels
were read from a file; nothing here is recursive, so even the deepest trees can be written.
"""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tted_core.errors import lookup
from tted_core.formats.labels import BLANK, FORMULA, TAG
from tted_core.formats.map_collections import AnyMap, as_map
from tted_core.formats.programs import FORBIDDEN
from tted_core.formats.talk import loses_in_lists
from tted_core.foundations.output import ending, write_file
from tted_core.tree import TextTree

_FORMULAS = re.compile(f"({FORMULA.pattern})", re.DOTALL)
_PUNCTUATION = re.compile(r"[\\`*_\[\]<>&~|#$]|%(?=%)|=(?==)|(?<==)=|(?<=\s)\^|:(?=:(?:\s|$))")
_OF_PLACES = re.compile(r"^[^\\&]|(?<!\\)[:：–—()（）图圖プ-]|(?<![\\$])[^$]$")
_MARKER = re.compile(r"^(?:([0-9]{1,9}(?=[.)])|(?:[A-Za-z]|[ivx]{2,4})(?=\)))|(?=[-+=:>]))")
_PAGE = "<html><body>{}</body></html>"
_IN_ATTRIBUTES = str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


class Writer(NamedTuple):
    """A format in which maps can be written: an entry of ``WRITERS``.

    Attributes:
        title: the name shown to users.
        extension: the usual file name extension.
        write: returns the text of a tree, and notices.
    """

    title: str
    extension: str
    write: Callable[[TextTree], tuple[str, tuple[str, ...]]]


def write_map(tree: AnyMap, file: str | Path, format: str | None = None) -> tuple[str, ...]:  # noqa: A002 - the word that users know
    """Write a map to a file; returns notices about what other programs may lose.

    Args:
        tree: the map.
        file: its folder is created if needed.
        format: a name of ``WRITERS``; by default that of the file's extension.

    >>> write_map(tree, "trees.opml")
    ()
    """
    if format is None:
        format = lookup(ENDINGS, ending(file), "ending of a map's file")  # noqa: A001
    text, notices = map_text(tree, format)
    write_file(file, text.encode("utf-8", "surrogatepass"))
    return notices


def map_text(tree: AnyMap, format: str) -> tuple[str, tuple[str, ...]]:  # noqa: A002 - the word that users know
    r"""The text of a map in a format, and notices about what other programs may lose.

    Raises:
        MapFormatError: ``tree`` isn't a map.
        UnknownNameError: no such format.

    >>> map_text(TextTree(("a", "b"), (-1, 0)), "markdown")
    ('# a\n- b\n', ())
    """
    return lookup(WRITERS, format, "format to write").write(as_map(tree).tree)


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _nest(tree: TextTree, around: Callable[[int], tuple[str, str]], between: str = "") -> str:
    """Nest texts that open each node and close it after its descendants, with others between siblings."""
    pieces: list[str] = []
    closing: list[str] = []
    for node, depth in enumerate(tree.depths):
        if depth <= len(closing):
            pieces += (*reversed(closing[depth - 1 :]), between)
            del closing[depth - 1 :]
        opening, end = around(node)
        pieces.append(opening)
        closing.append(end)
    return "".join((*pieces, *reversed(closing)))


def _write_nested_json(tree: TextTree) -> tuple[str, tuple[str, ...]]:
    """Nested dicts; children among which texts repeat become a list of dicts with one key each."""
    lists = {
        node for node, below in enumerate(tree.children) if len({tree.labels[i] for i in below}) < len(below)
    }

    def around(node: int) -> tuple[str, str]:
        indent = f"\n{'  ' * tree.depths[node]}"
        is_alone = tree.parents[node] in lists
        opens, closes = "[]" if node in lists else "{}"
        below = tree.children[node]
        return (
            f"{indent}{'{' * is_alone}{_json(tree.labels[node])}: {opens if below else '{}'}",
            f"{indent + closes if below else ''}{'}' * is_alone}",
        )

    notice = "equal siblings were written as a list, since most programs keep one of several equal keys"
    return f"{{{_nest(tree, around, ',')}\n}}\n", (notice,) if lists else ()


def _write_object_json(tree: TextTree) -> tuple[str, tuple[str, ...]]:
    def around(node: int) -> tuple[str, str]:
        indent = f"\n{'  ' * (tree.depths[node] - 1)}"
        opening = f'{indent}{{"label": {_json(tree.labels[node])}'
        return (f'{opening}, "children": [', f"{indent}]}}") if tree.children[node] else (opening, "}")

    return f"{_nest(tree, around, ',').lstrip()}\n", ()


def _write_markdown(tree: TextTree) -> tuple[str, tuple[str, ...]]:
    """A heading for the root, with bullets below it."""
    lines = []
    for label, depth in zip(tree.labels, tree.depths, strict=True):
        pieces = _FORMULAS.split(" ".join(label.split()))
        pieces[::2] = [_PUNCTUATION.sub(lambda match: "\\" + match[0], piece) for piece in pieces[::2]]
        text = _MARKER.sub(r"\1\\", "".join(pieces))
        if loses_in_lists(label):  # else reading would remove a word for a level, or a colon
            text = _OF_PLACES.sub(lambda match: f"&#{ord(match[0])};", text)
        lines.append(f"{'  ' * (depth - 2) + '-' if depth > 1 else '#'} {text or BLANK}\n")
    return "".join(lines), ()


def _write_opml(tree: TextTree) -> tuple[str, tuple[str, ...]]:
    # OPML programs read a text that looks like HTML as HTML, so it is escaped.
    title = html.escape(FORBIDDEN.sub("", tree.labels[0]), quote=False)
    body = _elements(tree, "outline text", "<span>{}</span>", indent=2)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head><title>{title}</title></head>'
        f"\n  <body>\n{body}  </body>\n</opml>\n"
    ), ()


def _elements(tree: TextTree, start: str, as_html: str, *, indent: int) -> str:
    """Nested elements on separate lines.

    ``start`` is their name and that of the text attribute; ``as_html`` escapes a text that looks like HTML.
    """

    def around(node: int) -> tuple[str, str]:
        label = tree.labels[node]
        text = as_html.format(html.escape(label)) if TAG.search(label) else label
        value = html.escape(FORBIDDEN.sub("", text), quote=False).translate(_IN_ATTRIBUTES)
        blank = "  " * (indent + tree.depths[node] - 1)
        if not tree.children[node]:
            return f'{blank}<{start}="{value}"/>\n', ""
        return f'{blank}<{start}="{value}">\n', f"{blank}</{start.partition(' ')[0]}>\n"

    return _nest(tree, around)


def _write_mermaid(tree: TextTree) -> tuple[str, tuple[str, ...]]:
    texts = (
        re.sub(r"[\"#%&*<>`\\]", lambda match: f"#{ord(match[0])};", " ".join(label.split())) or " "
        for label in tree.labels
    )
    lines = (
        f'{"  " * depth}n{node}["{text}"]\n'
        for node, (text, depth) in enumerate(zip(texts, tree.depths, strict=True))
    )
    return "".join(("mindmap\n", *lines)), ()


# Name in ``FORMATS`` -> writer, for the formats in which maps can be written.
WRITERS: dict[str, Writer] = {
    "nested-json": Writer("nested-dict JSON", ".json", _write_nested_json),
    "json": Writer("JSON objects with label and children", ".json", _write_object_json),
    "markdown": Writer("Markdown", ".md", _write_markdown),
    "opml": Writer("OPML", ".opml", _write_opml),
    "freemind": Writer(
        "FreeMind, Freeplane",
        ".mm",
        lambda tree: (f'<map version="1.0.1">\n{_elements(tree, "node TEXT", _PAGE, indent=0)}</map>\n', ()),
    ),
    "mermaid": Writer("Mermaid mindmap", ".mmd", _write_mermaid),
}

# File extension -> format; "json" is the one with label and children.
ENDINGS = {writer.extension.removeprefix("."): name for name, writer in WRITERS.items()}
