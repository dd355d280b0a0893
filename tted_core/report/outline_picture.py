"""The mapping as one picture: two outlines side by side, matched nodes on common rows, links between them.

It is as wide as a text column of a journal or as two, with letters of 7 or 8 points. Emoji before a label are left
out: a font that has them would replace the one of all other labels.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from tted_core.errors import OptionsError
from tted_core.explanation import Explanation, Node
from tted_core.foundations.printable import is_leftward, printable, shortened
from tted_core.report.html_report import load_template
from tted_core.report.palette import KIND_STYLES, SURFACE
from tted_core.report.readings import LineRow, Reading, RowCell, read_sentences
from tted_core.report.text_width import font_rules, text_width, wrap
from tted_core.report.words import names_of

SHOWN_CHARACTERS = 240
BOLD_WIDTH = 1.15
"""Width of bold letters, with the ellipsis of a name that is cut, to that of others."""

PICTOGRAPHS = re.compile("^[\u2600-\u2bff\U0001f000-\U0001ffff \u200d\ufe0f]+")
"""Those before a text, with the characters between them and those that make one of several."""


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


_Entry: TypeAlias = tuple[str, str, float, float]


@dataclass(frozen=True)
class _Box:
    """A node as it is drawn; its lines are runs of letters that are marked alike."""

    node: Node
    amount: str
    flagged: bool
    leftward: bool
    lines: list[list[tuple[str, str]]]
    x: float
    y: float
    wide: float
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
    names = names_of(comparison)
    reading = read_sentences(explanation)
    legend, low = _legend(explanation, reading, sheet)
    proof = "" if comparison.proven else ", not proven optimal"
    scores = f"TTED {comparison.tted:.4f} · normalized {comparison.normalized:.3f}"
    line = f"{scores} · {comparison.method.order}{proof}"
    texts: list[tuple[str, float, float, dict[str, Any]]] = [(line, sheet.margin, sheet.leading, {})]
    for side, name in enumerate(names):
        first, *others = wrap(shortened(name, SHOWN_CHARACTERS), sheet.column / BOLD_WIDTH, sheet.size)
        x = sheet.margin + side * (sheet.column + sheet.gutter)
        texts.append((f"{first} …" if others else first, x, low, {"bold": True}))
    top, boxes = low + 0.6 * sheet.leading, dict[Node, _Box]()
    for row in reading.rows:
        found = [_box(explanation, row, cell, top, sheet) for cell in row.cells if cell]
        boxes |= {box.node: box for box in found}
        top += max(box.high for box in found) + 5
    signature = wrap(comparison.signature, sheet.wide - 2 * sheet.margin, 7)[:2]
    for number, line in enumerate(signature):
        texts.append((line, sheet.margin, top + sheet.leading * (number + 0.8), {"size": 7}))
    links = [
        (line.kind, boxes[left], boxes[right])
        for line in reading.lines
        for left, right in [line.nodes]
        if left and right
    ]
    return load_template("outline.svg").render(
        wide=sheet.wide,
        high=top + 2 * sheet.leading,
        size=sheet.size,
        small=sheet.small,
        leading=sheet.leading,
        title=" → ".join(names),
        summary=reading.summary,
        texts=texts,
        legend=legend,
        boxes=boxes,
        links=links,
        styles=KIND_STYLES,
        surface=SURFACE["light"],
        font_rules=font_rules,
    )


def _box(explanation: Explanation, row: LineRow, cell: RowCell, top: float, sheet: _Sheet) -> _Box:
    """The box of a node; the amount stands in the left one of two, and the flag in the right one."""
    node, depth = cell.node, max(tree.depth for tree in explanation.trees)
    indent = min(sheet.indent, sheet.deepest / max(1, depth - 1)) * (node.level - 1)
    x = sheet.margin + node.side * (sheet.column + sheet.gutter) + indent
    amount = row.line.amount_text if row.is_first and row.nodes[0] is node else ""
    flagged = bool(row.line.flags) and row.is_last and row.nodes[-1] is node
    beside = (3.2 * sheet.small if amount else 0) + (sheet.size if flagged else 0)
    wide = sheet.column - indent
    label = _without_pictographs(printable(node.label))
    lines = wrap(shortened(label, SHOWN_CHARACTERS), wide - 2.2 * sheet.size, sheet.size, beside)
    high = sheet.leading * len(lines) + 6
    return _Box(node, amount, flagged, is_leftward(label), list(_runs(cell, lines)), x, top, wide, high)


def _runs(cell: RowCell, lines: list[str]) -> Iterator[list[tuple[str, str]]]:
    """The lines of a label, each in runs of letters that are marked alike: not, as changed or as flagged."""
    label = "".join(piece.text for piece in cell.pieces)
    marks = [
        "flagged" if piece.flagged else "changed" if piece.changed else ""
        for piece in cell.pieces
        for sign in piece.text
    ]
    left_out = len(label) - len(_without_pictographs(label))
    letters = iter(
        [mark for sign, mark in zip(label, marks, strict=True) if not printable(sign).isspace()][left_out:]
    )
    for line in lines:
        signs = [(sign, "" if sign == " " else next(letters, "")) for sign in line]
        for here in (here for here, sign in enumerate(line) if sign == " "):
            if signs[here - 1][1] == signs[here + 1][1]:
                signs[here] = (" ", signs[here - 1][1])
        yield [("".join(sign for sign, _ in run), mark) for mark, run in groupby(signs, lambda each: each[1])]


def _without_pictographs(label: str) -> str:
    """The text without emoji before its first letter; whole, if there is nothing else in it."""
    return PICTOGRAPHS.sub("", label) or label


def _legend(explanation: Explanation, reading: Reading, sheet: _Sheet) -> tuple[list[_Entry], float]:
    """The statuses that occur and flags, how many sentences have them, where they stand; the line below all."""
    counts = {str(kind): part.count for kind, part in reading.by_kind.items()}
    found: list[_Entry] = []
    x, y = sheet.margin, 2.6 * sheet.leading
    for name, count in (*counts.items(), ("may change the claim", explanation.matching.claims)):
        if count:
            words = f"{name} {count:,}"
            wide = 2 * sheet.size + 6 + text_width(words, sheet.size)
            if found and x + wide > sheet.wide - sheet.margin:
                x, y = sheet.margin, y + 1.7 * sheet.size
            found.append((name, words, x, y))
            x += wide
    return found, y + 1.9 * sheet.size
