"""Decide two maps of one document into one: a choice for each change, kept by the two maps, and the map so far."""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

import streamlit as st

from tted_core import MindMap
from tted_core.annotate.decisions import Mark, marks
from tted_core.annotate.merge import Merge, change_key, change_texts, log_json, merge, open_changes
from tted_core.explanation import Change, Explanation
from tted_core.foundations.messages import list_some
from ui import samples
from ui.annotate.editing import draw_neighbours, draw_undo, set_marks, take_back
from ui.annotate.worklist import outline_html
from ui.comparisons import compare_watched
from ui.map_card import draw_save_map, read_watched
from ui.map_source import SampleFile, Uploaded, read
from ui.mapping.view import draw_mapping, explain_comparison, read_selection, select, take_pick
from ui.options import sidebar
from ui.text import counted, markdown_escaped, shorten

# Session keys: the upload, the change on screen, and the marks before each step.
KEPT, CHANGE_AT, DECISIONS_BEFORE = "decide-kept", "decide-at", "decide-history"

# Choice -> its button and key.
_KEYS = {
    "left": ("Take left", "1"),
    "right": ("Take right", "2"),
    "both": ("Both", "3"),
    "neither": ("Neither", "4"),
}

_TEXT = 160  # characters shown of a sentence


def decide() -> None:
    """Draw the choice of two maps, the changes with their decisions, and the map so far."""
    options = sidebar()
    left, right = _maps()
    comparison = compare_watched(left, right, options)
    explanation = explain_comparison(comparison)
    changes = open_changes(explanation)
    if not changes:
        st.success("The two maps are the same.", icon=":material/check_circle:")
        return
    scope = sha256(f"{left.tree.digest} {right.tree.digest}".encode()).hexdigest()
    decisions = {key: mark for key, mark in marks(scope).items() if key in changes}
    _follow_the_outline(explanation)
    _draw_changes(changes, scope, decisions)
    draw_mapping(comparison)
    _draw_outcome(explanation, merge(explanation, decisions))


def _maps() -> tuple[MindMap, MindMap]:
    """Draw the upload of two maps; an example while there are none."""
    draw_upload("Two maps of one document", KEPT)
    files: Sequence[tuple[str, bytes | MindMap]] = st.session_state.get(KEPT, ())
    if len(files) < 2:
        st.caption(f"Showing an example until {'the second map is' if files else 'two maps are'} in.")
        files = [(file, read(SampleFile(file))) for file in samples.OPENING.values()]
    elif len(files) > 2:
        st.warning(
            f"Only the first two of {len(files)} files are compared: {_names(files[:2])}. "
            "Remove or replace files to compare others."
        )
    left, right = (
        content
        if isinstance(content, MindMap)
        else read_watched(f"read-decide-{number}", Uploaded(((name, content),))).shown
        for number, (name, content) in enumerate(files[:2])
    )
    return left, right


def draw_upload(label: str, key: str) -> None:
    """Draw an upload that the session keeps, which Streamlit forgets as soon as another tab is open."""
    widget = f"{key}-files"
    st.file_uploader(label, accept_multiple_files=True, key=widget, on_change=_keep, args=(widget, key))
    kept = st.session_state.get(key)
    if kept and not st.session_state[widget]:
        st.caption(f"Current files: {_names(kept)}. Upload others to replace them.")


def _names(files: Sequence[tuple[str, bytes | MindMap]]) -> str:
    return markdown_escaped(list_some(f"“{name}”" for name, _ in files))  # a name may have commas


def _keep(widget: str, key: str) -> None:
    st.session_state[key] = tuple((file.name, file.getvalue()) for file in st.session_state[widget])


def open_in_decide(left: MindMap, right: MindMap) -> None:
    """Open two maps on this tab; for a widget's callback."""
    st.session_state[KEPT] = tuple((each.name or "map", each) for each in (left, right))
    st.session_state["annotate"] = "Decide"


def _follow_the_outline(explanation: Explanation) -> None:
    """Let the change of a node that was picked in the outline be the one on screen."""
    before = read_selection()
    take_pick()
    node = read_selection()
    if node and node != before:
        left, right = explanation.nodes
        change = (left[node.source] if node.source is not None else right[node.target or 0]).sentence.change
        if change:
            st.session_state[CHANGE_AT] = change_key(change)


