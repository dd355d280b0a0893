"""The link of the Compare page: the maps, their import options, the method's options, the choices and the view.

A user's own map is in the link itself, compressed: a pasted text verbatim, an uploaded file as the map that was
read, several as JSON lines of all. The server stores nothing for it.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from tted_core import MindMap, TextTree
from tted_core.errors import UnknownNameError
from tted_core.formats import map_text
from ui import samples
from ui.compare.choices import read_choices, write_choices
from ui.compare.two_maps import nothing_given
from ui.fields import Field, switch
from ui.inputs import reading_fields
from ui.map_tools import editable_text
from ui.mapping.view import VIEW
from ui.options import ENCODER_KEPT, options_link
from ui.sides import LEFT, RIGHT, SAMPLE, SIDES, SOURCES, Side, empty_values, has_own

OWN = "own"
"""Value of a side with a user's own map; its compressed text follows behind a colon if it fits."""

LONGEST_MAPS = 30_000
"""Characters of all compressed maps in a link. The server (uvicorn with httptools) takes addresses up to 64 kB,
nginx as configured in docs/hosting.md up to 32 kB."""

LONGEST_TEXT = 100_000
"""Characters of a text that is worth compressing."""

EMPTY = {"paste": "Paste", "upload": "Upload"}
"""Values of a side to which nothing has been given yet -> the tab that is open."""


def compare_link() -> Sequence[Field]:
    """The parameters of the page's link."""
    return (
        *_side(LEFT),
        *_side(RIGHT),
        *options_link(),
        switch(ENCODER_KEPT),
        Field("choices", "", ("choices",), read_choices, write_choices),
        VIEW,
    )


def too_large_for_link(side: Side) -> bool:
    """Return True if this side has an own map that doesn't fit into a link."""
    return has_own(side) and _own_text(side, st.session_state.to_dict()) == OWN


@lru_cache(maxsize=256)
def packed(text: str, longest: int) -> str | None:
    """The text compressed for an address; None if it is too large for a link."""
    if len(text) > LONGEST_TEXT:
        return None
    compressed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    token = base64.urlsafe_b64encode(compressed).decode().rstrip("=")
    return token if len(token) <= longest else None


def unpacked(token: str) -> str:
    """The text that ``packed`` compressed.

    Raises:
        UnknownNameError: the token was cut or changed.
    """
    stream = zlib.decompressobj()
    try:
        compressed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        text = stream.decompress(compressed, 4 * LONGEST_TEXT).decode("utf-8", "surrogatepass")
    except (ValueError, zlib.error):
        text = ""
    if not stream.eof:
        raise UnknownNameError("the map in the link is cut or damaged; copy the whole link")
    return text


def _opening(side: Side) -> str:
    return f"{samples.OPENING_TOPIC}/{side.opening_file}"


def _read(side: Side, text: str) -> dict[str, Any]:
    """The values of a side's widgets for a link's text."""
    kind, _, token = text.partition(":")
    if text == _opening(side) and not any(each.key in st.query_params for each in SIDES):
        return empty_values(side, SOURCES[0])  # the opening page shows a sample, but its inputs are empty
    if text in EMPTY:
        return empty_values(side, EMPTY[text]) | {side.state("chosen"): True}  # no sample instead
    if text == OWN:
        raise UnknownNameError("the map was too large for a link, or could not be read")
    if kind == OWN:
        return empty_values(side, "Paste") | {side.state("text"): unpacked(token)}
    folder, _, name = text.partition("/")
    if folder not in samples.folders() or name not in samples.files(folder):
        raise UnknownNameError("there is no such sample map")
    values = {"source": SAMPLE, "topic": folder, "file": name, "chosen": True, "origin": None}
    return {side.state(key): value for key, value in values.items()}


def _own_text(side: Side, state: Mapping[str, Any]) -> str:
    """A side's own map as a link's text."""
    text = state.get(side.state("text"))
    if state[side.state("source")] == "Upload":
        tree, several = _uploaded(side, state), state.get(side.state("several"))
        text = _as_records(several) if several else None if tree is None else _as_text(tree)[0]
    longest = LONGEST_MAPS // 2
    if side is RIGHT:  # which may take what the left one leaves
        longest = LONGEST_MAPS - (len(_own_text(LEFT, state)) if has_own(LEFT) else 0)
    token = None if text is None else packed(text, longest)
    return f"{OWN}:{token}" if token else OWN


def _uploaded(side: Side, state: Mapping[str, Any]) -> TextTree | None:
    """The map that was read from an uploaded file; None if it couldn't be read, or is too large."""
    mind_map: MindMap | None = state.get(side.state("read"))
    if mind_map is None or sum(map(len, mind_map.tree.labels)) > LONGEST_TEXT:
        return None
    return mind_map.tree


_as_text = lru_cache(maxsize=64)(editable_text)


@lru_cache(maxsize=64)
def _as_records(maps: tuple[MindMap, ...]) -> str:
    """Several maps in JSON lines, each under its name."""
    records = ({"id": each.name, "map": json.loads(map_text(each.tree, "json")[0])} for each in maps)
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in records)


def _side(side: Side) -> tuple[Field, ...]:
    """The parameters of a side: a sample by its file or the user's own map by its text, and the import options.

    A map that isn't available leaves the side empty: another map would be another comparison.
    """
    source, topic, file = map(side.state, ("source", "topic", "file"))

    def write(state: Mapping[str, Any]) -> str | None:
        if nothing_given():
            return _opening(side)
        if state[source] == SAMPLE:
            return f"{state[topic]}/{state[file]}"
        return _own_text(side, state) if has_own(side) else str(state[source]).lower()

    loss = f"the {side.key} side stays empty. Add the map again, or open the comparison's replay file"
    return (
        Field(
            side.key,
            _opening(side),
            (source, topic, file, side.state("chosen"), side.state("text")),
            partial(_read, side),
            write,
            instead="paste",
            loss=loss,
        ),
        *(
            replace(each, write=partial(_write_reading, side, name, each))
            for name, each in reading_fields(side).items()
        ),
    )


def _write_reading(side: Side, name: str, field: Field, state: Mapping[str, Any]) -> str | None:
    """An import option; an uploaded map is in the link as it was read, so that its text has a format only."""
    several = name == "sheet" and state.get(side.state("several"))
    if state.get(side.state("source")) != "Upload" or several:
        return field.write(state)
    tree = _uploaded(side, state)
    is_one = tree and not state.get(side.state("several"))
    return (is_one and name == "format" and _as_text(tree)[1]) or field.default
