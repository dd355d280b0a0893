"""SVG to PNG and PDF, by resvg inside vl-convert: no browser, no network, with the fonts of this machine.

A sign that no installed font has is drawn as an empty box; SVG and HTML are drawn with the reader's fonts instead.
"""

import math
import re

from tted_core.limits import MAX_PICTURE_PIXELS
from tted_core.report.drawer import draw

SHARP = 2.0
"""Pixels per point, for screens and print."""

LONGEST_PAGE = 14_400
"""Points; a PDF page may be no longer (ISO 32000-1, Annex C)."""

_SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)" height="([\d.]+)"')


def png(svg: str) -> bytes:
    """The picture with two pixels per point; fewer where it would have more than ``MAX_PICTURE_PIXELS``.

    Raises:
        ToolError: it can't be drawn.
    """
    wide, high = _size(svg)
    return draw("svg_to_png", svg, scale=min(SHARP, math.sqrt(MAX_PICTURE_PIXELS / (wide * high))))


def pdf(svg: str) -> bytes:
    """The picture on one page of its size; smaller where a page may not be so long.

    Raises:
        ToolError: it can't be drawn.
    """
    wide, high = _size(svg)
    scale = min(1.0, LONGEST_PAGE / max(wide, high))
    size = (
        f' width="{wide * scale:.1f}" height="{high * scale:.1f}"'  # the viewBox stays, and scales the rest
    )
    return draw("svg_to_pdf", _SIZE.sub(lambda found: found[1] + size, svg, count=1))


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.match(svg)
    assert found, "written by svg.drawing"
    return float(found[2]), float(found[3])
