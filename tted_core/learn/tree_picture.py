"""Small trees of letters as SVG: one alone, or two with what a mapping keeps of them."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from tted_core.report.palette import OP_STYLES, SURFACE
from tted_core.report.svg import element, escaped
from tted_core.script import OpKind
from tted_core.solvers import Mapping
from tted_core.solvers.wording import node_number
from tted_core.tree import TextTree

Theme: TypeAlias = Literal["light", "dark"]
Place: TypeAlias = tuple[float, float]

STEP, LEVEL, RADIUS = 46, 56, 15
MARGIN, TOP, BELOW = 32, 26, 42
"""Pixels beside the outermost leaves, above the root, and below the lowest node, where links bend."""


def tree_picture(tree: TextTree, *, dark: bool, title: str, numbered: bool = False) -> str:
    """An SVG of one tree; ``title`` says what it is to those who don't see it.

    Where it is ``numbered``, the nodes' numbers in postorder stand beside them.
    """
    theme = theme_of(dark=dark)
    plain: dict[int, OpKind] = dict.fromkeys(range(len(tree)), "match")
    high = height(tree) - BELOW + TOP  # no links bend below it
    return svg(width(tree), high, title, _tree(tree, 0, plain, theme, numbered=numbered), theme)


def mapping_picture(
    left: TextTree, right: TextTree, mapping: Mapping, *, dark: bool, title: str, numbered: bool = False
) -> str:
    """An SVG of two trees and a mapping between them."""
    theme = theme_of(dark=dark)
    panel = mapping_panel(left, right, mapping, theme, numbered=numbered)
    return svg(*mapping_size(left, right), title, panel, theme)


def mapping_size(left: TextTree, right: TextTree) -> tuple[float, float]:
    """Width and height of a mapping's panel in pixels."""
    return width(left) + width(right), max(height(left), height(right))


def mapping_panel(
    left: TextTree, right: TextTree, mapping: Mapping, theme: Theme, *, numbered: bool = False
) -> str:
    """What is drawn of two trees and a mapping, for an SVG that may hold several."""
    kinds: tuple[dict[int, OpKind], dict[int, OpKind]] = ({}, {})
    for source, target in mapping:
        if source is None:
            kinds[1][target or 0] = "insert"
        elif target is None:
            kinds[0][source] = "delete"
        else:
            same = left.labels[source] == right.labels[target]
            kinds[0][source] = kinds[1][target] = "match" if same else "replace"
    offset = width(left)
    links = _links(_places(left, 0), _places(right, offset), mapping, theme)
    drawn = (
        _tree(tree, start, looks, theme, numbered=numbered)
        for tree, start, looks in ((left, 0.0, kinds[0]), (right, offset, kinds[1]))
    )
    return links + "".join(drawn)


def width(tree: TextTree) -> float:
    """Pixels from side to side."""
    return 2 * MARGIN + STEP * (sum(not below for below in tree.children) - 1)


def height(tree: TextTree) -> float:
    """Pixels from top to bottom."""
    return TOP + LEVEL * (tree.depth - 1) + BELOW


def theme_of(*, dark: bool) -> Theme:
    """The name of the theme."""
    return "dark" if dark else "light"


def svg(wide: float, high: float, title: str, content: str, theme: Theme) -> str:
    """A whole SVG around what is drawn."""
    return element(
        "svg",
        element("title", escaped(title)),
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:g} {high:g}",
        width=wide,
        height=high,
        role="img",
        font_family="sans-serif",
        font_size=15,
        fill=SURFACE[theme]["text"],
    )


def _places(tree: TextTree, offset: float) -> list[Place]:
    return [(offset + MARGIN + STEP * x, TOP + LEVEL * (level - 1)) for x, level in places(tree)]


def _tree(tree: TextTree, offset: float, kinds: dict[int, OpKind], theme: Theme, *, numbered: bool) -> str:
    where = _places(tree, offset)
    line: dict[str, float | str] = {"stroke": SURFACE[theme]["line"], "stroke_width": 1.5}
    pieces = [
        element(
            "line", x1=where[parent][0], y1=where[parent][1], x2=where[node][0], y2=where[node][1], **line
        )
        for node, parent in enumerate(tree.parents)
        if parent >= 0
    ]
    for node, (label, (x, y)) in enumerate(zip(tree.labels, where, strict=True)):
        kind = kinds[node]
        style = OP_STYLES[kind]
        fill, border = style.dark if theme == "dark" else style.light
        sign = label if kind == "match" else f"{label}{style.glyph}"
        pieces += [
            element("circle", cx=x, cy=y, r=RADIUS, fill=fill, stroke=border, stroke_width=1.5),
            element("text", escaped(sign), x=x, y=y + 5, text_anchor="middle"),
        ]
        if numbered:
            number = str(node_number(tree, node))
            pieces.append(element("text", number, x=x + RADIUS, y=y - 8, font_size=12, font_weight=700))
    return "".join(pieces)


def _links(
    left: list[Place], right: list[Place], mapping: Iterable[tuple[int | None, int | None]], theme: Theme
) -> str:
    arcs = []
    for source, target in mapping:
        if source is None or target is None:
            continue
        (x1, y1), (x2, y2) = left[source], right[target]
        middle = (x1 + x2) / 2
        arcs.append(
            element(
                "path",
                d=f"M{x1:g} {y1:g} C{middle:g} {y1 + 46:g} {middle:g} {y2 + 46:g} {x2:g} {y2:g}",
                fill="none",
                stroke=SURFACE[theme]["link"],
                stroke_width=1.8,
                stroke_dasharray="5 4",
            )
        )
    return "".join(arcs)


def places(tree: TextTree) -> list[tuple[float, int]]:
    """Each node's place from the left, leaves at 0, 1, 2 ..., parents above their children's middle; its level."""
    x = [0.0] * len(tree)
    leaves = 0
    for node in range(len(tree)):
        if not tree.children[node]:
            x[node] = leaves
            leaves += 1
    for node in reversed(range(len(tree))):
        if children := tree.children[node]:
            x[node] = (x[children[0]] + x[children[-1]]) / 2
    return list(zip(x, tree.depths, strict=True))
