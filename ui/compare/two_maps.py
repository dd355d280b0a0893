"""The two maps of the Compare page: dropped together, pasted or samples; then a line each, to change them."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import TTEDError
from tted_core.batch.plans import guess_reference
from tted_core.foundations.limits import MAX_BYTES
from tted_core.report.replay import read_replay
from ui import samples
from ui.compare.choices import turn_choices_to
from ui.errors import show_error
from ui.gallery import gallery
from ui.map_card import SIDES, Found, card, nothing_given, source_of, try_reading, warn_of_problems
from ui.map_source import Given, MapSource, Sample, Uploaded, read_all
from ui.options import ENCODER_KEPT, inputs_of
from ui.running import NotYet

REPLAY_MARK = b'"tted_replay"'
"""Bytes that a replay file contains, and no map."""

FOCUS_TO_PASTE = """<script>{
const boxes = () => ["left", "right"].map((side) => document.querySelector(`.st-key-${side}-text textarea`));
const waiting = setInterval(() => {
  const [left, right] = boxes();
  if (!left?.checkVisibility() || !right) return;
  clearInterval(waiting);
  left.focus();
  left.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    boxes()[1]?.focus();
  });
}, 50);
}</script>"""
"""Script, run at each click on "Paste two maps": focus the left box, let Tab go on to the right one."""

HIDDEN = ":has(> .st-key-map-cards) { display: none; }"
"""The style that hides the cards while the example is shown."""


def read_both_maps() -> tuple[Found, Found]:
    """Read both sides; an example while neither has been given anything."""
    if nothing_given():
        left, right = (read_all(Sample(samples.OPENING[side])) for side in SIDES)
        return left, right
    return try_reading("left"), try_reading("right")


def draw_inputs(*found: Found) -> None:
    """Draw the inputs of both maps, folded to one line once they are there.

    Raises:
        NotYet: a map is being read; its progress is drawn.
    """
    example = nothing_given()
    found = (None, None) if example else found
    missing = [side for side, each in zip(SIDES, found, strict=True) if not isinstance(each, Given)]
    closed = not any(st.session_state.get(f"{side}-card") for side in SIDES)
    with st.container(key="new-maps"):  # in every run, so that the cards stay where they are
        if missing:
            empty = [side for side in missing if found[SIDES.index(side)] is None]
            _drop_zone((empty or missing)[0], example=example)
            pressed = st.session_state.get("compare-now")
            if pressed or not (example or any(isinstance(each, Exception) for each in found)):
                maps = " and the ".join(f"{side} map" for side in missing)
                draw = st.warning if pressed else st.markdown
                draw(f"**Add the {maps}**: paste, drop a file or choose a sample.")
    with st.container(key="map-cards"):
        # Hidden, as Streamlit forgets what isn't drawn.
        st.html(f"<style>{HIDDEN if example and closed else ''}</style>")
        first, middle, second, last = st.columns([11.5, 1.9, 11.5, 3.6], gap="small")
    for side, each, column in zip(SIDES, found, (first, second), strict=True):
        # An open card stays as it is while the other side gets its map: with another line, or begun open instead
        # of folded, it would be another card to Streamlit, and lose what is being typed into it.
        folded = example and not st.session_state.get(f"{side}-card")
        label = f"**Example**: {samples.OPENING[side].rpartition('/')[2]}" if folded else ""
        with column:
            card(side, f"{side.capitalize()} map", each, expanded=bool(missing) and not folded, label=label)
    _actions(missing, middle.container(key="swap-maps"), last)
    if st.session_state.pop("pasting", False):  # once: drawn anew, the script would run again
        st.html(FOCUS_TO_PASTE, unsafe_allow_javascript=True)
    for each in found:
        if isinstance(each, NotYet):
            raise each
        warn_of_problems(dict(each.unread) if isinstance(each, Given) else {}, "read")


def _actions(missing: Sequence[str], swap: DeltaGenerator, last: DeltaGenerator) -> None:
    """Draw the buttons between and beside the cards."""
    if not missing:
        left, right = map(source_of, SIDES)
        swap.button("⇄ Swap", key="swap", on_click=_put, args=(right, left), type="tertiary")
        last.button(
            "New comparison",
            key="other-maps",
            on_click=_put,
            args=(None, None),
            help="Empties both sides; the browser's Back button brings the maps back.",
        )
    elif any(st.session_state[f"{side}-card"] for side in SIDES):
        last.button("Compare", key="compare-now", type="primary", width="stretch")


def _put(left: MapSource | None, right: MapSource | None) -> None:
    st.session_state.update({"left": left, "right": right})


def _drop_zone(side: str, *, example: bool) -> None:
    """The drop zone for all files, and beside it, with the example, the other ways to begin.

    A single file goes to ``side``.
    """
    zone, others = st.columns([9, 10], vertical_alignment="center", gap="medium")
    number = st.session_state.setdefault(
        "both-number", 0
    )  # an uploader can't be emptied, only another one drawn
    zone.file_uploader(
        "Drop two maps, or one reference and others",
        key=f"both-{number}",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        on_change=_take_files,
        args=(side,),
    )
    if error := st.session_state.pop("replay-error", None):
        show_error(error)
    if not example:
        return
    with others.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="try-maps"):
        st.button("Paste two maps", key="paste-maps", on_click=_open_cards)
        gallery()
        st.caption("An example is shown.", width="content")


def _open_cards() -> None:
    """Open both cards to paste into; the example stays until a map is given."""
    st.session_state["pasting"] = True
    for side in SIDES:
        st.session_state.update({f"{side}-tab": "Paste", f"{side}-card": True, f"{side}-card-was": False})


def _take_files(side: str) -> None:
    state = st.session_state
    dropped = state[f"both-{state['both-number']}"]
    state["both-number"] += 1
    files = tuple((file.name, file.getvalue()) for file in dropped)
    if len(files) > 1:
        named, is_named = guess_reference([name for name, _ in files])
        reference = next((file for file in files if is_named and file[0] == named), files[0])
        _put(Uploaded((reference,)), Uploaded(tuple(file for file in files if file is not reference)))
    elif files and REPLAY_MARK in files[0][1]:
        try:
            _open_replay(files[0][1])
        except TTEDError as error:
            state["replay-error"] = error
    elif files:
        state[side] = Uploaded(files)


def _open_replay(content: bytes) -> None:
    """Put the contents of a replay file onto the page."""
    replay = read_replay(content)
    values = inputs_of(replay.method)
    _put(Given((replay.left,)), Given((replay.right,)))
    st.session_state.update({**values, ENCODER_KEPT: True})
    turn_choices_to(replay.left.tree, replay.right.tree, replay.method.depth)
    st.session_state.update({"choices": replay.choices, "replayed": replay})
    for name in ("preset", "replayed-as"):
        st.session_state.pop(name, None)
