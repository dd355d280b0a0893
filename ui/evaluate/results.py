"""What every tab of results begins with: the comparison that is looked at, its state, and how it was made."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import VERSION, TTEDError
from tted_core.arithmetic import NORMALISATIONS
from tted_core.batch.parts import part_files
from tted_core.batch.results import AS_GIVEN, Results, RowNumbers, View, opened_results
from tted_core.explain.correspondence import SHARES
from tted_core.signature import Signature
from tted_core.systems.statistics import Compared
from ui.errors import show_error
from ui.evaluate.view import TAB, TABS, chosen_view, listed_rows, order_in_words, setting_in_words
from ui.evaluate.work import go_on, is_begun, offer_to_go_on, run_if_asked
from ui.fields import Field
from ui.many.batches import Batch, batches, results_of
from ui.options import inputs_of
from ui.text import in_page_words, markdown_escaped, plural, shortened

ROWS_A_PAGE = 50
"""Of a million rows a browser gets so many at a time."""

COUNTS = ("match", "replace", "delete", "insert")

PLACE = "evaluate-place"
"""The session key of the batch that is looked at."""

SCORES = "evaluate-scores"
"""The session key of the table of scores that is looked at."""

KEPT = "evaluate-kept"
"""The session key of the batch whose files are compared anew where nothing else is given."""


@dataclass(frozen=True)
class Scores:
    """A table of scores, and the measures of which lower values are better."""

    table: bytes
    lower: tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """The comparison that is looked at, and its rows so far."""

    batch: Batch
    results: Results

    @property
    def has_systems(self) -> bool:
        """Whether its pairs name systems."""
        return "system" in self.results.table.column_names


def looked_at() -> Look | None:
    """Draw the head of a tab of results, and the run while it goes on; None if there is nothing yet."""
    batch = batches().get(st.session_state.get(PLACE, ""))
    if batch is None:
        if st.session_state.get(SCORES):
            st.info("Scores from a table lead to no maps: the ranking is all that there is.")
        else:
            st.info(f"Results appear here: give maps, or a zip of results, under *{TABS['maps']}*.")
        return None
    run_if_asked(batch, _growing(batch))
    if not is_begun(batch):
        st.info("No pair is done yet.")
        if batch.can_go_on:
            st.button("Start", type="primary", on_click=go_on, args=(batch.place,))
        return None
    look = Look(batch, results_of(batch))
    _head(look)
    return look


def method_line(look: Look, setting: int = 0, compared: Compared | None = None) -> tuple[str, str]:
    """How the numbers were made: a sentence, and the full signature, that of the tests behind it."""
    results = look.results
    told = f"{setting_in_words(results.settings[setting])}, TTED {VERSION}"
    rows = np.flatnonzero((results.of_setting == setting) & ~results.failed)[:1].tolist()
    signature = "".join(f"TTED|{Signature.read(str(results.row(row)['signature'])).setting}" for row in rows)
    tests = compared.signature if compared else ""
    return told, "|".join(filter(None, (signature, tests)))


def draw_method_line(told: str, signature: str) -> None:
    """Draw it, as far as it is known."""
    parts = [markdown_escaped(told)] * bool(told) + [f"`{signature}`"] * bool(signature)
    st.caption("  \n".join(parts))


def _head(look: Look) -> None:
    batch, results = look.batch, look.results
    told = [f"**{markdown_escaped(shortened(batch.title, 80))}**", plural(len(results), "row")]
    if failed := int(results.failed.sum()):
        told.append(f"{failed:,} with an error")
    if len(results.settings) > 1:
        told.append(plural(len(results.settings), "setting"))
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-head"):
        st.markdown(" · ".join(told), width="content")
        if batch.began_here:
            st.button(
                "Change settings",
                type="tertiary",
                on_click=change_settings,
                args=(batch,),
                help="Compares the same files again, by other options or with other roles.",
            )
    if not results.complete:
        offer_to_go_on(batch, len(results) // len(results.settings))
    if problem := st.session_state.pop("evaluate-problem", None):
        show_error(problem)
    st.caption(f"Results go when you close or reload the page; *{TABS['export']}* has all of them as a zip.")


def offered(field: Field, names: Sequence[Any], start: Any = None) -> Sequence[Any]:
    """The names that a choice of these results has; ``start``, by default the first, is chosen if none is."""
    key = field.keys[0]
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0] if start is None else start
    return names


def show_results(batch: Batch) -> None:
    """Show a batch from its beginning; for a widget's callback."""
    of_systems = "reference" in batch.source
    if is_begun(batch):
        of_systems = "system" in results_of(batch).table.column_names
    _show("ranking" if of_systems else "pairs", place=batch.place)


