"""Maps as bags of sentences against TTED: what a measure that sees no structure misses."""

from collections.abc import Sequence

from tted_core.figures.style import COLOURS, SCHEMA, Spec
from tted_core.measures.bag import BagPoint

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")


def bag_scatter(points: Sequence[BagPoint]) -> Spec:
    """A point for each pair: the distance as bags across, TTED upwards, and a line where both are the same."""
    kinds = list(dict.fromkeys(point.kind for point in points))
    top = max((point.tted for point in points), default=1.0)
    legend = {"title": "the right map has", "labelLimit": 320, "orient": "bottom", "columns": 2}
    rows = [
        {"pair": point.name, "kind": point.kind, "bag": point.bag, "TTED": point.tted} for point in points
    ]
    return {
        "$schema": SCHEMA,
        "description": f"{len(points)} pairs of maps: distance as bags of sentences across, TTED upwards, both "
        "by Steinhaus. On the line the structure costs nothing.",
        "height": 380,
        "layer": [
            {
                "data": {"values": [{"bag": 0, "TTED": 0}, {"bag": top, "TTED": top}]},
                "mark": {"type": "line", "strokeDash": [4, 4], "color": "#7f7f7f"},
                "encoding": {
                    "x": {"field": "bag", "type": "quantitative"},
                    "y": {"field": "TTED", "type": "quantitative"},
                },
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 0.8},
                "encoding": {
                    "x": {"field": "bag", "type": "quantitative", "title": "distance as bags of sentences"},
                    "y": {"field": "TTED", "type": "quantitative", "title": "TTED"},
                    "color": {
                        "field": "kind",
                        "type": "nominal",
                        "scale": {"domain": kinds, "range": list(COLOURS[: len(kinds)])},
                        "legend": legend,
                    },
                    "shape": {
                        "field": "kind",
                        "type": "nominal",
                        "scale": {"domain": kinds, "range": list(SHAPES[: len(kinds)])},
                        "legend": legend,
                    },
                    "tooltip": [
                        {"field": "pair", "type": "nominal"},
                        {"field": "bag", "type": "quantitative", "format": ".3f"},
                        {"field": "TTED", "type": "quantitative", "format": ".3f"},
                    ],
                },
            },
        ],
    }
