"""Measures against people's scores: one panel for each measure, one point for each pair of maps."""

from collections.abc import Mapping, Sequence

from tted_core.figures.style import COLOURS, SCHEMA, Spec, told_apart


def judgement_scatter(
    names: Sequence[str],
    scores: Sequence[float],
    measures: Mapping[str, Sequence[float]],
    *,
    columns: int = 3,
) -> Spec:
    """``names`` and ``scores`` of n pairs, and n values of each measure."""
    shown = told_apart(list(measures))
    rows = [
        {"pair": name, "score": score, "measure": measure, "place": place, "value": value}
        for place, (measure, values) in enumerate(zip(shown, measures.values(), strict=True))
        for name, score, value in zip(names, scores, values, strict=True)
    ]
    return {
        "$schema": SCHEMA,
        "description": f"{len(names)} pairs of maps: people's score across, each measure upwards.",
        "data": {"values": rows},
        "facet": {
            "field": "measure",
            "type": "nominal",
            "sort": {"field": "place", "op": "min"},  # a list of names would become an expression
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
