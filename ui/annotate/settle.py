"""Settle disputes one by one: what the reviewers say of a pair and why, what holds, and a third who decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from tted_core.annotate.reviews import (
    ADJUDICATOR,
    REVIEWER,
    Judgement,
    Outcome,
    ReviewStore,
    Subject,
    Task,
    blind_votes,
    is_blind,
    outcomes,
)
from tted_core.annotate.studies import Judged, Studies, agreement_of_study
from tted_core.foundations.limits import MAX_COMMENT_CHARACTERS
from ui.annotate.pairs import ANSWERS, node_texts, pair_html, question, said
from ui.annotate.people import keep_outcome, person_input, shown_outcome, signed_in, store
from ui.annotate.queue import task_input, task_title
from ui.annotate.unsaved import identity, kept_until_saved, recalled, save, unsaved
from ui.exports import data_table
from ui.text import html_escaped, markdown_escaped, plural, shortened

TITLE = "Settle disputes"

ALPHA_HELP = (
    "Krippendorff's alpha for nominal data of the reviewers' decisions on pairs that two or more have judged: 1 "
    "where they always agree, 0 where they agree as often as by chance, and no number where nothing is judged "
    "twice or all decisions are the same. Two re-pairings agree if they name the same partner."
)
WHICH = ("Open disputes", "All disputes", "All pairs")
NO_STUDY = "Mappings of no study"
KEYS = (
    "Keys: **1 2 3** … decide, **← →** move. While a field has the focus, they belong to it: click beside it "
    "first."
)


def settle(_sidebar: object) -> None:
    """Draw who decides, on what, what was said, and what holds."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        if not reviews.visitor.leads:
            st.info("Settling disputes is the lead's. Under *Review* you see how yours were settled.")
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            person = person_input(reviews, "Your name", "adjudicator")
            study = _study_input(reviews)
            which = st.segmented_control("Show", WHICH, default=WHICH[0], required=True, key="settle-which")
        if person is None:
            st.info("Write your name to see what was said: nobody settles a dispute in which they took part.")
            return
        _settle(reviews, person, study, which or WHICH[0])


def _study_input(reviews: ReviewStore) -> str:
    """Draw the choice of a study; "" for the mappings of none."""
    names = [each.name for each in recalled(("studies",), Studies(reviews.engine).all)]
    if recalled(("count", "", True, ""), lambda: reviews.count_tasks(study="", judged=True)) or not names:
        names.append("")
    if st.session_state.get("settle-study") not in names:
        st.session_state["settle-study"] = names[0]
    return st.selectbox(
        "Study",
        names,
        format_func=lambda name: name or NO_STUDY,
        key="settle-study",
        persist_state="session",
        width=300,
    )


def _settle(reviews: ReviewStore, person: str, study: str, which: str) -> None:
    read, mine = _read(reviews, person, study)
    judged = tuple(
        replace(each, judgements=_with_unsaved(each.judgements, unsaved(each.task, ADJUDICATOR)))
        for each in read
    )
    if not any(each.judgements for each in judged):
        st.info("There are no judgements yet. They come from *Review a mapping*.")
        return
    hidden = [each for each in judged if _hidden(each, person, assigned=each.task.number in mine)]
    shown = [each for each in judged if each not in hidden]
    _headline(judged)
    if hidden := [each for each in hidden if each.judgements]:
        st.caption(
            f"{plural(len(hidden), 'mapping')} left out: you judge there too, and see what others say once all of "
            "yours is in."
        )
    if not shown_outcome("settle-outcome"):
        st.caption(KEYS)
    items = [(its, each) for its in shown for each in outcomes(its.judgements) if _wanted(each, which)]
    if not items:
        st.success("Nothing here is waiting for a decision.", icon=":material/check_circle:")
        return
    at = min(max(st.session_state.get("settle-at", 0), 0), len(items) - 1)
    st.session_state["settle-at"] = at
    judged_here, outcome = items[at]
    number = judged_here.task.number
    task = recalled(("task", number), lambda: reviews.task(number))
    first = {who: vote for (who, pair), vote in judged_here.changed.items() if pair == outcome.pair}
    _Card(reviews, task, outcome, first, person).draw(at, len(items))
    _result(task, judged_here)


