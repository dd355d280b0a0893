"""How surely edits are found: AUC by dose, a panel for each edit, with its interval."""

from collections.abc import Mapping, Sequence

from tted_core.figures.style import SCHEMA, Spec, series, told_apart
from tted_core.lab.detection import DOSES, EDITS, Detected


def detection_curves(rows: Mapping[str, Sequence[Detected]]) -> Spec:
    """A line for each measure (its name -> its rows) in a panel for each edit; 0.5 is chance, 1 never fails."""
    names = told_apart(list(rows))
    values = [
        {
            "measure": name,
            "edit": row.edit,
            "dose": row.dose,
            "AUC": row.auc.value,
            "low": row.auc.ci95[0] if row.auc.ci95 else row.auc.value,
            "high": row.auc.ci95[1] if row.auc.ci95 else row.auc.value,
            "maps": row.n,
        }
        for name, found in zip(names, rows.values(), strict=True)
        for row in found
        if row.auc is not None
    ]
    dose = {
        "field": "dose",
        "type": "ordinal",
        "sort": list(DOSES),
        "title": "edits in a map",
        "axis": {"labelAngle": 0},
    }
    scale = {"domain": [0, 1]}
    colour = series("measure", names, "setting")
    return {
        "$schema": SCHEMA,
        "description": "AUC by the number of edits, for each kind of edit and each setting, with 95 % intervals.",
        "data": {"values": values},
        "columns": 4,
        "facet": {"field": "edit", "type": "nominal", "sort": list(EDITS), "title": None},
        "spec": {
            "width": 170,
            "height": 150,
            "encoding": {"x": dose},
            "layer": [
                {
                    "mark": {"type": "rule", "opacity": 0.5},
                    "encoding": {
                        "y": {"field": "low", "type": "quantitative", "scale": scale, "title": "AUC"},
                        "y2": {"field": "high"},
                        "color": colour["color"],
                    },
                },
                {
                    "mark": {"type": "line", "point": True},
                    "encoding": {
                        "y": {"field": "AUC", "type": "quantitative", "scale": scale, "title": "AUC"},
                        **colour,
                        "tooltip": [
                            {"field": "measure", "type": "nominal", "title": "setting"},
                            {"field": "edit", "type": "nominal"},
                            {"field": "dose", "type": "ordinal"},
                            {"field": "AUC", "type": "quantitative", "format": ".3f"},
                            {"field": "low", "type": "quantitative", "format": ".3f", "title": "from"},
                            {"field": "high", "type": "quantitative", "format": ".3f", "title": "to"},
                            {"field": "maps", "type": "quantitative", "title": "edited maps"},
                        ],
                    },
                },
            ],
        },
    }
