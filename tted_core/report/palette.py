"""Word, glyph and colours of each status of a sentence, for reports and components.

Colours come from the colour-blind-safe end of blue-grey, amber, violet, red and green, and are never the only
sign: a glyph and a word stand beside each. Text colours keep a contrast of 4.5 to 1 on their fill (WCAG AA).

A component of our own consists of a style and scripts in a folder, and the palette's colours. On the
application's pages, and in a page of its own, it lies in a shadow root. Its scripts set texts as text and never
as HTML; the theme reaches it as the variables ``--st-*`` and as ``color-scheme``.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from tted_core.matching.records import STATUSES, Status
from tted_core.script import GLYPHS, OpKind

LineKind: TypeAlias = Status | OpKind


@dataclass(frozen=True)
class OpStyle:
    """Colours of a status: (fill, border) in the light and in the dark theme."""

    glyph: str
    meaning: str
    light: tuple[str, str]
    dark: tuple[str, str]


# The statuses of sentences. Same sentences aren't filled.
STYLES: dict[Status, OpStyle] = {
    "same": OpStyle(
        STATUSES["same"], "the same text in the same position", ("#ffffff", "#848b96"), ("#0e1117", "#858c97")
    ),
    "reworded": OpStyle(
        STATUSES["reworded"],
        "a similar or extended text in the same position",
        ("#fdf1d6", "#b97700"),
        ("#3b2f12", "#e3a72f"),
    ),
    "moved": OpStyle(
        STATUSES["moved"],
        "the same or a similar text in another position",
        ("#efe6fb", "#6f42c1"),
        ("#2d1f47", "#a371f7"),
    ),
    "merged": OpStyle(
        STATUSES["merged"],
        "part of a longer node on the right",
        ("#e3ecf5", "#053b61"),
        ("#14263d", "#8bb9f9"),
    ),
    "split": OpStyle(
        STATUSES["split"],
        "part of a longer node on the left",
        ("#dcf1f9", "#0985ae"),
        ("#0b3040", "#2ad2f4"),
    ),
    "missing": OpStyle(
        STATUSES["missing"], "in the left map only", ("#fde6e4", "#c9372c"), ("#42191a", "#ff7b72")
    ),
    "extra": OpStyle(
        STATUSES["extra"], "in the right map only", ("#e0f3e4", "#22863a"), ("#133420", "#4cc06a")
    ),
}

# The operations of a script, for explanations operation by operation.
OP_STYLES: dict[OpKind, OpStyle] = {
    "match": OpStyle(
        GLYPHS["match"], "two nodes of one text", ("#e8eef7", "#6f89b0"), ("#1e2a3c", "#8ea6cc")
    ),
    "replace": replace(STYLES["reworded"], glyph=GLYPHS["replace"], meaning="a node kept with another text"),
    "delete": replace(STYLES["missing"], glyph=GLYPHS["delete"], meaning="a node of the left map only"),
    "insert": replace(STYLES["extra"], glyph=GLYPHS["insert"], meaning="a node of the right map only"),
}

KIND_STYLES: dict[LineKind, OpStyle] = dict((*STYLES.items(), *OP_STYLES.items()))

SURFACE = {
    "light": {"background": "#ffffff", "text": "#1f2430", "line": "#9aa3b2", "link": "#5b6b86"},
    "dark": {"background": "#0e1117", "text": "#e8eaf0", "line": "#5b6475", "link": "#a9b6cc"},
}


def css_colours() -> dict[str, str]:
    """CSS custom properties, say ``moved-fill`` or ``match-line``, that follow the theme."""
    return {
        f"{kind}-{part}": f"light-dark({light}, {dark})"
        for kind, style in KIND_STYLES.items()
        for part, light, dark in zip(("fill", "line"), style.light, style.dark, strict=True)
    }
