"""Pictures by vl-convert, drawn in a child process.

vl-convert is compiled and aborts the whole process on an input that it can't take, a control character in a name
for one; a server would go with all its users.
"""

import os
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

from tted_core.errors import ToolError
from tted_core.foundations.child import run_in_child
from tted_core.foundations.extras import require

MAX_DRAWING_SECONDS = 60
"""Seconds that one picture may take to be drawn."""

MAX_DRAWING_BYTES = 1_500_000_000
"""Memory for one picture, of which vl-convert reserves 500 MB."""

DRAWINGS_AT_ONCE = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))
"""Pictures drawn at one time for this process; others wait for one of these to end, or to be ended."""


def draw(function: str, source: str | Mapping[str, Any], **options: float) -> bytes:
    """Draw an SVG or a Vega-Lite specification by a function of vl-convert.

    Raises:
        LimitError: it takes too many seconds or too much memory.
        ToolError: vl-convert can't draw it.
        MissingExtraError: vl-convert isn't installed.
    """
    require("figures")
    call = partial(_call, function, source, **options)
    way_out = "draw less in one picture, or save the table"
    with DRAWINGS_AT_ONCE:
        return run_in_child(
            call,
            "drawing the picture",
            way_out,
            seconds=MAX_DRAWING_SECONDS,
            most_bytes=MAX_DRAWING_BYTES,
        )


def _call(function: str, source: str | Mapping[str, Any], **options: float) -> bytes:
    import vl_convert

    try:
        picture = getattr(vl_convert, function)(source, **options)
    except ValueError as error:
        named = [line.strip() for line in str(error).splitlines() if "Error: " in line and "cdn" not in line]
        cause = named[-1][:200] if named else str(error).partition("\n")[0][:200]
        raise ToolError(
            f"the picture can't be drawn ({cause}); save it in another format, or the table"
        ) from None
    return picture if isinstance(picture, bytes) else picture.encode()
