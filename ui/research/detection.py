"""How surely a setting detects errors: paraphrases of our samples with errors in known places, and the AUC."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.arithmetic import Gap
from tted_core.figures import detection_curves
from tted_core.foundations.limits import MAX_GAP, MAX_POWER
from tted_core.foundations.monitor import Monitor
from tted_core.lab.detection import EDITS, Detection, Mean, detect
from tted_core.lab.quality import CONTROLS, FIGURES, Grid, Quality, read_samples, run_grid
from tted_core.lab.quality.grid import is_control, named
from tted_core.method import Method
from ui import samples
from ui.exports import figure, table_exports
from ui.fields import amount, field_of, several
from ui.options import chosen_gap, encoder_field, gap_parameter, kind_of_gap
from ui.part import Part
from ui.processes import loading
from ui.research.inputs import COEFFICIENTS, greyed
from ui.running import watched_on_demand

ABOUT = """**Does a setting detect errors?** Known errors are put into paraphrases of our sample maps. The
**AUC** is how often a paraphrase with errors is farther from the original than another without: 0.5 is chance,
1 never fails. Your setting is compared with the published one."""

LEGEND = """Means over our sample maps, intervals by bootstrap over them; one edited version of each paraphrase.
*Right pairs*: the share of the mapping's pairs that join a sentence with its own paraphrase. *3 against 1*: how
often three errors are farther than one. **A_X**: how often the original with its own sentences displaced is
farther than a paraphrase. *Controls* are deliberately bad measures, and show what a figure rewards."""

BESIDE = Method.of("proofreading")
"""The setting beside the published one at first."""

GAP = field_of(
    gap_parameter("detection-", BESIDE.gap),
    "Cost of a missing or extra sentence",
    "slider",
    min_value=0.0,
    max_value=min(2.0, MAX_GAP),
    step=0.05,
)
POWER = amount(
    "detection-power",
    "Emphasis on the largest differences (power)",
    (1.0, min(12.0, MAX_POWER), 0.5),
    default=f"{BESIDE.power:g}",
    widget="slider",
)
ENCODER = encoder_field("detection-encoder")
ERRORS = several("detection-edits", "Errors", lambda: EDITS, ("swap", "move", "exchange", "negate"))


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
    asked = _asked()
    found = watched_on_demand("detection", asked, partial(_measured, asked), disabled=not asked.edits)
    if found:
        _show(found)


def _asked() -> Asked:
    left, right = st.columns(2)
    cost, kind = left.columns(2)
    gap = {"gap_amount": GAP.draw(cost), "gap_kind": kind_of_gap("detection-", kind, persist_state="page")}
    power = POWER.draw(right)
    with st.expander("More: encoder, errors", key="detection-more"):
        encoder, edits = ENCODER.draw(), tuple(ERRORS.draw())
    return Asked(chosen_gap(gap), power, encoder, edits)


def _measured(asked: Asked, monitor: Monitor) -> Found:
    monitor.stage("Reading the samples", 0.0)
    every = read_samples(samples.FOLDER)
    published = Method.of("published")
    grid = Grid(
        {asked.encoder: partial(loading.encoder, asked.encoder)},
        controls=tuple(CONTROLS),
        settings=[
            {"gap": published.gap, "power": published.power},
            {"gap": asked.gap, "power": asked.power},
        ],
    )
    found = detect(every, grid, seeds=1, edits=asked.edits, monitor=monitor.part(0, 2))
    report = run_grid(every, grid, monitor=monitor.part(1, 2))
    return Found(found, {_name(row.options): row.quality for row in report.rows})


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
    doubtful = [("AUC", "95 %") if row.doubt else () for row in rows]
    _table(table, doubtful, ("AUC", "right pairs", "3 against 1"), "detection-table")
    table_exports(table, "detection")
    st.caption(LEGEND)
    st.header("Coefficients of the same settings", anchor=False)
    st.caption(COEFFICIENTS)
    _coefficients(found, settings)
    st.caption(" ".join(f"*{name}*: {each.note}" for name, each in CONTROLS.items()))


def _coefficients(found: Found, settings: dict[str, None]) -> None:
    right_pairs = {_name(each.options): each.right_pairs for each in found.detection.balance}
    quality = {
        name: found.quality[name]
        for name in (*settings, *(each for each in right_pairs if each not in settings))
    }
    doubts = [
        {FIGURES[figure]: one.doubt for figure, one in each.figures.items() if one.doubt}
        for each in quality.values()
    ]
    table = pd.DataFrame(
        {
            "setting": name,
            **{FIGURES[figure]: one.mean for figure, one in each.figures.items()},
            "right pairs after 3 moves": _value(right_pairs[name]),
            "doubt": "; ".join(f"{figure}: {doubt}" for figure, doubt in of_row.items()),
        }
        for (name, each), of_row in zip(quality.items(), doubts, strict=True)
    )
    _table(table, doubts, tuple(table.columns[1:-1]), "detection-coefficients")


def _table(table: pd.DataFrame, doubtful: list[Any], numbers: tuple[str, ...], key: str) -> None:
    st.dataframe(
        greyed(table, doubtful, 3),
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(numbers, st.column_config.NumberColumn(format="%.3f")),
        key=key,
    )


def _value(mean: Mean | None) -> float | None:
    return None if mean is None else mean.value


DETECTION = Part("Detection", detection_bench, (GAP, POWER, ENCODER, ERRORS))
