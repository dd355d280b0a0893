"""The two maps of the Compare page: dropped together, pasted or samples; then a line each, to change them."""

import streamlit as st

from tted_core import MindMap, TTEDError
from tted_core.batch.plans import guess_reference
from tted_core.formats import ROOTS
from tted_core.foundations.limits import MAX_BYTES
from tted_core.report.replay import read_replay
from ui import cache, samples
from ui.compare.choices import turn_choices_to
from ui.errors import show_error
from ui.gallery import gallery
from ui.inputs import card, found_on
from ui.map_tools import put_text
from ui.options import ENCODER_KEPT, inputs_of
from ui.sides import GIVEN, LEFT, RIGHT, SAMPLE, SIDES, SOURCES, empty_values, has_own, put_values

EXCHANGED = ("chosen", "topic", "file", *GIVEN)
"""The values that two sides swap."""

REPLAY_MARK = b'"tted_replay"'
"""Bytes that a replay file contains, and no map."""

FOCUS_TO_PASTE = """<script>/* time %d */
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
</script>"""
"""Script, run at each click on "Paste two maps": focus the left box, let Tab go on to the right one."""

HIDDEN = ":has(> .st-key-map-cards) { display: none; }"
"""The style that hides the cards while the example is shown."""


def map_inputs() -> tuple[MindMap | None, MindMap | None]:
    """Draw the inputs of both maps, folded to one line once they are there; a side is None while it has no map.

    While neither side has been given anything, the maps of an example are returned.
    """
    found = [found_on(side) for side in SIDES]
    left, right = (each.mind_map for each in found)
    lacking = " and the ".join(
        side.title.lower() for side, each in zip(SIDES, (left, right), strict=True) if each is None
    )
    missing, example = bool(lacking), nothing_given()
    closed = not any(st.session_state.get(side.state("card")) for side in SIDES)
    with st.container(key="new-maps"):  # in every run, so that the cards stay where they are
        if missing:
            _drop_zone(example=example)
            if not example and not any(each.error for each in found):
                st.markdown(f"**Add the {lacking}**: paste it, drop a file or choose a sample.")
    if example:
        left, right = (cache.sample_map(f"{samples.OPENING_TOPIC}/{side.opening_file}") for side in SIDES)
    with st.container(key="map-cards"):
        # Hidden, as Streamlit forgets what isn't drawn.
        st.html(f"<style>{HIDDEN if example and closed else ''}</style>")
        first, middle, second, last = st.columns([10.6, 2.2, 10.6, 4.6], gap="small")
    for side, each, column in zip(SIDES, found, (first, second), strict=True):
        # An open card stays as it is while the other side gets its map: with another line, or begun open instead
        # of folded, it would be another card to Streamlit, and lose what is being typed into it.
        folded = example and not st.session_state.get(side.state("card"))
        with column:
            label = f"**Example**: {side.opening_file}" if folded else ""
            card(side, each, expanded=missing and not folded, label=label)
    with middle.container(key="swap-maps"):
        if not missing:
            st.button("⇄ Swap", key="swap", on_click=_swap, type="tertiary")
    if count := st.session_state.get("pasting"):
        st.html(FOCUS_TO_PASTE % count, unsafe_allow_javascript=True)
    if not missing:
        last.button("New comparison", key="other-maps", on_click=_empty, help="Empties both sides")
    elif any(st.session_state[side.state("card")] for side in SIDES) and last.button(
        "Compare", key="compare-now", type="primary", width="stretch"
    ):
        st.warning(
            f"Nothing to compare yet: the {lacking} {'are' if ' and ' in lacking else 'is'} missing. Paste, drop "
            "a file or choose a sample.",
            icon=":material/warning:",
        )
    return left, right


def nothing_given() -> bool:
    """Return True if neither side has a map or a chosen sample, nor was left empty by a link."""
    state = st.session_state
    return not any(
        state.get(side.state("source")) == SAMPLE or state.get(side.state("chosen")) or has_own(side)
        for side in SIDES
    )


def _drop_zone(*, example: bool) -> None:
    """The drop zone for all files, and beside it, with the example, the other ways to begin."""
    zone, others = st.columns([9, 10], vertical_alignment="center", gap="medium")
    number = st.session_state.setdefault(
        "both-number", 0
    )  # an uploader can't be emptied, only another one drawn
    zone.file_uploader(
        "Drop two maps, or one reference and several others",
        key=f"both-{number}",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        on_change=_take_files,
    )
    if error := st.session_state.pop("replay-error", None):
        show_error(error)
    if not example:
        return
    with others.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="try-maps"):
        st.button("Paste two maps", key="paste-maps", on_click=_open_cards)
        gallery()
        st.caption("The answer shown is an example.", width="content")


def _open_cards() -> None:
    """Open both cards to paste into; the example stays until a map is given."""
    st.session_state["pasting"] = st.session_state.get("pasting", 0) + 1
    for side in SIDES:
        card_open = {side.state("card"): True, side.state("card-was"): False}
        st.session_state.update({side.state("source"): "Paste", **card_open})


def _take_files() -> None:
    state = st.session_state
    files = state[f"both-{state['both-number']}"]
    state["both-number"] += 1
    if len(files) == 1 and REPLAY_MARK in (content := files[0].getvalue()):
        try:
            _open_replay(content)
        except TTEDError as error:
            state["replay-error"] = error
        return
    if len(files) == 1:
        side = LEFT if has_own(RIGHT) or not has_own(LEFT) else RIGHT
        other = RIGHT if side is LEFT else LEFT
        if not has_own(other) and not state.get(other.state("chosen")):
            put_values(other, empty_values(other, SOURCES[0]))
        given = {side: files}
    else:
        named, is_named = guess_reference([file.name for file in files])
        reference = next(file for file in files if not is_named or file.name == named)
        given = {LEFT: [reference], RIGHT: [file for file in files if file is not reference]}
    for side, its_files in given.items():
        put_values(side, empty_values(side, "Upload") | {side.state("files"): its_files})


def _open_replay(content: bytes) -> None:
    """Put the contents of a replay file into the widgets."""
    replay = read_replay(content)
    values = inputs_of(replay.method)
    for side, mind_map in ((LEFT, replay.left), (RIGHT, replay.right)):
        put_text(side.key, mind_map.tree)
        values |= {
            side.state("floating"): False,
            side.state("roots"): ROOTS[0],
            side.state("field"): "",
        }
    st.session_state.update(values | {ENCODER_KEPT: True})
    trees = (each.tree for each in (replay.left, replay.right))
    turn_choices_to(*(tree.trimmed(replay.method.depth or tree.depth) for tree in trees))
    st.session_state.update({"choices": replay.choices, "replayed": replay})
    for name in ("preset", "replayed-as"):
        st.session_state.pop(name, None)


def _swap() -> None:
    nothing = {"text": "", "files": [], "chosen": False}
    left, right = (
        {name: st.session_state.get(side.state(name), nothing.get(name)) for name in EXCHANGED}
        for side in SIDES
    )
    for side, values in ((LEFT, right), (RIGHT, left)):
        given = {side.state(name): value for name, value in values.items()}
        put_values(side, {**given, side.state("origin"): None})


def _empty() -> None:
    for side in SIDES:
        put_values(
            side, empty_values(side, SOURCES[0]) | {side.state("text"): "", side.state("chosen"): False}
        )
