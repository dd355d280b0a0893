"""Review a mapping pair by pair: each judgement is in the database before the next pair is shown.

The page asks one question at a time. What could sway its answer (costs, the signature, what others say) is shown
once all pairs of a mapping are judged.
"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import TTEDError
from tted_core.annotate.reviews import (
    DECISIONS,
    READER,
    REVIEWER,
    UNDECIDED,
    VERDICTS,
    Judgement,
    ReviewStore,
    Subject,
    Task,
    is_blind,
)
from ui.annotate.pairs import (
    ANSWERS,
    GUIDELINES,
    WHOLE,
    comparison_of,
    mine,
    next_open,
    node_texts,
    overruled,
    pair_html,
    pairs_of,
    question,
    said,
    said_of_mine,
)
from ui.annotate.people import person_input, shown_outcome, signed_in, store
from ui.annotate.queue import Work, chosen_work
from ui.annotate.unsaved import (
    CommentFields,
    fragment_until_saved,
    identity,
    kept_until_saved,
    recalled,
    save,
    unsaved,
)
from ui.exports import data_table
from ui.mapping.view import mapping_view
from ui.text import markdown_escaped, plural, shortened

KEYS = (
    "Keys: as the buttons say, **N** next open pair, **1 2 3** for the verdict, **M** next mapping. While a field "
    "has the focus, they belong to it: click beside it first."
)
ACCEPT, REJECT, REPAIR = DECISIONS[:3]


def review(_sidebar: object) -> None:
    """Draw who works on what, the pair, the verdict, and all pairs."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        if reviews.visitor.role == READER:
            st.info("You are a reader: judging is for reviewers, and *Study* shows what was said.")
            return
        person = person_input(reviews, "Your name", "reviewer")
        if person is None:
            st.info("Write your name to begin, or to go on where you left off.")
            return
        work = chosen_work(reviews, person)
        if work is not None:
            _judged(work, person, pairs_of(work.task))
        overruled(reviews, person)


@st.fragment
def _judged(work: Work, person: str, pairs: Sequence[Subject]) -> None:
    """Draw a task with the guidelines beside it, or below it on a phone; a click there draws only this anew."""
    task, key = work.task, identity(work.task)
    with fragment_until_saved() as rerun_if_changed:
        said_here = recalled(
            ("judgements", key, person), lambda: work.reviews.judgements(task, person=person)
        )
        judged = mine(said_here, person) | mine(unsaved(task, REVIEWER), person)
        verdict = judged.get((None, None))
        blind = is_blind(pairs, judged.values())
        refused = isinstance(st.session_state.get("review-outcome"), TTEDError)
        rerun_if_changed((store().visitor, blind, verdict and verdict.decision, refused))
        left, right = st.columns([3, 1], gap="medium")
        with right, st.container(border=True, key="review-guidelines"):
            st.markdown(f"**Guidelines**\n\n{work.guidelines or GUIDELINES}")
        with left:
            session = _Session(work.reviews, task, person, pairs, judged)
            session.draw_pair(work.standing)
            session.draw_verdict(expanded=not blind)
        session.draw_table()
        if blind:
            st.caption("What others say is shown here once you have judged all pairs.")
            return
        judgements = recalled(("judgements", key), lambda: work.reviews.judgements(task))
        said_of_mine(task, pairs, judged, judgements)
        with st.expander("The whole mapping", key="review-mapping", on_change="rerun") as whole:
            if whole.open:
                mapping_view(comparison_of(task))


