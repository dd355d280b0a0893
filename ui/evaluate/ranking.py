"""The tabs that compare systems: the ranking with its tests, or the spread of pairs without systems, and edits."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tted_core.baselines import measure_title
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.results import LOWER
from tted_core.batch.table import COSTS
from tted_core.figures.systems import edit_bars, forest_plot
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.stats import RESAMPLES, mean_interval
from tted_core.matching.records import CLAIMS, SHARES, STATUSES
from tted_core.systems import Compared, PairRow
from tted_core.systems.output import arrow, cells_of, legend, pick_measures
from tted_core.systems.scores import OF_A_BATCH
from tted_core.systems.verdicts import Wording, beaten, disagreement, in_words, verdict
from ui.evaluate.batches import Batch, batches
from ui.evaluate.results import (
    compare_shown_systems,
    draw_choice,
    read_shown_scores,
    setting_in_words,
    show_results,
)
from ui.evaluate.rows import open_pair
from ui.page import PagePart, data_table, figure, fold_notes, number_columns, pick_row, show_errors
from ui.running import run_watched
from ui.text import counted, markdown_escaped

FIRST_SCORE = "normalized"  # the score of pairs that is named first

MOST_RESAMPLED = 10_000  # of more pairs, resampling takes long, and the interval is narrow

# Column of a batch -> its title here: sentences whose claim may have changed, and costs of operations.
COLUMN_TITLES = {CLAIMS: "may claim something else"} | {
    name: f"{name.removeprefix('cost_')}: cost" for name in COSTS
}


def _draw() -> None:
    batch = show_results()
    (_ranking if batch.has_systems else _spread)(batch)


# Sentences of the page, in Markdown.
ON_PAGE = Wording(
    lambda name: f"*{markdown_escaped(name)}*", lambda measure: markdown_escaped(in_words(measure))
)


def _ranking(batch: Batch) -> None:
    answer = st.container()  # above the choices that it depends on
    scores = read_shown_scores(batch)
    with st.container(horizontal=True):
        measure = draw_choice("Measure", "measure", scores.measures, width=260, format_func=measure_title)
        against = ("", *scores.contenders.systems)
        if (
            len(against) > 3 and len(scores.items) > 1
        ):  # of two the test is the same, of one document there is none
            draw_choice(
                "Test against",
                "baseline",
                against,
                width=260,
                format_func=lambda each: each or "each other",
            )
    compared = compare_shown_systems(batch)
    others = [name for name in pick_measures(compared) if name != measure]
    with answer:
        example = "" if batch.key in batches() else "Example: "
        st.markdown(f"**{example}{verdict(compared, measure, ON_PAGE)}**")
        if sentence := disagreement(compared, measure, ON_PAGE):
            st.markdown(sentence)
    figure(forest_plot(replace(compared, systems=compared.of(measure))), "systems-forest")
    ticks = " Grey ticks: trivial controls, made of the references." if compared.controls else ""
    st.caption(f"{markdown_escaped(legend(compared))}{ticks}")
    if sentence := beaten(compared, (measure, *others), ON_PAGE):
        st.info(sentence, icon=":material/warning:")
    _means(compared, [measure, *others])
    fold_notes(compared.summary, "evaluate-notices")
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    if pairs:
        with st.expander("Where two systems differ most", key="evaluate-differences"), show_errors():
            _documents(batch, pairs)
    if compared.pairs and pairs[0].n > 1:
        with st.expander("Tests of all pairs", key="evaluate-more"):
            _tests(pairs)


def _means(compared: Compared, measures: Sequence[str]) -> None:
    """A row for each system: the means as bars, and the marks of the tests of the first measure."""
    systems = [*compared.ranking, *compared.controls]
    table = pd.DataFrame({"system": systems}, index=systems)
    columns: dict[str, Any] = {}
    for name in measures:
        head = f"{measure_title(name)} {arrow(compared, name)}"
        table[head] = {row.system: row.mean for row in compared.of(name)}
        columns[head] = st.column_config.ProgressColumn(
            format="%.3f",
            min_value=min(table[head].min(), 0.0),
            max_value=max(table[head].max(), 1e-9),
            width=None if name == measures[0] else 105,
        )
    if any(row.mark for row in compared.systems):
        table["differs"] = {row.system: row.mark for row in compared.of(measures[0])}
    if len(compared.ranking) > 1:
        cells = {measure_title(name): cells_of(compared, name) for name in measures}
        best = {
            system: [title for title, its in cells.items() if system in its and its[system].is_best]
            for system in systems
        }
        table["best by"] = [_name_titles(titles, list(cells)) for titles in best.values()]
        columns["best by"] = st.column_config.TextColumn(width=240)
    st.dataframe(table, hide_index=True, column_config=columns, key="evaluate-means", height="content")
    if compared.controls:
        made = "; ".join(f"{name}: {BATCH_CONTROLS[name].title}" for name in compared.controls)
        st.caption(f"Controls, in brackets, are no systems. {made}.")


def _name_titles(titles: Sequence[str], every: Sequence[str]) -> str:
    """These titles, or if they are most of them "all" or "all but ..."."""
    others = ", ".join(title for title in every if title not in titles)
    if len(titles) <= max(1, len(every) // 2):
        return ", ".join(titles)
    return f"all but {others}" if others else "all"


def _tests(pairs: Sequence[PairRow]) -> None:
    st.markdown(
        "**Paired tests**, two-sided: *p boot* by bootstrap, *p rand* by randomization, *p Holm* the latter "
        "corrected for all tests of the measure"
    )
    columns = ["a", "b", "difference", "95 % from", "to", "p boot", "p rand", "p Holm"]
    columns += ["significant", "effect (d_z)", "a wins", "ties", "b wins"]
    tests = [
        (
            *(pair.a, pair.b, pair.difference, *(pair.ci95 or (math.nan, math.nan))),
            *(pair.p_bootstrap, pair.p_randomization, pair.p_holm),
            *("yes" if pair.significant else "no", pair.effect, pair.wins, pair.ties, pair.losses),
        )
        for pair in pairs
    ]
    table = pd.DataFrame(tests, columns=columns)
    how = number_columns(table, "%.4f")
    st.dataframe(table, hide_index=True, column_config=how, placeholder="", key="evaluate-tests")


def _documents(batch: Batch, pairs: Sequence[PairRow]) -> None:
    """The documents on which two systems differ most; of a batch, each leads to its maps."""
    by_name = {f"{pair.a} and {pair.b}": pair for pair in pairs}
    pair = by_name[draw_choice("Systems", "pair", by_name, width=260)]
    table = pd.DataFrame(pair.largest, columns=["document", f"{pair.a} minus {pair.b}"])
    difference = st.column_config.NumberColumn(format="%+.4f")
    row = pick_row(table, "evaluate-documents", column_config={table.columns[1]: difference})
    document = str(table["document"][row])
    columns = batch.results.table[["id", "system"]]
    numbers = {key: number for number, key in enumerate(columns.itertuples(index=False, name=None))}
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-open"):
        st.markdown(f"**{markdown_escaped(document)}**, against its reference:", width="content")
        for side, system in enumerate((pair.a, pair.b)):
            if st.button(
                f"Open {markdown_escaped(system)} in Compare",
                type="secondary" if side else "primary",
                key=f"evaluate-open-{side}",
            ):
                open_pair(batch, numbers[document, system])


def _spread(batch: Batch) -> None:
    """Draw the mean of the first score and the spread of every score, by setting."""
    results = batch.results
    if FIRST_SCORE not in results.scores:
        st.info("There is nothing to draw: none of these pairs has a score.")
        return
    for number in range(len(results.settings)):
        kept = (results.of_setting == number) & ~results.failed
        values = {name: results.scores[name][kept] for name in OF_A_BATCH if name in results.scores}
        means = run_watched(
            "evaluate-means",
            (batch.folder, len(results), number),
            partial(_describe, pd.DataFrame(values)),
            stop_help="Ends without these means.",
            shared=True,
        )
        if means.empty:  # every pair of this setting has failed
            continue
        row = means.iloc[0]
        average = " on average" if row["pairs"] > 1 else ""
        interval = (
            "" if np.isnan(row["to"]) else f" (95 % interval {row['95 % from']:.3f} to {row['to']:.3f})"
        )
        by = f", by {setting_in_words(results, number)}" if len(results.settings) > 1 else ""
        sentence = f"The {in_words(FIRST_SCORE)} is {row['mean']:.3f}{average}{interval}{by}"
        st.markdown(f"**{markdown_escaped(sentence)}.** {counted(int(row['pairs']), 'pair')}.")
        table = means.dropna(axis="columns", how="all")  # one pair has no interval
        data_table(
            table,
            f"spread-{number}",
            height="content",
            column_config=number_columns(table, "%.3f"),
            key=f"spread-{number}-table",
        )


def _describe(values: pd.DataFrame, monitor: Monitor) -> pd.DataFrame:
    """A row per measure: number of pairs, mean with interval, median and extremes."""
    values = values.dropna(axis="columns", how="all")
    if values.empty:
        return values
    found = values.describe().T.astype({"count": int})
    intervals = [
        (count <= MOST_RESAMPLED and mean_interval(values[name].dropna(), RESAMPLES, seed=0))
        or (math.nan, math.nan)
        for name, count in monitor.over(list(found["count"].items()), "Resampling")
    ]
    found[["95 % from", "to"]] = np.array(intervals).reshape(-1, 2)
    arrows = ("↓" if LOWER.get(name, True) else "↑" for name in found.index)
    found.index = pd.Index(map("{} {}".format, map(measure_title, found.index), arrows), name="measure")
    titles = {"count": "pairs", "50%": "median", "min": "smallest", "max": "largest"}
    columns = ["pairs", "mean", "95 % from", "to", "median", "smallest", "largest"]
    return found.rename(columns=titles)[columns].reset_index()


def _draw_edits() -> None:
    """Draw the sentences of each status per document, and the table of their numbers."""
    means = _mean_edits(show_results())
    if means.empty:
        return
    totals = means[["system", *STATUSES]].melt("system", var_name="kind", value_name="sentences")
    st.markdown("**Sentences by status**, per document")
    with st.container(key="wide-figure"):
        figure(edit_bars(totals.to_dict("records")), "edits", "content")
    table = means.rename(columns=COLUMN_TITLES)
    data_table(table, "edits-means", column_config=number_columns(table, "%.2f"), key="edits-means-table")
    st.caption(
        "Statuses are those of Compare. Coverage: share of the reference that is in the output, by cost of "
        "deletion; support: share of the output that is in the reference. Costs are those of the script's "
        "operations."
    )


def _mean_edits(batch: Batch) -> pd.DataFrame:
    """A row of means for each system, over the documents that all of them have; none if nothing was counted."""
    results = batch.results
    columns = [name for name in (*STATUSES, CLAIMS, *SHARES, *COSTS) if name in results.scores]
    rows = pd.DataFrame({name: results.scores[name] for name in columns})
    rows.insert(0, "system", results.table["system"] if batch.has_systems else "all pairs")
    kept = (results.of_setting == 0) & ~results.failed & ~rows["system"].isin(BATCH_CONTROLS)
    if not set(STATUSES) <= set(columns):
        return rows.iloc[:0]
    rows = rows[kept]
    if batch.has_systems:
        systems = rows.groupby(results.table["id"][kept])["system"].transform("nunique")
        rows = rows[systems == rows["system"].nunique()]
    return rows.groupby("system", sort=False).mean().reset_index()


RANKING_TAB = PagePart("Ranking", _draw)
EDITS_TAB = PagePart("Edits", _draw_edits)
