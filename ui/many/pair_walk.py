"""From pair to pair of a batch on the Compare page: a bar with previous and next.

The walk is in the page's link: which batch, in which order, and the row that is shown. The maps themselves go into
the two map cards as uploads do, so that they can be looked through, mended and linked like any other.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import streamlit as st

from tted_core import TTEDError
from tted_core.batch.inputs import Inputs
from tted_core.batch.map_collections import ReadMap
from tted_core.batch.matching import side_name
from tted_core.batch.results import Pair, Results, RowNumbers, View
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.formats import ROOTS, write_map
from tted_core.method import Method
from ui.errors import show_error
from ui.kept_maps import KeptMap
from ui.many.kept_batches import Batch, batch_at, results_of
from ui.many.view import (
    TAB,
    TABS,
    copied_view,
    order_in_words,
    place_parameter,
    rows_of,
    view_fields,
    view_in,
)
from ui.options import inputs_of
from ui.permalink import Parameter, bring, number
from ui.sides import LEFT, RIGHT, Side, empty_values
from ui.text import markdown_escaped, shortened

PREFIX = "walk"

TO_THE_TOP = """<script>/* row %d */
document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
</script>"""
"""Run once for each row: a new pair is looked at from its top, wherever one was at the last or in the table."""

ROW = "walk-row"
PROBLEM = "walk-problem"

LISTED = "walk-listed"
"""The session key of the rows that one walks through, if they aren't those of a view, as numbers from 1."""

MOST_LISTED = 100


@dataclass(frozen=True)
class Walk:
    """Where one is: the row that is shown, and the rows that one walks through, in order."""

    batch: Batch
    view: View
    results: Results
    rows: RowNumbers
    row: int

    @property
    def at(self) -> int | None:
        """The place of the row among the others, from 0; None if it isn't one of them."""
        found = (self.rows == self.row).nonzero()[0]
        return int(found[0]) if len(found) else None


def walk_parameters() -> Sequence[Parameter]:
    """What the Compare page's link says of a walk."""
    row = number("row", int, 1, 1_000_000_000, key=ROW)
    listed = Parameter(
        "walk", "", (LISTED,), _read_listed, lambda state: ",".join(map(str, state.get(LISTED) or ()))
    )
    return (place_parameter(PREFIX), row, listed, *view_fields(PREFIX).values())


def _read_listed(text: str) -> dict[str, Any]:
    try:
        rows = tuple(int(each) for each in text.split(",") if each)
    except ValueError as error:
        raise UnknownNameError("walk lists the numbers of rows") from error
    if len(rows) > MOST_LISTED or any(row < 1 for row in rows):
        raise UnknownNameError(f"walk lists the numbers of up to {MOST_LISTED} rows")
    return {LISTED: rows or None}


def open_pair(batch: Batch, row: int, listed: Sequence[int] = ()) -> None:
    """Go to the Compare page with the pair of a row, and walk on from there.

    One walks through the rows ``listed``; by default, through those of the view of the Evaluate page.

    Raises:
        TTEDError: its maps can't be read, or its options aren't offered here.
    """
    results = results_of(batch)
    values = {
        **inputs_of(Method.of_columns(results.row(row))),
        **_maps(batch, results.pairs[row]),
        **copied_view("evaluate", PREFIX),
        f"{PREFIX}-place": batch.place,
        ROW: row + 1,
        LISTED: tuple(each + 1 for each in listed[:MOST_LISTED]) or None,
    }
    bring("Compare", values)
    st.switch_page("pages/Compare.py")


def walk_bar() -> None:
    """Draw the bar if a pair of a batch is looked at."""
    place, row = st.session_state.get(f"{PREFIX}-place"), st.session_state.get(ROW)
    if not place or not row:
        return
    with st.container(border=True, key="pair-bar"):
        try:
            _draw(_walk(batch_at(place), row - 1))
            st.html(TO_THE_TOP % row, unsafe_allow_javascript=True)
        except TTEDError as error:
            show_error(error)
            st.button("Leave the batch", on_click=_leave)


def _walk(batch: Batch, row: int) -> Walk:
    view = view_in(PREFIX)
    results, rows = rows_of(batch, view)
    if not 0 <= row < len(results):
        raise OptionsError("these results have no such row any more; open the table again")
    if st.session_state.get(LISTED):
        rows = np.array(st.session_state[LISTED], dtype=np.int64) - 1
        rows = rows[rows < len(results)]
    return Walk(batch, view, results, rows[~results.failed[rows]], row)


