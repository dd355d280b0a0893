"""Figures of samples' distances by size and kind of variant."""

import math
from collections.abc import Iterator, Sequence

from tted_core.figures.style import SCHEMA, Spec, heading, series
from tted_core.lab.coefficients import SampleScores
from tted_core.lab.samples import VARIANT_KINDS


def distance_by_size(samples: Sequence[SampleScores], title: str) -> Spec:
    """Mean distance by size, a line per kind with a band of one standard deviation.

    Like figures 2 and 3 of Sobolevsky and Vorontsov 2025.
    """
    encoding = {"x": {"field": "size", "type": "quantitative", "title": "nodes", "axis": {"tickMinStep": 1}}}
    colour = series("kind", list(VARIANT_KINDS), "variant")
    value = {"field": "distance", "type": "quantitative", "title": heading(title)}
    return {
        "$schema": SCHEMA,
        "description": f"{title} by the size of the map: mean and standard deviation for each kind of variant.",
        "data": {"values": list(_rows(samples))},
        "width": 420,
        "height": 260,
        "encoding": encoding,
        "layer": [
            {
                "mark": {"type": "errorband", "extent": "stdev", "opacity": 0.15},
                "encoding": {"y": value, "color": colour["color"]},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"y": {**value, "aggregate": "mean"}, **colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 50},
                "encoding": {
                    "y": {**value, "aggregate": "mean"},
                    "color": colour["color"],
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


def _rows(samples: Sequence[SampleScores]) -> Iterator[dict[str, object]]:
    for sample in samples:
        for kind in VARIANT_KINDS:
            for distance in getattr(sample, kind):
                if not math.isnan(distance):
                    yield {"sample": sample.name, "size": sample.size, "kind": kind, "distance": distance}
