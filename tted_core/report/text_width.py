"""The font of pictures: the width of a text, its lines in a given width, and the glyphs that a file carries."""

import base64
import io
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from tted_core.foundations.printable import DELETE

FONT_FILES = {"normal": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}
"""Weight -> file of DejaVu Sans, which matplotlib has."""

# Advance widths in hundredths of the font size of the characters from space to tilde in DejaVu Sans, the widest of
# the usual sans-serif fonts: what fits by these fits in Arial, Helvetica and Liberation Sans too.
WIDTHS = (
    *(32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64),
    *(34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69),
    *(63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28),
    *(97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84),
)
LETTER, CAPITAL, IDEOGRAPH, EMOJI = 66, 77, 100, 125
"""Widths of other letters, of other capitals and signs, of ideographs, and of emoji with their overhang."""

CLOSING = {"Pe", "Pf", "Po"}
"""Unicode's categories of signs that begin no line."""


def text_width(text: str, size: float) -> float:
    """About how wide a text is drawn in a font of this size; rather too wide than too narrow."""
    return sum(map(_width, text)) * size / 100


def wrap(text: str, room: float, size: float, beside: float = 0) -> list[str]:
    """The text in lines no wider than ``room``, the first less ``beside``; a word that is wider is broken."""
    pieces: list[str] = []
    for word in text.split():
        pieces += _fill(word, "", room if pieces else room - beside, size, 0)
    return _fill(pieces, " ", room, size, beside)


def _fill(parts: Iterable[str], joint: str, room: float, size: float, beside: float) -> list[str]:
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}{joint}{part}" if lines[-1] else part
        if lines[-1] and text_width(longer, size) > room - (beside if len(lines) == 1 else 0):
            if not joint and unicodedata.category(part) in CLOSING and len(lines[-1]) > 1:
                lines[-1], part = lines[-1][:-1], lines[-1][-1] + part  # noqa: PLW2901 - a sign goes along
            lines.append(part)
        else:
            lines[-1] = longer
    return lines


def _width(sign: str) -> int:
    code = ord(sign)
    if 0x20 <= code < DELETE:
        return WIDTHS[code - 0x20]
    category = unicodedata.category(sign)
    if category in {"Mn", "Me", "Cf"}:
        return 0
    if unicodedata.east_asian_width(sign) in "WF":
        return EMOJI if category == "So" else IDEOGRAPH
    return LETTER if category in {"Ll", "Lo"} else CAPITAL


@lru_cache(8)
def font_rules(text: str) -> str:
    """CSS that holds the glyphs of a text, of both weights; signs that no font of the reader has are empty boxes.

    Empty on a bare installation, without matplotlib, whose font it is: texts have a font of the reader's then.
    """
    try:
        import matplotlib as mpl
        from fontTools import subset
    except ImportError:
        return ""
    rules = []
    for weight, name in FONT_FILES.items():
        options = subset.Options(flavor="woff", hinting=False, drop_tables=["FFTM"], notdef_outline=True)
        font = subset.load_font(f"{mpl.get_data_path()}/fonts/ttf/{name}", options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=text)
        subsetter.subset(font)
        subset.save_font(font, file := io.BytesIO(), options)
        data = base64.b64encode(file.getvalue()).decode("ascii")
        source = f"url(data:font/woff;base64,{data})"
        rules.append(f"@font-face{{font-family:'DejaVu Sans';font-weight:{weight};src:{source}}}")
    return "".join(rules)
