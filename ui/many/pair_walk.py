"""From pair to pair of a batch on the Compare page: a bar with previous and next.

The maps themselves go into the two map cards as uploads do, so that they can be looked through, mended and linked
like any other.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import streamlit as st

from tted_core import TTEDError
from tted_core.batch.inputs import Inputs, side_name
from tted_core.batch.results import Pair, RowNumbers
from tted_core.errors import OptionsError
from tted_core.formats import ROOTS, write_map
from tted_core.formats.map_collections import ReadMap
from tted_core.method import Method
from ui.errors import show_error
from ui.kept_maps import KeptMap
from ui.many.batches import Batch, results_of
from ui.options import inputs_of
from ui.permalink import bring
from ui.sides import LEFT, RIGHT, SIDES, Side, empty_values, files_of
from ui.text import markdown_escaped, shortened

TO_THE_TOP = """<script>/* row %d */
document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
</script>"""
"""Run once for each row: a new pair is looked at from its top, wherever one was at the last or in the table."""

WALK = "walk"
PROBLEM = "walk-problem"


@dataclass(frozen=True, eq=False)
class Walk:
    """Where one is.

    Attributes:
        batch: whose pairs they are.
        rows: the rows that one walks through, in order, none of them failed.
        row: the one that is shown.
        by: the score that is shown.
        order: what comes first, in words.
        back: where the walk began, in words.
        values: what the Evaluate page is to show when one goes back, besides the row.
    """

    batch: Batch
    rows: RowNumbers
    row: int
    by: str
    order: str
    back: str
    values: dict[str, Any]

    @property
    def at(self) -> int | None:
        """The place of the row among the others, from 0; None if it isn't one of them."""
        found = (self.rows == self.row).nonzero()[0]
        return int(found[0]) if len(found) else None


def open_pair(
    batch: Batch, row: int, rows: Iterable[int], *, by: str, order: str, back: str, values: dict[str, Any]
) -> None:
    """Go to the Compare page with the pair of a row, and walk on from there; the rest as ``Walk`` has it.

    Raises:
        TTEDError: its maps can't be read, or its options aren't offered here.
    """
    results = results_of(batch)
    numbers = np.fromiter(rows, np.int64)
    bring(
        "Compare",
        {**inputs_of(Method.of_columns(results.row(row))), **_values(_read_pair(batch, results.pairs[row]))},
    )
    walk = Walk(batch, numbers[~results.failed[numbers]], row, by, order, back, values)
    st.session_state[WALK] = walk
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
    results = results_of(walk.batch)
    pair = results.pairs[walk.row]
    at, total = walk.at, len(walk.rows)
    value = results.scores.get(walk.by)
    score = "" if value is None else f" · {markdown_escaped(walk.by)} {value[walk.row]:.4f}"
    where = "Not in this order" if at is None else f"Pair {at + 1:,} of {total:,}"
    before = None if not at else int(walk.rows[at - 1])
    after = int(walk.rows[0 if at is None else at + 1]) if total and at != total - 1 else None
    name = markdown_escaped(shortened(pair[0], 60))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{where}**, {markdown_escaped(walk.order)}: **{name}**{score}", width="stretch")
        back = st.button(f"Back to the {walk.back}")
        st.button("Leave the batch", type="tertiary", on_click=_leave)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, key, row in (("← Previous pair", "P", before), ("Next pair →", "N", after)):
            st.button(
                label,
                shortcut=key,
                disabled=row is None,
                on_click=_go,
                args=(walk, walk.row if row is None else row),
            )
    if back:
        bring("Evaluate", {**walk.values, "evaluate-row": walk.row + 1})
        st.switch_page("pages/Evaluate.py")
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        show_error(problem)
    shown = tuple(map(_upload, SIDES))
    if shown != tuple(each.file_id for each in _read_pair(walk.batch, pair)):
        st.warning("The maps below are not those of this pair any more.", icon=":material/warning:")
        st.button("Show this pair again", on_click=_go, args=(walk, walk.row))


def _go(walk: Walk, row: int) -> None:
    """Put the pair of a row into the two cards; for a widget's callback."""
    try:
        st.session_state.update(_values(_read_pair(walk.batch, results_of(walk.batch).pairs[row])))
        st.session_state[WALK] = replace(walk, row=row)
    except TTEDError as error:
        st.session_state[PROBLEM] = error


def _leave() -> None:
    del st.session_state[WALK]


def _values(maps: tuple[KeptMap, KeptMap]) -> dict[str, Any]:
    """What the two cards' widgets say when they hold a pair's maps."""
    values: dict[str, Any] = {}
    for side, kept in zip((LEFT, RIGHT), maps, strict=True):
        values |= empty_values(side, "Upload")
        values |= {
            side.state("files"): [kept],
            side.state("format"): "json",
            side.state("roots"): ROOTS[0],
            side.state("sheet"): 1,
            **{side.state(name): False for name in ("floating", "talk", "unmarked")},
            side.state("root"): "",
            side.state("field"): "",
        }
    return values


def _upload(side: Side) -> str | None:
    """The id of what a card holds, if that is one upload."""
    files = files_of(side)
    is_upload = st.session_state.get(side.state("source"), "Upload") == "Upload"
    return files[0].file_id if is_upload and len(files) == 1 else None


def _read_pair(batch: Batch, pair: Pair) -> tuple[KeptMap, KeptMap]:
    inputs, numbers = _opened(batch.place, batch)
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


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _opened(place: str, _batch: Batch) -> tuple[Inputs, dict[Pair, int]]:  # noqa: ARG001 - tells them apart
    inputs = _batch.inputs()
    names = [name for name, _ in inputs.maps]
    numbers = {
        (inputs.ids[row], names[left], names[right]): row
        for row, (left, right) in reversed(list(enumerate(inputs.pairs.tolist())))
    }
    return inputs, numbers
