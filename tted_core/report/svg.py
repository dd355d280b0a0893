"""A small SVG writer: elements as strings, every text and attribute escaped, nothing that XML forbids.

Colours are given as attributes, which every program reads; the classes let a page's style sheet change them.
"""

import html
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tted_core.foundations.printable import is_leftward, printable
from tted_core.report.palette import KIND_STYLES, SURFACE, LineKind
from tted_core.report.text_width import font_rules, text_width

Point: TypeAlias = tuple[float, float]

FONTS = "'DejaVu Sans', Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
RIGHT_TO_LEFT_MARK = "\u200f"
PAPER = SURFACE["light"]

# What tells the statuses apart on a grey print, beside their glyphs: a drawn, broken, dotted or thick border.
BORDERS: dict[LineKind, dict[str, float | str]] = {
    "same": {"stroke_width": 1},
    "reworded": {"stroke_width": 1.4, "stroke_dasharray": "6 3"},
    "moved": {"stroke_width": 1.4, "stroke_dasharray": "6 2 1.5 2"},
    "merged": {"stroke_width": 1.4, "stroke_dasharray": "8 2 1.5 2 1.5 2"},
    "split": {"stroke_width": 1.4, "stroke_dasharray": "8 2 1.5 2 1.5 2"},
    "missing": {"stroke_width": 1.4, "stroke_dasharray": "1.5 2.5"},
    "extra": {"stroke_width": 2.4},
}

LINKS: dict[LineKind, str] = {
    "reworded": "6 3",
    "moved": "2 3",
    "merged": "8 2 1.5 2",
    "split": "8 2 1.5 2",
}
"""The dashes of the links that are no whole lines."""


def element(name: str, *inside: str, **attributes: float | str) -> str:
    """An element around markup; an underscore in an attribute's name is a hyphen, one at its end is dropped.

    >>> element("g", element("rect", width=2.5), class_="a & b")
    '<g class="a &amp; b"><rect width="2.5"/></g>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def escape_text(text: str) -> str:
    """A user's text as markup."""
    return html.escape(printable(text))


def text(content: str, x: float, y: float, **attributes: float | str) -> str:
    """One line of a user's text; being an element of its own, it can't turn its surroundings' direction.

    Programs that draw SVG read every line as one from left to right. Where it is not, a mark at either end keeps
    its punctuation on its own side.
    """
    return line([(content, {})], x, y, **attributes)


def line(
    pieces: Iterable[tuple[str, Mapping[str, float | str]]], x: float, y: float, **attributes: float | str
) -> str:
    """One line of a user's text in pieces, each with attributes of its own."""
    pieces = list(pieces)
    mark = RIGHT_TO_LEFT_MARK if is_leftward("".join(piece for piece, _ in pieces)) else ""
    inside = "".join(
        element("tspan", escape_text(piece), **style) if style else escape_text(piece)
        for piece, style in pieces
    )
    return element("text", f"{mark}{inside}{mark}", x=x, y=y, **{"class_": "text", **attributes})


def flag(x: float, y: float, size: float) -> str:
    """The sign of a sentence that may claim something else; ``x`` is its right end, ``y`` the line of writing."""
    pill = element(
        "rect",
        x=x - size,
        y=y - size + 1,
        width=size,
        height=size + 2,
        rx=2,
        fill=PAPER["text"],
        class_="flag",
    )
    return pill + text("!", x - size / 2, y, text_anchor="middle", font_size=size, fill=PAPER["background"])


def box(kind: LineKind, x: float, y: float, wide: float, high: float) -> str:
    """The box of a node, by what became of it."""
    fill, border = KIND_STYLES[kind].light
    return element(
        "rect",
        x=x,
        y=y,
        width=wide,
        height=high,
        rx=3,
        class_=f"box {kind}",
        fill=fill,
        stroke=border,
        **BORDERS[kind],
    )


def draw_link(kind: LineKind, start: Point, end: Point) -> str:
    """The link between two nodes that correspond: a line, or a bow where they stand in different rows."""
    (x1, y1), (x2, y2) = start, end
    bend = (x2 - x1) / 2
    path = f"M{_value(x1)} {_value(y1)}C{_value(x1 + bend)} {_value(y1)} {_value(x2 - bend)} {_value(y2)} "
    return element(
        "path",
        d=f"{path}{_value(x2)} {_value(y2)}",
        class_=f"link {kind}",
        fill="none",
        stroke=KIND_STYLES[kind].light[1],
        stroke_width=0.8 if kind == "same" else 1.6,
        **({"stroke_dasharray": LINKS[kind]} if kind in LINKS else {}),
    )


def branch_lines(ends: Iterable[tuple[Point, Point]], below: float) -> str:
    """Elbows from parents down and across to their children.

    ``ends`` are the points where a parent's and its child's box meet their elbows; the elbow leaves the parent
    ``below`` under its point.
    """
    pieces = []
    for above, here in ends:
        x = above[0] + (here[0] - above[0]) / 2
        pieces.append(f"M{_value(x)} {_value(above[1] + below)}V{_value(here[1])}H{_value(here[0])}")
    return (
        element("path", d="".join(pieces), class_="branch", fill="none", stroke=PAPER["line"])
        if pieces
        else ""
    )


def draw_legend(
    counts: Mapping[LineKind, int], x: float, y: float, room: float, size: float
) -> tuple[str, float]:
    """Entries of the statuses that occur: a box with its sign, the name and how many; and the height of all."""
    pieces, at, top = [], x, y
    for kind, count in counts.items():
        words = f"{kind} {count:,}"
        wide = 2 * size + 6 + text_width(words, size)
        if at > x and at + wide > x + room:
            at, top = x, top + 1.7 * size
        pieces.append(box(kind, at, top - size, 1.4 * size, 1.4 * size))
        pieces.append(text(KIND_STYLES[kind].glyph, at + 0.7 * size, top, text_anchor="middle"))
        pieces.append(text(words, at + 1.4 * size + 4, top))
        at += wide
    return "".join(pieces), top + 1.7 * size - y


def drawing(wide: float, high: float, title: str, description: str, *inside: str, size: float = 13) -> str:
    """A whole picture in a font that it carries, with a name and a description for those who can't see it."""
    rules = font_rules("".join(sorted(set("".join(inside)))))
    return element(
        "svg",
        element("title", escape_text(title)),
        element("desc", escape_text(description)),
        *([element("style", rules)] if rules else []),
        element("rect", width=wide, height=high, fill=PAPER["background"], class_="background"),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(wide)} {_value(high)}",
        width=wide,
        height=high,
        role="img",
        font_family=FONTS,
        font_size=size,
        fill=PAPER["text"],
    )


def _value(value: float | str) -> str:
    return html.escape(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
