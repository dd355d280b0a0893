"""The mapping as one picture: two outlines side by side, matched nodes on common rows, links between them.

Typst sets it (``outline.typ``), as wide as a text column of a journal or as two, with letters of 7 or 8 points,
and no higher than a page: what doesn't fit is counted. Its letters are outlines in SVG, and fonts in PDF files:
DejaVu Sans, and for characters that it lacks other fonts of this machine.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tted_core.errors import OptionsError, ToolError, require
from tted_core.explanation import Explanation, Node
from tted_core.foundations.messages import counted
from tted_core.foundations.output import ELLIPSIS, is_leftward, printable, shorten
from tted_core.report.palette import STYLES, SURFACE
from tted_core.report.readings import UNCHANGED, LineRow, RowCell, read_sentences
from tted_core.report.wording import names_of

if TYPE_CHECKING:
    import typst

OUTLINE_TEMPLATE = str(Path(__file__).parent / "outline.typ")

PAGE_HEIGHT = 680  # points, 240 mm: the text of a page less a caption
PAGE_ROWS = 120  # more than a page has room for

PIXELS_PER_INCH = 300

SHOWN_CHARACTERS = 240  # of a label or name

# Those before a text, with the characters between them and those that make one of several.
PICTOGRAPHS = re.compile("^[\u2600-\u2bff\U0001f000-\U0001ffff \u200d\ufe0f]+")
FAMILY = "DejaVu Sans"

# A family in matplotlib's folder with a box for every character; Typst draws those by it that no other has.
PLACEHOLDERS = "Last Resort"

SIGNS_NAMED = 3  # missing characters that a notice names


def outline_picture(
    explanation: Explanation, columns: int = 2, ending: Literal["svg", "png", "pdf"] = "svg"
) -> bytes:
    """The mapping as an SVG, PNG or PDF file, as wide as so many text columns.

    If it would be higher than a page, unchanged sentences are only counted, and if need be the changes that cost
    least. If no font has some characters, a line of the picture names them.

    Raises:
        OptionsError: ``columns`` is neither 1 nor 2.
        MissingExtraError: Typst isn't installed.
        ToolError: Typst can't draw it.
    """
    if columns not in {1, 2}:
        raise OptionsError(f"a picture is 1 or 2 text columns wide, not {columns!r:.40}")
    require("figures", "a picture")
    import typst

    comparison, reading = explanation.comparison, read_sentences(explanation)
    names = names_of(comparison)
    proof = "" if comparison.proven else ", not proven optimal"
    scores = f"TTED {comparison.tted:.4f} · normalized {comparison.normalized:.3f}"
    legend = [*explanation.matching.counts.items(), ("may change the claim", explanation.matching.claims)]
    picture: dict[str, Any] = {
        "title": " → ".join(names),
        "summary": printable(reading.summary),
        "names": [(shorten(name, SHOWN_CHARACTERS), is_leftward(name)) for name in names],
        "scores": f"{scores} · {comparison.method.order}{proof}",
        "legend": [(name, f"{name} {count:,}") for name, count in legend if count],
        "links": [(line.kind, *map(_name, line.nodes)) for line in reading.lines if all(line.nodes)],
        "signature": printable(comparison.signature),
        "depth": max(tree.depth for tree in explanation.trees),
        "kinds": {kind: (style.glyph, *style.light) for kind, style in STYLES.items()},
        "surface": SURFACE["light"],
        "columns": columns,
    }
    rows = [
        (rank, row.line.kind, [cell and _describe(row, cell) for cell in row.cells])
        for rank, row in zip(reading.ranks, reading.rows, strict=True)
    ]

    def content(rank: float) -> dict[str, str]:
        """Data of the template for a picture of the rows up to a rank."""
        data = picture | _choose(rows, rank)
        data["fonts"], missing = choose_families(json.dumps(data, ensure_ascii=False))
        data["notices"] += [note_missing(missing)] if missing else []
        return {"data": json.dumps(data)}

    def height(rank: float) -> int:
        shown = content(rank)
        return int(
            typst.query(OUTLINE_TEMPLATE, "<end>", "value", one=True, font_paths=fonts, sys_inputs=shown)
        )

    fonts, ranks = installed_fonts(), sorted(reading.ranks)
    steps = [rank for rank in sorted(set(ranks)) if not rank or bisect_right(ranks, rank) <= PAGE_ROWS]
    try:
        most = content(steps[bisect_right(steps, PAGE_HEIGHT, lo=1, key=height) - 1])
        file = typst.compile(
            OUTLINE_TEMPLATE, format=ending, ppi=PIXELS_PER_INCH, font_paths=fonts, sys_inputs=most
        )
    except typst.TypstError as error:
        raise ToolError(f"the picture can't be drawn ({error}); save the HTML report") from error
    if ending == "svg":  # which Typst gives no title
        texts = f"<title>{escape(' → '.join(names))}</title><desc>{escape(printable(reading.summary))}</desc>"
        file = file.replace(b">", f' role="img">{texts}'.encode(), 1)
    return file


def _describe(row: LineRow, cell: RowCell) -> dict[str, Any]:
    """A node as the template draws it: the amount stands at a line's first node, and the flag at its last."""
    node = cell.node
    label = printable(node.label)
    start = len(label) - len(PICTOGRAPHS.sub("", label) or label)
    marked: list[tuple[str, str]] = []
    for piece in cell.pieces:
        mark = "flagged" if piece.flagged else "changed" if piece.changed else ""
        marked += [(sign, mark) for sign in printable(piece.text)]
    cut = [(ELLIPSIS, "")] if len(marked) - start > SHOWN_CHARACTERS else []
    runs = groupby([*marked[start:][:SHOWN_CHARACTERS], *cut], key=lambda each: each[1])
    return {
        "name": _name(node),
        "parent": _name(node.parent),
        "level": node.level,
        "kind": node.status,
        "leftward": is_leftward(label[start:]),
        "runs": [("".join(sign for sign, _ in run), mark) for mark, run in runs],
        "amount": row.line.amount_text if row.is_first and row.nodes[0] is node else "",
        "flagged": bool(row.line.flags) and row.is_last and row.nodes[-1] is node,
    }


