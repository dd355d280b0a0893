"""Decide two maps of one document into one: a choice for each change, kept by the two maps, and the map so far."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import cast

import streamlit as st

from tted_core import Comparison, MindMap, parse_map
from tted_core.annotate.decisions import Mark, marks
from tted_core.annotate.merge import Choice, Decision, Merge, change_key, merge, open_changes
from tted_core.annotate.merge_log import log_csv, log_json
from tted_core.explain.changes import Change, grouped
from tted_core.formats import map_text
from tted_core.foundations.limits import MAX_BYTES
from tted_core.method import Method
from ui import cache, samples
from ui.annotate.marking import set_marks, take_back
from ui.annotate.outline import outline_html
from ui.comparisons import compared
from ui.map_tools import save_map
from ui.mapping.outline import take_pick
from ui.mapping.selection import select, selected
from ui.mapping.view import mapping_view
from ui.text import markdown_escaped, plural, shortened

FILES, KEPT, AT, HISTORY = "decide-files", "decide-kept", "decide-at", "decide-history"
"""Session keys: the upload, what is kept of it, the change on screen, and the marks before each step."""

KEYS: dict[Choice, tuple[str, str]] = {
    "left": ("Take left", "1"),
    "right": ("Take right", "2"),
    "both": ("Both", "3"),
    "neither": ("Neither", "4"),
}
"""Choice -> its button and key."""

TEXT = 160
"""Characters shown of a sentence."""


def decide(sidebar: Callable[[], Method]) -> None:
    """Draw the choice of two maps, the changes with their decisions, and the map so far."""
    options = sidebar()
    left, right = _maps()
    comparison = compared(left, right, options)
    changes = open_changes(comparison)
    if not changes:
        st.success("The two maps are the same.", icon=":material/check_circle:")
        return
    scope = sha256(f"{left.tree.digest} {right.tree.digest}".encode()).hexdigest()
    kept = marks(scope)
    decisions = {
        key: Decision(cast("Choice", kept[key].value), kept[key].note)
        for key in map(change_key, changes)
        if key in kept
    }
    _follow_the_outline(comparison)
    _draw_changes(comparison, changes, scope, decisions)
    mapping_view(comparison)
    _draw_outcome(comparison, merge(comparison, decisions))


def _maps() -> tuple[MindMap, MindMap]:
    """Draw the upload of two maps; an example while there are none."""
    given = st.file_uploader(
        "Two maps of one document",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key=FILES,
        on_change=_keep,
    )
    files: Sequence[tuple[str, bytes]] = st.session_state.get(KEPT, ())
    if len(files) < 2:
        st.caption("Showing an example until two maps are in." if not files else "Add the second map.")
        paths = [samples.FOLDER / samples.OPENING_TOPIC / name for name in samples.OPENING_PAIR]
        files = [(path.name, cache.sample_content(path)) for path in paths]
    elif not given or len(files) > 2:
        names = " and ".join(f"**{markdown_escaped(shortened(name, 60))}**" for name, _ in files[:2])
        st.caption(f"Left and right map: {names}. Upload two others to replace them.")
    left, right = (parse_map(content, name=name) for name, content in files[:2])
    return left, right


def _keep() -> None:
    """Keep the upload, which Streamlit forgets as soon as another tab is open; for a widget's callback."""
    st.session_state[KEPT] = tuple((file.name, file.getvalue()) for file in st.session_state[FILES])


def open_in_decide(*maps: tuple[str, MindMap]) -> None:
    """Open two maps, with their names, on this tab; for a widget's callback."""
    st.session_state[KEPT] = tuple((name, map_text(each.tree, "json")[0].encode()) for name, each in maps)
    st.session_state["annotate"] = "Decide"


def _follow_the_outline(comparison: Comparison) -> None:
    """Let the change of a node that was picked in the outline be the one on screen."""
    before = selected()
    take_pick()
    if selected() != before and selected():
        found, node = grouped(comparison), selected()
        side, number = (0, node.source) if node.source is not None else (1, node.target)
        change = found.change_of[found.at[side][number or 0]]
        if change is not None:
            st.session_state[AT] = change_key(found.changes[change])


