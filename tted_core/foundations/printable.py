"""Users' texts in files that others open: nothing invisible, nothing that XML forbids; and how wide they are."""

import unicodedata

# Advance widths in hundredths of the font size of the characters from space to tilde in DejaVu Sans, the widest of
# the usual sans-serif fonts: what fits by these fits in Arial, Helvetica and Liberation Sans too.
WIDTHS = (
    *(32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64),
    *(34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69),
    *(63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28),
    *(97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84),
)
LETTER, CAPITAL, WIDE = 66, 77, 125
"""Widths of other letters, other capitals and signs, and of ideographs and emoji with their overhang."""

ELLIPSIS = "…"
CONTROL_PICTURES = 0x2400
DELETE = 0x7F


def printable(text: str) -> str:
    r"""The text with a visible sign for each control character, and U+FFFD for what no XML or UTF-8 may hold.

    White space becomes spaces. The signs that turn the direction of writing stay: they do no harm inside one
    element, and are part of the text.

    >>> printable("a\x00b\tc\x1b")
    'a␀b c␛'
    """
    return "".join(map(_printable, text))


def is_leftward(text: str) -> bool:
    """Whether a text is written from right to left, by its first letter (rule P2 of Unicode's annex 9).

    >>> is_leftward("1. مرحبا"), is_leftward("abc"), is_leftward("")
    (True, False, False)
    """
    strong = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind for kind in strong if kind in {"L", "R", "AL"}), "L") != "L"


def shortened(text: str, length: int) -> str:
    """At most ``length`` characters, with an ellipsis where something is missing."""
    return text if len(text) <= length else f"{text[: length - 1]}{ELLIPSIS}"


def width(text: str, size: float) -> float:
    """About how wide a text is drawn in a font of this size; rather too wide than too narrow."""
    return sum(map(_width, text)) * size / 100


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The text in lines no wider than ``room``; a word that is wider is broken."""
    lines: list[str] = []
    line, used = "", 0.0
    for word in text.split():
        wide = width(word, size)
        gap = WIDTHS[0] * size / 100 if line else 0.0
        if used + gap + wide <= room:
            line, used = f"{line} {word}" if line else word, used + gap + wide
            continue
        if line:
            lines.append(line)
        *broken, line = _broken(word, room, size)
        lines += broken
        used = width(line, size)
    return [*lines, line]


def _broken(word: str, room: float, size: float) -> list[str]:
    pieces, piece, used = [], "", 0.0
    for sign in word:
        wide = width(sign, size)
        if piece and used + wide > room:
            pieces.append(piece)
            piece, used = "", 0.0
        piece, used = piece + sign, used + wide
    return [*pieces, piece]


def _printable(sign: str) -> str:
    code = ord(sign)
    if sign.isspace() and not 0x1C <= code <= 0x1F:
        return " "
    if code < 0x20 or code == DELETE:
        return chr(CONTROL_PICTURES + (0x21 if code == DELETE else code))
    if DELETE < code < 0xA0 or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    return sign


def _width(sign: str) -> int:
    code = ord(sign)
    if 0x20 <= code < DELETE:
        return WIDTHS[code - 0x20]
    category = unicodedata.category(sign)
    if category in {"Mn", "Me", "Cf"}:
        return 0
    if unicodedata.east_asian_width(sign) in "WF":
        return WIDE
    return LETTER if category == "Ll" else CAPITAL
