"""The part that shows results: the table, the tests, plots, and the documents on which two systems differ most."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import VERSION, TTEDError
from tted_core.batch.functions import CONTROLS
from tted_core.comparison import Signature
from tted_core.figures import forest_plot
from tted_core.monitor import Monitor
from tted_core.systems import Compared, PairRow, Scores, compare_systems, read_batch, read_scores
from tted_core.systems.output import pairs_csv, systems_csv, systems_latex
from tted_core.systems.verdicts import beaten, verdict_in_figures
from ui.errors import show_error, show_errors
from ui.exports import figure
from ui.kept_maps import kept_map
from ui.many.kept_batches import Batch, batch_at, results_of
from ui.many.pair_walk import open_pair
from ui.many.view import place_parameter, setting_in_words
from ui.many.work import is_begun, offer_to_go_on, run_if_asked
from ui.part import Part
from ui.permalink import Parameter
from ui.running import watched
from ui.systems.drivers import drivers
from ui.text import markdown_escaped, plural

ALL_PAIRS = ""
"""In place of a baseline's name."""

MATRIX_FROM = 4
"""So many systems have more pairs than a list of tests shows at a glance."""


@dataclass(frozen=True)
class Asked:
    """What is compared: a batch's folder as it was at some time, or a table; and against which system."""

    folder: Path | None
    stamp: int
    table: bytes
    lower: tuple[str, ...]
    baseline: str


def _look() -> None:
    """Draw the part."""
    state = st.session_state
    batch: Batch | None = None
    source: tuple[Path | None, int, bytes]
    if state.get("systems-place"):
        batch = batch_at(state["systems-place"])
        run_if_asked(batch)
        if not is_begun(batch):
            st.info("No pair is done yet.")
            return
        results = results_of(batch)
        if not results.complete:
            offer_to_go_on(batch, len(results))
        source = batch.folder, len(results), b""
    elif state.get("systems-scores"):
        kept = kept_map(state["systems-scores"])
        source = None, 0, kept.getvalue()
    else:
        st.info("Results appear here: give systems to compare.")
        return
    lower = tuple(filter(None, str(state.get("systems-lower") or "").split(",")))
    folder, stamp, table = source
    scores = _scores(folder, stamp, table, lower)
    with st.container(horizontal=True):
        measure = _choice("Measure", list(scores.measures), "systems-measure")
        baseline = _choice(
            "Test against", [ALL_PAIRS, *scores.contenders.systems], "systems-baseline", _baseline_in_words
        )
    asked = Asked(folder, stamp, table, lower, baseline)
    compared = watched("systems", asked, partial(_compared, asked), stop_help="Stops the tests.")
    _show(batch, compared, measure)


def _baseline_in_words(name: str) -> str:
    return name or "each other"


@st.cache_data(max_entries=4, show_spinner=False)
def _scores(folder: Path | None, stamp: int, table: bytes, lower: tuple[str, ...]) -> Scores:  # noqa: ARG001 - tells new results
    return read_scores(table, lower=lower) if folder is None else read_batch(folder, lower=lower)


def _compared(asked: Asked, monitor: Monitor) -> Compared:
    monitor.stage("Resampling the documents", 0.1)
    scores = (
        read_scores(asked.table, lower=asked.lower)
        if asked.folder is None
        else read_batch(asked.folder, lower=asked.lower)
    )
    return compare_systems(scores, baseline=asked.baseline or None)


def _choice(label: str, names: list[str], key: str, told: Any = str) -> str:
    """A box to choose from; a name that isn't there, as in an old link, is told of."""
    state = st.session_state
    if state.get(key) not in names:
        if state.get(key):
            st.warning(
                f"There is no {markdown_escaped(state[key])} here any more; {told(names[0])} is chosen."
            )
        state[key] = names[0]
    chosen: str = st.selectbox(label, names, format_func=told, key=key, width=260)
    return chosen


