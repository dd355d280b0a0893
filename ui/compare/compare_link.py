"""What the Compare page's link carries: the maps, how they are read, the options, the choices, and the view.

A visitor's own map is in the link by the token under which this server keeps it (``ui/kept_maps.py``).
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from tted_core.errors import UnknownNameError
from ui import samples
from ui.compare.choices import choices_parameter
from ui.compare.two_maps import nothing_given
from ui.inputs import own_map, reading_fields
from ui.kept_maps import kept_map
from ui.mapping.view import VIEW
from ui.options import ENCODER_KEPT, options_link
from ui.permalink import Parameter, flag
from ui.sides import LEFT, RIGHT, SAMPLE, SIDES, SOURCES, Side, empty_values, own_map_values


def compare_link() -> Sequence[Parameter]:
    """The parameters of the page's link."""
    return (
        *_side(LEFT),
        *_side(RIGHT),
        *options_link(),
        flag(ENCODER_KEPT),
        choices_parameter(),
        VIEW,
    )


NOT_KEPT = "own"
"""In place of a sample's file: a map that this server doesn't keep."""

EMPTY = {"paste": "Paste", "upload": "Upload"}
"""In place of a sample's file: nothing has been given there yet."""


def _opening(side: Side) -> str:
    return f"{samples.OPENING_TOPIC}/{side.opening_file}"


def _read(side: Side, text: str) -> dict[str, Any]:
    """What a side of the link says, as the values of its widgets."""
    kind, _, token = text.partition(":")
    if text == _opening(side) and not any(each.key in st.query_params for each in SIDES):
        return empty_values(side, SOURCES[0])  # the page as it opens shows a sample, but asks for maps
    if text in EMPTY:
        return empty_values(side, EMPTY[text]) | {side.state("chosen"): True}  # no sample in its place
    if text == NOT_KEPT:
        raise UnknownNameError("a link can't contain your own map if the server doesn't keep it")
    if kind == NOT_KEPT:
        return own_map_values(side, kept_map(token))
    folder, _, name = text.partition("/")
    if folder not in samples.folders() or name not in samples.files(folder):
        raise UnknownNameError("there is no such sample map")
    values = {"source": SAMPLE, "topic": folder, "file": name, "chosen": True, "origin": None}
    return {side.state(key): value for key, value in values.items()}


def _side(side: Side) -> tuple[Parameter, ...]:
    """A sample by its file or a visitor's own map by its token, and how it is read.

    What can't be had leaves the side empty: another map in its place would be another comparison.
    """
    source, topic, file = map(side.state, ("source", "topic", "file"))

    def write(state: Mapping[str, Any]) -> str | None:
        if nothing_given():
            return _opening(side)
        if state[source] == SAMPLE:
            return f"{state[topic]}/{state[file]}"
        token = own_map(side)
        if token == "":
            return str(state[source]).lower()
        return f"{NOT_KEPT}:{token}" if token else NOT_KEPT

    loss = f"the {side.key} side stays empty. Add the map again, or open the comparison's replay file"
    return (
        Parameter(
            side.key,
            _opening(side),
            (source, topic, file, side.state("chosen"), side.state("text")),
            partial(_read, side),
            write,
            instead="paste",
            loss=loss,
        ),
        *reading_fields(side).values(),
    )