class _Session:
    """One run of the page for one reviewer and task; its methods are the buttons' callbacks too.

    ``judged`` is what was in the database when this page was drawn: a button saves with the revision that its
    visitor saw, so that a write from another window is noticed.
    """

    def __init__(
        self,
        reviews: ReviewStore,
        task: Task,
        person: str,
        pairs: Sequence[Subject],
        judged: dict[Subject, Judgement],
    ) -> None:
        self.reviews, self.task, self.person, self.pairs, self.judged = reviews, task, person, pairs, judged
        self.name = identity(task)  # a task that isn't in the database yet has no number
        self.place = f"review-at-{self.name}"
        self.comments = CommentFields(task, person, judged)
        if not 0 <= st.session_state.get(self.place, -1) < len(pairs):
            st.session_state[self.place] = next_open(pairs, judged) or 0

    @property
    def at(self) -> int:
        """The number of the pair on screen."""
        number: int = st.session_state[self.place]
        return number

    def draw_pair(self, standing: DeltaGenerator | None) -> None:
        """The question of the pair on screen, with its buttons and its comment; and how far one is, up there."""
        pair, total = self.pairs[self.at], len(self.pairs)
        decided = sum(self.judged[each].decision != UNDECIDED for each in self.pairs if each in self.judged)
        if standing is not None:
            verdict = self.judged.get((None, None))
            whole = f"✓ {verdict.decision}, " if verdict and verdict.decision != UNDECIDED else ""
            pairs = f"{plural(decided, 'pair')} judged" if decided else "not begun"
            standing.caption(f"You have: {whole}{pairs}.")
        judgement = self.judged.get(pair)
        # A key that is pressed belongs to the pair whose buttons the server has last drawn. They are drawn first,
        # so that nobody can see a pair and press a key which is still taken for the one before.
        shown = st.container(key="review-pair")
        with st.container(horizontal=True, key="review-buttons"):
            self._button("A", ACCEPT, judgement)
            self._button("X", REJECT, judgement)
            self._button("U", UNDECIDED, judgement)
            for label, shortcut, step in (("Previous", "Left", -1), ("Next", "Right", 1)):
                self._move(label, shortcut, (self.at + step) % total)
            self._move("Next open", "N", next_open(self.pairs, self.judged, (self.at + 1) % total))
        shown.progress(decided / total, f"{decided} of {plural(total, 'pair')} judged")
        shown.markdown(f"### {question(pair)}")
        shown.html(pair_html(pair, self.task.left, self.task.right))
        shown.markdown(f"**Pair {self.at + 1} of {total}** · {self._standing(judgement)}")
        if not shown_outcome("review-outcome"):
            st.caption(KEYS)
        self._draw_repair(pair)
        self._comment_field(pair, "Comment on this pair")

    def draw_verdict(self, *, expanded: bool) -> None:
        """The verdict on the map as a whole, with a comment of its own; open once all pairs are judged."""
        verdict = self.judged.get((None, None))
        now = verdict.decision if verdict else UNDECIDED
        with st.expander(WHOLE, expanded=expanded, key=f"review-verdict-{expanded}"):
            st.markdown(f"**Verdict on the whole mapping**: {now}")
            with st.container(horizontal=True):
                for number, name in enumerate(VERDICTS, 1):
                    st.button(
                        name.capitalize(),
                        shortcut=str(number),
                        key=f"verdict-{name}",
                        type="primary" if verdict and name == now else "secondary",
                        on_click=self._save,
                        args=((None, None), name),
                    )
            self._comment_field((None, None), "Comment on the whole mapping")

    def draw_table(self) -> None:
        """All pairs with what was said; a click on a row goes there."""
        with st.expander(f"All {len(self.pairs)} pairs", key="review-all", on_change="rerun") as table:
            if not table.open:
                return
            rows = []
            for pair in self.pairs:
                judgement = self.judged.get(pair)
                rows.append(
                    {
                        "Judgement": said(judgement, self.task.left, self.task.right) if judgement else "",
                        **node_texts(pair, self.task.left, self.task.right),
                        "Comment": judgement.comment if judgement else "",
                    }
                )
            data_table(
                pd.DataFrame(rows),
                "tted-review",
                key=f"review-rows-{self.name}",
                on_select=self._pick,
                selection_mode="single-row",
            )

    def _move(self, label: str, shortcut: str, goal: int | None) -> None:
        st.button(
            label,
            shortcut=shortcut,
            type="tertiary",
            disabled=goal is None,
            on_click=self._go,
            args=(goal,),
        )

    def _button(self, shortcut: str, decision: str, judgement: Judgement | None) -> None:
        glyph, answer = ANSWERS[decision].split(" ", 1)
        st.button(
            f"{glyph} {answer.capitalize()}",
            shortcut=shortcut,
            type="primary" if judgement and judgement.decision == decision else "secondary",
            on_click=self._save,
            args=(self.pairs[self.at], decision),
            key=f"decide-{decision}",
        )

    def _draw_repair(self, pair: Subject) -> None:
        source, target = pair
        tree, side = (self.task.left, "left") if source is None else (self.task.right, "right")
        nodes = [node for node in range(len(tree)) if source is None or node != target]
        if not nodes:
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            partner = st.selectbox(
                f"The right partner is this node of the {side} map",
                nodes,
                index=None,
                format_func=lambda node: f"{node}: {shortened(tree.labels[node], 120)}",
                key=f"partner-{self.name}-{self.at}",
                placeholder="Choose a node to re-pair",
            )
            st.button(
                "⇄ Re-pair",
                shortcut="P",
                disabled=partner is None,
                on_click=self._save,
                args=(pair, REPAIR, partner),
            )

    def _comment_field(self, pair: Subject, label: str) -> None:
        self.comments.draw(pair, label, self._comment_changed)
        self._save_comment(pair)  # what the callback had to leave: the next click may interrupt it

    def _standing(self, judgement: Judgement | None) -> str:
        if judgement is None:
            return "Not judged yet."
        what = markdown_escaped(shortened(said(judgement, self.task.left, self.task.right), 200))
        if not judgement.saved:
            return f"Not saved yet: **{what}**"
        return f"Saved: **{what}** ({_time(judgement)})"

    def _save(self, pair: Subject, decision: str, partner: int | None = None) -> None:
        whole, following = pair == (None, None), (self.at + 1) % len(self.pairs)
        if not whole and pair != self.pairs[self.at]:
            return  # a key pressed twice before the next pair was on screen: nobody has judged that one
        if not self._written(pair, decision, partner):
            return
        if not whole and decision != UNDECIDED:
            goal = next_open(self.pairs, self.judged, following)
            self._go(following if goal is None else goal)

    def _comment_changed(self, pair: Subject) -> None:
        self._save_comment(pair)

    def _save_comment(self, pair: Subject) -> bool:
        """Save what is in the field if the database has something else; False if it can't be saved."""
        old = self.judged.get(pair)
        if self.comments.typed(pair) == self.comments.saved(pair):
            return True  # a field that leaves the screen reports its text once more
        decision, partner = (old.decision, old.partner) if old else (UNDECIDED, None)
        return self._written(pair, decision, partner)

    def _written(self, pair: Subject, decision: str, partner: int | None) -> bool:
        old = self.judged.get(pair)
        revision = old.revision if old else 0
        judgement = Judgement(
            self.person, *pair, decision, partner, self.comments.typed(pair), revision=revision
        )
        try:
            saved = save(self.reviews, self.task, judgement)
        except TTEDError as error:
            st.session_state["review-outcome"] = error
            return False
        self.judged[pair] = saved
        if not saved.saved:
            return True
        what = "the verdict" if pair == (None, None) else f"pair {1 + self.pairs.index(pair)}"
        st.session_state["review-outcome"] = (
            f"Saved {what}: {ANSWERS.get(decision, decision)} ({_time(saved)})"
        )
        return True

    def _go(self, number: int) -> None:
        if self._save_comment(self.pairs[self.at]):
            st.session_state[self.place] = number

    def _pick(self) -> None:
        rows = st.session_state[f"review-rows-{self.name}"].selection.rows
        if rows:
            self._go(rows[0])


def _time(judgement: Judgement) -> str:
    return f"{judgement.saved[11:19]} UTC"
