"""From pair to pair of a batch on the Compare page: a bar with previous and next.

The maps themselves go into the two map cards as uploads do, so that they can be looked through, mended and linked
like any other.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import streamlit as st

from tted_core import TTEDError
from tted_core.batch.inputs import Inputs, side_name
from tted_core.batch.results import RowNumbers
from tted_core.errors import OptionsError
from tted_core.formats import ROOTS, map_text
from tted_core.method import Method
from ui.batches import Batch, results_in
from ui.errors import show_error
from ui.options import inputs_of
from ui.permalink import bring
from ui.sides import SIDES, GivenFile, empty_values, files_of
from ui.text import markdown_escaped, shortened

TO_THE_TOP = """<script>/* row %d */
document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
</script>"""
"""Run once for each row: a new pair is looked at from its top, wherever one was at the last or in the table."""

WALK = "walk"
PROBLEM = "walk-problem"
ROW = "evaluate-row"
"""The session key of the row that is chosen on the Evaluate page, counted from 0."""


@dataclass(frozen=True, eq=False)
class Walk:
    """A position among the pairs of a batch.

    Attributes:
        batch: whose pairs they are.
        rows: the rows that one walks through, in order.
        row: the one that is shown.
        by: the score that is shown.
        order: what comes first, in words.
        tab: the tab of the Evaluate page on which it began, its title.
    """

    batch: Batch
    rows: RowNumbers
    row: int
    by: str
    order: str
    tab: str


def open_pair(batch: Batch, row: int, rows: Iterable[int], *, by: str, order: str, tab: str) -> None:
    """Go to the Compare page with the pair of a row, and walk on from there past failed ones (``Walk``)."""
    results = results_in(batch.folder)
    values = _cards(_read_pair(batch, results.pair(row)))
    bring("Compare", {**inputs_of(Method.of_columns(results.table.loc[row])), **values})
    numbers = np.fromiter(rows, np.int64)
    st.session_state[WALK] = Walk(batch, numbers[~results.failed[numbers]], row, by, order, tab)
    st.switch_page("pages/Compare.py")


def walk_bar() -> None:
    """Draw the bar if a pair of a batch is looked at."""
    walk: Walk | None = st.session_state.get(WALK)
    if walk is None:
        return
    with st.container(border=True, key="pair-bar"):
        try:
            _draw(walk)
            st.html(TO_THE_TOP % walk.row, unsafe_allow_javascript=True)
        except TTEDError as error:
            show_error(error)
            st.button("Leave the batch", on_click=_leave)


def _draw(walk: Walk) -> None:
    results = results_in(walk.batch.folder)
    pair = results.pair(walk.row)
    rows = walk.rows.tolist()
    at = rows.index(walk.row)
    score = ""
    if walk.by in results.scores:
        score = f" · {markdown_escaped(walk.by)} {results.scores[walk.by][walk.row]:.4f}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = markdown_escaped(shortened(pair[0], 60))
        where = f"Pair {at + 1:,} of {len(rows):,}"
        st.markdown(f"**{where}**, {markdown_escaped(walk.order)}: **{name}**{score}", width="stretch")
        back = st.button(f"Back to the {walk.tab.lower()}")
        st.button("Leave the batch", type="tertiary", on_click=_leave)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("← Previous pair", shortcut="P", disabled=at == 0, on_click=_go, args=(walk, rows[at - 1]))
        last = len(rows) - 1
        st.button(
            "Next pair →",
            shortcut="N",
            disabled=at == last,
            on_click=_go,
            args=(walk, rows[min(at + 1, last)]),
        )
    if back:
        st.session_state[ROW] = walk.row
        bring("Evaluate", {"evaluate": walk.tab})
        st.switch_page("pages/Evaluate.py")
    if problem := st.session_state.pop(PROBLEM, None):
        show_error(problem)
    state = st.session_state
    shown = [
        [file.file_id for file in files_of(side) if state.get(side.state("source"), "Upload") == "Upload"]
        for side in SIDES
    ]
    if shown != [[each.file_id] for each in _read_pair(walk.batch, pair)]:
        st.warning("The maps below are not those of this pair any more.", icon=":material/warning:")
        st.button("Show this pair again", on_click=_go, args=(walk, walk.row))


def _go(walk: Walk, row: int) -> None:
    """Put the pair of a row into the two cards; for a widget's callback."""
    try:
        st.session_state.update(_cards(_read_pair(walk.batch, results_in(walk.batch.folder).pair(row))))
        st.session_state[WALK] = replace(walk, row=row)
    except TTEDError as error:
        st.session_state[PROBLEM] = error


def _leave() -> None:
    del st.session_state[WALK]


def _cards(maps: Iterable[GivenFile]) -> dict[str, Any]:
    """The values of the two cards' widgets that hold a pair's maps."""
    values: dict[str, Any] = {}
    for side, kept in zip(SIDES, maps, strict=True):
        of_side = {"files": [kept], "format": "json", "roots": ROOTS[0], "sheet": 1}
        of_side |= {"root": "", "field": "", **dict.fromkeys(("floating", "talk", "unmarked"), False)}
        values |= empty_values(side, "Upload") | {side.state(name): each for name, each in of_side.items()}
    return values


def _read_pair(batch: Batch, pair: tuple[str, str, str]) -> Iterator[GivenFile]:
    """The maps of a pair as JSON, each under its file's name and that of the folder or side in which it lies."""
    inputs, numbers = _opened(batch.folder, batch)
    if pair not in numbers:
        raise OptionsError("the maps of this pair aren't where its batch found them; compute it again")
    for side, number in zip(("left", "right"), inputs.pairs[numbers[pair]].tolist(), strict=True):
        name, read = inputs.maps[number]
        content = map_text(read().tree, "json")[0].encode()
        path, source = PurePosixPath(name), batch.source.get(side)
        folders = path.parent.parts[-1:] or (() if source is None else (side_name(source),))
        name = " · ".join([*folders, path.name or "map"])
        identity = hashlib.sha256(f"{name}\n".encode("utf-8", "replace") + content)
        yield GivenFile(name, content, identity.hexdigest())


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _opened(folder: Path, _batch: Batch) -> tuple[Inputs, dict[tuple[str, str, str], int]]:  # noqa: ARG001 - part of the key
    inputs = _batch.inputs()
    names = [name for name, _ in inputs.maps]
    numbers = {
        (inputs.ids[row], names[left], names[right]): row
        for row, (left, right) in reversed(list(enumerate(inputs.pairs.tolist())))
    }
    return inputs, numbers
