"""From a Vega-Lite specification to a picture: SVG, PNG and PDF through vl-convert, without a browser."""

from collections.abc import Callable
from functools import partial

from tted_core.figures.style import Spec, cleaned
from tted_core.registry import lookup
from tted_core.report.drawer import draw

PIXELS_PER_POINT = 2.0

DRAWN: dict[str, Callable[[Spec], bytes]] = {
    "svg": partial(draw, "vegalite_to_svg"),
    "png": partial(draw, "vegalite_to_png", scale=PIXELS_PER_POINT),
    "pdf": partial(draw, "vegalite_to_pdf"),
}
"""Ending of a file name -> a figure's picture in that format."""


def drawn(spec: Spec, ending: str) -> bytes:
    """The picture of a figure; ``ending`` is a key of ``DRAWN``, with or without a dot.

    Raises:
        UnknownNameError: no such format.
        ToolError: the figure can't be drawn.
    """
    return lookup(DRAWN, ending.removeprefix(".").lower(), "picture format")(cleaned(spec))
