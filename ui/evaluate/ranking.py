"""The tab of the ranking: which system is better and how surely; of pairs without systems, their spread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
    SystemRow,
    SystemScores,
    compare_systems,
    read_batch,
    read_scores,
)
from tted_core.systems.scores import OF_TTED
from tted_core.systems.verdicts import beaten, verdict_in_figures
from ui.errors import show_error
from ui.evaluate.results import SCORES, Look, Scores, draw_method_line, looked_at, method_line, offered
from ui.evaluate.spread import ACROSS, UPWARDS, spread
from ui.evaluate.view import TAB, TABS, unlinked
from ui.exports import figure
from ui.fields import choice
from ui.many.pair_walk import open_pair
from ui.part import Part
from ui.running import watched
from ui.text import in_page_words, markdown_escaped, plural

INTERVAL = ("95 % from", "to")
"""The columns of an interval."""

ALL_PAIRS = ""
"""In place of a baseline's name."""

MEASURE = unlinked(choice("measure", "Measure", None, "", key="evaluate-measure", width=260))
BASELINE = unlinked(
    choice(
        "baseline",
        "Test against",
        None,
        ALL_PAIRS,
        key="evaluate-baseline",
        format_func=lambda name: name or "each other",
        width=260,
    )
)
SYSTEMS = unlinked(choice("pair", "Systems", None, "", key="evaluate-pair", width=260))

BEHIND_MORE = OF_TTED[1:]
"""Measures that the table shows only where one of them is chosen."""

MATRIX_FROM = 4
"""So many systems have more pairs than a list of tests shows at a glance."""


@dataclass(frozen=True)
class Asked:
    """What is compared: a batch's folder as it was at some time, or a table; and against which system."""

    folder: Path | None
    stamp: int
    given: Scores
    baseline: str


def _rank() -> None:
    """Draw the tab."""
    look = None if given_scores() else looked_at()
    if look is not None and not look.has_systems:
        spread(look)
        return
    if look is None and not given_scores():
        return
    answer = st.container()  # first, though what it is about is chosen below
    compared, measure = compared_systems(look)
    with answer:
        st.markdown(f"**{markdown_escaped(verdict_in_figures(compared, measure))}**")
        made = ("", compared.signature) if look is None else method_line(look, compared=compared)
        draw_method_line(*made)
    _show(look, compared, measure)


def given_scores() -> Scores | None:
    """The table of scores, if that is looked at."""
    scores: Scores | None = st.session_state.get(SCORES)
    return scores


def compared_systems(look: Look | None) -> tuple[Compared, str]:
    """Draw the choice of a measure and of what is tested; return the comparison and the measure.

    Without a look, it is that of a table of scores.
    """
    given = given_scores() or Scores(b"", ())
    folder, stamp = (None, 0) if look is None else (look.batch.folder, len(look.results))
    scores = _scores(folder, stamp, given)
    with st.container(horizontal=True):
        measure = MEASURE.draw(options=offered(MEASURE, list(scores.measures)))
        baseline = BASELINE.draw(options=offered(BASELINE, [ALL_PAIRS, *scores.contenders.systems]))
    asked = Asked(folder, stamp, given, baseline)
    return watched("systems", asked, partial(_compared, asked), stop_help="Stops the tests."), measure


@st.cache_data(max_entries=4, show_spinner=False)
def _scores(folder: Path | None, stamp: int, given: Scores) -> SystemScores:  # noqa: ARG001 - tells new results
    return read_scores(given.table, lower=given.lower) if folder is None else read_batch(folder)


def _compared(asked: Asked, monitor: Monitor) -> Compared:
    monitor.stage("Resampling the documents", 0.1)
    scores = (
        read_scores(asked.given.table, lower=asked.given.lower)
        if asked.folder is None
        else read_batch(asked.folder)
    )
    return compare_systems(scores, baseline=asked.baseline or None)


def _show(look: Look | None, compared: Compared, measure: str) -> None:
    if sentence := beaten(compared, measure):
        st.info(markdown_escaped(sentence), icon=":material/warning:")
    _means(compared, measure)
    _notices(compared)
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    if pairs and compared.baseline is None and len(compared.ranking) >= MATRIX_FROM:
        _wins(compared, measure)
    if pairs:
        with st.expander("Where two systems differ most", key="evaluate-differences"):
            _documents(look, pairs)
    with st.expander("More: intervals as a figure, every measure, tests", key="evaluate-more"):
        with st.container(key="wide-figure"):
            figure(forest_plot(compared), "systems-forest", "content")
        _every_mean(compared)
        if pairs:
            _tests(pairs)


def _means(compared: Compared, measure: str) -> None:
    """A row for each system: the measure with its interval, the means of others, and the rank group."""
    with_controls = bool(compared.controls) and st.toggle(
        "Simple controls",
        value=True,
        key="evaluate-controls",
        persist_state="session",
        help="Maps made of the references by simple means. A system that they beat has a problem.",
    )
    names = (*compared.ranking, *(compared.controls if with_controls else ()))
    rows = {name: compared.row(name, measure) for name in names}
    grouped = compared.baseline is None and bool(compared.pairs)
    table = pd.DataFrame({"system": names})
    table[_head(compared, measure)] = [row and row.mean for row in rows.values()]
    intervals = [_interval(row) for row in rows.values()]
    for side in INTERVAL:
        table[side] = [each[side] for each in intervals]
    for other in compared.measures:
        if other not in {measure, *BEHIND_MORE}:
            found = (compared.row(name, other) for name in names)
            table[_head(compared, other)] = [row and row.mean for row in found]
    if grouped:
        table["rank group"] = [row and row.cluster for row in rows.values()]
    number = st.column_config.NumberColumn(format="%.3f")
    formats = {head: number for head in table.columns if head not in {"system", "rank group"}}
    st.dataframe(
        table.astype(dict.fromkeys(formats, float)),
        hide_index=True,
        width="stretch",
        height="content",
        column_config=formats,
        placeholder="",
        key="evaluate-means",
    )
    documents = max(row.n for row in compared.systems)
    st.caption(
        f"Means over {plural(documents, 'document')}, with a 95 % bootstrap interval; ↓ lower is better, ↑ higher "
        "is better" + ("; systems of different rank groups differ significantly." if grouped else ".")
    )
    if with_controls:
        made = "; ".join(f"{name}: {CONTROLS[name].title}" for name in compared.controls)
        st.caption(f"Controls, in brackets, are made of the references and are no systems. {made}.")


