"""Figures of Research: distances of variants by size, and generated sentences by meaning and wording."""

import math
from collections.abc import Sequence

from tted_core.figures.style import COLOURS, SCHEMA, Spec, heading
from tted_core.lab.coefficients import SampleScores
from tted_core.lab.samples import VARIANT_KINDS
from tted_core.measures.corpus import CorpusProperties, GeneratedSentence
from tted_core.measures.sentence_sets import plane_density

DASHES = ((1, 0), (6, 3), (2, 2))
"""Lengths of strokes and gaps, for each kind of variant."""


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
        for distance in getattr(sample, kind)
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


def similarity_plane(properties: CorpusProperties) -> Spec:
    """Zwerdling et al., figures 1 and 2: similarity of meaning on x, share of changed words on y."""
    points = [(each.semantic[0], each.edit_share[0]) for each in properties.sentences]
    x, y, density = plane_density(points)
    half_x, half_y = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    cells = [
        {
            "x": round(float(a - half_x), 4),
            "x2": round(float(a + half_x), 4),
            "y": round(float(b - half_y), 4),
            "y2": round(float(b + half_y), 4),
            "density": round(float(density[row, column]), 3),
        }
        for row, b in enumerate(y)
        for column, a in enumerate(x)
        if density[row, column] >= 0.01
    ]
    here: dict[tuple[float, float], list[GeneratedSentence]] = {}
    for each in properties.sentences:
        here.setdefault((round(each.semantic[0], 4), round(each.edit_share[0], 4)), []).append(each)
    spots = [
        {
            "similarity": similarity,
            "changed": changed,
            "sentences": len(some),
            "sentence": some[0].text,
            "nearest in meaning": some[0].semantic[1],
            "nearest in wording": some[0].edit_share[1],
        }
        for (similarity, changed), some in here.items()
    ]
    across = {
        "field": "similarity",
        "type": "quantitative",
        "title": "similarity of meaning to the nearest reference sentence",
        "scale": {"domain": [round(float(x[0] - half_x), 4), 1.02], "nice": False},
    }
    upwards = {
        "field": "changed",
        "type": "quantitative",
        "title": "share of words changed",
        "scale": {"domain": [-0.03, 1.03], "nice": False},
    }
    tooltip = ["sentence", "nearest in meaning", "similarity", "nearest in wording", "changed", "sentences"]
    return {
        "$schema": SCHEMA,
        "description": f"{len(points)} generated sentences by similarity of meaning (across) and share of words "
        "changed from the nearest reference sentence (upwards).",
        "height": 380,
        "layer": [
            {
                "data": {"values": cells},
                "mark": {"type": "rect", "color": COLOURS[0], "clip": True},
                "encoding": {
                    "x": {**across, "field": "x"},
                    "x2": {"field": "x2"},
                    "y": {**upwards, "field": "y"},
                    "y2": {"field": "y2"},
                    "opacity": {
                        "field": "density",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [0, 0.75]},
                        "legend": None,
                    },
                },
            },
            {
                "data": {"values": spots},
                "mark": {
                    "type": "point",
                    "filled": True,
                    "color": COLOURS[1],
                    "stroke": "white",
                    "strokeWidth": 0.8,
                    "opacity": 0.95,
                },
                "encoding": {
                    "x": across,
                    "y": upwards,
                    "size": {
                        "field": "sentences",
                        "type": "quantitative",
                        "scale": {"type": "sqrt", "domain": [1, 20], "range": [45, 260], "clamp": True},
                        "legend": None,
                    },
                    "tooltip": [{"field": name, "type": "nominal"} for name in tooltip],
                },
            },
        ],
    }
