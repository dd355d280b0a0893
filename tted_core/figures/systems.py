"""Figures of systems: means with intervals (a forest plot), and sentences by status."""

from collections.abc import Mapping, Sequence
from typing import Any

from tted_core.baselines import measure_title
from tted_core.figures.style import COLOURS, SCHEMA, UNNUMBERED, Spec, number_names
from tted_core.report.palette import STYLES
from tted_core.systems import Compared

ONE_PANEL = 620  # pixels of the panel of a single measure


def forest_plot(compared: Compared) -> Spec:
    """A panel per measure: mean and 95 % interval of each system and, below them, of each control."""
    every = (*compared.ranking, *compared.controls)
    names = dict(zip(every, number_names(every), strict=True))
    values = [
        {
            "system": names[row.system],
            "measure": _title(compared, row.measure),
            "mean": row.mean,
            "low": row.ci95[0] if row.ci95 else row.mean,
            "high": row.ci95[1] if row.ci95 else row.mean,
            "mark": row.mark,
            "documents": row.n,
            "control": row.is_control,
        }
        for row in compared.systems
    ]
    system = {
        "field": "system",
        "type": "ordinal",
        "sort": list(names.values()),
        "title": None,
        "axis": {"labelExpr": UNNUMBERED, "labelLimit": 240, "labelFlush": False},
    }
    value = {"type": "quantitative", "scale": {"zero": False}, "title": None, "axis": {"tickCount": 5}}
    tooltip = [
        {"field": "mean", "type": "quantitative", "format": ".4f"},
        {"field": "low", "type": "quantitative", "format": ".4f", "title": "from"},
        {"field": "high", "type": "quantitative", "format": ".4f", "title": "to"},
        {"field": "documents", "type": "quantitative"},
    ]
    systems, controls = ([{"filter": f"{sign}datum.control"}] for sign in ("!", ""))
    x, high = ({"field": field, **value} for field in ("mean", "high"))
    layers: list[Spec] = [
        {
            "transform": systems,
            "mark": {"type": "rule", "strokeWidth": 3, "strokeCap": "round", "color": COLOURS[6]},
            "encoding": {"x": {"field": "low", **value}, "x2": {"field": "high"}},
        },
        {
            "transform": systems,
            "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1, "color": COLOURS[0]},
            "encoding": {"x": x, "tooltip": tooltip},
        },
        {
            "transform": controls,
            "mark": {"type": "tick", "thickness": 3, "size": 14, "color": COLOURS[6]},
            "encoding": {"x": x, "tooltip": tooltip},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 10},
            "encoding": {"x": high, "text": {"field": "mean", "type": "quantitative", "format": ".3f"}},
            "transform": systems,
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 12, "fontWeight": "bold"},
            "encoding": {"x": {"value": "width"}, "text": {"field": "mark", "type": "nominal"}},
        },
    ]
    panel = {"height": {"step": 22}, "encoding": {"y": system}, "layer": layers}
    whole = {
        "$schema": SCHEMA,
        "description": "Means of all systems with 95 % bootstrap intervals, the letters of their tests, and the "
        "means of controls, a panel for each measure.",
        "data": {"values": values},
    }
    if len(compared.measures) == 1:  # no facets, which can't follow the width of a page
        title = {"text": _title(compared, compared.measures[0]), "fontSize": 12, "fontWeight": "normal"}
        return {**whole, **panel, "width": ONE_PANEL, "title": title}
    return {
        **whole,
        "columns": 2,
        "facet": {
            "field": "measure",
            "type": "nominal",
            "sort": [_title(compared, measure) for measure in compared.measures],
            "title": None,
        },
        "resolve": {"scale": {"x": "independent"}},
        "spec": {**panel, "width": 260},
    }


def edit_bars(rows: Sequence[Mapping[str, Any]]) -> Spec:
    """Bars of the sentences per document, in the colours of a comparison: one for each system, stacked by status.

    Args:
        rows: ``system``, ``kind`` (the status), ``sentences``.
    """
    names = list(dict.fromkeys(str(row["system"]) for row in rows))
    shown = dict(zip(names, number_names(names), strict=True))
    rows = [row for row in rows if row["sentences"]]
    kinds = [kind for kind in STYLES if any(row["kind"] == kind for row in rows)]
    values = [
        {
            **row,
            "system": shown[str(row["system"])],
            "order": list(STYLES).index(row["kind"]),
        }
        for row in rows
    ]
    return {
        "$schema": SCHEMA,
        "description": "Sentences per document by status, a bar for each system.",
        "data": {"values": values},
        "mark": {"type": "bar"},
        "height": {"step": 26},
        "width": ONE_PANEL,
        "encoding": {
            "y": {
                "field": "system",
                "type": "ordinal",
                "sort": list(shown.values()),
                "title": None,
                "axis": {"labelExpr": UNNUMBERED, "labelLimit": 240},
            },
            "x": {
                "field": "sentences",
                "type": "quantitative",
                "title": None,
                "axis": {"tickCount": 3},
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": kinds, "range": [STYLES[kind].light[1] for kind in kinds]},
                "legend": {"title": None, "orient": "bottom", "columns": 8},
            },
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": [
                {"field": "kind", "type": "nominal"},
                {"field": "sentences", "type": "quantitative", "format": ".3f"},
            ],
        },
    }


def _title(compared: Compared, measure: str) -> str:
    return f"{measure_title(measure)} ({'lower' if measure in compared.lower else 'higher'} is better)"
