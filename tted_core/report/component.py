"""What a component of our own consists of: a style and scripts in a folder, and the palette's colours.

On the application's pages, and in a page of its own, it lies in a shadow root. Its scripts set texts as text and
never as HTML; the theme reaches it as the variables ``--st-*`` and as ``color-scheme``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tted_core.report.palette import css_colours

SHARED = Path(__file__).parent


@dataclass(frozen=True)
class Sources:
    """The texts of a component."""

    name: str
    html: str
    css: str
    js: str


def sources(folder: Path, scripts: Sequence[str], shared: Sequence[str] = ()) -> Sources:
    """Those of a folder ``name``: ``name.css``, ``name.html`` and ``scripts``.

    The last script exports it; ``shared`` are scripts beside this file that it needs too, each with its style if
    it has one. Without ``name.html`` it begins as an empty box of the class ``name``. The style finds the colours
    of operations as ``--match-fill``, ``--match-line`` and so on.
    """
    page = folder / f"{folder.name}.html"
    paths = [*(SHARED / name for name in ("element.js", *shared)), *(folder / name for name in scripts)]
    colours = " ".join(f"--{name}: {colour};" for name, colour in css_colours().items())
    styles = [folder / f"{folder.name}.css", *(SHARED / name.replace(".js", ".css") for name in shared)]
    style = "\n".join(path.read_text(encoding="utf-8") for path in styles if path.exists())
    return Sources(
        folder.name,
        page.read_text(encoding="utf-8") if page.exists() else f'<div class="{folder.name}"></div>',
        f":host {{ {colours} }}\n{style}",
        "\n".join(path.read_text(encoding="utf-8") for path in paths),
    )
