"""Bytes -> text: byte order marks, UTF-8 and UTF-16 first; anything else is guessed, with a notice.

charset-normalizer guesses among encodings in which real mind maps occur (Windows and DOS code pages, KOI8-R, East
Asian ones); among all that it knows it takes the six bytes of a Russian word in windows-1251 for Big5.
"""

import codecs
import re
from contextlib import suppress

from tted_core.errors import MapFormatError
from tted_core.formats.labels import counted, quoted

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, since it begins with that mark
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_GUESSES = [
    "cp1252",
    "cp1251",
    "koi8_r",
    "cp866",
    "cp1250",
    "cp1253",
    "shift_jis",
    "gb18030",
    "euc_kr",
    "big5",
]
_SAMPLE = 20_000
_SCRIPTS = range(7)  # high bytes of UTF-16 in Latin, Greek, Cyrillic, Hebrew and Arabic
_DECLARED = re.compile(r"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'<>\s]{1,40})["']""", re.IGNORECASE)
_HEAD = 1_000  # bytes searched for a declaration
_UNUSED = {"idna", "punycode", "utf-7"}
"""Codecs in which no mind map is stored; the first two take more than linear time."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def decode(data: bytes) -> tuple[str, list[str]]:
    r"""Decode a file's bytes; returns the text with ``\n`` newlines, and notices.

    Raises:
        MapFormatError: the bytes don't match their byte order mark, or aren't text.
    """
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            try:
                text = with_newlines(data[len(mark) :].decode(encoding))
                return text, _contradictions(text, data, encoding)
            except UnicodeDecodeError as error:
                raise MapFormatError(
                    f"the file begins with the byte order mark of {encoding.upper()}, but byte {error.start:,} "
                    f"isn't valid in it; save it again as UTF-8"
                ) from error
    for high, encoding in enumerate(("utf-16-be", "utf-16-le")):
        # Nearly every second byte is the high byte of a script that uses few of them.
        few, many = (sum(byte in _SCRIPTS for byte in data[start:_SAMPLE:2]) for start in (high, 1 - high))
        half = len(data[:_SAMPLE]) / 2
        if half > 1 and few > 0.7 * half and many < 0.3 * half:
            with suppress(UnicodeDecodeError):
                text = data.decode(encoding)
                if not is_gibberish(text, most=0.1):
                    notice = f"read as {encoding.upper()}, though the file has no byte order mark"
                    return with_newlines(text), [notice]
    with suppress(UnicodeDecodeError):
        text = with_newlines(data.decode("utf-8", "surrogatepass"))  # label repair reports half pairs
        return text, _contradictions(text, data, "utf-8")
    if is_gibberish(data[:_SAMPLE].decode("ascii", "ignore"), most=0.05):
        raise MapFormatError("the file is binary, not text")
    declared = _DECLARED.match(data[:_HEAD].decode("ascii", "replace"))
    if declared:
        with suppress(LookupError, UnicodeError):
            if declared[1].lower() not in _UNUSED | {"utf-8"}:
                return with_newlines(data.decode(declared[1])), []
        raise MapFormatError(
            f"the file declares the encoding {declared[1]!r}, but its bytes aren't valid in it; save it again as "
            "UTF-8",
            line=1,
        )
    return _mostly_utf8(data) or _guess(data)


def _contradictions(text: str, data: bytes, encoding: str) -> list[str]:
    """A notice if XML declares another encoding, in which its bytes mean another text or none."""
    declared = _DECLARED.match(text[:_HEAD])
    if declared is None:
        return []
    with suppress(LookupError, UnicodeError):
        if declared[1].lower() not in _UNUSED and with_newlines(data.decode(declared[1])) == text:
            return []
    return [
        f"the file declares the encoding {quoted(declared[1])}, but its bytes are {encoding.upper()}; read as that"
    ]


def with_newlines(text: str) -> str:
    r"""The text with ``\n`` line ends and without a byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def is_gibberish(text: str, most: float = 0.2) -> bool:
    """Return True if more than this share of a text is control characters, as in binary files."""
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > most * len(sample)


def _mostly_utf8(data: bytes) -> tuple[str, list[str]] | None:
    """The text if nearly all its non-ASCII letters are valid UTF-8."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\N{REPLACEMENT CHARACTER}")
    if len(text) - len(text.encode("ascii", "ignore")) < 10 * wrong:
        return None
    line = text.count("\n", 0, text.index("\N{REPLACEMENT CHARACTER}")) + 1
    notice = (
        f"the file is UTF-8, except for {counted(wrong, 'position')} (the first in line {line}) that became "
        "\N{REPLACEMENT CHARACTER}; it may be cut off or damaged"
    )
    return with_newlines(text), [notice]


def _guess(data: bytes) -> tuple[str, list[str]]:
    from charset_normalizer import from_bytes

    guesses = [
        # of several that are equally plausible, the first in our order
        (round(found.chaos, 2), -round(found.coherence, 1), _GUESSES.index(encoding), encoding)
        for found in from_bytes(data[:_SAMPLE], cp_isolation=_GUESSES, threshold=1)
        for encoding in found.could_be_from_charset
        if encoding in _GUESSES
    ]
    best = min(guesses)[-1] if guesses else _GUESSES[0]
    text = data.decode(best, errors="replace")
    preview = " ".join(next((line for line in text.splitlines() if not line.isascii()), text)[:200].split())
    notice = (
        f"the file isn't UTF-8; guessed {codecs.lookup(best).name} from its letters, so look at "
        f"this: {preview[:60]!r}. If that is wrong, save the file as UTF-8"
    )
    return with_newlines(text), [notice]
