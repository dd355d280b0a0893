"""From a Vega-Lite specification to a picture: SVG, PNG and PDF through vl-convert, without a browser."""

from collections.abc import Callable
from typing import Any

from tted_core.figures.style import Spec
from tted_core.registry import lookup

PIXELS_PER_POINT = 2.0


def _svg(spec: Spec) -> bytes:
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(spec)
    return text.encode()


def _png(spec: Spec) -> bytes:
    import vl_convert

    data: bytes = vl_convert.vegalite_to_png(spec, scale=PIXELS_PER_POINT)
    return data


def _pdf(spec: Spec) -> bytes:
    import vl_convert

    data: bytes = vl_convert.vegalite_to_pdf(spec)
    return data


DRAWN: dict[str, Callable[[dict[str, Any]], bytes]] = {"svg": _svg, "png": _png, "pdf": _pdf}
"""Ending of a file name -> a figure's picture in that format."""


def drawn(spec: Spec, ending: str) -> bytes:
    """The picture of a figure; ``ending`` is a key of ``DRAWN``, with or without a dot.

    Raises:
        UnknownNameError: no such format.
    """
    return lookup(DRAWN, ending.removeprefix(".").lower(), "picture format")(spec)
