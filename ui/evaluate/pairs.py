"""The tab of pairs: which rows are listed, the worst first, the chosen one, and the way to its maps."""

from functools import partial

import streamlit as st

from tted_core import TTEDError
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.batch.results import AS_GIVEN, Results, RowNumbers, View
from ui.errors import show_error, show_errors
from ui.evaluate.results import (
    COUNTS,
    ROWS_A_PAGE,
    draw_method_line,
    looked_at,
    method_line,
    offered,
    row_columns,
    rows_frame,
)
from ui.evaluate.view import (
    FIRST,
    TAB,
    TABS,
    VIEW,
    chosen_view,
    listed_rows,
    order_in_words,
    setting_in_words,
    unlinked,
)
from ui.fields import amount
from ui.many.batches import Batch
from ui.many.pair_walk import open_pair
from ui.part import Part
from ui.text import in_page_words, markdown_escaped, plural, shortened

PAGE = unlinked(amount("page", "Page", (1, 1_000_000, 1), default="1", key="evaluate-page", width=150))
SORTED_BY_HEAD = ("tted", *NORMALISATIONS, *COUNTS, "left_nodes", "right_nodes")


def _list() -> None:
    """Draw the tab."""
    look = looked_at()
    if look is None:
        return
    view = _view(look.results)
    with show_errors():
        rows = listed_rows(look.results, view)
        draw_method_line(*method_line(look, view.setting))
        _table(look.batch, look.results, view, rows)


def _view(results: Results) -> View:
    """Draw the choice of rows, and return what it says."""
    numbers = offered(VIEW["setting"], range(1, len(results.settings) + 1))
    by = View().by if View().by in results.scores else AS_GIVEN  # every pair has failed
    scores = offered(VIEW["by"], [*results.scores, AS_GIVEN], by)
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-filters"):
        if len(numbers) > 1:
            VIEW["setting"].draw(
                options=numbers, format_func=lambda number: setting_in_words(results.settings[number - 1])
            )
        VIEW["by"].draw(options=scores)
        for name in ("first", "show", "low", "high", "find"):
            VIEW[name].draw()
    return chosen_view()


def _table(batch: Batch, results: Results, view: View, rows: RowNumbers) -> None:
    if not len(rows):
        st.info("No row is like that. Change what is shown above.")
        return
    chosen = _chosen_row(rows)
    pages = -(-len(rows) // ROWS_A_PAGE)
    page = min(st.session_state.get("evaluate-page") or 1, pages)
    st.session_state["evaluate-page"] = page
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-rows"):
        st.markdown(
            f"**{plural(len(rows), 'row')}**, {markdown_escaped(order_in_words(view))}", width="content"
        )
        if pages > 1:
            PAGE.draw(label=f"Page (of {pages:,})", max_value=pages)
    shown = rows[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    frame = rows_frame(results, view, shown)
    at = shown.tolist().index(chosen) if chosen in shown else 0
    key = f"evaluate-table-{hash((batch.place, view, page))}"
    st.dataframe(
        frame,
        hide_index=True,
        height=390,
        key=key,
        on_select=partial(_pick, key, shown),
        selection_mode=["single-row-required", "single-column"],
        selection_default={"selection": {"rows": [at]}},
        column_config=row_columns(frame, view),
        alt=f"Rows {order_in_words(view)}, page {page} of {pages}",
        placeholder="",
    )
    _one_row(batch, results, chosen if chosen in shown else int(shown[0]), view, rows)


def _chosen_row(rows: RowNumbers) -> int:
    number = (st.session_state.get("evaluate-row") or 0) - 1
    return number if number in rows else int(rows[0])


def _pick(key: str, shown: RowNumbers) -> None:
    """A row was chosen, or the head of a column: sort by it, all rows and not those of this page alone."""
    state = st.session_state
    picked = state[key]["selection"]
    for name in picked["columns"]:
        if name == state["evaluate-by"]:
            state["evaluate-first"] = FIRST[state["evaluate-first"] == FIRST[0]]
        elif name in SORTED_BY_HEAD or name.startswith(tuple(MEASURES)):
            state["evaluate-by"] = name
    if picked["rows"] and not picked["columns"]:
        state["evaluate-row"] = int(shown[picked["rows"][0]]) + 1


def _one_row(batch: Batch, results: Results, number: int, view: View, rows: RowNumbers) -> None:
    """The chosen row: its maps, and the way to the Compare page."""
    pair = results.pairs[number]
    row = results.row(number)
    with st.container(border=True, key="evaluate-row-panel"):
        left, right = (markdown_escaped(shortened(name, 80)) for name in pair[1:])
        st.markdown(f"**{markdown_escaped(shortened(pair[0], 80))}**: {left} → {right}")
        if row["error"]:
            st.error(markdown_escaped(in_page_words(row["error"])), icon=":material/warning:")
        if row["notices"]:
            st.caption(f":material/info: {markdown_escaped(in_page_words(row['notices']))}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            opened = st.button(
                "Open in Compare",
                type="primary",
                shortcut="O",
                disabled=bool(row["error"]),
                help="From there, N and P lead to the next and the previous pair in this order.",
            )
        if opened:
            try:
                open_pair(
                    batch,
                    number,
                    rows,
                    by=view.by,
                    order=order_in_words(view),
                    back="table",
                    values={TAB: TABS["pairs"]},
                )
            except TTEDError as error:
                show_error(error)


PAIRS = Part(TABS["pairs"], _list, (*VIEW.values(), PAGE))
