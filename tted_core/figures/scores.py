"""Figures of the scores of many pairs: a histogram and scatter plots."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.figures.style import COLOURS, SCHEMA, Spec, heading

BARS = 40
CELLS = 60
MOST_POINTS = 2_000
"""Maximum number of points drawn one by one; more are counted in the cells of a grid."""


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

    Rows that lack a score are left out. More than ``MOST_POINTS`` are counted in the cells of a grid.
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
    shared: Spec = {
        "$schema": SCHEMA,
        "description": f"{len(both):,} rows: {names[0]} across, {names[1]} upwards.",
        "height": 240,
    }
    if len(both) <= MOST_POINTS:
        points = [{"x": float(x[row]), "y": float(y[row]), "pair": pairs[row]} for row in both.tolist()]
        return shared | {
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
    return shared | {
        "data": {"values": _cells(x[both], y[both])},
        "mark": {"type": "rect"},
        "encoding": {
            "x": across | {"bin": {"binned": True}},
            "x2": {"field": "x2"},
            "y": upwards | {"bin": {"binned": True}},
            "y2": {"field": "y2"},
            "color": {
                "field": "rows",
                "type": "quantitative",
                "scale": {"scheme": "blues", "type": "log"},
                "legend": {"title": "rows"},
            },
            "tooltip": [{"field": "rows", "type": "quantitative"}],
        },
    }


def _cells(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[dict[str, Any]]:
    counts, columns, rows = np.histogram2d(x, y, bins=CELLS)
    return [
        {
            "x": float(columns[i]),
            "x2": float(columns[i + 1]),
            "y": float(rows[j]),
            "y2": float(rows[j + 1]),
            "rows": int(counts[i, j]),
        }
        for i, j in zip(*np.nonzero(counts), strict=True)
    ]
