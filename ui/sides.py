"""The two sides of a comparison and their inputs.

Inputs are in the session under keys that begin with the side's: its ``source`` (the open tab), ``text``,
``files``, and ``chosen`` once the user chose a sample, or none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.typing import UploadedFile

from ui import samples

SAMPLE = "Sample"
SOURCES = ("Paste", "Upload", SAMPLE)


@dataclass(frozen=True)
class GivenFile:
    """A file that the program puts on a side, with the interface of an uploaded one."""

    name: str
    content: bytes
    file_id: str

    def getvalue(self) -> bytes:
        """Return the content."""
        return self.content


@dataclass(frozen=True)
class Side:
    """One of the two maps: the prefix of its widgets' keys, its title, and the sample that it opens with."""

    key: str
    title: str
    opening_file: str

    def state(self, name: str) -> str:
        """The session key of a widget of this side."""
        return f"{self.key}-{name}"


LEFT = Side("left", "Left map", samples.OPENING_PAIR[0])
RIGHT = Side("right", "Right map", samples.OPENING_PAIR[1])
SIDES = (LEFT, RIGHT)


def has_own(side: Side) -> bool:
    """Return True if the user pasted or uploaded something on this side, even if it can't be read."""
    state = st.session_state
    match state.get(side.state("source")):
        case "Paste":
            return bool(state.get(side.state("text")))
        case "Upload":
            return bool(files_of(side))
        case _:
            return False


def files_of(side: Side) -> list[UploadedFile | GivenFile]:
    """The uploaded files, kept in the session since the widget forgets them on another page."""
    kept: list[UploadedFile | GivenFile] = st.session_state.get(side.state("files"), [])
    return kept


def uploader_key(side: Side) -> str:
    """The key of a side's uploader; a new one once its files come from elsewhere, for it can't be emptied."""
    number = st.session_state.get(side.state("uploader"), 0)
    return f"{side.state('upload')}-{number}" if number else side.state("upload")


def empty_values(side: Side, source: str) -> dict[str, object]:
    """The values of this side's widgets before anything is pasted or uploaded."""
    nothing: tuple[str, object] = ("text", "") if source == "Paste" else ("files", [])
    values = (("source", source), ("origin", None), ("chosen", False), nothing)
    return {side.state(name): value for name, value in values}


def put_values(side: Side, values: Mapping[str, object]) -> None:
    """Set the values of a side's widgets, and empty its uploader."""
    number = st.session_state.get(side.state("uploader"), 0)
    st.session_state.update({**values, side.state("uploader"): number + 1})


def choose_sample(side: Side) -> None:
    """Note that a sample was chosen on this side; on Compare, the other one shows a sample too if it is empty."""
    state = st.session_state
    state.update({side.state("source"): SAMPLE, side.state("chosen"): True})
    for each in SIDES if side in SIDES else ():
        # Who chooses a sample still needs the cards, even if both maps are there.
        state.update({each.state("card"): True, each.state("card-was"): False})
        if not has_own(each):
            state[each.state("source")] = SAMPLE


GIVEN = (
    "source",
    "text",
    "files",
    "format",
    "roots",
    "sheet",
    "map",
    "floating",
    "field",
)
"""A side's inputs and import options."""


def bring_own(side: Side) -> bool:
    """Take over the user's own map from Compare on a side without input; return True if it shows a sample.

    The right map, which is usually the generated one; the left one if only that is the user's own.
    """
    state = st.session_state
    if has_own(side):
        return False
    own = next((each for each in (RIGHT, LEFT) if has_own(each)), None)
    if own is None or state.get(side.state("chosen")):
        return True
    values = {name: state[own.state(name)] for name in GIVEN if own.state(name) in state}
    put_values(side, {side.state(name): value for name, value in values.items()})
    return False
