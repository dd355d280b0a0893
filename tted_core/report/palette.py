"""The four operations as people see them: word, glyph and colours, the same everywhere.

Colours come from the colour-blind-safe end of blue-grey, amber, red and green, and are never the only sign:
a glyph and a word stand beside each. Text colours keep a contrast of 4.5 to 1 on their fill (WCAG AA).
"""

from dataclasses import dataclass

from tted_core.script import GLYPHS, OpKind


@dataclass(frozen=True)
class OpStyle:
    """How an operation looks: (fill, border) in the light and in the dark theme."""

    glyph: str
    meaning: str
    light: tuple[str, str]
    dark: tuple[str, str]


STYLES: dict[OpKind, OpStyle] = {
    "match": OpStyle(
        GLYPHS["match"], "the same text in both maps", ("#e8eef7", "#6f89b0"), ("#1e2a3c", "#8ea6cc")
    ),
    "replace": OpStyle(
        GLYPHS["replace"], "a node kept with another text", ("#fdf1d6", "#b97700"), ("#3b2f12", "#e3a72f")
    ),
    "delete": OpStyle(
        GLYPHS["delete"], "a node of the left map only", ("#fde6e4", "#c9372c"), ("#42191a", "#ff7b72")
    ),
    "insert": OpStyle(
        GLYPHS["insert"], "a node of the right map only", ("#e0f3e4", "#22863a"), ("#133420", "#4cc06a")
    ),
}

SURFACE = {
    "light": {"background": "#ffffff", "text": "#1f2430", "line": "#9aa3b2", "link": "#5b6b86"},
    "dark": {"background": "#0e1117", "text": "#e8eaf0", "line": "#5b6475", "link": "#a9b6cc"},
}
