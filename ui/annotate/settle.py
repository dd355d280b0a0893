"""Settle disputes: what the annotators say of each pair, side by side, and a third who decides."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from tted_core import EditOp, TTEDError
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    Judgement,
    Outcome,
    ReviewStore,
    Task,
    agreement_of_judgements,
    outcomes,
)
from ui.annotate.pairs import pair_html, said
from ui.annotate.people import person_input, signed_in, store
from ui.annotate.queue import task_input
from ui.annotate.storage import exchange
from ui.annotate.unsaved import identity, kept_until_saved, recalled, save, unsaved
from ui.exports import table_exports
from ui.options import Options
from ui.text import html_escaped, markdown_escaped, plural, shortened

ALPHA_HELP = (
    "Krippendorff's alpha for nominal data of the annotators' decisions on pairs that two or more have judged: 1 "
    "where they always agree, 0 where they agree as often as by chance, and no number where nothing is judged "
    "twice or all decisions are the same. Two re-pairings agree if they name the same partner."
)
WHICH = ("Disputed and open", "All disputed", "All")


def settle(_options: Options) -> None:
    """Draw who decides, on which mapping, what was said, and what holds."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            person = person_input(reviews, "Adjudicator's name", "adjudicator")
            exchange(reviews)
        _settle(reviews, person)


def _settle(reviews: ReviewStore, person: str | None) -> None:
    chosen = task_input(reviews, "settle", lambda _: "Mapping", judged=True)
    if chosen is None:
        st.info("There are no judgements yet. They come from *Review a mapping*.")
        return
    task = recalled(("task", chosen.number), lambda: reviews.task(chosen.number))
    judgements = _with_unsaved(
        recalled(("judgements", identity(task)), lambda: reviews.judgements(task)), unsaved(task, ADJUDICATOR)
    )
    found = outcomes(judgements)
    _headline(found, agreement_of_judgements(judgements))
    _show_outcome()
    which = st.segmented_control("Show", WHICH, default=WHICH[0], required=True, key="settle-which")
    shown = [each for each in found if _wanted(each, which)]
    if not shown:
        st.success("Nothing here is waiting for a decision.", icon="✅")
    for each in shown[:50]:
        _draw(reviews, task, each, person)
    if len(shown) > 50:
        st.caption(f"The first 50 of {len(shown)} are shown; decide some of them to see the others.")
    _result(task, found)


def _with_unsaved(judgements: Iterable[Judgement], rulings: Iterable[Judgement]) -> tuple[Judgement, ...]:
    known = {each.key: each for each in judgements}
    return tuple((known | {each.key: each for each in rulings}).values())


def _headline(found: tuple[Outcome, ...], alpha: float | None) -> None:
    disputed = [each for each in found if each.disputed]
    settled = sum(each.ruling is not None for each in disputed)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        value = "–" if alpha is None else f"{alpha:.3f}"
        st.metric("Alpha of the judgements", value, help=ALPHA_HELP, width="content")
        st.markdown(
            f"**{plural(len(found), 'pair')}** judged (the verdict counts as one), **{len(disputed)}** disputed, "
            f"**{settled}** of these settled."
        )


def _show_outcome() -> None:
    outcome = st.session_state.pop("settle-outcome", None)
    if isinstance(outcome, TTEDError):
        st.error(markdown_escaped(str(outcome)), icon="⚠️")
    elif outcome:
        st.caption(f":green[✓] {markdown_escaped(outcome)}")


def _wanted(outcome: Outcome, which: str) -> bool:
    if which == WHICH[2]:
        return True
    return outcome.disputed and (which == WHICH[1] or outcome.ruling is None)


def _draw(reviews: ReviewStore, task: Task, outcome: Outcome, person: str | None) -> None:
    source, target = outcome.pair
    with st.container(border=True):
        if outcome.pair == (None, None):
            st.markdown("**The mapping as a whole**")
        else:
            op = EditOp(
                "delete" if target is None else "insert" if source is None else "replace", source, target, 0.0
            )
            st.html(pair_html(op, task.left, task.right))
        st.html("".join(_vote(each, task) for each in outcome.votes))
        if outcome.ruling:
            ruling = markdown_escaped(shortened(said(outcome.ruling, task.left, task.right), 200))
            state = "Settled" if outcome.ruling.saved else "Not saved yet"
            st.markdown(f"{state}: **{ruling}** by {markdown_escaped(outcome.ruling.person)}")
        if person is None:
            st.caption("Write your name above to decide.")
            return
        choices = dict.fromkeys((vote.decision, vote.partner) for vote in outcome.votes)
        if outcome.pair != (None, None):
            choices |= dict.fromkeys([("accept", None), ("reject", None)])
        with st.container(horizontal=True):
            for number, (decision, partner) in enumerate(choices):
                new = Judgement(
                    person,
                    source,
                    target,
                    decision,
                    partner,
                    role=ADJUDICATOR,
                    revision=outcome.ruling.revision if outcome.ruling else 0,
                )
                st.button(
                    markdown_escaped(shortened(said(new, task.left, task.right), 60)),
                    key=f"settle-{identity(task)}-{source}-{target}-{number}",
                    on_click=_save,
                    args=(reviews, task, new),
                )


def _vote(vote: Judgement, task: Task) -> str:
    comment = f" “{html_escaped(vote.comment)}”" if vote.comment else ""
    return (
        f'<p style="margin:.2rem 0;overflow-wrap:anywhere"><b>{html_escaped(vote.person)}</b>: '
        f"{html_escaped(said(vote, task.left, task.right))}{comment}</p>"
    )


def _save(reviews: ReviewStore, task: Task, new: Judgement) -> None:
    try:
        saved = save(reviews, task, new)
    except TTEDError as error:
        st.session_state["settle-outcome"] = error
        return
    if saved.saved:
        st.session_state["settle-outcome"] = f"Saved: {saved.decision} ({saved.saved[11:19]} UTC)"


def _result(task: Task, found: tuple[Outcome, ...]) -> None:
    """What holds in the end, as a table to take away."""
    rows = []
    for each in found:
        source, target = each.pair
        final = each.final
        rows.append(
            {
                "Source": source,
                "Target": target,
                "Left node": "" if source is None else task.left.labels[source],
                "Right node": "" if target is None else task.right.labels[target],
                "Votes": "; ".join(f"{vote.person}: {vote.decision}" for vote in each.votes),
                "Holds": said(final, task.left, task.right) if final else "open",
                "Decided by": each.ruling.person if each.ruling else "all" if final else "",
            }
        )
    with st.expander(f"What holds: {len(rows)} rows", key="settle-result"):
        table = pd.DataFrame(rows).astype({"Source": "Int64", "Target": "Int64"})
        st.dataframe(table, hide_index=True)
        table_exports(table, "tted-settled")
