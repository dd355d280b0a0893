"""Small trees of letters as SVG: a single one, or two with the pairs of a mapping."""

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tted_core.foundations.output import printable
from tted_core.learn.mappings import list_pairs, operation
from tted_core.report.palette import OP_STYLES, SURFACE
from tted_core.script import OpKind
from tted_core.solvers import Mapping
from tted_core.solvers.structure import node_number
from tted_core.tree import TextTree

# Pixels: from leaf to leaf, from level to level, a node; beside the outermost leaves, above and below a tree.
STEP, LEVEL_HEIGHT, RADIUS = 46, 56, 15
MARGIN, EDGE = 32, 26
# Links hang below their nodes, each 12 pixels lower than the one before, so that no two coincide.
SAG, SAG_STEP = 36, 12
LINK_COLOURS = ("#2f7fc1", "#c06a00", "#1b8a5a", "#b0508f", "#7d6bd0", "#8a7500", "#c0504d")


def tree_picture(
    trees: Sequence[TextTree], mapping: Mapping = (), *, dark: bool, title: str, numbered: bool = False
) -> str:
    """An SVG of a tree, or of two with the pairs of a mapping between them.

    Args:
        trees: one, or the left and the right one.
        mapping: between both; signs and colours show the operations.
        dark: for a dark background.
        title: describes the picture for screen readers.
        numbered: show postorder numbers beside the nodes.
    """
    kinds: list[dict[int, OpKind]] = [dict.fromkeys(range(len(tree)), "match") for tree in trees]
    for entry in mapping:
        for side, node in zip(kinds, entry, strict=True):
            if node is not None:
                side[node] = operation(trees[0].labels, trees[1].labels, entry)
    width, height, centres = 0.0, 0.0, []
    for tree in trees:
        centres.append(
            [(width + MARGIN + STEP * x, EDGE + LEVEL_HEIGHT * (level - 1)) for x, level in coordinates(tree)]
        )
        width += 2 * MARGIN + STEP * (sum(not below for below in tree.children) - 1)
        height = max(height, 2 * EDGE + LEVEL_HEIGHT * (tree.depth - 1))
    links = ""
    if mapping:
        links, lowest = _links(centres[0], centres[1], list_pairs(mapping))
        height = max(height, lowest + 4)
    nodes = "".join(
        _tree(tree, where, marks, dark=dark, numbered=numbered)
        for tree, where, marks in zip(trees, centres, kinds, strict=True)
    )
    return _element(
        "svg",
        _element("title", _escape(title)),
        links + nodes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        font_family="sans-serif",
        font_size=15,
        fill=SURFACE["dark" if dark else "light"]["text"],
    )


def coordinates(tree: TextTree) -> list[tuple[float, int]]:
    """Each node's x coordinate (leaves at 0, 1, 2 ..., parents above their children's middle) and its level."""
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


def _tree(
    tree: TextTree,
    where: Sequence[tuple[float, float]],
    kinds: dict[int, OpKind],
    *,
    dark: bool,
    numbered: bool,
) -> str:
    line: dict[str, Any] = {"stroke": SURFACE["dark" if dark else "light"]["line"], "stroke_width": 1.5}
    pieces = [
        _element("line", x1=where[above][0], y1=where[above][1], x2=x, y2=y, **line)
        for above, (x, y) in zip(tree.parents[1:], where[1:], strict=True)
    ]
    for node, (label, (x, y)) in enumerate(zip(tree.labels, where, strict=True)):
        style = OP_STYLES[kinds[node]]
        fill, border = style.dark if dark else style.light
        sign = label if kinds[node] == "match" else f"{label}{style.glyph}"
        pieces += [
            _element("circle", cx=x, cy=y, r=RADIUS, fill=fill, stroke=border, stroke_width=1.5),
            _element("text", _escape(sign), x=x, y=y + 5, text_anchor="middle"),
        ]
        if numbered:
            number = str(node_number(tree, node))
            pieces.append(_element("text", number, x=x + RADIUS, y=y - 8, font_size=12, font_weight=700))
    return "".join(pieces)


def _links(
    left: Sequence[tuple[float, float]], right: Sequence[tuple[float, float]], pairs: list[tuple[int, int]]
) -> tuple[str, float]:
    """Curves from nodes to their partners, the widest hanging lowest, and the y coordinate of the lowest end."""
    lowest = 0.0
    curves = []
    hanging: Counter[float] = Counter()
    by_width = sorted(
        range(len(pairs)), key=lambda index: right[pairs[index][1]][0] - left[pairs[index][0]][0]
    )
    for index in by_width:
        source, target = pairs[index]
        (x1, y1), (x2, y2) = left[source], right[target]
        row = max(y1, y2)
        sag = SAG + SAG_STEP * hanging[row]
        hanging[row] += 1
        lowest = max(lowest, row + 0.75 * sag)
        path = f"M{x1:g} {y1:g} C{x1:g} {y1 + sag:g} {x2:g} {y2 + sag:g} {x2:g} {y2:g}"
        colour = LINK_COLOURS[index % len(LINK_COLOURS)]
        curves.append(
            _element("path", d=path, fill="none", stroke=colour, stroke_width=1.8, stroke_dasharray="5 4")
        )
    return "".join(curves), lowest


def _element(name: str, *inside: str, **attributes: float | str) -> str:
    """An element around markup; an underscore in an attribute's name is a hyphen."""
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else f"{value:g}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>"


def _escape(text: str) -> str:
    return html.escape(printable(text))
