"""The tab of pairs: the rows, worst first, and the selected one with a link to its maps."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.arithmetic import NORMALISATIONS
from tted_core.batch.controls import CONTROLS
from tted_core.batch.results import AS_GIVEN, SHOWN, Results, RowNumbers, View, worst_is_largest
from tted_core.explain.correspondence import SHARES
from ui.errors import show_error
from ui.evaluate.results import Look, chosen, looked_at, method_line, setting_in_words
from ui.many.pair_walk import ROW, open_pair
from ui.part import Part
from ui.text import in_page_words, markdown_escaped, plural, shortened

ROWS_A_PAGE = 50
"""Rows sent to the browser at a time, of up to a million."""

WHOLE = ("match", "replace", "delete", "insert", "left_nodes", "right_nodes")
"""Columns of whole numbers."""

FIRST = ("worst", "best")

LARGEST = 1e12


def _draw() -> None:
    """Draw the tab."""
    look = looked_at()
    if look is None:
        return
    results = look.results
    view = _view(results)
    rows = results.rows(view)
    if look.has_systems:  # controls are no outputs
        systems = results.page(rows, ["system"])["system"]
        rows = rows[[system not in CONTROLS for system in systems]]
    method_line(look, view.setting)
    if not len(rows):
        st.info("No rows match. Change the filters above.")
        return
    order = AS_GIVEN if not view.best_first else "from the last to the first"
    if view.by != AS_GIVEN:
        end = "largest" if worst_is_largest(view.by) != view.best_first else "smallest"
        order = f"{FIRST[view.best_first]} first ({end} {view.by})"
    row = _table(look, view, rows, order)
    with st.container(border=True, key="evaluate-row-panel"):
        _one_row(look, row, view, rows, order)


def _view(results: Results) -> View:
    """Draw the filters and the order of the rows, and return them."""
    start = View().by if View().by in results.scores else AS_GIVEN  # every pair has failed
    kept: dict[str, Any] = {"persist_state": "session"}
    bound = kept | {"value": None, "step": 0.01, "placeholder": "any", "format": "%g", "width": 130}
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-filters"):
        setting = 0
        if len(results.settings) > 1:
            in_words = partial(setting_in_words, results)
            setting = chosen(
                "Setting", "setting", range(len(results.settings)), format_func=in_words, width=320
            )
        by = chosen("Sort by", "by", [*results.scores, AS_GIVEN], start, width=180)
        first = chosen("Begin with", "first", FIRST, format_func="the {}".format, width=130)
        shown = chosen("Show", "show", SHOWN, width=170)
        low = st.number_input("From", -LARGEST, LARGEST, key="evaluate-view-low", **bound)
        high = st.number_input("To", -LARGEST, LARGEST, key="evaluate-view-high", **bound)
        text = st.text_input(
            "Find", key="evaluate-view-find", placeholder="id, map, notice, error", width=200, **kept
        )
    return View(setting, by, first == FIRST[1], text, shown, low, high)


def _table(look: Look, view: View, rows: RowNumbers, order: str) -> int:
    """Draw a page of the rows; return the number of the chosen one."""
    results, state = look.results, st.session_state
    pages = -(-len(rows) // ROWS_A_PAGE)
    page = min(state.get("evaluate-view-page") or 1, pages)
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-rows"):
        st.markdown(f"**{plural(len(rows), 'row')}**, {markdown_escaped(order)}", width="content")
        if pages > 1:
            state["evaluate-view-page"] = page
            st.number_input(
                f"Page (of {pages:,})", 1, pages, key="evaluate-view-page", width=150, persist_state="session"
            )
    shown = rows[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    row = int(state[ROW] if state.get(ROW) in shown else shown[0])
    frame = _frame(results, view.by, shown)
    numbers = {
        name: st.column_config.NumberColumn(
            f"{name} {'↑' if view.best_first else '↓'}" if name == view.by else name,
            format="%d" if name in WHOLE else "%.4f",
        )
        for name in frame.select_dtypes("number").columns
    }
    key = f"evaluate-table-{hash((look.batch.folder, view, page))}"
    st.dataframe(
        frame,
        hide_index=True,
        height=390,
        key=key,
        on_select=partial(_pick, key, shown, list(results.scores)),
        selection_mode=["single-row-required", "single-column"],
        selection_default={"selection": {"rows": [shown.tolist().index(row)]}},
        column_config={"id": st.column_config.TextColumn(width=230), **numbers},
        alt=f"Rows {order}, page {page} of {pages}",
        placeholder="",
    )
    return row


def _frame(results: Results, by: str, rows: RowNumbers) -> pd.DataFrame:
    """Rows as a table: id and system, the score that they are sorted by, the other scores."""
    names = [by, "normalized", "tted", *NORMALISATIONS, *SHARES, *results.baselines, *WHOLE]
    whose = [name for name in ("id", "system") if name in results.table.column_names]
    columns = results.page(rows, [*whose, "notices", "error"])
    remarks = [
        error or notice or "" for error, notice in zip(columns["error"], columns["notices"], strict=True)
    ]
    return pd.DataFrame(
        {name: columns[name] for name in whose}
        | {name: results.scores[name][rows] for name in names if name in results.scores}
        | {"notice or error": [in_page_words(remark) for remark in remarks]}
    )


def _pick(key: str, shown: RowNumbers, scores: list[str]) -> None:
    """Select the clicked row, or sort all rows by the clicked column."""
    state = st.session_state
    picked = state[key]["selection"]
    for name in picked["columns"]:
        if name == state["evaluate-view-by"]:
            state["evaluate-view-first"] = FIRST[state["evaluate-view-first"] == FIRST[0]]
        elif name in scores:
            state["evaluate-view-by"] = name
    if picked["rows"] and not picked["columns"]:
        state[ROW] = int(shown[picked["rows"][0]])


def _one_row(look: Look, number: int, view: View, rows: RowNumbers, order: str) -> None:
    """Draw the selected row: its maps, and the button to the Compare page."""
    row = look.results.row(number)
    name, left, right = (markdown_escaped(shortened(name, 80)) for name in look.results.pairs[number])
    st.markdown(f"**{name}**: {left} → {right}")
    if row["error"]:
        st.error(markdown_escaped(in_page_words(row["error"])), icon=":material/warning:")
    if row["notices"]:
        st.caption(f":material/info: {markdown_escaped(in_page_words(row['notices']))}")
    if st.button(
        "Open in Compare",
        type="primary",
        shortcut="O",
        disabled=bool(row["error"]),
        help="From there, N and P lead to the next and the previous pair in this order.",
    ):
        try:
            open_pair(look.batch, number, rows, by=view.by, order=order, tab=PAIRS.title)
        except TTEDError as error:
            show_error(error)


PAIRS = Part("Pairs", _draw)
