"""Figures of distances: a matrix under its dendrogram, and variants by size."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.figures.style import COLOURS, SCHEMA, UNNUMBERED, Spec, heading, number_names
from tted_core.foundations.output import printable, shorten
from tted_core.lab.coefficients import SampleScores
from tted_core.lab.samples import VARIANT_KINDS

CELL = 64  # maximum size of a heat map's cell in pixels

WIDTH = 520

# Minimum size in pixels of a cell that shows its number; if cells are smaller, a legend explains the colours.
READABLE = 28

SHOWN_NAME = 24

Segment: TypeAlias = tuple[float, float, float, float]

DASHES = ((1, 0), (6, 3), (2, 2))  # lengths of strokes and gaps, for each kind of variant


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
    shown = [f"{'★ ' * (leaf in medoids)}{shorten(printable(names[leaf]), SHOWN_NAME)}" for leaf in leaves]
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


def distance_by_size(samples: Sequence[SampleScores], title: str) -> Spec:
    """Mean distance by size, a line per kind with a band of one standard deviation.

    Like figures 2 and 3 of Sobolevsky and Vorontsov 2025.
    """
    encoding = {"x": {"field": "size", "type": "quantitative", "title": "nodes", "axis": {"tickMinStep": 1}}}
    legend = {"title": "variant", "symbolType": "stroke", "symbolOpacity": 1}
    colour, dash = (
        {
            "field": "kind",
            "type": "nominal",
            "scale": {"domain": VARIANT_KINDS, "range": of_kinds},
            "legend": legend,
        }
        for of_kinds in (COLOURS[: len(VARIANT_KINDS)], DASHES)
    )
    value = {"field": "distance", "type": "quantitative", "title": heading(title)}
    rows = [
        {"sample": sample.name, "size": sample.size, "kind": kind, "distance": distance}
        for sample in samples
        for kind in VARIANT_KINDS
        for distance in sample.distances[kind]
        if not math.isnan(distance)
    ]
    return {
        "$schema": SCHEMA,
        "description": f"{title} by the size of the map: mean and standard deviation for each kind of variant.",
        "data": {"values": rows},
        "width": 420,
        "height": 260,
        "encoding": encoding,
        "layer": [
            {
                "mark": {"type": "errorband", "extent": "stdev", "opacity": 0.15},
                "encoding": {"y": value, "color": colour},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"y": {**value, "aggregate": "mean"}, "color": colour, "strokeDash": dash},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 50},
                "encoding": {
                    "y": {**value, "aggregate": "mean"},
                    "color": colour,
                    "tooltip": [
                        {"field": "kind", "type": "nominal"},
                        {"field": "size", "type": "quantitative", "title": "nodes"},
                        {**value, "aggregate": "mean", "format": ".3f", "title": "mean"},
                        {**value, "aggregate": "stdevp", "format": ".3f", "title": "standard deviation"},
                    ],
                },
            },
        ],
    }
