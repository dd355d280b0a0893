"""The two maps of the Compare page: dropped at once, pasted or tried, then one line in which they are changed."""

import re
from typing import Any

import streamlit as st

from tted_core import MindMap
from tted_core.batch.plans import guess_reference
from tted_core.compare import trimmed
from tted_core.errors import LimitError
from tted_core.foundations.limits import MAX_BYTES
from ui import cache, samples
from ui.compare.replay import MARK, open_replay, show_replay_error
from ui.gallery import gallery
from ui.inputs import Found, card, found_on
from ui.sides import GIVEN, LEFT, RIGHT, SAMPLE, SIDES, SOURCES, Side, empty_values, has_own, put_values
from ui.text import markdown_escaped, plural, shortened

EXCHANGED = ("chosen", "topic", "file", *GIVEN)
"""What two sides exchange."""


TRIED = {
    "coral-reefs": "demo.json",
    "photosynthesis": "structure_1.json",
    "baikal": "paraphrase_1.json",
}
"""Topics of samples that are offered by a click -> the right map."""


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
"""Run once for each press of the button that opens both boxes: the left has the focus, Tab leads to the right."""

HIDDEN = ":has(> .st-key-map-cards) { display: none; }"
"""The style of the cards while the example is shown, whose line they only repeat."""


def map_inputs() -> tuple[MindMap | None, MindMap | None]:
    """Draw what asks for two maps, folded to one line once they are there; a side is None while it has none.

    While neither side has been given anything, the maps of an example are returned.
    """
    found = [_comparable(side, found_on(side)) for side in SIDES]
    left, right = (None if each.error else each.mind_map for each in found)
    missing, example = left is None or right is None, nothing_given()
    closed = not any(st.session_state.get(side.state("card")) for side in SIDES)
    with st.container(key="new-maps"):  # there in every run, so that the cards keep their place
        if missing:
            _drop_zone(example=example)
            show_replay_error()
            if wanted := _wanted(found, cards_open=not closed):
                st.markdown(wanted)
    if example:
        left, right = (_opening_sample(side) for side in SIDES)
    with st.container(key="map-cards"):
        # Hidden, as Streamlit forgets what isn't drawn.
        st.html(f"<style>{HIDDEN if example and closed else ''}</style>")
        first, middle, second, last = st.columns([10.6, 2.2, 10.6, 4.6], gap="small")
    for side, each, mind_map, column in zip(SIDES, found, (left, right), (first, second), strict=True):
        # An open card stays as it is while the other side gets its map: with another line, or begun open instead
        # of folded, it would be another card to Streamlit, and lose what is being typed into it.
        folded = example and not st.session_state.get(side.state("card"))
        label = f"**Example**: {_title(mind_map)}" if folded and mind_map else ""
        with column:
            card(side, each, expanded=missing and not folded, label=label)
    with middle.container(key="swap-maps"):
        if not missing:
            st.button("⇄ Swap", key="swap", on_click=_swap, type="tertiary")
    if count := st.session_state.get("pasting"):
        st.html(FOCUS_TO_PASTE % count, unsafe_allow_javascript=True)
    asked = False
    with last:
        if not missing:
            st.button("New comparison", key="other-maps", on_click=_empty, help="Empties both sides")
        elif any(st.session_state[side.state("card")] for side in SIDES):
            asked = st.button("Compare", key="compare-now", type="primary", width="stretch")
    if asked:
        st.warning(
            f"Nothing to compare yet: {_lacking(found)} missing. Paste, drop a file or choose a sample.",
            icon=":material/warning:",
        )
    return left, right


MARKED = re.compile(r"(\*\*|__|`)(?=\S).+?(?<=\S)\1|</?(?:b|i|em|strong)>")
"""Marks of emphasis in a text that was read as it stands."""


