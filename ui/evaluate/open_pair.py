"""A pair of a batch, opened on the Compare page."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import streamlit as st

from tted_core import MindMap
from tted_core.batch.pairs import Inputs, side_name
from tted_core.errors import OptionsError
from tted_core.method import Method
from ui.comparisons import open_in_compare
from ui.evaluate.batches import Batch, results_in


def open_pair(batch: Batch, row: int) -> None:
    """Go to the Compare page with the pair of a row, under its setting."""
    results = results_in(batch.folder)
    left, right = _read_pair(batch, results.pair(row))
    open_in_compare(left, right, Method.of_columns(results.table.loc[row]))


def _read_pair(batch: Batch, pair: tuple[str, str, str]) -> Iterator[MindMap]:
    """The maps of a pair, each under its file's name and that of the folder or side in which it lies."""
    inputs, numbers = _open_inputs(batch.folder, batch)
    if pair not in numbers:
        raise OptionsError("the maps of this pair aren't where its batch found them; compute it again")
    for side, number in zip(("left", "right"), inputs.pairs[numbers[pair]].tolist(), strict=True):
        name, read = inputs.maps[number]
        path, source = PurePosixPath(name), batch.source.get(side)
        folders = path.parent.parts[-1:] or (() if source is None else (side_name(source),))
        yield replace(read(), name=" · ".join([*folders, path.name or "map"]), maps=(), sheet=1)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _open_inputs(folder: Path, _batch: Batch) -> tuple[Inputs, dict[tuple[str, str, str], int]]:  # noqa: ARG001 - part of the key
    inputs = _batch.inputs()
    names = [name for name, _ in inputs.maps]
    numbers = {
        (inputs.ids[row], names[left], names[right]): row
        for row, (left, right) in reversed(list(enumerate(inputs.pairs.tolist())))
    }
    return inputs, numbers
