"""The part that shows results: their state, a table of pairs, charts, and what can be taken away."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import TTEDError
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.batch.notes import MARKS, Note, Pair, read_notes
from tted_core.batch.parts import part_files
from tted_core.batch.results import AS_GIVEN, SHOWN, Results, RowNumbers, View, opened_results
from tted_core.errors import UnknownNameError
from ui.batch.charts import charts
from ui.batch.taking import downloads
from ui.errors import show_error, show_errors
from ui.many.kept_batches import Batch, batch_at, delete, is_kept, may_be_deleted, results_of
from ui.many.pair_notes import note_inputs
from ui.many.pair_walk import open_pair
from ui.many.view import (
    FIRST,
    RESULTS_TITLE,
    order_in_words,
    place_parameter,
    setting_in_words,
    view_in,
    view_parameters,
)
from ui.many.work import go_on, is_begun, offer_to_go_on, run_if_asked
from ui.part import Part
from ui.permalink import Parameter, bring, number
from ui.text import markdown_escaped, plural, shortened

ROWS_A_PAGE = 50
"""Of a million rows a browser gets so many at a time."""

SORTED_BY_HEAD = (
    "tted",
    *NORMALISATIONS,
    "match",
    "replace",
    "delete",
    "insert",
    "left_nodes",
    "right_nodes",
)
COUNTS = ("match", "replace", "delete", "insert")


def _look_through() -> None:
    """Draw the part."""
    place = st.session_state.get("batch-place")
    if not place:
        st.info("Results appear here: begin a batch, or open results that are there.")
        return
    batch = batch_at(place)
    run_if_asked(batch, _growing(batch))
    if not is_begun(batch):
        st.info("No pair is done yet.")
        if batch.can_go_on:
            st.button("Start", type="primary", on_click=go_on, args=(batch.place,))
        return
    results = results_of(batch)
    _head(batch, results)
    notes = read_notes(batch.folder)
    view = _view(results)
    with show_errors():
        rows = results.rows(view, notes)
        _table(batch, results, notes, view, rows)
    if len(rows):
        with show_errors():
            charts(results, rows, view.by)
    with show_errors():
        downloads(batch, results)


def _growing(batch: Batch) -> Callable[[DeltaGenerator], None]:
    """What draws the rows that are done while the others are computed, as often as their number allows."""
    drawn, at = 0, 0.0

    def draw(place: DeltaGenerator) -> None:
        nonlocal drawn, at
        parts, start = len(part_files(batch.folder)), time.monotonic()
        if parts == drawn or start < at:
            return
        try:
            results, view = opened_results(batch.folder), view_in("batch")
            rows = results.rows(view, {})[:ROWS_A_PAGE]
            frame = _frame(results, {}, view, rows)
        except TTEDError:  # the finished table tells what is wrong with the view
            return
        with place.container():
            st.markdown(
                f"**{plural(len(results), 'row')} so far**, {markdown_escaped(order_in_words(view))}. They can be "
                "opened and noted when all are done, or after *Stop*."
            )
            st.dataframe(
                frame, hide_index=True, height=390, column_config=_columns(frame, view), placeholder=""
            )
        drawn, at = parts, start + max(2.0, 10 * (time.monotonic() - start))

    return draw


def _head(batch: Batch, results: Results) -> None:
    failed = int(results.failed.sum())
    told = [f"**{markdown_escaped(shortened(batch.title, 80))}**", plural(len(results), "row")]
    if failed:
        told.append(f"{failed:,} with an error")
    settings = results.settings
    told.append(
        plural(len(settings), "setting")
        if len(settings) > 1
        else markdown_escaped(setting_in_words(settings[0]))
    )
    st.markdown(" · ".join(told))
    if not results.complete:
        offer_to_go_on(batch, len(results) // len(settings))
    if "system" in results.table.column_names and st.button(
        "Compare systems", help="Which of the systems that the pairs name is better?"
    ):
        bring("Systems", {"systems-part": "Results", "systems-place": batch.place})
        st.switch_page("pages/Systems.py")
    if may_be_deleted(batch):
        st.button(
            "Delete this batch",
            key="batch-delete",
            type="tertiary",
            on_click=_delete,
            args=(batch,),
            help="Deletes the files and the results from this server. You alone can, and in this visit.",
        )
    problem = st.session_state.pop("batch-delete-problem", None)
    if problem:
        show_error(problem)
    if batch.own and not is_kept():
        st.caption("This server keeps no batches: what is here goes when you leave. Download what you need.")


def _delete(batch: Batch) -> None:
    try:
        delete(batch)
        st.session_state["batch-place"] = ""
    except TTEDError as error:
        st.session_state["batch-delete-problem"] = error


def _view(results: Results) -> View:
    """Draw the choice of rows, and return what it says."""
    state = st.session_state
    numbers = range(1, len(results.settings) + 1)
    scores = [*results.scores, AS_GIVEN]
    start = View() if View().by in scores else View(by=AS_GIVEN)  # every pair has failed
    if state.get("batch-by") == View().by:
        state["batch-by"] = start.by
    for key, value, choices in (
        ("batch-setting", 1, numbers),
        ("batch-by", start.by, scores),
        ("batch-first", FIRST[0], FIRST),
        ("batch-show", start.shown, SHOWN),
    ):
        if state.get(key) is not None and state[key] not in choices:
            show_error(
                UnknownNameError(f"there is no {state[key]!s:.60} in these results; {value} is used instead")
            )
            state[key] = value
        state.setdefault(key, value)
        if state[key] is None:
            state[key] = value
    with st.container(horizontal=True, vertical_alignment="bottom", key="batch-filters"):
        if len(numbers) > 1:
            st.selectbox(
                "Setting",
                numbers,
                format_func=lambda number: setting_in_words(results.settings[number - 1]),
                key="batch-setting",
                width=320,
            )
        st.selectbox("Sort by", scores, key="batch-by", width=180)
        st.selectbox(
            "Begin with", FIRST, format_func=lambda first: f"the {first}", key="batch-first", width=130
        )
        st.selectbox("Show", SHOWN, key="batch-show", width=170)
        for name, label in (("low", "From"), ("high", "To")):
            st.number_input(label, value=None, key=f"batch-{name}", width=130, placeholder="any", format="%g")
        st.text_input("Find", key="batch-find", placeholder="id, map, notice, error", width=200)
    return view_in("batch")


def _table(batch: Batch, results: Results, notes: dict[Pair, Note], view: View, rows: RowNumbers) -> None:
    if not len(rows):
        st.info("No row is like that. Change what is shown above.")
        return
    chosen = _chosen_row(rows)
    pages = -(-len(rows) // ROWS_A_PAGE)
    page = min(st.session_state.get("batch-page") or 1, pages)
    st.session_state["batch-page"] = page
    with st.container(horizontal=True, vertical_alignment="bottom", key="batch-rows"):
        st.markdown(
            f"**{plural(len(rows), 'row')}**, {markdown_escaped(order_in_words(view))}", width="content"
        )
        if pages > 1:
            st.number_input(f"Page (of {pages:,})", 1, pages, key="batch-page", width=150)
    shown = rows[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    frame = _frame(results, notes, view, shown)
    at = shown.tolist().index(chosen) if chosen in shown else 0
    key = f"batch-table-{hash((batch.place, view, page))}"
    st.dataframe(
        frame,
        hide_index=True,
        height=390,
        key=key,
        on_select=partial(_pick, key, shown),
        selection_mode=["single-row-required", "single-column"],
        selection_default={"selection": {"rows": [at]}},
        column_config=_columns(frame, view),
        alt=f"Rows {order_in_words(view)}, page {page} of {pages}",
        placeholder="",
    )
    _one_row(batch, results, notes, chosen if chosen in shown else int(shown[0]))


def _chosen_row(rows: RowNumbers) -> int:
    number = (st.session_state.get("batch-row") or 0) - 1
    return number if number in rows else int(rows[0])


def _pick(key: str, shown: RowNumbers) -> None:
    """A row was chosen, or the head of a column: sort by it, all rows and not those of this page alone."""
    state = st.session_state
    picked = state[key]["selection"]
    for name in picked["columns"]:
        if name == state["batch-by"]:
            state["batch-first"] = FIRST[state["batch-first"] == FIRST[0]]
        elif name in SORTED_BY_HEAD or name.startswith(tuple(MEASURES)):
            state["batch-by"] = name
    if picked["rows"] and not picked["columns"]:
        state["batch-row"] = int(shown[picked["rows"][0]]) + 1


def _frame(results: Results, notes: dict[Pair, Note], view: View, rows: RowNumbers) -> pd.DataFrame:
    names = [view.by] if view.by != AS_GIVEN else []
    names += ["normalized", "tted", *NORMALISATIONS, *results.baselines, *COUNTS, "left_nodes", "right_nodes"]
    names = list(dict.fromkeys(names))
    columns = results.page(rows, ["id", "notices", "error"])
    found = [notes.get(results.pairs[row], Note()) for row in rows.tolist()]
    frame = pd.DataFrame({"id": columns["id"]})
    for name in names:
        if name in results.scores:
            frame[name] = results.scores[name][rows]
    frame.insert(min(2, len(frame.columns)), "mark", [MARKS.get(each.mark, "") for each in found])
    frame["comment"] = [each.comment for each in found]
    frame["notice or error"] = [
        error or notice or "" for error, notice in zip(columns["error"], columns["notices"], strict=True)
    ]
    return frame


def _columns(frame: pd.DataFrame, view: View) -> dict[str, Any]:
    whole = {*COUNTS, "left_nodes", "right_nodes"}
    numbers = {
        name: st.column_config.NumberColumn(
            f"{name} {'↑' if view.best_first else '↓'}" if name == view.by else name,
            format="%d" if name in whole else "%.4f",
        )
        for name in frame.select_dtypes("number").columns
    }
    return {
        "id": st.column_config.TextColumn(width=230),
        "mark": st.column_config.TextColumn(width=60),
        **numbers,
    }


def _one_row(batch: Batch, results: Results, notes: dict[Pair, Note], number: int) -> None:
    """The chosen row: its maps, its note, and the way to the Compare page."""
    pair = results.pairs[number]
    row = results.row(number)
    with st.container(border=True, key="batch-row-panel"):
        left, right = (markdown_escaped(shortened(name, 80)) for name in pair[1:])
        st.markdown(f"**{markdown_escaped(shortened(pair[0], 80))}**: {left} → {right}")
        if row["error"]:
            st.error(markdown_escaped(row["error"]), icon="⚠️")
        if row["notices"]:
            st.caption(f":material/info: {markdown_escaped(row['notices'])}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            opened = st.button(
                "Open in Compare",
                type="primary",
                shortcut="O",
                disabled=bool(row["error"]),
                help="From there, N and P lead to the next and the previous pair in this order.",
            )
            note_inputs(batch.folder, pair, notes.get(pair, Note()))
        if opened:
            try:
                open_pair(batch, number, "batch")
            except TTEDError as error:
                show_error(error)


def _score_of_chart(name: str) -> Parameter:
    key = f"batch-{name}"
    return Parameter(
        name, "", (key,), lambda text: {key: text or None}, lambda state: str(state.get(key) or "")
    )


RESULTS = Part(
    RESULTS_TITLE,
    _look_through,
    (
        place_parameter("batch"),
        *view_parameters("batch"),
        number("page", int, 1, 1_000_000, default="1", key="batch-page"),
        number("row", int, 1, 1_000_000_000, key="batch-row"),
        _score_of_chart("x"),
        _score_of_chart("y"),
    ),
)
