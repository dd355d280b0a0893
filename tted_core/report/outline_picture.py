"""The mapping as one picture: two outlines side by side, matched nodes on common rows, links between them.

It is as wide as a text column of a journal or as two, with letters of 7 or 8 points. Emoji before a label are left
out: a font that has them would replace the one of all other labels.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby

from tted_core.errors import OptionsError
from tted_core.explanation import Explanation, Node
from tted_core.foundations.printable import is_leftward, printable, shortened
from tted_core.report import svg
from tted_core.report.palette import STYLES
from tted_core.report.readings import LineRow, Reading, RowCell, read_sentences
from tted_core.report.text_width import wrap
from tted_core.report.words import names_of

SHOWN_CHARACTERS = 240
BOLD_WIDTH = 1.15
"""Width of bold letters, with the ellipsis of a name that is cut, to that of others."""

PICTOGRAPHS = re.compile("^[\u2600-\u2bff\U0001f000-\U0001ffff \u200d\ufe0f]+")
"""Those before a text, with the characters between them and those that make one of several."""

CHANGED_STYLE: Mapping[str, float | str] = {"text_decoration": "underline"}
FLAGGED_STYLE: Mapping[str, float | str] = {"text_decoration": "underline", "font_weight": "bold"}


@dataclass(frozen=True)
class _Sheet:
    """Sizes in CSS pixels (3/4 point): the page, the letters, and what stands between."""

    wide: float
    size: float
    gutter: float
    indent: float
    deepest: float
    margin: float = 6

    @property
    def column(self) -> float:
        return (self.wide - 2 * self.margin - self.gutter) / 2

    @property
    def small(self) -> float:
        return self.size * 0.85

    @property
    def leading(self) -> float:
        return self.size * 1.3


SHEETS = {
    1: _Sheet(wide=324, size=9.33, gutter=30, indent=7, deepest=40),
    2: _Sheet(wide=672, size=10.67, gutter=56, indent=13, deepest=110),
}
"""Of a picture that is as wide as so many text columns: 86 mm or 178 mm."""


@dataclass(frozen=True)
class _Box:
    """A node as it will be drawn, but for its height above the ground."""

    cell: RowCell
    amount: str
    flagged: bool
    x: float
    wide: float
    lines: list[str]
    high: float


def outline_picture(explanation: Explanation, columns: int = 2) -> str:
    """The mapping as an SVG text, of which nothing lies outside; its font is in it, and no script.

    Labels longer than ``SHOWN_CHARACTERS`` are cut, with an ellipsis.

    Raises:
        OptionsError: ``columns`` is neither 1 nor 2.
    """
    if columns not in SHEETS:
        raise OptionsError(f"a picture is 1 or 2 text columns wide, not {columns!r:.40}")
    sheet, comparison = SHEETS[columns], explanation.comparison
    reading, names = read_sentences(explanation), names_of(comparison)
    head, start = _head(explanation, reading, sheet, names)
    boxes = {box.cell.node: box for row in reading.rows for box in _boxes(explanation, row, sheet)}
    heights = [max(boxes[node].high for node in row.nodes) + 5 for row in reading.rows]
    tops = list(accumulate(heights, initial=start))
    top_of = {node: top for top, row in zip(tops, reading.rows, strict=False) for node in row.nodes}
    middle = sheet.size
    points = {node: (box.x, top_of[node] + middle) for node, box in boxes.items()}
    links = [
        svg.draw_link(
            each.kind,
            (boxes[left].x + boxes[left].wide, top_of[left] + middle),
            (boxes[right].x, top_of[right] + middle),
        )
        for each in reading.lines
        for left, right in [each.nodes]
        if left and right
    ]
    return svg.drawing(
        sheet.wide,
        tops[-1] + 2 * sheet.leading,
        " → ".join(names),
        reading.summary,
        head,
        *(
            svg.branch_lines([(points[node.parent], points[node]) for node in of if node.parent], middle)
            for of in explanation.nodes
        ),
        *links,
        *(_draw(box, top_of[node], sheet) for node, box in boxes.items()),
        *(
            svg.text(line, sheet.margin, tops[-1] + sheet.leading * (number + 0.8), font_size=7)
            for number, line in enumerate(wrap(comparison.signature, sheet.wide - 2 * sheet.margin, 7)[:2])
        ),
        size=sheet.size,
    )


def _boxes(explanation: Explanation, row: LineRow, sheet: _Sheet) -> Iterator[_Box]:
    """The boxes of a row; the amount stands in the left one if there are two."""
    depth = max(tree.depth for tree in explanation.trees)
    for cell in (cell for cell in row.cells if cell):
        node = cell.node
        indent = min(sheet.indent, sheet.deepest / max(1, depth - 1)) * (node.level - 1)
        wide = sheet.column - indent
        amount = row.line.amount_text if row.is_first and row.nodes[0] is node else ""
        flagged = bool(row.line.flags) and row.is_last and row.nodes[-1] is node
        room = wide - 2.2 * sheet.size - (3.2 * sheet.small if amount else 0) - (sheet.size if flagged else 0)
        lines = wrap(shortened(_label(node), SHOWN_CHARACTERS), room, sheet.size)
        x = sheet.margin + node.side * (sheet.column + sheet.gutter) + indent
        yield _Box(cell, amount, flagged, x, wide, lines, sheet.leading * len(lines) + 6)


def _draw(box: _Box, top: float, sheet: _Sheet) -> str:
    kind, first, end = box.cell.node.status, top + sheet.size + 2, box.x + box.wide - 5
    pieces = [
        svg.box(kind, box.x, top, box.wide, box.high),
        svg.text(STYLES[kind].glyph, box.x + 5, first, font_weight="bold"),
    ]
    if box.amount:
        pieces.append(svg.text(box.amount, end, first, text_anchor="end", font_size=sheet.small))
        end -= 3.2 * sheet.small
    if box.flagged:
        pieces.append(svg.flag(end, first, sheet.small))
        end -= sheet.size
    leftward = is_leftward(box.lines[0])  # its lines begin on the right
    x, anchor = (end, "end") if leftward else (box.x + 1.6 * sheet.size, "start")
    for number, runs in enumerate(_runs(box.cell, box.lines)):
        pieces.append(svg.line(runs, x, first + sheet.leading * number, text_anchor=anchor))
    return svg.element("g", *pieces)


def _runs(cell: RowCell, lines: list[str]) -> Iterator[list[tuple[str, Mapping[str, float | str]]]]:
    """The lines of a label, each in runs of letters that are marked alike."""
    label = "".join(piece.text for piece in cell.pieces)
    styles = [
        FLAGGED_STYLE if piece.flagged else CHANGED_STYLE if piece.changed else {}
        for piece in cell.pieces
        for sign in piece.text
    ]
    left_out = len(label) - len(_without_pictographs(label))
    marks: Iterator[Mapping[str, float | str]] = iter(
        [style for sign, style in zip(label, styles, strict=True) if not printable(sign).isspace()][left_out:]
    )
    for line in lines:
        signs = [(sign, {} if sign == " " else next(marks, {})) for sign in line]
        for here in (here for here, sign in enumerate(line) if sign == " "):
            if signs[here - 1][1] == signs[here + 1][1]:
                signs[here] = (" ", signs[here - 1][1])
        yield [
            ("".join(sign for sign, _ in run), style) for style, run in groupby(signs, lambda each: each[1])
        ]


def _label(node: Node) -> str:
    return _without_pictographs(printable(node.label))


def _without_pictographs(label: str) -> str:
    """The text without emoji before its first letter; whole, if there is nothing else in it."""
    return PICTOGRAPHS.sub("", label) or label


def _head(
    explanation: Explanation, reading: Reading, sheet: _Sheet, names: Iterable[str]
) -> tuple[str, float]:
    """The score, the legend and the names, and where the rows begin."""
    comparison = explanation.comparison
    numbers = (
        f"TTED {comparison.tted:.4f} · normalized {comparison.normalized:.3f} · {comparison.method.order}"
        f"{'' if comparison.proven else ', not proven optimal'}"
    )
    inner = sheet.wide - 2 * sheet.margin
    pieces = [svg.text(numbers, sheet.margin, sheet.leading)]
    if flagged := explanation.matching.claims:
        pieces.append(svg.flag(sheet.wide - sheet.margin, sheet.leading, sheet.small))
        words = f"may change a claim {flagged}"
        x = sheet.wide - sheet.margin - sheet.leading
        pieces.append(svg.text(words, x, sheet.leading, text_anchor="end"))
    counts = {kind: part.count for kind, part in reading.by_kind.items() if part.count}
    legend, high = svg.draw_legend(counts, sheet.margin, 2.6 * sheet.leading, inner, sheet.size)
    top = 2.6 * sheet.leading + high
    for side, name in enumerate(names):
        first, *others = wrap(shortened(name, SHOWN_CHARACTERS), sheet.column / BOLD_WIDTH, sheet.size)
        x = sheet.margin + side * (sheet.column + sheet.gutter)
        pieces.append(svg.text(f"{first} …" if others else first, x, top, font_weight="bold"))
    return "".join([*pieces, legend]), top + 0.6 * sheet.leading