def _name(node: Node | None) -> str:
    return f"{node.side}-{node.index}" if node else ""


def _choose(rows: Sequence[tuple[float, str, Any]], most: float) -> dict[str, Any]:
    """The cells of rows up to a rank, lines that count the others, and a notice if some of these changed."""
    found: list[Any] = []
    hidden: Counter[str] = Counter()
    for is_shown, group in groupby(rows, key=lambda row: row[0] <= most):
        if is_shown:
            found += [cells for _, _, cells in group]
        else:
            kinds = Counter("unchanged" if kind in UNCHANGED else kind for _, kind, _ in group)
            found.append(f"· · · {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}")
            hidden += kinds
    changed = hidden.total() - hidden["unchanged"]
    notice = (
        f"To fit a page, {counted(changed, 'changed row')} of low cost only counted; the HTML report has all."
    )
    return {"rows": found, "notices": [notice] if changed else []}


@cache
def installed_fonts() -> "typst.Fonts":
    """The fonts of this machine and those of matplotlib, of which DejaVu Sans is one."""
    import matplotlib as mpl
    import typst

    return typst.Fonts(include_embedded_fonts=False, font_paths=[f"{mpl.get_data_path()}/fonts/ttf"])


def choose_families(text: str) -> tuple[list[str], set[str]]:
    """Families that have characters of a text, those with most of them first, and the characters that none has."""
    missing = {sign for sign in text if sign.isprintable()} - _characters_of(FAMILY)
    if not missing:
        return [FAMILY], missing
    others = {font.family for font in installed_fonts().fonts() if PLACEHOLDERS not in font.family}
    found = {family: missing & _characters_of(family) for family in others}
    best = sorted(
        filter(found.get, found), key=lambda name: (-len(found[name]), "sans" not in name.lower(), name)
    )
    return [FAMILY, *best], missing.difference(*found.values())


@cache
def _characters_of(family: str) -> frozenset[str]:
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
    some = ", ".join(f"U+{ord(sign):04X}" for sign in sorted(missing)[:SIGNS_NAMED])
    return (
        f"No font on the computer that drew this has {counted(len(missing), 'character')} ({', '.join(scripts)}: "
        f"{some}{', …' if len(missing) > SIGNS_NAMED else ''}). Install one there, such as Noto Sans CJK for "
        "Chinese, Japanese and Korean, or save the HTML report, which shows texts in the reader's fonts."
    )
