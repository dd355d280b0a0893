"""The two maps of the Compare page: asked for at once, both files in one go, swapped, or exchanged for others."""

from typing import Any

import streamlit as st

from tted_core import MindMap
from tted_core.limits import MAX_BYTES
from ui import cache, samples
from ui.inputs import Found, card, found_on, many_pairs
from ui.sides import LEFT, RIGHT, SAMPLE, SIDES, SOURCES, Side, empty_values, has_own, put_values
from ui.text import plural

EXCHANGED = (
    "source",
    "chosen",
    "topic",
    "file",
    "text",
    "files",
    "format",
    "roots",
    "sheet",
    "map",
    "floating",
    "field",
)
"""What two sides exchange."""


def map_inputs() -> tuple[MindMap | None, MindMap | None]:
    """Draw both cards; a side is None while it has no map. While neither has been given any, a sample is shown."""
    found = [found_on(side) for side in SIDES]
    left, right = (each.mind_map for each in found)
    missing = left is None or right is None
    with st.container():  # there in every run, so that the cards keep their place
        if missing and (wanted := _wanted(found)):
            st.markdown(wanted)
    columns = st.columns(2, gap="small")
    for side, each, column in zip(SIDES, found, columns, strict=True):
        with column:
            card(side, each, expanded=missing)
    with st.container():
        if missing:
            _take_both()
        else:
            _change()
    if nothing_given():
        left, right = (_opening_sample(side) for side in SIDES)
        st.caption(
            f"Until then, a sample: “{samples.topic_title(samples.OPENING_TOPIC)}”, and a colleague's version."
        )
    return left, right


def nothing_given() -> bool:
    """Whether neither side has been given anything, nor been asked for a sample, nor left empty by a link."""
    state = st.session_state
    return not any(
        state.get(side.state("source")) == SAMPLE or state.get(side.state("chosen")) or has_own(side)
        for side in SIDES
    )


def _opening_sample(side: Side) -> MindMap:
    name = f"{samples.OPENING_TOPIC}/{side.opening_file}"
    return cache.read(cache.sample_content(samples.FOLDER / name), name)


def _wanted(found: list[Found]) -> str:
    """What is still to be given; nothing where what was given is wrong, which its card says."""
    if nothing_given():
        return "**Paste or upload two maps** to compare them."
    if any(each.error for each in found):
        return ""
    lacking = [side.title.lower() for side, each in zip(SIDES, found, strict=True) if not each.mind_map]
    return f"**Now the {' and the '.join(lacking)}**: paste it, upload a file or choose a sample."


def _take_both() -> None:
    """The place where both files are dropped at once, and the button that reads what was pasted."""
    files, button = st.columns([4, 1], vertical_alignment="bottom", gap="small")
    number = st.session_state.setdefault(
        "both-number", 0
    )  # an uploader can't be emptied, only another one drawn
    with files:
        st.file_uploader(
            "Or both files at once",
            key=f"both-{number}",
            accept_multiple_files=True,
            max_upload_size=MAX_BYTES // 1_000_000,
            on_change=_take_files,
            help="The first becomes the left map and the second the right one; one alone goes where a map is "
            "missing.",
        )
    with button:
        st.button("Compare", key="compare-now", type="primary", width="stretch")


def _take_files() -> None:
    state = st.session_state
    files = state[f"both-{state['both-number']}"]
    free = [side for side in SIDES if not has_own(side)] if len(files) == 1 else ()
    for side, file in zip(free or SIDES, files, strict=False):
        put_values(side, empty_values(side, "Upload") | {side.state("files"): [file]})
        other = RIGHT if side is LEFT else LEFT
        if len(files) == 1 and not has_own(other) and not state.get(other.state("chosen")):
            put_values(other, empty_values(other, SOURCES[0]))
    state["both-number"] += 1
    state["both-count"] = len(files)


def _change() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="change-maps"):
        st.button("⇄ Swap", key="swap", on_click=_swap, help="The left map becomes the right one.")
        st.button("Two other maps", key="other-maps", on_click=_empty, help="Empties both sides.")
    count = st.session_state.get("both-count", 0)
    if count > len(SIDES):
        st.caption(f"Of {plural(count, 'file')}, the first two are compared.")
        many_pairs()


def _swap() -> None:
    left, right = ({name: _value(side, name) for name in EXCHANGED} for side in SIDES)
    for side, values in ((LEFT, right), (RIGHT, left)):
        given = {side.state(name): value for name, value in values.items()}
        put_values(side, {**given, side.state("origin"): None})


def _value(side: Side, name: str) -> Any:
    nothing = {"text": "", "files": [], "chosen": False, "map": None}
    return st.session_state.get(side.state(name), nothing.get(name))


def _empty() -> None:
    for side in SIDES:
        put_values(
            side, empty_values(side, SOURCES[0]) | {side.state("text"): "", side.state("chosen"): False}
        )
    st.session_state["both-count"] = 0
