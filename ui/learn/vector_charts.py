"""Pictures of embeddings: strips of numbers, and all of them in a plane."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tted_core import TextTree
from tted_core.learn.embeddings import plane

SIDES = ("left", "right", "empty")
COLOURS = ("#2f6fab", "#c06a00", "#8a5fb0")
"""Of the left map, the right map and the empty sentence; told apart by shape too."""

SHAPES = ("circle", "square", "diamond")

Vector = NDArray[np.float64]


def strips(rows: Sequence[tuple[str, Vector]]) -> alt.Chart:
    """One row of coloured cells for each (name, vector)."""
    table = pd.concat(
        pd.DataFrame({"sentence": name, "dimension": range(1, len(vector) + 1), "value": vector})
        for name, vector in rows
    )
    top = float(table["value"].abs().max())
    chart: alt.Chart = (
        alt.Chart(table)
        .mark_rect()
        .encode(
            x=alt.X("dimension:O", title=None, axis=None),
            y=alt.Y(
                "sentence:N",
                title=None,
                sort=None,
                axis=alt.Axis(labelFontSize=13, ticks=False, domain=False),
            ),
            color=alt.Color(
                "value:Q",
                legend=None,
                scale=alt.Scale(scheme="purpleorange", domain=[-top, top]),
            ),
            tooltip=["sentence", "dimension", alt.Tooltip("value", format=".4f")],
        )
        .properties(height=120)
    )
    return chart


def projection(
    trees: tuple[TextTree, TextTree], chosen: tuple[str, str], known: Mapping[str, Vector]
) -> tuple[alt.LayerChart | alt.FacetChart, float]:
    """All sentences in their principal plane, with lines between the two chosen ones and the empty one.

    Returns:
        The chart, and the share of the variance that it keeps.
    """
    rows = [
        (name, label, label == picked)
        for name, tree, picked in zip(SIDES, trees, chosen, strict=False)
        for label in dict.fromkeys((*tree.labels, picked))
    ]
    rows.append(("empty", "(the empty sentence)", False))
    places, shares = plane(np.array([known["" if name == "empty" else label] for name, label, _ in rows]))
    table = pd.DataFrame(rows, columns=["map", "sentence", "chosen"]).assign(x=places[:, 0], y=places[:, 1])
    ends = table[table["chosen"] | (table["map"] == "empty")]
    both = {
        name: channel(
            f"{name}:Q", title=None, axis=alt.Axis(labels=False, ticks=False), scale=alt.Scale(zero=False)
        )
        for name, channel in (("x", alt.X), ("y", alt.Y))
    }
    triangle = pd.concat([ends, ends.head(1)]).assign(order=range(len(ends) + 1))
    lines = alt.Chart(triangle).mark_line(strokeDash=[5, 4], color="#7d8590").encode(**both, order="order:O")
    legend = alt.Legend(orient="top", title=None, labelFontSize=13)
    points = (
        alt.Chart(table)
        .mark_point(filled=True, opacity=0.9)
        .encode(
            **both,
            color=alt.Color("map:N", scale=alt.Scale(domain=SIDES, range=COLOURS), legend=legend),
            shape=alt.Shape("map:N", scale=alt.Scale(domain=SIDES, range=SHAPES)),
            size=alt.condition("datum.chosen || datum.map === 'empty'", alt.value(260), alt.value(80)),
            tooltip=["map", "sentence"],
        )
    )
    return alt.layer(lines, points).properties(height=460), float(shares.sum())
