"""The mapping as one picture: two outlines side by side, matched nodes on common rows, links between them."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from tted_core.comparison import Comparison
from tted_core.explanation import Explanation, Node
from tted_core.foundations.printable import is_leftward, printable, shortened
from tted_core.matching.records import STATUSES, Status
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


@dataclass(frozen=True)
class _Box:
    """A node as it will be drawn, but for its height above the ground."""

    amount: str
    status: Status
    x: float
    wide: float
    lines: list[str]

    @property
    def high(self) -> float:
        return LEADING * len(self.lines) + 2 * PADDING - 3


def outline_picture(explanation: Explanation) -> str:
    """The mapping as an SVG text, of which nothing lies outside: no font, no script, no style sheet.

    Labels longer than ``SHOWN_CHARACTERS`` are cut, with an ellipsis.
    """
    comparison = explanation.comparison
    boxes = {
        node: _measured(explanation, node, start, explanation.trees[side].depth)
        for side, start in enumerate((MARGIN, MARGIN + COLUMN + GUTTER))
        for node in explanation.nodes[side]
    }
    heights = [max(boxes[node].high for node in row.nodes) for row in explanation.rows]
    tops = list(accumulate((high + GAP for high in heights), initial=float(HEAD)))
    top_of = {node: top for top, row in zip(tops, explanation.rows, strict=False) for node in row.nodes}
    points = {node: (box.x, top_of[node] + 12) for node, box in boxes.items()}
    links = [
        svg.link(
            each.status,
            (boxes[left].x + boxes[left].wide, top_of[left] + 13),
            (boxes[right].x, top_of[right] + 13),
        )
        for each in explanation.sentences
        for left, right in [each.nodes]
        if left and right
    ]
    return svg.drawing(
        WIDTH,
        tops[-1] + 34,
        f"{_name(comparison, 0)} → {_name(comparison, 1)}",
        what_happened(explanation),
        _head(explanation),
        *(
            svg.branch_lines([(points[node.parent], points[node]) for node in of if node.parent], 12)
            for of in explanation.nodes
        ),
        *links,
        *(_box(boxes[node], top_of[node]) for of in explanation.nodes for node in of),
        svg.text(comparison.signature, MARGIN, tops[-1] + 18, font_size=10),
    )


def _measured(explanation: Explanation, node: Node, start: float, depth: int) -> _Box:
    amount = explanation.amount_text(node.sentence)
    indent = min(INDENT, DEEPEST / max(1, depth - 1)) * (node.level - 1)
    wide = COLUMN - indent
    room = wide - SIGN - (COST if amount else PADDING)
    lines = wrapped(shortened(printable(node.label), SHOWN_CHARACTERS), room, SIZE)
    return _Box(amount, node.status, start + indent, wide, lines)


def _box(node: _Box, top: float) -> str:
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


def _head(explanation: Explanation) -> str:
    comparison = explanation.comparison
    numbers = (
        f"TTED {comparison.tted:.4f} · normalized {comparison.normalized:.3f} · {comparison.method.order}"
        f"{'' if comparison.proven else ', not proven optimal'}"
    )
    pieces = [svg.legend(explanation.matching.counts, MARGIN, 34)]
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