def _draw_changes(
    comparison: Comparison, changes: Sequence[Change], scope: str, decisions: dict[str, Decision]
) -> None:
    """Draw how far one is, the change on screen with its buttons, and what can be done to many at once."""
    keys = [change_key(each) for each in changes]
    still_open = [key for key in keys if key not in decisions]
    first = still_open[0] if still_open else keys[0]
    at = str(st.session_state.get(AT))
    at = at if at in keys else first
    position = keys.index(at)
    change, decision = changes[position], decisions.get(at)
    done = len(keys) - len(still_open)
    st.progress(done / len(keys), f"{done} of {len(keys)} decided and saved")
    texts = (
        f"{side}: {markdown_escaped(shortened(tree.labels[node], TEXT))}"
        for side, tree, node in (
            ("**Left**", comparison.left.tree, change.source),
            ("**Right**", comparison.right.tree, change.target),
        )
        if node is not None
    )
    nodes = f", {plural(change.nodes, 'node')}" if change.nodes > 1 else ""
    now = f" · decided: **{decision.choice}**" if decision else ""
    st.markdown("  \n".join((f"Change {position + 1}: *{change.kind}*{nodes}{now}", *texts)))
    note_key = f"decide-note-{scope[:12]}-{at}"
    st.session_state.setdefault(note_key, decision.note if decision else "")
    following = next((key for key in (*keys[position + 1 :], *keys[:position]) if key in still_open), at)
    steps = {each: changes[keys.index(each)] for each in keys}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for choice, (label, key) in KEYS.items():
            st.button(
                label,
                shortcut=key,
                type="primary" if decision and decision.choice == choice else "secondary",
                key=f"decide-{choice}",
                on_click=_take,
                args=(scope, {at: choice}, note_key, steps[following]),
            )
        st.button("Undo", shortcut="u", disabled=not st.session_state.get(HISTORY), on_click=_undo)
        for label, key, step in (("Previous", "k", -1), ("Next", "j", 1)):
            goal = changes[(position + step) % len(keys)]
            st.button(label, shortcut=key, type="tertiary", on_click=_go, args=(goal,))
        st.text_input("Note", key=note_key, on_change=_note, args=(scope, at, note_key), width=260)
        _draw_many(scope, changes, still_open, steps[at])


def _draw_many(scope: str, changes: Sequence[Change], still_open: Sequence[str], at: Change) -> None:
    """Draw one choice for all open changes of a kind."""
    count = Counter(each.kind for each in changes if change_key(each) in still_open)
    with st.popover("All of a kind", disabled=not count):
        kind = st.selectbox(
            "Open changes that are", list(count), format_func=lambda kind: f"{kind} ({count[kind]})"
        )
        for choice, (label, _) in KEYS.items():
            given = {change_key(each): choice for each in changes if each.kind == kind}
            st.button(
                label,
                key=f"decide-all-{choice}",
                on_click=_take,
                args=(scope, {key: choice for key in given if key in still_open}, None, at),
            )


def _take(scope: str, choices: dict[str, Choice], note_key: str | None, following: Change) -> None:
    note = st.session_state.get(note_key, "") if note_key else ""
    set_marks(HISTORY, scope, {key: Mark(choice, note) for key, choice in choices.items()})
    _go(following)


def _note(scope: str, key: str, note_key: str) -> None:
    """Keep a note of a change that is decided; of another one, its decision keeps it."""
    kept = marks(scope).get(key)
    if kept:
        set_marks(HISTORY, scope, {key: Mark(kept.value, st.session_state[note_key])})


def _undo() -> None:
    st.session_state[AT] = next(iter(take_back(HISTORY)))


def _go(change: Change) -> None:
    st.session_state[AT] = change_key(change)
    select(change.source, change.target)


def _draw_outcome(comparison: Comparison, merged: Merge) -> None:
    """Draw the map so far and what can be saved."""
    st.header("The map so far", anchor=False)
    st.caption(
        f"{plural(len(merged.tree), 'node')}. Of open changes the left side is taken. Marked nodes hang below the "
        "nearest ancestor that stayed, as their parent was dropped."
    )
    left, right = st.columns([3, 1], gap="medium")
    with left.container(height=420):
        st.html(outline_html(merged.tree, merged.lifted, "decide"))
    with right:
        save_map("decide", merged.tree)
        for ending, write in (("json", log_json), ("csv", log_csv)):
            st.download_button(
                f"Decisions as {ending.upper()}",
                write(comparison, merged),
                file_name=f"decisions.{ending}",
                on_click="ignore",
                key=f"decide-log-{ending}",
                help="With the two maps, the command *tted merge* makes the same map of it.",
            )