def _draw_changes(changes: Mapping[str, Change], scope: str, decisions: Mapping[str, Mark]) -> None:
    """Draw how far one is, the change on screen with its buttons, and what can be done to many at once."""
    keys = list(changes)
    still_open = [key for key in keys if key not in decisions]
    at = str(st.session_state.get(CHANGE_AT))
    at = at if at in changes else (still_open or keys)[0]
    index, change, decision = keys.index(at), changes[at], decisions.get(at)
    done = len(keys) - len(still_open)
    st.progress(done / len(keys), f"{done} of {len(keys)} decided and saved")
    nodes = f", {counted(change.size, 'node')}" if change.size > 1 else ""
    lines = [f"Change {index + 1}: *{change.kind}*{nodes}"]
    if decision:
        lines[0] += f" · decided: **{decision.value}**"
    for side, text in zip(("Left", "Right"), change_texts(change), strict=True):
        said = "*not in this map*" if text is None else markdown_escaped(shorten(text, _TEXT))
        lines.append(f"**{side}**: {said}")
    st.markdown("  \n".join(lines))
    note_key = f"decide-note-{scope[:12]}-{at}"
    st.session_state.setdefault(note_key, decision.note if decision else "")
    following = next((key for key in (*keys[index + 1 :], *keys[:index]) if key in still_open), at)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for choice, (label, key) in _KEYS.items():
            st.button(
                label,
                shortcut=key,
                type="primary" if decision and decision.value == choice else "secondary",
                key=f"decide-{choice}",
                on_click=_take,
                args=(scope, [at], choice, note_key, changes[following]),
            )
        draw_undo(DECISIONS_BEFORE, _undo)
        draw_neighbours(_go, changes[keys[index - 1]], changes[keys[(index + 1) % len(keys)]])
        st.text_input("Note", key=note_key, on_change=_note, args=(scope, at, note_key), width=260)
        count = Counter(changes[key].kind for key in still_open)
        with st.popover("All of a kind", disabled=not count):
            kind = st.selectbox(
                "Open changes that are", list(count), format_func=lambda kind: f"{kind} ({count[kind]})"
            )
            of_kind = [key for key in still_open if changes[key].kind == kind]
            for choice, (label, _) in _KEYS.items():
                args = (scope, of_kind, choice, None, change)
                st.button(label, key=f"decide-all-{choice}", on_click=_take, args=args)


def _take(scope: str, keys: Sequence[str], choice: str, note_key: str | None, following: Change) -> None:
    note = st.session_state.get(note_key, "") if note_key else ""
    set_marks(DECISIONS_BEFORE, scope, dict.fromkeys(keys, Mark(choice, note)))
    _go(following)


def _note(scope: str, key: str, note_key: str) -> None:
    """Keep a note of a change that is decided; of another one, its decision keeps it."""
    kept = marks(scope).get(key)
    if kept:
        set_marks(DECISIONS_BEFORE, scope, {key: Mark(kept.value, st.session_state[note_key])})


def _undo() -> None:
    st.session_state[CHANGE_AT] = next(iter(take_back(DECISIONS_BEFORE)))


def _go(change: Change) -> None:
    st.session_state[CHANGE_AT] = change_key(change)
    select(*change.ends)


def _draw_outcome(explanation: Explanation, merged: Merge) -> None:
    st.header("The map so far", anchor=False)
    st.caption(
        f"{counted(len(merged.tree), 'node')}. Of open changes the left side is taken. Marked nodes hang below "
        "the nearest ancestor that stayed, as their parent was dropped."
    )
    left, right = st.columns([3, 1], gap="medium")
    with left.container(height=420):
        st.html(outline_html(merged.tree, merged.lifted, "decide"))
    with right:
        draw_save_map("decide", merged.tree)
        st.download_button(
            "Decisions (JSON)",
            log_json(explanation, merged),
            file_name="decisions.json",
            on_click="ignore",
            key="decide-log",
            help="With the two maps, the command *tted merge* makes the same map of it.",
        )
