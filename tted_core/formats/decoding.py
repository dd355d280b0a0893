"""Bytes -> text: byte order marks, UTF-8 and UTF-16 first; anything else is guessed, with a notice.

The guess ranks encodings in which real mind maps occur (Windows and DOS code pages, KOI8-R, East Asian ones) by
how plausible the decoded words are. General detectors need more text than a small map has: charset-normalizer
3.5.2 takes the six bytes of a Russian word in windows-1251 for Big5.
"""

import codecs
import re
import unicodedata

from tted_core.errors import MapFormatError
from tted_core.formats.labels import counted

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, since it begins with that mark
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GUESSES = (
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
)
_SAMPLE = 20_000
_SCRIPTS = bytes(range(7))  # high bytes of UTF-16 in Latin, Greek, Cyrillic, Hebrew and Arabic
_DECLARED = re.compile(r"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'<>\s]{1,40})["']""", re.IGNORECASE)
_HEAD = 1_000  # characters searched for a declaration
_NO_ENCODINGS = {
    "utf-7",
    "idna",
    "punycode",
    "undefined",
    "unicode-escape",
    "raw-unicode-escape",
    "mbcs",
    "oem",
}
"""Encodings that Python knows but in which no mind map is stored."""

_OVERLONG = re.compile(rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2}")
_WORD = re.compile(r"[^\W\d_]+")
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_EAST_ASIAN = {
    "gb18030": {"CJK"},
    "big5": {"CJK"},
    "shift_jis": {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    "euc_kr": {"HANGUL"},
}
_RUSSIAN = "оеаинтсрвлкмдпу"
_FREQUENT = {
    "cp1251": _RUSSIAN,
    "koi8_r": _RUSSIAN,
    "cp866": _RUSSIAN,
    "gb18030": "的一是不了人我在有他这中大来上国个到说们为子和你地出",
    "big5": "的一是不了人我在有他這中大來上國個到說們為子和你地出",
    "shift_jis": "".join(map(chr, range(0x3041, 0x30FE))),
    "euc_kr": "".join(map(chr, range(0xAC00, 0xD7A4))),
}


def decode(data: bytes) -> tuple[str, list[str]]:
    r"""Decode a file's bytes; returns the text with ``\n`` newlines, and notices.

    Raises:
        MapFormatError: the bytes don't match their byte order mark, or aren't text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return _with_notice(data[len(mark) :].decode(encoding), encoding)
            except UnicodeDecodeError as error:
                raise MapFormatError(
                    f"the file begins with the byte order mark of {encoding.upper()}, but byte {error.start:,} "
                    f"isn't valid in it; save it again as UTF-8"
                ) from error
    wide = _utf16_without_mark(data)
    if wide:
        text, notices = _with_notice(data.decode(wide), wide)
        return text, [f"read as {wide.upper()}, though the file has no byte order mark", *notices]
    try:
        return _with_notice(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _decode_other(data, error)


def _decode_other(data: bytes, error: UnicodeDecodeError) -> tuple[str, list[str]]:
    """Decode bytes that aren't UTF-8: by the encoding that XML declares, as damaged UTF-8, or by a guess."""
    sample = data[:_SAMPLE]
    if sum(byte < 9 or 13 < byte < 32 for byte in sample) > len(sample) / 20:
        raise MapFormatError("the file is binary, not text") from error
    declared = _declared(data[:_HEAD].decode("ascii", "replace"))
    codec = _codec(declared) if declared else "utf-8"
    if codec is not None and codec != "utf-8":
        try:
            return with_newlines(data.decode(codec)), []
        except (LookupError, UnicodeError) as wrong:
            raise _unfit(declared) from wrong
    if codec:
        _refuse_overlong(data)
    if declared:
        raise _unfit(declared) from error
    return _mostly_utf8(data) or _guess(data)


def with_newlines(text: str) -> str:
    r"""The text with ``\n`` line ends and without a byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _declared(text: str) -> str:
    """The encoding declared in the XML declaration; empty if there is none."""
    found = _DECLARED.match(text[:_HEAD])
    return found[1] if found else ""


def _codec(name: str) -> str | None:
    """Python's name for an encoding, if files use it."""
    try:
        codec = codecs.lookup(name).name
        "a".encode(codec)  # some of Python's codecs aren't text encodings
    except (LookupError, ValueError):
        return None
    return None if codec in _NO_ENCODINGS else codec


def _unfit(name: str) -> MapFormatError:
    return MapFormatError(
        f"the file declares the encoding {name!r}, but its bytes aren't valid in it; save it again as UTF-8",
        line=1,
    )


def _refuse_overlong(data: bytes) -> None:
    """Reject overlong UTF-8, which can hide a letter from filters.

    In a text without other non-ASCII letters, the bytes C0 A0 may be an A with grave accent and a no-break space.
    """
    found = _OVERLONG.search(data)
    if found is None:
        return
    rest = _OVERLONG.sub(b"?", data)
    try:
        rest.decode("utf-8")
    except UnicodeDecodeError:
        return
    if rest.isascii() and all(match[0] == b"\xc0\xa0" for match in _OVERLONG.finditer(data)):
        return
    raise MapFormatError(
        f"byte {found.start():,} begins overlong UTF-8, which is rejected because it can hide letters; "
        f"save the file again as UTF-8",
        line=data.count(b"\n", 0, found.start()) + 1,
    )


def _with_notice(text: str, used: str) -> tuple[str, list[str]]:
    """The text, with a notice if the file declares another encoding than the one used."""
    declared = _declared(text)
    codec = _codec(declared) if declared else used
    notice = f"read as {used.upper()}, though the file declares {declared}"
    if codec is None:
        notice += ", which is not a known encoding"
    fits = codec and (
        used.startswith(codec.removesuffix("-sig")) or (used == "utf-8" and _is_same(text, codec))
    )
    return with_newlines(text), [] if fits else [notice]


def _is_same(text: str, codec: str) -> bool:
    """Return True if decoding with that codec gives the same text, as for most English texts."""
    return text.isascii() and text[:_HEAD].encode(codec, "replace") == text[:_HEAD].encode("ascii")


def _utf16_without_mark(data: bytes) -> str | None:
    """The byte order if nearly every second byte is the high byte of a script that uses few of them."""
    sample = data[: _SAMPLE // 2 * 2]
    if len(data) % 2 or len(sample) < 4:
        return None
    first, second = (
        sum(byte in _SCRIPTS for byte in sample[start::2]) / (len(sample) / 2) for start in (0, 1)
    )
    for encoding, high, low in (("utf-16-be", first, second), ("utf-16-le", second, first)):
        if high > 0.7 and low < 0.3:
            try:
                text = data.decode(encoding)[:_SAMPLE]
            except UnicodeDecodeError:
                continue
            return None if len(_ODD.findall(text)) > len(text) / 10 else encoding
    return None


def is_gibberish(text: str) -> bool:
    """Return True if a decoded text consists largely of control characters, as binary files do."""
    sample = text[:_SAMPLE]
    return len(_ODD.findall(sample)) > len(sample) / 5


def _mostly_utf8(data: bytes) -> tuple[str, list[str]] | None:
    """The text if nearly all its non-ASCII letters are valid UTF-8; it may be cut off within a letter."""
    try:
        return with_newlines(data.decode("utf-8", "surrogatepass")), []  # label repair reports the nodes
    except UnicodeDecodeError as error:
        start, line = error.start, data.count(b"\n", 0, error.start) + 1
        is_cut = error.end == len(data) and not data[:start].isascii() and "unexpected end" in error.reason
    text = data.decode("utf-8", "replace")
    wrong = text.count("\N{REPLACEMENT CHARACTER}")
    if not is_cut and len(text) - len(text.encode("ascii", "ignore")) < 10 * wrong:
        return None
    notice = (
        f"the file is UTF-8, broken at byte {start:,}: except for {counted(wrong, 'position')} (the first in line "
        f"{line}) that became "
        f"\N{REPLACEMENT CHARACTER}; it may be cut off or damaged"
    )
    return with_newlines(text), [notice]


def _guess(data: bytes) -> tuple[str, list[str]]:
    best, best_score = "cp1252", float("-inf")
    for encoding in _GUESSES:
        decoder = codecs.getincrementaldecoder(encoding)()
        try:
            sample = decoder.decode(data[:_SAMPLE], final=len(data) <= _SAMPLE)
        except UnicodeDecodeError:
            continue
        score = _plausibility(sample, encoding)
        if score > best_score:
            best, best_score = encoding, score
    text = data.decode(best, errors="replace")
    preview = " ".join(next((line for line in text.splitlines() if not line.isascii()), text)[:200].split())
    notice = (
        f"the file is neither UTF-8 nor UTF-16; guessed {codecs.lookup(best).name} from its letters, so look at "
        f"this: {preview[:60]!r}. If that is wrong, save the file as UTF-8"
    )
    return with_newlines(text), [notice]


def _plausibility(text: str, encoding: str) -> float:
    """Plausibility of the non-ASCII words: about 1 for each plausible letter, -1 for others."""
    frequent = _FREQUENT.get(encoding, "")
    score = -2.0 * sum(not char.isascii() and not char.isalpha() and not char.isspace() for char in text)
    for word in _WORD.findall(text):
        if word.isascii():
            continue
        usual_case = word.islower() or word.istitle() or word.isupper() or word.upper() == word
        ascii_letters = sum(char.isascii() for char in word)
        scripts = {unicodedata.name(char, "?").split()[0] for char in word}
        if encoding in {"cp1252", "cp1250"}:
            fits = usual_case and 2 * ascii_letters >= len(word)
        elif encoding in {"cp1251", "koi8_r", "cp866", "cp1253"}:
            fits = usual_case and len(scripts) == 1
        else:
            fits = scripts <= _EAST_ASIAN[encoding]
        score += len(word) if fits else -len(word)
        score += 0.5 * sum(char.lower() in frequent for char in word) - 0.3 * word.isupper() * len(word)
    return score
