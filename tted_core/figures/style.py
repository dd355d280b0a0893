"""Style shared by all figures, such as colours for colour-blind readers, and their rendering.

SVG, PNG and PDF are rendered by vl-convert, in a child process: it is compiled and aborts the whole process on an
input that it can't take, a control character in a name for one; a server would go with all its users.
"""

import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from tted_core.errors import ToolError, lookup, require
from tted_core.foundations.child import run_in_child
from tted_core.foundations.output import printable

Spec: TypeAlias = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Okabe and Ito 2008, without yellow, which is too light on a white page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f")

# An expression that removes the prefix of ``number_names`` from a label; the same for all texts.
UNNUMBERED = "slice(datum.value, 5)"


def clean_spec(part: Any) -> Any:
    """A specification without characters that XML forbids; every chart passes through here."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, dict):
        return {clean_spec(key): clean_spec(value) for key, value in part.items()}
    return [clean_spec(each) for each in part] if isinstance(part, list | tuple) else part


def number_names(texts: Sequence[str]) -> list[str]:
    """Prefix texts with their order for a field; ``UNNUMBERED`` labels its axis.

    Equal texts, which a scale would merge, stay apart. And labels stay out of expressions, where Vega's parser
    takes "if", and names such as "constructor", for identifiers.
    """
    return [f"{position:04d} {text}" for position, text in enumerate(texts)]


def heading(text: str) -> str:
    """A caller's text as a title, which Vega reads as an expression: the space makes it no identifier."""
    return f"{text} "


MAX_DRAWING_SECONDS = 60  # seconds that one picture may take to be drawn

MAX_DRAWING_BYTES = 1_500_000_000  # memory for one picture, of which vl-convert reserves 500 MB

# Pictures drawn at one time for this process; others wait for one of these to end, or to be ended.
DRAWINGS_AT_ONCE = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))


def draw(function: str, source: Spec, **options: float) -> bytes:
    """Draw a specification by a function of vl-convert.

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


def _call(function: str, source: Spec, **options: float) -> bytes:
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


PIXELS_PER_POINT = 2.0

# Extension -> function that renders a figure in that format.
RENDERERS: dict[str, Callable[[Spec], bytes]] = {
    "svg": partial(draw, "vegalite_to_svg"),
    "png": partial(draw, "vegalite_to_png", scale=PIXELS_PER_POINT),
    "pdf": partial(draw, "vegalite_to_pdf"),
}


def render_figure(spec: Spec, ending: str) -> bytes:
    """Render a figure; ``ending`` is a key of ``RENDERERS``, with or without a dot."""
    return lookup(RENDERERS, ending.removeprefix(".").lower(), "picture format")(clean_spec(spec))
