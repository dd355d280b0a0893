"""The tab of the ranking: systems with significance tests, or the spread of pairs without systems."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.batch.controls import CONTROLS
from tted_core.figures import forest_plot
from tted_core.foundations.monitor import Monitor
from tted_core.systems import (
    Compared,
    PairRow,
    SystemScores,
    compare_systems,
    read_batch,
    read_scores,
)
from tted_core.systems.output import arrow, legend, shown_measures
from tted_core.systems.verdicts import beaten, disagreement, verdict
from ui.errors import show_error
from ui.evaluate.results import LOOKED_AT, Look, ScoresTable, chosen, looked_at, method_line
from ui.evaluate.spread import draw_spread
from ui.exports import figure
from ui.many.pair_walk import open_pair
from ui.part import Part
from ui.running import watched
from ui.text import in_page_words, markdown_escaped, plural

INTERVAL = ("95 % from", "to")
"""The columns of an interval."""

NO_INTERVAL = (math.nan, math.nan)

MARKS = "differs"
"""The column of letters or stars."""


def _draw() -> None:
    """Draw the tab."""
    look, scores = systems_looked_at()
    if scores is not None:
        _ranking(look, scores)
    elif look is not None:
        draw_spread(look)


def systems_looked_at() -> tuple[Look | None, SystemScores | None]:
    """The batch shown, unless it is a table of scores, and the scores of systems if there are any."""
    what = st.session_state.get(LOOKED_AT)
    if isinstance(what, ScoresTable):
        return None, scores_of_table(what)
    look = looked_at()
    if look is None or not look.has_systems:
        return look, None
    return look, _scores_of_batch(look.batch.folder, len(look.results))


@st.cache_data(max_entries=4, show_spinner=False)
def scores_of_table(table: ScoresTable) -> SystemScores:
    """The scores in a table that was computed elsewhere."""
    return read_scores(table.content, lower=table.lower)


@st.cache_data(max_entries=4, show_spinner=False)
def _scores_of_batch(folder: Path, rows: int) -> SystemScores:  # noqa: ARG001 - it tells new results
    return read_batch(folder)


def compared_systems(look: Look | None, scores: SystemScores) -> tuple[Compared, str]:
    """Draw the choice of measure and of tests; return the comparison and the measure."""
    with st.container(horizontal=True):
        measure = chosen("Measure", "measure", scores.measures, width=260)
        against = ("", *scores.contenders.systems)
        baseline = chosen(
            "Test against", "baseline", against, width=260, format_func=lambda name: name or "each other"
        )
    key = (look.batch.folder, len(look.results)) if look else st.session_state[LOOKED_AT], baseline

    def work(monitor: Monitor) -> Compared:
        monitor.stage("Resampling the documents", 0.1)
        return compare_systems(scores, baseline=baseline or None)

    return watched("systems", key, work, stop_help="Stops the tests.", shared=True), measure


def _ranking(look: Look | None, scores: SystemScores) -> None:
    answer = st.container()  # above the choices that it depends on
    compared, measure = compared_systems(look, scores)
    with answer:
        st.markdown(f"**{markdown_escaped(verdict(compared, measure))}**")
        if sentence := disagreement(compared, measure):
            st.markdown(markdown_escaped(sentence))
        if look is None:
            st.caption(markdown_escaped(compared.signature))
        else:
            method_line(look, compared=compared)
    others = [name for name in shown_measures(compared) if name != measure]
    if sentence := beaten(compared, (measure, *others)):
        st.info(markdown_escaped(sentence), icon=":material/warning:")
    _means(compared, measure)
    notices = [f":material/info: {markdown_escaped(in_page_words(notice))}" for notice in compared.summary]
    if len(notices) == 1:
        st.caption(notices[0])
    elif notices:
        with st.expander(plural(len(notices), "notice"), key="evaluate-notices"):
            st.caption("\n\n".join(notices))
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    if pairs:
        with st.expander("Where two systems differ most", key="evaluate-differences"):
            _documents(look, pairs)
    with st.expander("More: intervals as a figure, every measure, tests", key="evaluate-more"):
        with st.container(key="wide-figure"):
            figure(forest_plot(replace(compared, systems=compared.of(measure))), "systems-forest", "content")
        st.markdown("**Every measure**, by documents and by nodes of the reference")
        columns = ["measure", "system", "mean", *INTERVAL, "median", "mean by nodes"]
        every = (
            (row.measure, row.system, row.mean, *(row.ci95 or NO_INTERVAL), row.median, row.micro)
            for row in compared.systems
        )
        _table(pd.DataFrame(every, columns=columns), "evaluate-every-mean")
        if pairs:
            _tests(pairs)


def _table(table: pd.DataFrame, key: str, form: str = "%.4f", **options: Any) -> None:
    """Draw a table with the numbers, except counts, in a format."""
    numbers = dict.fromkeys(table.select_dtypes("float"), st.column_config.NumberColumn(format=form))
    st.dataframe(table, hide_index=True, column_config=numbers, placeholder="", key=key, **options)


def _means(compared: Compared, measure: str) -> None:
    """A row for each system: the measure with its interval, the means of others, and the marks of its tests."""
    with_controls = bool(compared.controls) and st.toggle(
        "Simple controls",
        value=True,
        key="evaluate-controls",
        persist_state="session",
        help="Maps made of the references by simple means. A system that they beat has a problem.",
    )
    measures = [measure, *(name for name in shown_measures(compared) if name != measure)]
    first, *others = ({row.system: row for row in compared.of(name)} for name in measures)
    systems = [*compared.ranking, *(compared.controls if with_controls else ())]
    table = pd.DataFrame({"system": systems}, index=systems)
    table[f"{measure} {arrow(compared, measure)}"] = {name: row.mean for name, row in first.items()}
    if compared.pairs:
        table[MARKS] = {name: row.mark for name, row in first.items()}
    for side, head in enumerate(INTERVAL):
        table[head] = {name: (row.ci95 or NO_INTERVAL)[side] for name, row in first.items()}
    for name, rows in zip(measures[1:], others, strict=True):
        table[f"{name} {arrow(compared, name)}"] = {system: row.mean for system, row in rows.items()}
    _table(table, "evaluate-means", "%.3f", height="content")
    documents = max(row.n for row in compared.systems)
    st.caption(f"Means over {plural(documents, 'document')}. {markdown_escaped(legend(compared))}")
    if with_controls:
        made = "; ".join(f"{name}: {CONTROLS[name].title}" for name in compared.controls)
        st.caption(f"Controls, in brackets, are made of the references and are no systems. {made}.")


def _tests(pairs: Sequence[PairRow]) -> None:
    st.markdown(
        "**Paired tests**, two-sided: *p boot* by bootstrap, *p rand* by randomization, *p Holm* the latter "
        "corrected for all tests of the measure"
    )
    columns = ["a", "b", "difference", *INTERVAL, "p boot", "p rand", "p Holm"]
    columns += ["significant", "effect (d_z)", "a wins", "ties", "b wins"]
    tests = [
        (
            *(pair.a, pair.b, pair.difference, *(pair.ci95 or NO_INTERVAL)),
            *(pair.p_bootstrap, pair.p_randomization, pair.p_holm),
            *("yes" if pair.significant else "no", pair.effect, pair.wins, pair.ties, pair.losses),
        )
        for pair in pairs
    ]
    _table(pd.DataFrame(tests, columns=columns), "evaluate-tests")


def _documents(look: Look | None, pairs: Sequence[PairRow]) -> None:
    """The documents on which two systems differ most; of a batch, each leads to its maps."""
    by_name = {f"{pair.a} and {pair.b}": pair for pair in pairs}
    pair = by_name[chosen("Systems", "pair", by_name, width=260)]
    table = pd.DataFrame(pair.largest, columns=["document", f"{pair.a} minus {pair.b}"])
    picked = st.dataframe(
        table,
        hide_index=True,
        key="evaluate-documents",
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
        column_config={table.columns[1]: st.column_config.NumberColumn(format="%+.4f")},
    )
    if look is None:
        st.caption("Uploaded scores have no maps.")
        return
    documents = table["document"].tolist()
    document = documents[min((picked["selection"]["rows"] or [0])[0], len(documents) - 1)]
    columns = look.results.table[["id", "system"]]
    numbers = {key: number for number, key in enumerate(columns.itertuples(index=False, name=None))}
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-open"):
        st.markdown(f"**{markdown_escaped(document)}**, against its reference:", width="content")
        for side, system in enumerate((pair.a, pair.b)):
            number = numbers.get((document, system))
            if st.button(
                f"Open {markdown_escaped(system)} in Compare",
                type="secondary" if side else "primary",
                disabled=number is None,
                key=f"evaluate-open-{side}",
                help="From there, N and P lead to the maps of this system for the other documents of the list.",
            ):
                assert number is not None
                listed = [numbers[each, system] for each in documents if (each, system) in numbers]
                try:
                    order = "as listed in the ranking"
                    open_pair(look.batch, number, listed, by="normalized", order=order, tab=RANKING.title)
                except TTEDError as error:
                    show_error(error)


RANKING = Part("Ranking", _draw)
