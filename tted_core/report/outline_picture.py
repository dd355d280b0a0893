"""The mapping as one picture: two outlines side by side, matched nodes on common rows, links between them."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import STATUSES, Status
from tted_core.explain.mapping_view import MappingView
from tted_core.foundations.printable import is_leftward, printable, shortened
from tted_core.report import svg
from tted_core.report.text_width import wrapped
from tted_core.report.words import what_happened

WIDTH = 1240
MARGIN, GUTTER = 20, 90
COLUMN = (WIDTH - 2 * MARGIN - GUTTER) / 2
INDENT, DEEPEST = 18, 200
"""Points from level to level, as long as the deepest level is not further in than ``DEEPEST``."""

SIZE, SMALL, LEADING = 13, 11, 17
PADDING, GAP = 6, 7
SIGN, COST = 20, 52
"""Room inside a box for the glyph on its left and the cost on its right."""

HEAD = 92
SHOWN_CHARACTERS = 240
BOLD = 1.15
"""Width of bold letters, with the ellipsis of a name that is cut, to that of others."""

Point = tuple[float, float]


@dataclass(frozen=True)
class _Node:
    """A node as it will be drawn, but for its height above the ground."""

    amount: str
    status: Status
    x: float
    wide: float
    lines: list[str]

    @property
    def high(self) -> float:
        return LEADING * len(self.lines) + 2 * PADDING - 3


def outline_picture(comparison: Comparison) -> str:
    """The mapping as an SVG text, of which nothing lies outside: no font, no script, no style sheet.

    Labels longer than ``SHOWN_CHARACTERS`` are cut, with an ellipsis.
    """
    view = MappingView(comparison)
    sides = (_nodes(view, 0, MARGIN), _nodes(view, 1, MARGIN + COLUMN + GUTTER))
    rows = view.rows
    heights = [
        max(side[node].high for side, node in zip(sides, row, strict=True) if node is not None)
        for row in rows
    ]
    tops = list(accumulate((high + GAP for high in heights), initial=float(HEAD)))
    at: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for top, row in zip(tops, rows, strict=False):
        for heads, node in zip(at, row, strict=True):
            if node is not None:
                heads[node] = top
    return svg.drawing(
        WIDTH,
        tops[-1] + 34,
        f"{_name(comparison, 0)} → {_name(comparison, 1)}",
        what_happened(comparison),
        _head(view),
        *(
            svg.branch_lines(
                [(side[node].x, heads[node] + 12) for node in range(len(tree))], tree.parents, 12
            )
            for side, heads, tree in zip(sides, at, view.trees, strict=True)
        ),
        *(_link(kind, pair, sides, at) for kind, pair in view.links),
        *(
            _box(nodes[node], top)
            for nodes, heads in zip(sides, at, strict=True)
            for node, top in heads.items()
        ),
        svg.text(comparison.signature, MARGIN, tops[-1] + 18, font_size=10),
    )


def _nodes(view: MappingView, side: int, start: float) -> list[_Node]:
    tree = view.trees[side]
    step = min(INDENT, DEEPEST / max(1, tree.depth - 1))
    nodes = []
    for node, label in enumerate(tree.labels):
        number = view.at[side][node]
        amount = view.amount_text(number)
        indent = step * (tree.depths[node] - 1)
        wide = COLUMN - indent
        room = wide - SIGN - (COST if amount else PADDING)
        lines = wrapped(shortened(printable(label), SHOWN_CHARACTERS), room, SIZE)
        nodes.append(_Node(amount, view.status(side, node), start + indent, wide, lines))
    return nodes


def _box(node: _Node, top: float) -> str:
    first = top + PADDING + SIZE - 2
    glyph = svg.text(STATUSES[node.status], node.x + 7, first, font_weight="bold")
    cost = node.amount
    start: dict[str, Any] = {"x": node.x + SIGN}
    if is_leftward(node.lines[0]):  # its lines begin on the right
        start = {"x": node.x + node.wide - (COST if cost else PADDING), "text_anchor": "end"}
    lines = [svg.text(line, y=first + LEADING * number, **start) for number, line in enumerate(node.lines)]
    if cost:
        lines.append(svg.text(cost, node.x + node.wide - 6, first, text_anchor="end", font_size=SMALL))
    return svg.element("g", svg.box(node.status, node.x, top, node.wide, node.high), glyph, *lines)


def _link(
    kind: Status,
    pair: tuple[int, int],
    sides: tuple[list[_Node], list[_Node]],
    at: tuple[dict[int, float], dict[int, float]],
) -> str:
    source, target = pair
    left, right = sides[0][source], sides[1][target]
    return svg.link(kind, (left.x + left.wide, at[0][source] + 13), (right.x, at[1][target] + 13))


def _head(view: MappingView) -> str:
    comparison = view.comparison
    numbers = (
        f"TTED {comparison.tted:.4f} · normalized {comparison.normalized:.3f} · {comparison.method.order}"
        f"{'' if comparison.proven else ', not proven optimal'}"
    )
    pieces = [svg.legend(view.counts, MARGIN, 34)]
    pieces.append(svg.text(numbers, WIDTH - MARGIN, 34, text_anchor="end", font_size=15))
    for number, x in enumerate((MARGIN, MARGIN + COLUMN + GUTTER)):
        name = shortened(printable(_name(comparison, number)), SHOWN_CHARACTERS)
        first, *others = wrapped(name, COLUMN / BOLD, 15)
        shown = f"{first} …" if others else first
        pieces.append(svg.text(shown, x, 74, font_weight="bold", font_size=15))
    return "".join(pieces)


def _name(comparison: Comparison, side: int) -> str:
    mind_map = (comparison.left, comparison.right)[side]
    return mind_map.name or ("Left map", "Right map")[side]
