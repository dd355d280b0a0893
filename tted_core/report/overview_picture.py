"""The mapping in small: both maps with a line of text per node, face to face, so that links show what moved.

Drawings of two trees whose leaves are linked are known as tanglegrams; here every node has a place and a link.
"""

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import STATUSES
from tted_core.explain.mapping_view import MappingView
from tted_core.foundations.printable import ELLIPSIS, printable, width
from tted_core.report import svg
from tted_core.report.words import what_happened

WIDTH = 1000
COLUMN = 400
ROW, SIZE = 16, 11
SIGN = 14
INDENT, DEEPEST = 14, 140
TOP = 8
READ_CHARACTERS = 200
"""No line holds more; what is behind them needn't be measured."""


def overview_picture(comparison: Comparison) -> str:
    """The overview as an SVG text; each node's whole label is in its tooltip, as far as a browser shows them."""
    view = MappingView(comparison)
    orders = (list(range(len(view.trees[0]))), view.order)
    rows = [{node: row for row, node in enumerate(order)} for order in orders]
    links = [
        svg.link(kind, (COLUMN, _middle(rows[0][source])), (WIDTH - COLUMN, _middle(rows[1][target])))
        for kind, (source, target) in view.links
    ]
    return svg.drawing(
        WIDTH,
        2 * TOP + ROW * max(map(len, view.trees)),
        "Overview of the mapping",
        what_happened(comparison),
        *links,
        *(_side(view, side, rows[side]) for side in (0, 1)),
    )


def _side(view: MappingView, side: int, rows: dict[int, int]) -> str:
    """One side; the right one is mirrored."""
    tree, mirrored = view.trees[side], side == 1
    step = min(INDENT, DEEPEST / max(1, tree.depth - 1))
    sign = -1 if mirrored else 1
    edge = WIDTH if mirrored else 0
    places = [
        (edge + sign * step * (depth - 1), _middle(rows[node])) for node, depth in enumerate(tree.depths)
    ]
    pieces = [svg.branch_lines([(x + sign * 2, y) for x, y in places], tree.parents, ROW / 2)]
    anchor = {"text_anchor": "end"} if mirrored else {}
    for node, (x, y) in enumerate(places):
        kind = view.status(side, node)
        label = printable(tree.labels[node])
        box_x = WIDTH - COLUMN if mirrored else COLUMN - SIGN
        room = COLUMN - SIGN - abs(x - edge) - 12
        shown = _fitting(label, room)
        ends = (
            x + sign * (width(shown, SIZE) + 10),
            COLUMN - SIGN - 4 if not mirrored else WIDTH - COLUMN + SIGN + 4,
        )
        pieces.append(
            svg.element(
                "g",
                svg.element("title", svg.escaped(label)),
                svg.leader(*ends, y),
                svg.box(kind, box_x, y - SIGN / 2, SIGN, SIGN),
                svg.text(
                    STATUSES[kind],
                    box_x + SIGN / 2,
                    y + 4,
                    text_anchor="middle",
                    font_size=SIZE,
                ),
                svg.text(shown, x + sign * 5, y + 4, font_size=SIZE, **anchor),
            )
        )
    return "".join(pieces)


def _middle(row: int) -> float:
    return TOP + ROW * (row + 0.5)


def _fitting(label: str, room: float) -> str:
    """As much of the label as fits into the room."""
    used = width(ELLIPSIS, SIZE)
    for length, sign in enumerate(label[:READ_CHARACTERS]):
        used += width(sign, SIZE)
        if used > room:
            return label[:length].rstrip() + ELLIPSIS
    return label if len(label) <= READ_CHARACTERS else label[:READ_CHARACTERS] + ELLIPSIS
