"""A histogram of the scores of many pairs."""

import numpy as np
from numpy.typing import NDArray

from tted_core.figures.style import COLOURS, SCHEMA, Spec, heading

BARS = 40


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