def tell_reading(left: MindMap, right: MindMap) -> None:
    """One line where the maps were read by rules that differ and change the distance, with what repairs it."""
    maps = dict(zip(SIDES, (left, right), strict=True))
    for side, other in (SIDES, SIDES[::-1]):
        mine, name = maps[side], side.title.lower()
        if st.session_state.get(side.state("talk")) and not st.session_state.get(other.state("talk")):
            told = f"What is said around the {name} is compared as nodes, and around the other map it is not."
            _offer(told, f"Leave it out of the {name}", {side.state("talk"): False})
        elif mine.joined and not maps[other].joined and mine.tree.labels[0] != maps[other].tree.labels[0]:
            told = (
                f"The {name} has {mine.joined} roots, so a node was put above them that costs like any other; "
                "the other map has a root of its own."
            )
            root = maps[other].tree.labels[0]
            _offer(told, f"Call it “{shortened(root, 40)}” too", {side.state("root"): root})
        elif _is_marked(mine) and not _is_marked(maps[other]):
            told = f"Texts of the {name} hold marks such as **, which change its distance; the other map's don't."
            _offer(told, f"Take the marks off the {name}", {side.state("unmarked"): True})
        else:
            continue
        return


def _is_marked(mind_map: MindMap) -> bool:
    return any(MARKED.search(label) for label in mind_map.tree.labels)


def _offer(told: str, repair: str, values: dict[str, object]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="read-differently"):
        st.markdown(f":material/info: {markdown_escaped(told)}", width="content")
        st.button(
            markdown_escaped(repair), key="read-alike", on_click=st.session_state.update, args=(values,)
        )


def _title(mind_map: MindMap) -> str:
    return (
        f"{markdown_escaped(shortened(mind_map.tree.labels[0], 24))} · {plural(len(mind_map.tree), 'node')}"
    )


def _comparable(side: Side, found: Found) -> Found:
    """The same; with what is wrong if the map is too large to be compared to the depth that is set."""
    if found.mind_map is None:
        return found
    depth = st.session_state.get("depth")
    try:
        trimmed(found.mind_map, depth, side.key)
    except LimitError as error:
        return Found(found.name, found.mind_map, error)
    return found


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


def _wanted(found: list[Found], *, cards_open: bool) -> str:
    """What is still to be given; nothing where what was given is wrong, which its card says."""
    if nothing_given():
        return "**Add two maps**. Until then, the answer below is the example's." if cards_open else ""
    if any(each.error for each in found):
        return ""
    lacking = [side.title.lower() for side, each in zip(SIDES, found, strict=True) if not each.mind_map]
    return f"**Add the {' and the '.join(lacking)}**: paste it, drop a file or choose a sample."


def _lacking(found: list[Found]) -> str:
    """The sides without a map that can be compared, with the verb."""
    names = [
        side.title.lower() for side, each in zip(SIDES, found, strict=True) if each.error or not each.mind_map
    ]
    return f"the {names[0]} is" if len(names) == 1 else f"the {' and the '.join(names)} are"


def _drop_zone(*, example: bool) -> None:
    """The place where both files are dropped, and beside it, with the example, the other ways to begin."""
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
    if not example:
        return
    with others.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="try-maps"):
        st.button("Paste two maps", key="paste-maps", on_click=_open_cards)
        st.markdown("Try:", width="content")
        for topic in TRIED:
            title = samples.topic_title(topic)
            st.button(title, key=f"try-{topic}", on_click=_try, args=(topic,), type="tertiary")
        gallery()


def _open_cards() -> None:
    """Open both cards to paste into; the example stays until a map is given."""
    st.session_state["pasting"] = st.session_state.get("pasting", 0) + 1
    for side in SIDES:
        card_open = {side.state("card"): True, side.state("card-was"): False}
        st.session_state.update({side.state("source"): "Paste", **card_open})


def _try(topic: str) -> None:
    for side, file in zip(SIDES, ("base.json", TRIED[topic]), strict=True):
        values = {"source": SAMPLE, "topic": topic, "file": file, "chosen": True, "origin": None}
        put_values(side, {side.state(name): value for name, value in values.items()})


def _take_files() -> None:
    state = st.session_state
    files = state[f"both-{state['both-number']}"]
    state["both-number"] += 1
    if len(files) == 1 and MARK in (content := files[0].getvalue()):
        open_replay(content)
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
