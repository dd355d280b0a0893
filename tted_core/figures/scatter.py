"""Measures against people's scores: one panel for each measure, one point for each pair of maps."""

from collections.abc import Mapping, Sequence

from tted_core.figures.style import COLOURS, SCHEMA, Spec


def judgement_scatter(
    names: Sequence[str],
    scores: Sequence[float],
    measures: Mapping[str, Sequence[float]],
    *,
    columns: int = 3,
) -> Spec:
    """``names`` and ``scores`` of n pairs, and n values of each measure."""
    rows = [
        {"pair": name, "score": score, "measure": measure, "value": value}
        for measure, values in measures.items()
        for name, score, value in zip(names, scores, values, strict=True)
    ]
    return {
        "$schema": SCHEMA,
        "description": f"{len(names)} pairs of maps: people's score across, each measure upwards.",
        "data": {"values": rows},
        "facet": {
            "field": "measure",
            "type": "nominal",
            "sort": list(measures),
            "header": {"title": None, "labelFontWeight": "bold"},
        },
        "columns": columns,
        "resolve": {"scale": {"y": "independent"}},
        "spec": {
            "width": 240,
            "height": 190,
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.7, "color": COLOURS[0]},
            "encoding": {
                "x": {
                    "field": "score",
                    "type": "quantitative",
                    "title": "people's score",
                    "scale": {"zero": False},
                },
                "y": {"field": "value", "type": "quantitative", "title": "measure", "scale": {"zero": False}},
                "tooltip": [
                    {"field": "pair", "type": "nominal"},
                    {"field": "score", "type": "quantitative"},
                    {"field": "value", "type": "quantitative", "format": ".4f"},
                ],
            },
        },
    }
