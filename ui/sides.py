"""The two sides of a comparison: where their widgets keep their values, and what they were given.

What a side's visitor has done to it is in the session's state under keys that begin with the side's: its
``source`` (the tab that is open), ``text``, ``files``, and ``chosen`` if a sample, or none, was asked for.
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
    """A file that the program puts on a side; it has the names of an uploaded one."""

    name: str
    content: bytes
    file_id: str

    def getvalue(self) -> bytes:
        """Return the content, as an uploaded file does."""
        return self.content


@dataclass(frozen=True)
class Side:
    """One of the two maps: where its widgets keep their values, and what it is called."""

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
    """Whether a side's visitor has given it anything, read or not."""
    state = st.session_state
    match state.get(side.state("source")):
        case "Paste":
            return bool(state.get(side.state("text")))
        case "Upload":
            return bool(files_of(side))
        case _:
            return False


def files_of(side: Side) -> list[UploadedFile | GivenFile]:
    """The uploaded files; the widget forgets them when its visitor goes to another page, the session doesn't."""
    kept: list[UploadedFile | GivenFile] = st.session_state.get(side.state("files"), [])
    return kept


def uploader_key(side: Side) -> str:
    """The key of a side's uploader: another one once its files come from elsewhere, for it can't be emptied."""
    number = st.session_state.get(side.state("uploader"), 0)
    return f"{side.state('upload')}-{number}" if number else side.state("upload")


def empty_values(side: Side, source: str) -> dict[str, object]:
    """The values of this side's widgets where nothing is pasted, or uploaded, yet."""
    nothing: tuple[str, object] = ("text", "") if source == "Paste" else ("files", [])
    values = (("source", source), ("origin", None), ("chosen", False), nothing)
    return {side.state(name): value for name, value in values}


def put_values(side: Side, values: Mapping[str, object]) -> None:
    """Make these the values of a side's widgets; its uploader shows none of the files that it had."""
    number = st.session_state.get(side.state("uploader"), 0)
    st.session_state.update({**values, side.state("uploader"): number + 1})


def choose_sample(side: Side) -> None:
    """A sample was picked on this side."""
    st.session_state.update({side.state("source"): SAMPLE, side.state("chosen"): True})
    follow(side)


def follow(side: Side) -> None:
    """A side whose visitor has neither given nor chosen anything shows what the other one does: sample or none."""
    state = st.session_state
    other = {LEFT: RIGHT, RIGHT: LEFT}.get(side)
    if other is None:
        return
    for each in SIDES:  # who looks for a sample still needs the cards, though both maps are there
        state.update({each.state("card"): True, each.state("card-was"): False})
    if not has_own(other) and not state.get(other.state("chosen")):
        state[other.state("source")] = SAMPLE if state[side.state("source")] == SAMPLE else SOURCES[0]


GIVEN = (
    "source",
    "text",
    "files",
    "format",
    "roots",
    "sheet",
    "map",
    "root",
    "floating",
    "talk",
    "unmarked",
    "field",
)
"""What a side's visitor has given it, and how that is read."""


def bring_own(side: Side) -> bool:
    """Give a side that nothing was given to, nor a sample chosen for, a map of its visitor's own from Compare.

    The right one, which is the one that was made; the left one where only that is the visitor's own. Return
    whether the side shows a sample all the same.
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
