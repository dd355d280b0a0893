"""What every measure makes of a lever: their curves over its strength, and their values where it stands."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.baselines import readable_baselines
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.figures import study_curves
from tted_core.lab.map_measures import Measure, map_measures
from tted_core.lab.perturbation import Study, study
from tted_core.method import Method, combined
from tted_core.monitor import Monitor
from tted_core.solvers import SOLVERS
from ui import cache
from ui.exports import table_exports
from ui.learn.encoding import ENCODER
from ui.options import UNORDERED_SECONDS
from ui.running import watched

STRENGTHS = tuple(step / 10 for step in range(11))
LINES = "lines"
MOST_LINES = 5
"""Lines that can still be told apart."""

DRAWN = ("TTED-ordered", "TTED-constrained", "TTED-unordered", "TTED-constrained-levenshtein", "rouge_sim")
"""The lines at first."""

KEPT = 24
"""Studies kept per visitor."""


def _measures(encoder: str | Encoder) -> dict[str, Measure]:
    baselines = readable_baselines("none")
    return {
        **map_measures(
            combined(orders=SOLVERS, contexts=("none", "ancestors"), time_limit=UNORDERED_SECONDS),
            encoder,
            baselines,
        ),
        **map_measures((Method(distance="levenshtein"),), encoder),
    }


MEASURES = {name.replace(", ", "-").replace(" ", "-"): name for name in _measures(ENCODER)}
"""What can be drawn, by its name in a link."""


@dataclass(frozen=True)
class Asked:
    """What is studied; equal requests have equal studies."""

    tree: TextTree
    unrelated: TextTree
    lever: str
    seed: int


def reactions(tree: TextTree, unrelated: TextTree, lever: str, strength: float, seed: int) -> None:
    """Draw the curves of one lever, and the values at one of ``STRENGTHS``."""
    curves = _studied(Asked(tree, unrelated, lever, seed))
    values = [point for point in curves.points if point.strength == strength and point.relative is not None]
    if not values:
        st.info("Stopped before this was measured. Move a lever to go on.")
        return
    lines = st.multiselect(
        "Lines",
        list(MEASURES),
        format_func=MEASURES.__getitem__,
        max_selections=MOST_LINES,
        key=LINES,
        persist_state="page",
        help=f"Up to {MOST_LINES} measures; the table below has them all.",
    )
    if lines:
        names = {MEASURES[line] for line in lines}
        drawn = replace(curves, points=tuple(point for point in curves.points if point.measure in names))
        st.vega_lite_chart(_chart(drawn, strength), width="stretch")
    else:
        st.info("Choose what is to be drawn.")
    table = pd.DataFrame(
        {"Measure": point.measure, "Distance": point.value, "Of the way": point.relative}
        for point in sorted(values, key=lambda point: -(point.relative or 0.0))
    )
    st.dataframe(
        table,
        hide_index=True,
        width="content",
        column_config={
            "Distance": st.column_config.NumberColumn(format="%.3f", help="On the measure's own scale."),
            "Of the way": st.column_config.ProgressColumn(
                format="percent",
                min_value=0.0,
                max_value=max(1.0, *(point.relative or 0.0 for point in values)),
                help="The distance as a share of that to a map on another topic.",
            ),
        },
    )
    table_exports(table, "reactions")
    st.caption(
        f"The table is for {strength:.0%} strength. Shares of the distance to a map on another topic let measures "
        "of different scales stand side by side. TTED is normalized; of the others it is rho_base, the distance "
        "made of their similarity."
    )


def _chart(curves: Study, strength: float) -> dict[str, Any]:
    spec = study_curves(curves)
    lines = spec["spec"]
    rule = {
        "data": {"values": [{"strength": strength}]},
        "mark": {"type": "rule", "strokeWidth": 2, "color": "#7d8590"},
        "encoding": {"x": {"field": "strength", "type": "quantitative"}},
    }
    encoding = lines["encoding"]
    legend = {
        "orient": "right",
        "symbolType": "stroke",
        "labelLimit": 320,
        "title": None,
        # On a telephone a word a line, which leaves room for the lines.
        "labelExpr": "windowSize()[0] < 640 ? split(datum.label, ' ') : datum.label",
    }
    for channel in ("color", "strokeDash"):
        encoding[channel] = encoding[channel] | {"legend": legend}
    return {
        "description": spec["description"],
        "data": spec["data"],
        "height": 420,
        "layer": [rule, {"mark": lines["mark"], "encoding": encoding}],
    }


def _studied(asked: Asked) -> Study:
    """The study, from the session if it was made before."""
    return watched(
        "reactions",
        asked,
        partial(_measured, asked),
        stop_help="Keeps what has been measured so far.",
        kept=KEPT,
        is_whole=lambda study: study.complete,
    )


def _measured(asked: Asked, monitor: Monitor) -> Study:
    return study(
        asked.tree,
        asked.unrelated,
        _measures(cache.encoder(ENCODER)),
        [asked.lever],
        strengths=STRENGTHS,
        seeds=[asked.seed],
        monitor=monitor,
    )