def _show(batch: Batch | None, compared: Compared, measure: str) -> None:
    st.markdown(f"**{markdown_escaped(verdict_in_figures(compared, measure))}**")
    settings, signature = _settings(batch), compared.signature
    if batch is not None:
        results = results_of(batch)
        for row in (~results.failed).nonzero()[0][:1].tolist():
            of_scores = Signature.read(str(results.row(row)["signature"])).setting
            signature = f"TTED|{of_scores}|{signature}"
    st.caption(f"{markdown_escaped(settings)}  \n`{signature}`" if settings else f"`{signature}`")
    if sentence := beaten(compared, measure):
        st.info(markdown_escaped(sentence), icon="⚠️")
    _means(compared, measure)
    _notices(compared)
    with st.container(key="wide-figure"):
        figure(forest_plot(compared), "systems-forest", "content")
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    if pairs:
        if compared.baseline is None and len(compared.ranking) >= MATRIX_FROM:
            _wins(compared, measure)
        with st.expander(f"More: tests of {plural(len(pairs), 'pair')} of systems", key="systems-pairs"):
            _tests(pairs)
        with st.expander("Where two systems differ most", key="systems-differences"):
            _documents(batch, pairs)
    if batch is not None:
        with st.expander("What drives the difference", key="systems-drivers"), show_errors():
            drivers(batch)
    _downloads(compared, settings, signature)


def _settings(batch: Batch | None) -> str:
    """The settings by which a batch was scored, in words; empty for scores made elsewhere."""
    return "" if batch is None else f"{setting_in_words(results_of(batch).settings[0])}, TTED {VERSION}"


def _means(compared: Compared, measure: str) -> None:
    """A row for each system: the measure with its interval, the means of the others, and the rank group."""
    with_controls = bool(compared.controls) and st.toggle(
        "Simple controls",
        value=True,
        key="systems-controls",
        help="Maps made of the references by simple means. A system that they beat has a problem.",
    )
    names = (*compared.ranking, *(compared.controls if with_controls else ()))
    rows = {name: compared.row(name, measure) for name in names}
    grouped = compared.baseline is None and bool(compared.pairs)
    table = pd.DataFrame({"system": names})
    numbers = [_head(compared, measure), "95 % from", "to"]
    table[numbers[0]] = [row and row.mean for row in rows.values()]
    for side, head in enumerate(numbers[1:]):
        table[head] = [row.ci95[side] if row and row.ci95 else None for row in rows.values()]
    for other in compared.measures:
        if other not in {measure, "tted"}:
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
        key="systems-means",
    )
    documents = max(row.n for row in compared.systems)
    st.caption(
        f"Means over {plural(documents, 'document')}, with a 95 % bootstrap interval; ↓ lower is better, ↑ higher "
        "is better" + ("; systems of different rank groups differ significantly." if grouped else ".")
    )
    with st.expander("More: every measure with interval and median", key="systems-more"):
        more = pd.DataFrame(
            {
                "measure": row.measure,
                "system": row.system,
                "mean": row.mean,
                "95 % from": row.ci95[0] if row.ci95 else None,
                "to": row.ci95[1] if row.ci95 else None,
                "median": row.median,
                "mean by nodes": row.micro,
            }
            for row in compared.systems
            if row.system in names
        )
        st.dataframe(
            more,
            hide_index=True,
            width="stretch",
            column_config=dict.fromkeys(more.columns[2:], st.column_config.NumberColumn(format="%.4f")),
            key="systems-every-mean",
        )
    if with_controls:
        made = "; ".join(f"{name}: {CONTROLS[name].title}" for name in compared.controls)
        st.caption(f"Controls, in brackets, are made of the references and are no systems. {made}.")


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
    st.dataframe(table, width="stretch", key="systems-wins")


def _notices(compared: Compared) -> None:
    """The notices by kind; a single one, such as that of few documents, needs no folding."""
    if len(compared.summary) > 1:
        with st.expander(plural(len(compared.summary), "notice"), key="systems-notices"):
            for notice in compared.summary:
                st.caption(f":material/info: {markdown_escaped(notice)}")
    for notice in compared.summary if len(compared.summary) == 1 else ():
        st.caption(f":material/info: {markdown_escaped(notice)}")


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
        column_config=dict.fromkeys(("difference", "p boot", "p rand", "p Holm"), number)
        | {"effect (d_z)": st.column_config.NumberColumn(format="%.2f")},
        key="systems-tests",
    )


