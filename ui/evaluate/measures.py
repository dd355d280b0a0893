"""The tab that tests measures: R_S and R_M of presets, orders and encoders, on samples with known variants."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.baselines import BASELINES
from tted_core.figures.distances import distance_by_size
from tted_core.foundations.monitor import Monitor
from tted_core.lab.coefficients import FIGURES
from tted_core.lab.quality import QualityRow, Report, run_grid
from tted_core.lab.samples import VARIANT_KINDS, read_samples
from tted_core.method import PRESETS, Method
from tted_core.solvers import SOLVERS
from ui import models, samples
from ui.fields import several
from ui.model_choice import label_model, list_encoders
from ui.options import UNORDERED_SECONDS
from ui.page import PagePart, data_table, figure, fold_notes, number_columns
from ui.running import run_on_demand
from ui.text import counted

_ABOUT = """**Does a measure see more than wording?** Each sample is a map with **paraphrases** (same
meaning, other words), **restructured** versions (same sentences, another tree) and versions of **another
meaning**."""

LEGEND = """± is the standard deviation over samples, in brackets the 95 % bootstrap interval of the mean. *Left
out*: variants at distance 0, which have no ratio; a figure is in *doubt* if more than a tenth of its variants were
left out. ρ₁, ρ₂, ρ₃: mean distance to paraphrases, restructured
maps and other meanings."""

COEFFICIENTS = """$R_S$ and $R_M$ are the paper's coefficients: the mean distance to a paraphrase as a share of
that to a restructured map ($R_S$) or one of another meaning ($R_M$). Below 1 a measure sees more than wording.
**Report them, but don't choose a setting by them**: a high cost of missing sentences alone lowers $R_S$,
whether or not the measure finds more errors."""

_PRESET = several("quality-presets", "Presets", lambda: PRESETS, list(PRESETS))
_ORDERS = several("quality-orders", "Orders", lambda: SOLVERS, ("ordered", "constrained"))
_ENCODERS = several("quality-encoders", "Encoders", list_encoders, (Method.encoder,), format_func=label_model)
_OTHERS = several("quality-baselines", "Other measures", lambda: BASELINES, ("rouge_sim",))


def _draw() -> None:
    st.markdown(_ABOUT)
    st.caption(COEFFICIENTS)
    left, right = st.columns(2)
    presets, orders = _PRESET.draw(left), _ORDERS.draw(right)
    with st.expander("More: encoders, other measures", key="quality-more"):
        encoders, others = _ENCODERS.draw(), _OTHERS.draw()
    chosen = tuple(presets), tuple(orders), tuple(encoders), tuple(others)
    report = run_on_demand(
        "quality", chosen, partial(_measure_samples, *chosen), disabled=not (others or (orders and presets))
    )
    if report:
        _show(report)
    st.caption("Your own samples, and other contexts, distances and costs: `tted quality`.")


def _measure_samples(
    presets: Sequence[str],
    orders: Sequence[str],
    encoders: Sequence[str],
    others: Sequence[str],
    monitor: Monitor,
) -> Report:
    methods = [
        Method.of(preset, encoder=encoder, order=order, time_limit=UNORDERED_SECONDS)
        for encoder, preset, order in product(encoders, presets, orders)
    ]
    return run_grid(
        read_samples(samples.FOLDER),
        methods,
        others,
        encoders=encoders,
        load=models.encoder,
        monitor=monitor,
    )


def _show(report: Report) -> None:
    fold_notes(report.notices, "quality-notices")
    if not report.complete:
        measures, done = counted(len(report.rows), "measure"), counted(len(report.rows[0].samples), "sample")
        st.warning(f"Stopped: {measures} so far, on {done} only.")
    table = pd.DataFrame(map(_line, report.rows))
    data_table(
        table, "quality", width="stretch", column_config=number_columns(table, "%.2f"), key="quality-table"
    )
    st.caption(LEGEND)
    chosen = st.selectbox("Distances of", report.rows, format_func=lambda row: row.name, key="quality-row")
    with st.container(key="wide-figure"):
        figure(distance_by_size(chosen.samples, chosen.score), "distance-by-size", "content")
    st.code(chosen.signature, language=None, wrap_lines=True)


def _line(row: QualityRow) -> dict[str, Any]:
    """A row of the table: each figure with its spread and interval, and why it is in doubt."""
    found = row.quality
    cells: dict[str, Any] = {"measure": row.name if row.complete else f"{row.name} (not finished)"}
    for name, one in found.figures.items():
        interval = " [{:.2f}, {:.2f}]".format(*one.ci95) if one.ci95 else ""
        cells[FIGURES[name]] = one.mean
        cells[f"{FIGURES[name]} ±"] = "none" if one.std is None else f"{one.std:.2f}{interval}"
    structure, meaning = found.figures["r_s"], found.figures["r_m"]
    doubts = (f"{FIGURES[name]}: {one.doubt}" for name, one in found.figures.items() if one.doubt)
    means = {
        name: float(pd.Series([value for each in row.samples for value in each.distances[kind]]).mean())
        for name, kind in zip(("ρ₁", "ρ₂", "ρ₃"), VARIANT_KINDS, strict=True)
    }
    return cells | {
        "samples": max(structure.n, meaning.n),
        "left out": structure.dropped + meaning.dropped,
        "unproven": row.unproven,
        "doubt": "; ".join(doubts),
        **means,
    }


MEASURES_TAB = PagePart("Measures", _draw, (_PRESET, _ORDERS, _ENCODERS, _OTHERS))
