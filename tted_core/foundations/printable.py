"""Users' texts made safe for output files: nothing invisible, nothing that XML forbids."""

import unicodedata

ELLIPSIS = "…"
CONTROL_PICTURES = 0x2400
DELETE = 0x7F


def printable(text: str) -> str:
    r"""Replace control characters with visible signs, and characters that XML or UTF-8 forbid with U+FFFD.

    White space becomes spaces. Signs that change the direction of writing are kept: they are part of the text, and
    harmless inside one element.

    >>> printable("a\x00b\tc\x1b")
    'a␀b c␛'
    """
    return "".join(map(_printable, text))


def is_leftward(text: str) -> bool:
    """Return True if a text is written from right to left, by its first letter (rule P2 of Unicode's annex 9).

    >>> is_leftward("1. مرحبا"), is_leftward("abc"), is_leftward("")
    (True, False, False)
    """
    strong = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind for kind in strong if kind in {"L", "R", "AL"}), "L") != "L"


def shortened(text: str, length: int) -> str:
    """At most ``length`` characters, with an ellipsis if the text is longer."""
    return text if len(text) <= length else f"{text[: length - 1]}{ELLIPSIS}"


def _printable(sign: str) -> str:
    code = ord(sign)
    if sign.isspace() and not 0x1C <= code <= 0x1F:
        return " "
    if code < 0x20 or code == DELETE:
        return chr(CONTROL_PICTURES + (0x21 if code == DELETE else code))
    if DELETE < code < 0xA0 or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    return sign
