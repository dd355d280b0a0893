"""What becomes of a node as people see it: word, glyph and colours, the same everywhere.

Colours come from the colour-blind-safe end of blue-grey, amber, violet, red and green, and are never the only
sign: a glyph and a word stand beside each. Text colours keep a contrast of 4.5 to 1 on their fill (WCAG AA).
"""

from dataclasses import dataclass

from tted_core.explain.looks import LOOK_GLYPHS, LookKind


@dataclass(frozen=True)
class OpStyle:
    """How one looks: (fill, border) in the light and in the dark theme."""

    glyph: str
    meaning: str
    light: tuple[str, str]
    dark: tuple[str, str]


STYLES: dict[LookKind, OpStyle] = {
    "match": OpStyle(
        LOOK_GLYPHS["match"], "the same text in both maps", ("#e8eef7", "#6f89b0"), ("#1e2a3c", "#8ea6cc")
    ),
    "context": OpStyle(
        LOOK_GLYPHS["context"],
        "the same text; it costs something since what is around it changed",
        ("#f3f4f6", "#848b96"),
        ("#1f232a", "#858c97"),
    ),
    "replace": OpStyle(
        LOOK_GLYPHS["replace"],
        "a node kept with another text",
        ("#fdf1d6", "#b97700"),
        ("#3b2f12", "#e3a72f"),
    ),
    "move": OpStyle(
        LOOK_GLYPHS["move"],
        "a node that is elsewhere in the right map; it costs its deletion here and its insertion there",
        ("#efe6fb", "#6f42c1"),
        ("#2d1f47", "#a371f7"),
    ),
    "delete": OpStyle(
        LOOK_GLYPHS["delete"], "a node of the left map only", ("#fde6e4", "#c9372c"), ("#42191a", "#ff7b72")
    ),
    "insert": OpStyle(
        LOOK_GLYPHS["insert"], "a node of the right map only", ("#e0f3e4", "#22863a"), ("#133420", "#4cc06a")
    ),
}

SURFACE = {
    "light": {"background": "#ffffff", "text": "#1f2430", "line": "#9aa3b2", "link": "#5b6b86"},
    "dark": {"background": "#0e1117", "text": "#e8eaf0", "line": "#5b6475", "link": "#a9b6cc"},
}


def css_colours() -> dict[str, str]:
    """CSS custom properties, say ``match-fill``, that follow the theme in which they are used."""
    return {
        f"{kind}-{part}": f"light-dark({light}, {dark})"
        for kind, style in STYLES.items()
        for part, light, dark in zip(("fill", "line"), style.light, style.dark, strict=True)
    }
