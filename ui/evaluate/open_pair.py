"""A pair of a batch, opened on the Compare page.

The maps go into the two map cards as uploads do, so that they can be looked through, mended and linked like any
other.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import streamlit as st

from tted_core.batch.pairs import Inputs, side_name
from tted_core.errors import OptionsError
from tted_core.formats import ROOTS, map_text
from tted_core.method import Method
from ui.batches import Batch, results_in
from ui.options import inputs_of
from ui.permalink import bring
from ui.sides import SIDES, GivenFile, empty_values


def open_pair(batch: Batch, row: int) -> None:
    """Go to the Compare page with the pair of a row, under its setting."""
    results = results_in(batch.folder)
    values = _cards(_read_pair(batch, results.pair(row)))
    bring("Compare", {**inputs_of(Method.of_columns(results.table.loc[row])), **values})
    st.switch_page("pages/Compare.py")


def _cards(maps: Iterable[GivenFile]) -> dict[str, Any]:
    """The values of the two cards' widgets that hold a pair's maps."""
    values: dict[str, Any] = {}
    for side, kept in zip(SIDES, maps, strict=True):
        of_side = {"files": [kept], "format": "json", "roots": ROOTS[0], "sheet": 1}
        of_side |= {"field": "", "floating": False}
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
