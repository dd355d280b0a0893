"""Studies of the Lab: distances by size and kind of variant, AUC of detected edits, curves of perturbations."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tted_core.figures.style import COLUMNS, SCHEMA, Spec, heading, series, told_apart
from tted_core.lab.detection import DOSES, EDITS, Detected
from tted_core.lab.perturbation import EXPECTATIONS, PERTURBATIONS, Study
from tted_core.lab.quality import VARIANT_KINDS, SampleScores


def distance_by_size(samples: Sequence[SampleScores], title: str) -> Spec:
    """Mean distance by size, a line for each kind with a band of one standard deviation around it.

    In the shape of Figs. 2 and 3 of Sobolevsky and Vorontsov 2025.
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


def distance_boxes(samples: Sequence[SampleScores], title: str) -> Spec:
    """A box for each kind: median, quartiles, and whiskers to the farthest distance within 1.5 box lengths."""
    return {
        "$schema": SCHEMA,
        "description": f"{title} as box plots, one for each kind of variant.",
        "data": {"values": list(_rows(samples))},
        "width": 300,
        "height": 260,
        "mark": {"type": "boxplot", "size": 44, "extent": 1.5},
        "encoding": {
            "x": {
                "field": "kind",
                "type": "nominal",
                "sort": list(VARIANT_KINDS),
                "title": "variant",
                "axis": {"labelAngle": -20, "labelOverlap": False},
            },
            "y": {"field": "distance", "type": "quantitative", "title": heading(title)},
            "color": {**series("kind", list(VARIANT_KINDS), "variant")["color"], "legend": None},
        },
    }


def _rows(samples: Sequence[SampleScores]) -> Iterator[dict[str, object]]:
    for sample in samples:
        for kind in VARIANT_KINDS:
            for distance in getattr(sample, kind):
                if not math.isnan(distance):
                    yield {"sample": sample.name, "size": sample.size, "kind": kind, "distance": distance}


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


def study_curves(study: Study) -> Spec:
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
        "columns": COLUMNS,
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
