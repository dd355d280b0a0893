"""The tab of pairs: the rows, worst first, and the selected one with a link to its maps."""

from functools import partial

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.arithmetic import NORMALISATIONS
from tted_core.batch.controls import CONTROLS
from tted_core.batch.results import AS_GIVEN, SHOWN, Results, RowNumbers, View, worst_is_largest
from tted_core.explain.correspondence import SHARES
from ui.errors import show_error
from ui.evaluate.open_pair import open_pair
from ui.evaluate.results import ROW, Look, chosen, looked_at, method_line, setting_in_words
from ui.part import Part
from ui.text import in_page_words, markdown_escaped, plural, shortened

MOST_ROWS = 1_000
"""Rows of the table, the first in its order; those beyond are found by other orders or by their text."""

WHOLE = ("match", "replace", "delete", "insert", "left_nodes", "right_nodes")
"""Columns of whole numbers."""

FIRST = ("worst", "best")


def _draw() -> None:
    """Draw the tab."""
    look = looked_at()
    if look is None:
        return
    results = look.results
    view = _view(results)
    rows = results.rows(view)
    if look.has_systems:  # controls are no outputs
        rows = rows[~results.table["system"].iloc[rows].isin(CONTROLS)]
    method_line(look, view.setting)
    if not len(rows):
        st.info("No rows match. Change the filters above.")
        return
    order = AS_GIVEN if not view.best_first else "from the last to the first"
    if view.by != AS_GIVEN:
        end = "largest" if worst_is_largest(view.by) != view.best_first else "smallest"
        order = f"{FIRST[view.best_first]} first ({end} {view.by})"
    more = f"; the first {MOST_ROWS:,} are below" if len(rows) > MOST_ROWS else ""
    st.markdown(f"**{plural(len(rows), 'row')}**, {markdown_escaped(order)}{more}")
    row = _table(look, view, rows[:MOST_ROWS], order)
    with st.container(border=True, key="evaluate-row-panel"):
        _one_row(look, row)


def _view(results: Results) -> View:
    """Draw the filters and the order of the rows, and return them."""
    start = View().by if View().by in results.scores else AS_GIVEN  # every pair has failed
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
        text = st.text_input(
            "Find",
            key="evaluate-view-find",
            placeholder="id, map, notice, error",
            width=200,
            persist_state="session",
        )
    return View(setting, by, first == FIRST[1], text, shown)


def _table(look: Look, view: View, rows: RowNumbers, order: str) -> int:
    """Draw the rows as a table, the score that they are sorted by first; return the number of the chosen one."""
    results = look.results
    row = int(st.session_state[ROW] if st.session_state.get(ROW) in rows else rows[0])
    table = results.table.iloc[rows]
    names = [view.by, "normalized", "tted", *NORMALISATIONS, *SHARES, *results.baselines, *WHOLE]
    scores = {name: results.scores[name][rows] for name in names if name in results.scores}
    frame = pd.DataFrame(
        {name: table[name] for name in ("id", "system") if name in table}
        | scores
        | {"notice or error": table["error"].where(table["error"] != "", table["notices"]).map(in_page_words)}
    )
    columns = {
        name: st.column_config.NumberColumn(
            f"{name} {'↑' if view.best_first else '↓'}" if name == view.by else name,
            format="%d" if name in WHOLE else "%.4f",
        )
        for name in scores
    }
    key = f"evaluate-table-{hash((look.batch.folder, view))}"
    st.dataframe(
        frame,
        hide_index=True,
        height=390,
        key=key,
        on_select=partial(_pick, key, rows),
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [rows.tolist().index(row)]}},
        column_config={"id": st.column_config.TextColumn(width=230), **columns},
        alt=f"Rows {order}",
        placeholder="",
    )
    return row


def _pick(key: str, rows: RowNumbers) -> None:
    if picked := st.session_state[key]["selection"]["rows"]:
        st.session_state[ROW] = int(rows[picked[0]])


def _one_row(look: Look, number: int) -> None:
    """Draw the selected row: its maps, and the button to the Compare page."""
    row = look.results.table.loc[number]
    name, left, right = (markdown_escaped(shortened(name, 80)) for name in look.results.pair(number))
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
        help="With the same options; the browser's Back button leads to this row again.",
    ):
        try:
            open_pair(look.batch, number)
        except TTEDError as error:
            show_error(error)


PAIRS = Part("Pairs", _draw)
