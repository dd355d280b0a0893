"""Replay files on the page: dropped, they put maps and options back, and the result is checked against theirs."""

import streamlit as st

from tted_core import Comparison, MindMap, TTEDError
from tted_core.formats import ROOTS
from tted_core.report.replay import Replay, differences, read_replay
from ui.compare.choices import put_choices
from ui.errors import show_error
from ui.map_tools import put_text
from ui.options import ENCODER_KEPT, inputs_of
from ui.sides import LEFT, RIGHT, Side
from ui.text import markdown_escaped

MARK = b'"tted_replay"'
"""What a replay file, and no map, holds."""


def check_replay(result: Comparison) -> None:
    """After a replay file was opened: tell whether the result is the one in the file, until something changes."""
    replay: Replay | None = st.session_state.get("replayed")
    if replay is None:
        return
    if st.session_state.setdefault("replayed-as", result.signature) != result.signature:
        del st.session_state["replayed"]
        return
    found = differences(replay, result)
    if found:
        st.warning(
            markdown_escaped(f"The result is not the one in the replay file: {'; '.join(found)}."),
            icon=":material/warning:",
        )
    else:
        st.success(f"Restored from the replay file: same signature, same score (TTED {result.tted:.4f}).")


def show_replay_error() -> None:
    """Say once why the replay file that was dropped can't be opened."""
    if error := st.session_state.pop("replay-error", None):
        show_error(error)


def open_replay(content: bytes) -> None:
    """Put what a replay file says into the widgets; for a widget's callback."""
    state = st.session_state
    try:
        replay = read_replay(content)
        inputs = inputs_of(replay.method)
    except TTEDError as error:
        state["replay-error"] = error
        return
    for side, mind_map in ((LEFT, replay.left), (RIGHT, replay.right)):
        _put(side, mind_map)
    state.update(inputs | {ENCODER_KEPT: True})
    depth = replay.method.depth
    trees = (side.tree if depth is None else side.tree.trimmed(depth) for side in (replay.left, replay.right))
    put_choices(replay.choices, *trees)
    state.pop("preset", None)
    state["replayed"] = replay
    state.pop("replayed-as", None)


def _put(side: Side, mind_map: MindMap) -> None:
    put_text(side.key, mind_map.tree)
    st.session_state.update(
        {side.state("roots"): ROOTS[0], side.state("root"): "", side.state("field"): ""}
        | {side.state(name): False for name in ("floating", "talk", "unmarked")}
    )