def _every_mean(compared: Compared) -> None:
    st.markdown("**Every measure**, by documents and by nodes of the reference")
    more = pd.DataFrame(
        {
            "measure": row.measure,
            "system": row.system,
            "mean": row.mean,
            **_interval(row),
            "median": row.median,
            "mean by nodes": row.micro,
        }
        for row in compared.systems
    )
    st.dataframe(
        more,
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(more.columns[2:], st.column_config.NumberColumn(format="%.4f")),
        key="evaluate-every-mean",
    )


def _interval(row: SystemRow | PairRow | None) -> dict[str, float | None]:
    return dict(zip(INTERVAL, (row and row.ci95) or (None, None), strict=True))


def _head(compared: Compared, measure: str) -> str:
    return f"{measure} {'↓' if measure in compared.lower else '↑'}"


def _wins(compared: Compared, measure: str) -> None:
    """A matrix: on how many documents the system of a row is better than that of a column."""
    wins: dict[str, list[int | None]] = {}
    for row in compared.ranking:
        found = (compared.pair(row, column, measure) for column in compared.ranking)
        wins[row] = [None if pair is None else pair.wins if pair.a == row else pair.losses for pair in found]
    table = pd.DataFrame.from_dict(wins, orient="index", columns=list(compared.ranking)).astype("Int64")
    st.markdown(f"**Documents on which the system of the row is better by {markdown_escaped(measure)}**")
    st.dataframe(table, width="stretch", placeholder="", key="evaluate-wins")


def _notices(compared: Compared) -> None:
    """The notices by kind; a single one, such as that of few documents, needs no folding."""
    if len(compared.summary) > 1:
        with st.expander(plural(len(compared.summary), "notice"), key="evaluate-notices"):
            for notice in compared.summary:
                st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")
    for notice in compared.summary if len(compared.summary) == 1 else ():
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")


def _tests(pairs: Sequence[PairRow]) -> None:
    st.markdown(
        "**Paired tests**, two-sided: *p boot* by bootstrap, *p rand* by randomization, *p Holm* the latter "
        "corrected for all tests of the measure"
    )
    number = st.column_config.NumberColumn(format="%.4f")
    table = pd.DataFrame(map(_test, pairs))
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(("difference", *INTERVAL, "p boot", "p rand", "p Holm"), number)
        | {"effect (d_z)": st.column_config.NumberColumn(format="%.2f")},
        key="evaluate-tests",
    )


def _test(pair: PairRow) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "difference": pair.difference,
        **_interval(pair),
        "p boot": pair.p_bootstrap,
        "p rand": pair.p_randomization,
        "p Holm": pair.p_holm,
        "significant": "yes" if pair.significant else "no",
        "effect (d_z)": pair.effect,
        "a wins": pair.wins,
        "ties": pair.ties,
        "b wins": pair.losses,
    }


def _documents(look: Look | None, pairs: Sequence[PairRow]) -> None:
    """The documents on which two systems differ most; of a batch, each leads to its maps."""
    by_name = {f"{pair.a} and {pair.b}": pair for pair in pairs}
    pair = by_name[SYSTEMS.draw(options=offered(SYSTEMS, list(by_name)))]
    table = pd.DataFrame(pair.largest, columns=["document", f"{pair.a} minus {pair.b}"])
    picked = st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        key="evaluate-documents",
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
        column_config={table.columns[1]: st.column_config.NumberColumn(format="%+.4f")},
    )
    if look is None:
        st.caption("Scores from a table lead to no maps.")
        return
    rows = picked["selection"]["rows"]
    documents = [document for document, _ in pair.largest]
    document = documents[min(rows[0] if rows else 0, len(documents) - 1)]
    numbers = _row_numbers(look)
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-open"):
        st.markdown(f"**{markdown_escaped(document)}**, against its reference:", width="content")
        for place, system in enumerate((pair.a, pair.b)):
            number = numbers.get((document, system))
            if st.button(
                f"Open {markdown_escaped(system)} in Compare",
                type="primary" if not place else "secondary",
                disabled=number is None,
                key=f"evaluate-open-{place}",
                help="From there, N and P lead to the maps of this system for the other documents of the list.",
            ):
                assert number is not None
                listed = [numbers[each, system] for each in documents if (each, system) in numbers]
                try:
                    open_pair(
                        look.batch,
                        number,
                        listed,
                        by="normalized",
                        order="as listed in the ranking",
                        back="ranking",
                        values={TAB: TABS["ranking"]},
                    )
                except TTEDError as error:
                    show_error(error)


def _row_numbers(look: Look) -> Mapping[tuple[str, str], int]:
    """(document, system) -> the number of its row."""
    table = look.results.table
    keys = zip(table["id"].to_pylist(), table["system"].to_pylist(), strict=True)
    return {key: number for number, key in enumerate(keys)}


RANKING = Part(TABS["ranking"], _rank, (BASELINE, MEASURE, SYSTEMS, ACROSS, UPWARDS))
