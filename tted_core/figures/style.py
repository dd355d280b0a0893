"""What all figures share: colours that colour-blind people tell apart, dashes and shapes; and how they are drawn.

SVG, PNG and PDF are drawn by vl-convert, without a browser.
"""

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from tted_core.foundations.printable import printable
from tted_core.foundations.registry import lookup
from tted_core.report.drawer import draw

Spec: TypeAlias = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Okabe and Ito 2008, without the yellow, which is too light for a white page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 1), (1, 3))

COLUMNS = 3
"""Panels side by side in a figure of many."""

UNNUMBERED = "slice(datum.value, 5)"
"""The expression that takes from a label what ``numbered`` put before it; the same for all texts."""


def cleaned(part: Any) -> Any:
    """A specification whose strings hold nothing that XML forbids; every chart passes here on its way out."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, dict):
        return {cleaned(key): cleaned(value) for key, value in part.items()}
    return [cleaned(each) for each in part] if isinstance(part, list | tuple) else part


def told_apart(names: Sequence[str]) -> list[str]:
    r"""The names as a chart shows them, all different: a scale takes two that are alike for one.

    >>> told_apart(["a", "b\x01", "a"])
    ['a', 'b␁', 'a (3)']
    """
    shown: list[str] = []
    for number, name in enumerate(map(printable, names), start=1):
        taken = (f"{name} ({count})" for count in itertools.count(number))
        shown.append(next(text for text in itertools.chain([name], taken) if text not in shown))
    return shown


def numbered(texts: Sequence[str]) -> list[str]:
    """Texts that may repeat as values of an ordinal field, in their order; ``UNNUMBERED`` labels its axis.

    Labels are data in this way. Inside an expression they are none: Vega's parser takes the string "if", and names
    such as "constructor", for identifiers.
    """
    return [f"{place:04d} {text}" for place, text in enumerate(texts)]


def heading(text: str) -> str:
    """A caller's text as a title, which Vega reads as an expression: with a space, it is no identifier there."""
    return f"{text} "


def series(field: str, names: list[str], title: str) -> Spec:
    """Colour, dash and shape for the values of a field, in the order given."""
    colours = [COLOURS[index % len(COLOURS)] for index in range(len(names))]
    dashes = [list(DASHES[(index + index // len(COLOURS)) % len(DASHES)]) for index in range(len(names))]
    legend = {"title": title, "labelLimit": 320, "symbolType": "stroke", "symbolOpacity": 1}
    return {
        "color": {
            "field": field,
            "type": "nominal",
            "scale": {"domain": names, "range": colours},
            "legend": legend,
        },
        "strokeDash": {
            "field": field,
            "type": "nominal",
            "scale": {"domain": names, "range": dashes},
            "legend": legend,
        },
    }


PIXELS_PER_POINT = 2.0

DRAWN: dict[str, Callable[[Spec], bytes]] = {
    "svg": partial(draw, "vegalite_to_svg"),
    "png": partial(draw, "vegalite_to_png", scale=PIXELS_PER_POINT),
    "pdf": partial(draw, "vegalite_to_pdf"),
}
"""Ending of a file name -> a figure's picture in that format."""


def drawn(spec: Spec, ending: str) -> bytes:
    """The picture of a figure; ``ending`` is a key of ``DRAWN``, with or without a dot."""
    return lookup(DRAWN, ending.removeprefix(".").lower(), "picture format")(cleaned(spec))