def _draw(walk: Walk) -> None:
    pair = walk.results.pairs[walk.row]
    at, total = walk.at, len(walk.rows)
    value = walk.results.scores.get(walk.view.by)
    score = "" if value is None else f" · {markdown_escaped(walk.view.by)} {value[walk.row]:.4f}"
    where = "Not in this order" if at is None else f"Pair {at + 1:,} of {total:,}"
    before = None if not at else int(walk.rows[at - 1])
    after = int(walk.rows[0 if at is None else at + 1]) if total and at != total - 1 else None
    name = markdown_escaped(shortened(pair[0], 60))
    listed = st.session_state.get(LISTED)
    order = "as listed in the ranking" if listed else order_in_words(walk.view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{where}**, {markdown_escaped(order)}: **{name}**{score}", width="stretch")
        back = st.button("Back to the ranking" if listed else "Back to the table")
        st.button("Leave the batch", type="tertiary", on_click=_leave)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, key, row in (("← Previous pair", "P", before), ("Next pair →", "N", after)):
            st.button(
                label,
                shortcut=key,
                disabled=row is None,
                on_click=_go,
                args=(walk.batch, walk.results, walk.row if row is None else row),
            )
    if back:
        _go_back(walk, "ranking" if listed else "pairs")
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        show_error(problem)
    if not _is_shown(walk.batch, pair):
        st.warning("The maps below are not those of this pair any more.", icon=":material/warning:")
        st.button("Show this pair again", on_click=_go, args=(walk.batch, walk.results, walk.row))


def _go(batch: Batch, results: Results, row: int) -> None:
    """Put the pair of a row into the two cards; for a widget's callback."""
    try:
        st.session_state.update(_maps(batch, results.pairs[row]))
        st.session_state[ROW] = row + 1
    except TTEDError as error:
        st.session_state[PROBLEM] = error


def _leave() -> None:
    st.session_state.update({f"{PREFIX}-place": "", ROW: None, LISTED: None})


def _go_back(walk: Walk, tab: str) -> None:
    values = {
        **copied_view(PREFIX, "evaluate"),
        TAB: TABS[tab],
        "evaluate-place": walk.batch.place,
        "evaluate-row": walk.row + 1,
    }
    bring("Evaluate", values)
    st.switch_page("pages/Evaluate.py")


def _maps(batch: Batch, pair: Pair) -> dict[str, Any]:
    """What the two cards' widgets say when they hold a pair's maps."""
    values: dict[str, Any] = {}
    for side, kept in zip((LEFT, RIGHT), _read_pair(batch, pair), strict=True):
        values |= empty_values(side, "Upload")
        values |= {
            side.state("files"): [kept],
            side.state("format"): "json",
            side.state("roots"): ROOTS[0],
            side.state("sheet"): 1,
            side.state("floating"): False,
            side.state("field"): "",
        }
    return values


def _is_shown(batch: Batch, pair: Pair) -> bool:
    return all(
        _content(side) == kept.getvalue()
        for side, kept in zip((LEFT, RIGHT), _read_pair(batch, pair), strict=True)
    )


def _content(side: Side) -> bytes | None:
    """What a card holds, if that is one upload."""
    state = st.session_state
    files = state.get(side.state("files"), [])
    is_upload = state.get(side.state("source"), "Upload") == "Upload"
    return files[0].getvalue() if is_upload and len(files) == 1 else None


def _read_pair(batch: Batch, pair: Pair) -> tuple[KeptMap, KeptMap]:
    inputs, numbers = _opened(batch.place, batch.files.roots, batch)
    if pair not in numbers:
        raise OptionsError("the maps of this pair aren't where its batch found them; compute it anew")
    left, right = (
        _kept(inputs.maps[number], batch.source.get(side))
        for side, number in zip(("left", "right"), inputs.pairs[numbers[pair]].tolist(), strict=True)
    )
    return left, right


def _kept(named: tuple[str, ReadMap], side: Path | None) -> KeptMap:
    """A map as JSON, under its file's name and that of the folder in which it, or all of its side, lies."""
    name, read = named
    content = write_map(read().tree, "json")[0].encode()
    path = PurePosixPath(name)
    folders = path.parent.parts[-1:] or (() if side is None else (side_name(side),))
    name = " · ".join([*folders, path.name or "map"])
    identity = hashlib.sha256(f"{name}\n".encode("utf-8", "replace") + content)
    return KeptMap(name, content, identity.hexdigest())


@st.cache_resource(max_entries=4, ttl=300, show_spinner=False)
def _opened(place: str, roots: tuple[Any, ...], _batch: Batch) -> tuple[Inputs, dict[Pair, int]]:  # noqa: ARG001 - it is what tells them apart
    inputs = _batch.inputs()
    names = [name for name, _ in inputs.maps]
    numbers = {
        (inputs.ids[row], names[left], names[right]): row
        for row, (left, right) in reversed(list(enumerate(inputs.pairs.tolist())))
    }
    return inputs, numbers
