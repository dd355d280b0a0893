"""Figures of the scores of many pairs: a histogram and a scatter plot."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.figures.style import COLOURS, SCHEMA, Spec, heading

BARS = 40
MOST_POINTS = 2_000
"""Maximum number of points of a scatter plot; of more rows an even sample is drawn."""


def score_histogram(name: str, values: NDArray[np.float64]) -> Spec:
    """Histogram of (n,) values of a score; values that aren't finite are left out."""
    values = values[np.isfinite(values)]
    counts, edges = np.histogram(values, bins=BARS) if len(values) else (np.zeros(0, int), np.zeros(1))
    bars = [
        {"from": float(low), "to": float(high), "rows": int(count)}
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return {
        "$schema": SCHEMA,
        "description": f"Histogram of {name} of {len(values):,} rows.",
        "height": 240,
        "data": {"values": bars},
        "mark": {"type": "bar", "color": COLOURS[0], "binSpacing": 1},
        "encoding": {
            "x": {
                "field": "from",
                "bin": {"binned": True},
                "type": "quantitative",
                "title": heading(name),
                "scale": {"zero": False},
            },
            "x2": {"field": "to"},
            "y": {"field": "rows", "type": "quantitative", "title": "rows"},
            "tooltip": [
                {"field": "from", "type": "quantitative", "format": ".4~f"},
                {"field": "to", "type": "quantitative", "format": ".4~f"},
                {"field": "rows", "type": "quantitative"},
            ],
        },
    }


def score_scatter(
    names: tuple[str, str], x: NDArray[np.float64], y: NDArray[np.float64], pairs: Sequence[str]
) -> Spec:
    """Scatter plot of two scores, (n,) values each, with the pairs' names.

    Rows that lack a score are left out.
    """
    both = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    across, upwards = (
        {
            "field": field,
            "type": "quantitative",
            "title": heading(name),
            "scale": {"zero": False},
        }
        for field, name in zip(("x", "y"), names, strict=True)
    )
    shown = both[np.linspace(0, len(both) - 1, min(len(both), MOST_POINTS), dtype=int)]
    points = [{"x": float(x[row]), "y": float(y[row]), "pair": pairs[row]} for row in shown.tolist()]
    return {
        "$schema": SCHEMA,
        "description": f"{len(shown):,} of {len(both):,} rows: {names[0]} across, {names[1]} upwards.",
        "height": 240,
        "data": {"values": points},
        "mark": {"type": "point", "filled": True, "size": 45, "opacity": 0.6, "color": COLOURS[0]},
        "encoding": {
            "x": across,
            "y": upwards,
            "tooltip": [
                {"field": "pair", "type": "nominal"},
                {"field": "x", "type": "quantitative", "format": ".4~f", "title": heading(names[0])},
                {"field": "y", "type": "quantitative", "format": ".4~f", "title": heading(names[1])},
            ],
        },
    }