def _test(pair: PairRow) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "difference": pair.difference,
        "95 %": "" if pair.ci95 is None else f"{pair.ci95[0]:.4g} to {pair.ci95[1]:.4g}",
        "p boot": pair.p_bootstrap,
        "p rand": pair.p_randomization,
        "p Holm": pair.p_holm,
        "significant": "yes" if pair.significant else "no",
        "effect (d_z)": pair.effect,
        "a wins": pair.wins,
        "ties": pair.ties,
        "b wins": pair.losses,
    }


def _documents(batch: Batch | None, pairs: Sequence[PairRow]) -> None:
    """The documents on which two systems differ most; of a batch, each leads to its maps."""
    by_name = {f"{pair.a} and {pair.b}": pair for pair in pairs}
    pair = by_name[_choice("Systems", list(by_name), "systems-pair")]
    table = pd.DataFrame(pair.largest, columns=["document", f"{pair.a} minus {pair.b}"])
    picked = st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        key="systems-documents",
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [0]}},
        column_config={table.columns[1]: st.column_config.NumberColumn(format="%+.4f")},
    )
    if batch is None:
        st.caption("Scores from a table lead to no maps.")
        return
    rows = picked["selection"]["rows"]
    document = pair.largest[min(rows[0] if rows else 0, len(pair.largest) - 1)][0]
    numbers = _row_numbers(batch)
    with st.container(horizontal=True, vertical_alignment="center", key="systems-open"):
        st.markdown(f"**{markdown_escaped(document)}**, against its reference:", width="content")
        for place, system in enumerate((pair.a, pair.b)):
            number = numbers.get((document, system))
            if st.button(
                f"Open {system} in Compare",
                type="primary" if not place else "secondary",
                disabled=number is None,
                key=f"systems-open-{place}",
            ):
                assert number is not None
                try:
                    open_pair(batch, number, "systems")
                except TTEDError as error:
                    show_error(error)


def _row_numbers(batch: Batch) -> Mapping[tuple[str, str], int]:
    """(document, system) -> the number of its row."""
    table = results_of(batch).table
    keys = zip(table["id"].to_pylist(), table["system"].to_pylist(), strict=True)
    return {key: number for number, key in enumerate(keys)}


def _downloads(compared: Compared, settings: str, signature: str) -> None:
    """The tables as files, each with the settings and the signature that repeat it."""
    comment = "".join(f"# {line}\n" for line in (settings, signature) if line)

    def commented(table: Callable[[], str]) -> str:
        return comment + table()

    st.markdown("**Take it away**")
    with st.container(horizontal=True, gap="small"):
        for title, make, name, kind in (
            (
                "LaTeX table",
                partial(systems_latex, compared, signature, settings=settings, notices=compared.summary),
                "systems.tex",
                "text/x-tex",
            ),
            (
                "Means (CSV)",
                partial(commented, partial(systems_csv, compared.systems)),
                "systems.csv",
                "text/csv",
            ),
            ("Tests (CSV)", partial(commented, partial(pairs_csv, compared.pairs)), "tests.csv", "text/csv"),
        ):
            st.download_button(
                title, make, file_name=name, mime=kind, on_click="ignore", key=f"systems-take-{name}"
            )


def _name(name: str) -> Parameter:
    key = f"systems-{name}"
    return Parameter(
        name, "", (key,), lambda text: {key: text[:200]}, lambda state: str(state.get(key) or "")
    )


def _kept_scores() -> Parameter:
    """A table by the token under which this server keeps it."""
    key = "systems-scores"
    return Parameter(
        "scores",
        "",
        (key,),
        lambda text: {key: kept_map(text).file_id if text else ""},
        lambda state: str(state.get(key) or ""),
        loss="it isn't opened",
    )


RESULTS = Part(
    "Results",
    _look,
    (place_parameter("systems"), _kept_scores(), *map(_name, ("lower", "baseline", "measure", "pair"))),
)