def _read(reviews: ReviewStore, person: str, study: str) -> tuple[tuple[Judged, ...], set[int]]:
    """What was judged, of a study or of the mapping that is chosen; and the tasks that are this person's."""
    if study:
        studies = Studies(reviews.engine)
        assigned = recalled(("assignments", study), lambda: studies.assignments(study))
        mine = {each.task for each in assigned if each.person == person}
        return recalled(("judged", study), lambda: studies.judged(study)), mine
    chosen = task_input(reviews, "settle", lambda _: "Mapping", judged=True)
    if chosen is None:
        return (), set()
    task = recalled(("task", chosen.number), lambda: reviews.task(chosen.number))
    said_of = recalled(("judgements", identity(task)), lambda: reviews.judgements(task))
    ever = recalled(("history", identity(task)), lambda: reviews.history(task))
    return (Judged(chosen, said_of, blind_votes(ever, chosen.pairs)),), set()


def _with_unsaved(judgements: Iterable[Judgement], rulings: Iterable[Judgement]) -> tuple[Judgement, ...]:
    known = {each.key: each for each in judgements}
    return tuple((known | {each.key: each for each in rulings}).values())


def _hidden(judged: Judged, person: str, *, assigned: bool) -> bool:
    """Whether somebody who judges a mapping too has not judged all of it, and so mustn't see the others' votes."""
    task = judged.task
    own = [each for each in judged.judgements if each.role == REVIEWER and each.person == person]
    if not (assigned or own):
        return False
    if task.pairs is not None:
        return task.decided.get(person, 0) < task.pairs
    pairs: list[Subject] = [each.pair for each in outcomes(judged.judgements) if each.pair != (None, None)]
    return is_blind(pairs, own)


def _headline(judged: Sequence[Judged]) -> None:
    found = [each for its in judged for each in outcomes(its.judgements)]
    disputed = [each for each in found if each.disputed]
    settled = sum(each.ruling is not None for each in disputed)
    agreement = agreement_of_study(judged)
    alpha = agreement.alpha.value
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        value = "–" if alpha is None else f"{alpha:.3f}"
        st.metric("Alpha of the judgements", value, help=ALPHA_HELP, width="content")
        st.markdown(
            f"**{plural(len(found), 'pair')}** judged (the verdict counts as one), **{len(disputed)}** disputed, "
            f"**{settled}** of these settled." + changed_in_words(agreement.changed)
        )


def _wanted(outcome: Outcome, which: str) -> bool:
    if which == WHICH[2]:
        return True
    return outcome.disputed and (which == WHICH[1] or outcome.ruling is None)


