"""What all figures share: colours that colour-blind people tell apart, with dashes and shapes besides."""

from typing import Any, TypeAlias

Spec: TypeAlias = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Okabe and Ito 2008, without the yellow, which is too light for a white page.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 1), (1, 3))


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
