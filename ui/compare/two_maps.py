"""The two maps of the Compare page: dropped together, pasted or samples; then a line each, to change them."""

from functools import partial
from html import escape

import streamlit as st

from tted_core import TTEDError
from tted_core.batch.plans import guess_reference
from tted_core.report.replay import read_replay
from ui import samples
from ui.compare.what_if import turn_choices_to
from ui.map_card import (
    BOTH_SIDES,
    Found,
    card,
    drop_zone,
    nothing_given,
    source_of,
    try_reading,
    warn_of_problems,
)
from ui.map_source import Given, MapSource, NamedFiles, SampleFile, Uploaded, read_all
from ui.options import inputs_of
from ui.page import show_error
from ui.running import NotYet

REPLAY_MARK = b'"tted_replay"'  # bytes that a replay file contains, and no map


def read_both_maps() -> tuple[Found, Found]:
    """Read both sides; an example while neither has been given anything."""
    if nothing_given():
        return read_all(SampleFile(samples.OPENING["left"])), read_all(SampleFile(samples.OPENING["right"]))
    return try_reading("left"), try_reading("right")


def draw_inputs(*found: Found) -> None:
    """Draw the inputs of both maps, folded to one line once they are there.

    Raises:
        NotYet: a map is being read; its progress is drawn.
    """
    example = nothing_given()
    found = (None, None) if example else found
    missing = [side for side, each in zip(BOTH_SIDES, found, strict=True) if not isinstance(each, Given)]
    closed = not any(st.session_state.get(f"{side}-card") for side in BOTH_SIDES)
    with st.container(key="new-maps"):  # in every run, so that the cards stay where they are
        if missing:
            empty = [side for side in missing if found[BOTH_SIDES.index(side)] is None]
            _drop_zone((empty or missing)[0], example=example)
            if not ((example and closed) or any(isinstance(each, Exception) for each in found)):
                maps = " and the ".join(f"{side} map" for side in missing)
                st.markdown(f"**Add the {maps}**: paste, drop a file or choose a sample.")
    with st.container(key="map-cards"):
        # The example hides the cards, as Streamlit forgets what isn't drawn.
        hidden = ":has(> .st-key-map-cards) { display: none; }" if example and closed else ""
        st.html(f"<style>{hidden}</style>")
        first, middle, second, last = st.columns([11.5, 1.9, 11.5, 3.6], gap="small")
    for side, each, column in zip(BOTH_SIDES, found, (first, second), strict=True):
        # An open card stays as it is while the other side gets its map: with another line, or begun open instead
        # of folded, it would be another card to Streamlit, and lose what is being typed into it.
        folded = example and not st.session_state.get(f"{side}-card")
        label = f"**Example**: {samples.OPENING[side].rpartition('/')[2]}" if folded else ""
        with column:
            card(side, f"{side.capitalize()} map", each, expanded=bool(missing) and not folded, label=label)
    swap = middle.container(key="swap-maps")
    if not missing:
        left, right = map(source_of, BOTH_SIDES)
        swap.button("⇄ Swap", key="swap", on_click=_put, args=(right, left), type="tertiary")
        last.button(
            "New comparison",
            key="other-maps",
            on_click=_put,
            args=(None, None),
            help="Empties both sides; the browser's Back button brings the maps back.",
        )
    elif any(st.session_state[f"{side}-card"] for side in BOTH_SIDES):
        last.button("Compare", key="compare-now", type="primary", width="stretch")
    for each in found:
        if isinstance(each, NotYet):
            raise each
        warn_of_problems(dict(each.unread) if isinstance(each, Given) else {}, "read")


def _put(left: MapSource | None, right: MapSource | None) -> None:
    st.session_state.update({"left": left, "right": right})


def _drop_zone(side: str, *, example: bool) -> None:
    """The drop zone for all files, and beside it, with the example, the other ways to begin.

    A single file goes to ``side``.
    """
    zone, others = st.columns([9, 10], vertical_alignment="center", gap="medium")
    with zone:
        drop_zone("both", "Drop two maps, or one reference and others", partial(_take_files, side))
    if error := st.session_state.pop("replay-error", None):
        show_error(error)
    if not example:
        return
    with others.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="try-maps"):
        st.button("Paste two maps", key="paste-maps", on_click=_open_cards)
        with (
            st.popover("Examples", type="tertiary", help="Finished comparisons"),
            st.container(key="gallery"),
        ):
            st.html(
                "".join(
                    f'<p><a href="{escape(each["link"])}">{escape(each["title"])}</a><br>'
                    f"{escape(each['sentence'])}</p>"
                    for each in samples.examples()
                )
            )
        st.caption("An example is shown.", width="content")


def _open_cards() -> None:
    """Open both cards to paste into; the example stays until a map is given."""
    for side in BOTH_SIDES:
        st.session_state.update({f"{side}-tab": "Paste", f"{side}-card": True, f"{side}-card-was": False})


def _take_files(side: str, files: NamedFiles) -> None:
    """Take over files: of several ones, one is the reference; a single one goes to ``side``."""
    if len(files) > 1:
        named, is_named = guess_reference([name for name, _ in files])
        reference = next((file for file in files if is_named and file[0] == named), files[0])
        _put(Uploaded((reference,)), Uploaded(tuple(file for file in files if file is not reference)))
    elif REPLAY_MARK in files[0][1]:
        try:
            _open_replay(files[0][1])
        except TTEDError as error:
            st.session_state["replay-error"] = error
    else:
        st.session_state[side] = Uploaded(files)


def _open_replay(content: bytes) -> None:
    replay = read_replay(content)
    st.session_state.update(inputs_of(replay.method))
    _put(Given((replay.left,)), Given((replay.right,)))
    turn_choices_to(replay.left.tree, replay.right.tree, replay.method.depth)
    st.session_state.update({"choices": replay.choices, "replayed": replay})
    st.session_state.pop("replayed-as", None)
