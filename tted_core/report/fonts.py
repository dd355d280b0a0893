"""Fonts of pictures: DejaVu Sans, and for characters that it lacks other fonts of this machine."""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from tted_core.formats.labels import counted

if TYPE_CHECKING:
    import typst

FAMILY = "DejaVu Sans"

PLACEHOLDERS = "Last Resort"
"""A family in matplotlib's folder with a box for every character; Typst draws those by it that no other has."""

NAMED = 3
"""Missing characters that a notice names."""


@cache
def installed_fonts() -> "typst.Fonts":
    """The fonts of this machine and those of matplotlib, of which DejaVu Sans is one."""
    import matplotlib as mpl
    import typst

    return typst.Fonts(include_embedded_fonts=False, font_paths=[f"{mpl.get_data_path()}/fonts/ttf"])


def choose_families(text: str) -> tuple[list[str], set[str]]:
    """Families that have characters of a text, those with most of them first, and the characters that none has."""
    missing = {sign for sign in text if sign.isprintable()} - _characters(FAMILY)
    if not missing:
        return [FAMILY], missing
    others = {font.family for font in installed_fonts().fonts() if PLACEHOLDERS not in font.family}
    found = {family: missing & _characters(family) for family in others}
    best = sorted(
        filter(found.get, found), key=lambda name: (-len(found[name]), "sans" not in name.lower(), name)
    )
    return [FAMILY, *best], missing.difference(*found.values())


@cache
def _characters(family: str) -> frozenset[str]:
    """The characters of a family's upright fonts."""
    from fontTools.ttLib import TTFont

    found: set[int] = set()
    for font in installed_fonts().fonts():
        if font.family == family and font.style == "normal" and font.path:
            with TTFont(font.path, fontNumber=font.index, lazy=True) as face:
                found.update(face.getBestCmap() or ())
    return frozenset(map(chr, found))


def note_missing(missing: set[str]) -> str:
    """A notice on characters that no font has."""
    letters = filter(str.isalpha, missing)
    scripts = sorted({unicodedata.name(sign, "unknown").split()[0] for sign in letters}) or ["signs"]
    some = ", ".join(f"U+{ord(sign):04X}" for sign in sorted(missing)[:NAMED])
    return (
        f"No font on the computer that drew this has {counted(len(missing), 'character')} ({', '.join(scripts)}: "
        f"{some}{', …' if len(missing) > NAMED else ''}). Install one there, such as Noto Sans CJK for Chinese, "
        "Japanese and Korean, or save the HTML report, which shows texts in the reader's fonts."
    )
