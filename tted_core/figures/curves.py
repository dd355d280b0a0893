"""The curves of a perturbation study: each measure against the strength of each change."""

from tted_core.figures.style import SCHEMA, Spec, series
from tted_core.lab.perturbation import EXPECTATIONS, PERTURBATIONS, Study


def study_curves(study: Study, *, columns: int = 3) -> Spec:
    """One panel for each perturbation; a line for each measure through the means of its relative distances."""
    rows = [
        {
            "perturbation": _panel(name),
            "measure": measure,
            "strength": strength,
            "distance": mean,
            "variants": variants,
        }
        for name, measure, strength, mean, variants in study.curves()
    ]
    panels = list(dict.fromkeys(row["perturbation"] for row in rows))
    measures = list(dict.fromkeys(str(row["measure"]) for row in rows))
    kinds = {PERTURBATIONS[point.perturbation].kind for point in study.points}
    expected = "; ".join(f"{kind}: {meaning}" for kind, meaning in EXPECTATIONS.items() if kind in kinds)
    return {
        "$schema": SCHEMA,
        "description": f"How each measure rises with the strength of a change. {expected}.",
        "data": {"values": rows},
        "facet": {
            "field": "perturbation",
            "type": "nominal",
            "sort": panels,
            "header": {"title": None, "labelFontWeight": "bold"},
        },
        "columns": columns,
        "config": {"legend": {"orient": "top", "columns": 2, "labelLimit": 320}},  # narrower than at the side
        "spec": {
            "width": 240,
            "height": 170,
            "mark": {"type": "line", "point": True, "strokeWidth": 2},
            "encoding": {
                "x": {
                    "field": "strength",
                    "type": "quantitative",
                    "title": "strength",
                    "axis": {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]},
                },
                "y": {
                    "field": "distance",
                    "type": "quantitative",
                    "title": "distance (1 = unrelated map)",
                },
                **series("measure", measures, "measure"),
                "tooltip": [
                    {"field": "measure", "type": "nominal"},
                    {"field": "strength", "type": "quantitative", "format": ".0%"},
                    {"field": "distance", "type": "quantitative", "format": ".3f"},
                    {"field": "variants", "type": "quantitative"},
                ],
            },
        },
    }


def _panel(name: str) -> str:
    kind = PERTURBATIONS[name].kind
    return name if name == kind else f"{name} ({kind})"
