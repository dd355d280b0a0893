"""The operations' looks, under the name by which the views know them; the core's reports look the same."""

from tted_core.report.palette import STYLES, SURFACE, OpStyle

__all__ = ["STYLES", "SURFACE", "OpStyle", "css_colours"]


def css_colours() -> dict[str, str]:
    """CSS custom properties, say ``match-fill``, that follow the theme in which they are used."""
    return {
        f"{kind}-{part}": f"light-dark({light}, {dark})"
        for kind, style in STYLES.items()
        for part, light, dark in zip(("fill", "line"), style.light, style.dark, strict=True)
    }