@dataclass(frozen=True)
class _Card:
    """One pair on screen: the nodes, the votes, what holds, and who may decide the decision.

    ``first`` has the votes on it that were changed, by reviewer.
    """

    reviews: ReviewStore
    task: Task
    outcome: Outcome
    first: dict[str, Judgement]
    person: str

    def draw(self, at: int, total: int) -> None:
        """Draw it; what was said on the left, the decision on the right, below it on a phone."""
        with st.container(border=True, key="settle-card"):
            what, decision = st.columns([3, 2], gap="medium")
            with what:
                st.markdown(f"**{at + 1} of {total}** · {markdown_escaped(task_title(self.task))}")
                st.markdown(f"**{question(self.outcome.pair)}**")
                if self.outcome.pair != (None, None):
                    st.html(pair_html(self.outcome.pair, self.task.left, self.task.right))
                votes = "".join(self._line(each.person, each) for each in self.outcome.votes)
                st.html(votes + self._holds())
                self._check()
            with decision:
                self._decide()
                with st.container(horizontal=True):
                    for label, shortcut, step in (("Previous", "Left", -1), ("Next", "Right", 1)):
                        st.button(
                            label,
                            shortcut=shortcut,
                            key=f"settle-{label}",
                            disabled=total == 1,
                            on_click=st.session_state.__setitem__,
                            args=("settle-at", (at + step) % total),
                        )

    def _line(self, who: str, judgement: Judgement) -> str:
        why = f" “{html_escaped(judgement.comment)}”" if judgement.comment else ""
        what = html_escaped(said(judgement, self.task.left, self.task.right))
        if first := self.first.get(who):
            was = html_escaped(said(first, self.task.left, self.task.right))
            why += f" <i>(changed after the others' votes were shown; before: {was})</i>"
        return f'<p style="margin:.2rem 0;overflow-wrap:anywhere"><b>{html_escaped(who)}</b>: {what}{why}</p>'

    def _holds(self) -> str:
        """What holds, and by whom."""
        final = self.outcome.final
        if final is None:
            return '<p style="margin:.5rem 0 0"><b>Holds</b>: open</p>'
        by = self.outcome.decided_by if final.saved else "not saved yet"
        return self._line(f"Holds ({by})", final if self.outcome.ruling else replace(final, comment=""))

    def _check(self) -> None:
        """The mark that makes a settled pair of a study a hidden check."""
        pair, final = self.outcome.pair, self.outcome.final
        if not self.task.study or pair == (None, None) or final is None or not final.saved:
            return
        studies = Studies(self.reviews.engine, self.reviews.visitor)
        marked = recalled(("gold", self.task.study), lambda: studies.gold(self.task.study))
        now = (self.task.number, pair) in {(each.task, each.pair) for each in marked}
        st.checkbox(
            "Hidden check",
            now,
            key=f"settle-gold-{self.task.number}-{pair}-{now}",
            help="Reviewers judge it like any other pair; *Study* shows how many of the checks each has right.",
            on_change=keep_outcome,
            args=("settle-outcome", partial(studies.mark_gold, self.task, pair, gold=not now)),
        )

    def _decide(self) -> None:
        outcome = self.outcome
        if any(vote.person == self.person for vote in outcome.votes):
            st.info("You have judged this pair yourself: somebody who hasn't settles it.")
            return
        revision = outcome.ruling.revision if outcome.ruling else 0
        name = f"settle-{identity(self.task)}-{outcome.pair}-{revision}"
        st.text_area(
            "Why (optional)",
            value=outcome.ruling.comment if outcome.ruling else "",
            key=f"{name}-why",
            height=80,
            max_chars=MAX_COMMENT_CHARACTERS,
            help="Saved with the decision; the reviewers read it.",
        )
        always = [] if outcome.pair == (None, None) else [("accept", None), ("reject", None)]
        choices = dict.fromkeys([*always, *((vote.decision, vote.partner) for vote in outcome.votes)])
        for number, (decision, partner) in enumerate(choices, 1):
            new = Judgement(
                self.person, *outcome.pair, decision, partner, role=ADJUDICATOR, revision=revision
            )
            st.button(
                markdown_escaped(shortened(said(new, self.task.left, self.task.right), 60)),
                key=f"{name}-{number}",
                shortcut=str(number) if number < 10 else None,
                on_click=keep_outcome,
                args=("settle-outcome", partial(self._save, new, f"{name}-why")),
            )

    def _save(self, new: Judgement, why: str) -> str | None:
        comment = str(st.session_state.get(why, "")).strip()
        saved = save(self.reviews, self.task, replace(new, comment=comment))
        if not saved.saved:
            return None
        return f"Saved: {ANSWERS.get(saved.decision, saved.decision)} ({saved.saved[11:19]} UTC)"


def changed_in_words(count: int) -> str:
    """A sentence on the votes that were changed after those of others were shown; "" for none."""
    if not count:
        return ""
    return f" {plural(count, 'vote')} changed after the others' were shown: alpha counts the first."


def _result(task: Task, judged: Judged) -> None:
    """What holds in the end of this mapping, as a table to take away."""
    rows = []
    before = {key: f", first {said(vote, task.left, task.right)}" for key, vote in judged.changed.items()}
    for each in outcomes(judged.judgements):
        source, target = each.pair
        final = each.final
        rows.append(
            {
                "Source": source,
                "Target": target,
                **node_texts(each.pair, task.left, task.right),
                "Votes": "; ".join(
                    f"{vote.person}: {said(vote, task.left, task.right)}{before.get((vote.person, each.pair), '')}"
                    for vote in each.votes
                ),
                "Holds": said(final, task.left, task.right) if final else "open",
                "Decided by": each.decided_by,
                "Why": each.ruling.comment if each.ruling else "",
            }
        )
    with st.expander(
        f"What holds of {markdown_escaped(task_title(task))}: {len(rows)} rows", key="settle-result"
    ):
        data_table(pd.DataFrame(rows).astype({"Source": "Int64", "Target": "Int64"}), "tted-settled")
