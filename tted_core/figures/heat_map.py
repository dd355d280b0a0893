"""A distance matrix as a heat map under its dendrogram."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.figures.style import COLOURS, SCHEMA, UNNUMBERED, Spec, heading, number_names
from tted_core.foundations.printable import printable, shortened

CELL = 64
"""Maximum size of a heat map's cell in pixels."""

WIDTH = 520

READABLE = 28
"""Minimum size in pixels of a cell that shows its number; if cells are smaller, a legend explains the colours."""

SHOWN_NAME = 24

Segment: TypeAlias = tuple[float, float, float, float]


def dendrogram(distances: NDArray[np.float64]) -> tuple[list[int], list[Segment]]:
    """Average linkage (UPGMA), leaves ordered so that neighbours are near (Bar-Joseph et al. 2001).

    Returns:
        The leaves from left to right, the k-th at x = k, y = 0, and lines x0, y0, x1, y1; y is the distance at
        which two clusters join.
    """
    if len(distances) < 2:
        return [*range(len(distances))], []
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    condensed = squareform(distances, checks=False)
    joins = hierarchy.optimal_leaf_ordering(hierarchy.linkage(condensed, "average"), condensed)
    drawn = hierarchy.dendrogram(joins, no_plot=True)  # leaves at 5, 15, ..., and a join of four points each
    corners = [
        [((x - 5) / 10, y) for x, y in zip(*join, strict=True)]
        for join in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    ]
    return drawn["leaves"], [(*start, *end) for join in corners for start, end in pairwise(join)]


def heat_map(
    names: Sequence[str], distances: NDArray[np.float64], medoids: Sequence[int], title: str
) -> Spec:
    """The matrix as a heat map, rows and columns in the order of the dendrogram above it.

    Args:
        names: names of the m maps.
        distances: (m, m).
        medoids: numbers of the maps marked with a star.
        title: name of the distance.
    """
    leaves, lines_above = dendrogram(distances)
    shown = [f"{'★ ' * (leaf in medoids)}{shortened(printable(names[leaf]), SHOWN_NAME)}" for leaf in leaves]
    rows = number_names(shown)
    cell = min(CELL, WIDTH // len(names))
    cells = [
        {
            "row": rows[row],
            "column": rows[column],
            "first": shown[row],
            "second": shown[column],
            "distance": round(float(distances[first, second]), 4),
        }
        for row, first in enumerate(leaves)
        for column, second in enumerate(leaves)
    ]
    top = float(distances.max()) or 1.0
    positions = {"scale": {"domain": [-0.5, len(names) - 0.5], "nice": False}, "axis": None}
    axis = {
        "labelExpr": UNNUMBERED,
        "labelLimit": 160,
        "title": None,
        "labelAngle": -40,
        "labelOverlap": cell < READABLE,
    }
    heat = {
        "width": cell * len(names),
        "height": cell * len(names),
        "data": {"values": cells},
        "encoding": {
            "x": {"field": "column", "type": "nominal", "axis": axis},
            "y": {"field": "row", "type": "nominal", "axis": {**axis, "labelAngle": 0}},
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {
                    "tooltip": [
                        {"field": name, "type": "nominal"} for name in ("first", "second", "distance")
                    ],
                    "color": {
                        "field": "distance",
                        "type": "quantitative",
                        "scale": {"scheme": "cividis", "domain": [0, top]},
                        "legend": {"title": heading(title)} if cell < READABLE else None,
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "text": {"field": "distance", "type": "quantitative", "format": ".2f"},
                    "color": {
                        "condition": {"test": f"datum.distance > {top / 2}", "value": "#000000"},
                        "value": "#ffffff",
                    },
                    **({} if cell >= READABLE else {"opacity": {"value": 0}}),
                },
            },
        ],
    }
    lines = {
        "width": cell * len(names),
        "height": 70,
        "data": {
            "values": [dict(zip(("x", "y", "x2", "y2"), line, strict=True)) for line in lines_above],
        },
        "mark": {"type": "rule", "color": COLOURS[6], "strokeWidth": 1.5},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", **positions},
            "x2": {"field": "x2"},
            "y": {"field": "y", "type": "quantitative", "axis": {"title": "joined at", "tickCount": 3}},
            "y2": {"field": "y2"},
        },
    }
    return {
        "$schema": SCHEMA,
        "description": f"{title} between {len(names)} maps as a heat map; the star marks the medoid",
        "vconcat": [lines, heat],
        "spacing": 4,
        "resolve": {"scale": {"x": "independent"}},
    }
