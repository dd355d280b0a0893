"""The fields of a review into which comments are typed: what is in them stays, though it can't be saved yet."""

from collections.abc import Callable

import streamlit as st

from tted_core.annotate.reviews import ANNOTATOR, Judgement, Subject, Task
from tted_core.limits import MAX_COMMENT_CHARACTERS
from ui.annotate.unsaved import Key, drop_lost_comment, identity, key_of, lost_comment, own_revision


class CommentFields:
    """The fields of one annotator and task; ``judged`` is the caller's, who adds what is saved."""

    def __init__(self, task: Task, person: str, judged: dict[Subject, Judgement]) -> None:
        self.task, self.person, self.judged = task, person, judged
        self.numbers: dict[Key, tuple[int, int]] = st.session_state.setdefault("review-fields", {})

    def draw(self, pair: Subject, label: str, changed: Callable[[Subject], None]) -> None:
        """Draw a field, and below it what couldn't be saved of it; ``changed`` is called when one leaves it."""
        st.text_area(
            label,
            value=self.saved(pair),
            key=self._name(pair),
            height=68,
            max_chars=MAX_COMMENT_CHARACTERS,
            on_change=changed,
            args=(pair,),
            help="Saved when you leave the field, or by Ctrl+Enter.",
        )
        key = key_of(self.task, ANNOTATOR, self.person, pair)
        if lost := lost_comment(key):
            st.caption(
                "This was typed here, and is not saved: another window changed the judgement meanwhile."
            )
            st.code(lost, language=None, wrap_lines=True)
            st.button("Drop it", key=f"drop-{pair}", on_click=drop_lost_comment, args=(key,))

    def saved(self, pair: Subject) -> str:
        """The comment that the judgement has."""
        old = self.judged.get(pair)
        return old.comment if old else ""

    def typed(self, pair: Subject) -> str:
        """What is in the field; a decision saves it too, as its click may interrupt the field's callback."""
        text: str = st.session_state.get(self._name(pair), self.saved(pair))
        return text.strip()

    def _name(self, pair: Subject) -> str:
        # A comment that another window has saved must appear here, and so there is a new field for each revision
        # that isn't this window's own; in the same field one can type on while what it had is being saved.
        old = self.judged.get(pair)
        revision = old.revision if old else 0
        key = key_of(self.task, ANNOTATOR, self.person, pair)
        number, known = self.numbers.get(key, (0, revision))
        if revision not in {known, own_revision(key)}:
            number += 1
        self.numbers[key] = number, revision
        return f"comment-{identity(self.task)}-{self.person}-{pair}-{number}"