def show_scores(scores: Scores) -> None:
    """Show the ranking by a table of scores; for a widget's callback."""
    _show("ranking", scores=scores)


def _show(tab: str, *, place: str = "", scores: Scores | None = None) -> None:
    start: dict[str, Any] = {"setting": 1, "by": "normalized", "first": "worst", "show": "all", "find": ""}
    start |= {"low": None, "high": None, "page": 1, "row": None, "x": None, "y": None, "measure": ""}
    start |= {"baseline": "", "pair": ""}
    st.session_state.update({f"evaluate-{name}": value for name, value in start.items()})
    st.session_state.update({PLACE: place, KEPT: place, SCORES: scores, TAB: TABS[tab]})


def change_settings(batch: Batch) -> None:
    """Show what the batch was given, and how it was compared, to begin another one; for a widget's callback."""
    assert batch.options is not None
    values = inputs_of(batch.options.methods[0])
    values |= {
        "evaluate-roots": batch.reading.roots,
        "evaluate-field": batch.reading.field,
        "evaluate-id": batch.reading.key,
        "evaluate-baselines": list(batch.options.baselines),
        "evaluate-equivalence": batch.options.equivalence,
        TAB: TABS["maps"],
        KEPT: batch.place,
    }
    st.session_state.update(values)


def _growing(batch: Batch) -> Callable[[DeltaGenerator], None]:
    """What draws the rows that are done while the others are computed, as often as their number allows."""
    drawn, at = 0, 0.0

    def draw(place: DeltaGenerator) -> None:
        nonlocal drawn, at
        parts, start = len(part_files(batch.folder)), time.monotonic()
        if parts == drawn or start < at:
            return
        try:
            results, view = opened_results(batch.folder), chosen_view()
            frame = rows_frame(results, view, listed_rows(results, view)[:ROWS_A_PAGE])
        except TTEDError:  # the finished table tells what is wrong with the view
            return
        with place.container():
            st.markdown(
                f"**{plural(len(results), 'row')} so far**, {markdown_escaped(order_in_words(view))}. They can be "
                "opened when all are done, or after *Stop*."
            )
            st.dataframe(
                frame, hide_index=True, height=390, column_config=row_columns(frame, view), placeholder=""
            )
        drawn, at = parts, start + max(2.0, 10 * (time.monotonic() - start))

    return draw


def rows_frame(results: Results, view: View, rows: RowNumbers) -> pd.DataFrame:
    """Rows of results as a table: whose pair it is, the score that they are sorted by, and the others."""
    names = [view.by] if view.by != AS_GIVEN else []
    names += [
        "normalized",
        "tted",
        *NORMALISATIONS,
        *SHARES,
        *results.baselines,
        *COUNTS,
        "left_nodes",
        "right_nodes",
    ]
    names = list(dict.fromkeys(names))
    whose = [name for name in ("id", "system") if name in (*results.table.column_names, "id")]
    columns = results.page(rows, [*whose, "notices", "error"])
    frame = pd.DataFrame({name: columns[name] for name in whose})
    for name in names:
        if name in results.scores:
            frame[name] = results.scores[name][rows]
    frame["notice or error"] = [
        in_page_words(error or notice or "")
        for error, notice in zip(columns["error"], columns["notices"], strict=True)
    ]
    return frame


def row_columns(frame: pd.DataFrame, view: View) -> dict[str, Any]:
    """How the columns of ``rows_frame`` are drawn."""
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
        **numbers,
    }
