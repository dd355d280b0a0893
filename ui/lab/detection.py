"""How surely a setting finds what is wrong, beside R_S and R_M, which any setting can be made to please."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.arithmetic import Gap
from tted_core.figures import detection_curves
from tted_core.lab.detection import EDITS, Detection, Mean, detect
from tted_core.lab.quality import CONTROLS, FIGURES, Grid, Quality, read_samples, run_grid
from tted_core.lab.quality.rows import is_control, named
from tted_core.limits import MAX_GAP, MAX_POWER
from tted_core.method import Method
from tted_core.monitor import Monitor
from ui import cache, samples
from ui.exports import figure, table_exports
from ui.lab.measure_inputs import greyed, several
from ui.options import GAP_ADDED, GAP_SAME, chosen_gap, gap_parameter, offered_encoders
from ui.part import Part
from ui.permalink import number, one_of, several_of
from ui.running import watched_on_demand

ASKED_FIRST = ("swap", "move", "exchange", "negate")
LARGEST_POWER = min(12.0, MAX_POWER)

ABOUT = """Can the measure **tell a paraphrase with a few wrong places from a paraphrase**? In our sample maps'
paraphrases, sentences are swapped, moved, deleted, invented, exchanged, negated, or get another number or name, at
known places. The **AUC** says how often an edited map comes out farther from the original than another, untouched
paraphrase: 0.5 is chance, 1 never fails. *Right pairs* is the share of the mapping's pairs that join a sentence
with its own paraphrase."""

WARNING = """Move the two sliders and watch: **a dear gap alone drives R_S down**, whether or not the measure finds
more. No rising function of a measure changes its AUC, so AUC can't be driven like that. R_S and R_M are the
paper's figures, and no goal."""


BESIDE = Method.of("proofreading")
"""The setting beside the published one at first."""


