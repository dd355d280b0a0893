"""A mark and a comment on one pair of a batch: buttons and a field, on whichever page shows the pair."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from tted_core import TTEDError
from tted_core.batch.notes import MARKS, Note, Pair, unreadable_notes, write_note
from tted_core.errors import ConflictError, OptionsError
from tted_core.foundations.limits import MAX_COMMENT_CHARACTERS
from ui.errors import show_error

KEYS = {"right": "A", "wrong": "X", "unsure": "U"}
"""Mark -> the key that sets it, as on the Annotate page."""

PROBLEM = "pair-note-problem"

SEEN = "pair-note-seen"
"""The note that this session has shown or written last: somebody else's later one is not replaced."""


def note_inputs(folder: Path, pair: Pair, note: Note) -> None:
    """Draw them; a second click on a mark takes it back."""
    st.session_state[SEEN] = note
    for mark, sign in MARKS.items():
        st.button(
            f"{sign} {mark.capitalize()}",
            key=f"pair-mark-{mark}",
            shortcut=KEYS[mark],
            type="primary" if note.mark == mark else "secondary",
            on_click=_mark,
            args=(folder, pair, mark),
        )
    key = f"pair-comment-{hash((folder, pair))}"
    st.session_state[key] = note.comment  # somebody else's, perhaps
    st.text_input(
        "Comment on this pair",
        key=key,
        max_chars=MAX_COMMENT_CHARACTERS,
        placeholder="Comment on this pair",
        label_visibility="collapsed",
        width=260,
        on_change=_comment,
        args=(folder, pair, key),
    )
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        show_error(problem)
    unreadable = unreadable_notes(folder)
    if unreadable:
        st.caption(
            ":material/warning: Older notes on these results can't be read; their file is now called "
            f"{unreadable}."
        )


def _mark(folder: Path, pair: Pair, mark: str) -> None:
    _change(folder, pair, lambda note: Note("" if note.mark == mark else mark, note.comment))


def _comment(folder: Path, pair: Pair, key: str) -> None:
    comment = str(st.session_state[key])
    _change(folder, pair, lambda note: Note(note.mark, comment))


def _change(folder: Path, pair: Pair, how: Callable[[Note], Note]) -> None:
    """Write what becomes of the note that was shown; whoever typed a comment in vain gets it back."""
    seen: Note = st.session_state[SEEN]
    wanted = how(seen)
    try:
        st.session_state[SEEN] = write_note(folder, pair, wanted, seen=seen)
    except ConflictError as error:
        typed = f'; you wrote: "{wanted.comment}"' if wanted.comment != seen.comment else ""
        st.session_state[PROBLEM] = OptionsError(f"{error}{typed}")
    except TTEDError as error:
        st.session_state[PROBLEM] = error