@dataclass(frozen=True)
class Asked:
    """What is measured beside the published setting."""

    gap: Gap
    power: float
    encoder: str
    edits: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The detection of both settings, the published one first, and their coefficients."""

    detection: Detection
    quality: dict[str, Quality]


def detection_bench() -> None:
    """Draw the tab: sliders, run, chart, tables."""
    st.markdown(ABOUT)
    st.warning(WARNING, icon="⚠️")
    asked = _asked()
    found = watched_on_demand("detection", asked, partial(_measured, asked), disabled=not asked.edits)
    if found:
        _show(found)


def _asked() -> Asked:
    left, right = st.columns(2)
    with left:
        amount = st.slider(
            "How much a missing sentence weighs",
            0.0,
            min(2.0, MAX_GAP),
            step=0.05,
            key="detection-gap_amount",
            persist_state="page",
        )
        kind = st.selectbox(
            "This is",
            (GAP_ADDED, GAP_SAME),
            key="detection-gap_kind",
            persist_state="page",
            label_visibility="collapsed",
        )
        encoder = st.selectbox("Encoder", offered_encoders(), key="detection-encoder", persist_state="page")
    with right:
        power = st.slider(
            "How much the worst sentences weigh",
            1.0,
            LARGEST_POWER,
            step=0.5,
            key="detection-power",
            persist_state="page",
        )
        edits = several("Edits", EDITS, "detection-edits")
    return Asked(chosen_gap({"gap_amount": amount, "gap_kind": kind}), power, encoder, edits)


def _measured(asked: Asked, monitor: Monitor) -> Found:
    published = Method.of("published")
    ways = list(dict.fromkeys([(published.gap, published.power), (asked.gap, asked.power)]))
    monitor.stage("Reading the samples", 0.0)
    every = read_samples(samples.FOLDER)
    parts: list[Detection] = []
    quality: dict[str, Quality] = {}
    for at, (gap, power) in enumerate(ways):
        controls = () if at else tuple(CONTROLS)
        encoders = {asked.encoder: partial(cache.encoder, asked.encoder)}
        grid = Grid(encoders, {"gaps": [gap], "powers": [power]}, controls=controls)
        part = monitor.part(at, len(ways))
        parts.append(detect(every, grid, seeds=1, edits=asked.edits, monitor=part))
        report = run_grid(every, grid, monitor=part)
        quality |= {_name(row.options): row.quality for row in report.rows}
    whole = Detection(
        tuple(row for part in parts for row in part.rows),
        tuple(each for part in parts for each in part.counting),
        tuple(each for part in parts for each in part.balance),
        tuple(seconds for part in parts for seconds in part.seconds),
        (),
        complete=all(part.complete for part in parts),
    )
    return Found(whole, quality)


def _name(options: dict[str, Any]) -> str:
    if is_control(options):
        return f"control: {options['control']}"
    weighing = {name: options[name] for name in ("gap", "power")}
    return ", ".join(named(weighing)) or "as published"


def _show(found: Found) -> None:
    rows = found.detection.rows
    settings = dict.fromkeys(_name(row.options) for row in rows if not is_control(row.options))
    by_setting = {name: [row for row in rows if _name(row.options) == name] for name in settings}
    figure(detection_curves(by_setting), "detection", width="content")
    counting = {(_name(each.options), each.edit): each for each in found.detection.counting}
    table = pd.DataFrame(
        {
            "setting": _name(row.options),
            "edit": EDITS[row.edit].title,
            "edits in a map": row.dose,
            "AUC": row.auc.value if row.auc else None,
            "95 %": "{:.2f} to {:.2f}".format(*row.auc.ci95) if row.auc and row.auc.ci95 else "",
            "right pairs": row.precision,
            "3 against 1": each.value
            if row.dose == "1" and (each := counting[_name(row.options), row.edit].auc_3_against_1)
            else None,
            "edited maps": row.n,
            "doubt": row.doubt or "",
        }
        for row in rows
    )
    balance = {_name(each.options): each for each in found.detection.balance}
    quality = {
        name: found.quality[name] for name in (*settings, *(each for each in balance if each not in settings))
    }
    coefficients = pd.DataFrame(
        {
            "setting": name,
            **{FIGURES[figure]: one.mean for figure, one in each.figures.items()},
            "right pairs after 3 moves": _value(balance[name].right_pairs),
            "doubt": "; ".join(
                f"{FIGURES[figure]}: {one.doubt}" for figure, one in each.figures.items() if one.doubt
            ),
        }
        for name, each in quality.items()
    )
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        greyed(
            coefficients,
            [
                [FIGURES[figure] for figure, one in each.figures.items() if one.doubt]
                for each in quality.values()
            ],
            3,
        ),
        hide_index=True,
        column_config=dict.fromkeys(coefficients.columns[1:-1], number),
        key="detection-coefficients",
    )
    notes = " ".join(f"*{name}*: {each.note}" for name, each in CONTROLS.items())
    st.caption(
        "**A_X**: how often the original with its own sentences displaced is farther than a paraphrase. Controls "
        f"are no good by their making, and show what a figure rewards. {notes}"
    )
    st.dataframe(
        greyed(table, [("AUC", "95 %") if row.doubt else () for row in rows], 3),
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(("AUC", "right pairs", "3 against 1"), number),
        key="detection-table",
    )
    table_exports(table, "detection")
    st.caption(
        "Means over our sample maps; intervals by bootstrap over them. One edited version of each paraphrase."
    )


def _value(mean: Mean | None) -> float | None:
    return None if mean is None else mean.value


DETECTION = Part(
    "Detection",
    detection_bench,
    (
        gap_parameter("detection-", BESIDE.gap),
        number("detection-power", float, 1.0, LARGEST_POWER, default=f"{BESIDE.power:g}"),
        one_of("detection-encoder", offered_encoders(), "minilm"),
        several_of("detection-edits", list(EDITS), ASKED_FIRST),
    ),
)
