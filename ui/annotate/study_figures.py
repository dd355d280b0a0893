"""How a study goes: everybody's progress and pace, what nobody has opened, what is disputed, and alpha."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from tted_core.annotate.reviews import Assignment, Study, TaskSummary, outcomes
from tted_core.annotate.studies import (
    Accuracy,
    Judged,
    PersonProgress,
    Studies,
    accuracy_of,
    agreement_of_study,
    agreement_table,
    is_finished,
    progress_of,
    unopened,
)
from ui.annotate.queue import deadline_in_words
from ui.annotate.settle import TITLE as SETTLE
from ui.annotate.settle import changed_in_words
from ui.annotate.unsaved import recalled
from ui.exports import data_table
from ui.text import markdown_escaped, plural

SHOWN = ("All mappings", "Opened by nobody", "Open disputes")

ALPHA_HELP = (
    "Krippendorff's alpha for nominal data over all mappings: 1 where reviewers always agree, 0 where they agree "
    "as often as by chance. The interval is a bootstrap over mappings; with fewer than ten it is rough."
)


def progress_part(
    studies: Studies, study: Study, judged: Sequence[Judged], assignments: Sequence[Assignment]
) -> None:
    """Draw everybody's progress with the totals, and the mappings one by one."""
    tasks = [each.task for each in judged]
    times = recalled(("times", study.name), lambda: studies.times(study.name))
    people = progress_of(tasks, assignments, times)
    open_disputes = {
        its.task.number: sum(each.disputed and each.ruling is None for each in outcomes(its.judgements))
        for its in judged
    }
    waiting = unopened(tasks, assignments)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for label, done, total in (
            ("Pairs judged", sum(each.judged for each in people), sum(each.pairs for each in people)),
            (
                "Mappings finished",
                sum(each.finished for each in people),
                sum(each.mappings for each in people),
            ),
        ):
            st.metric(label, f"{done:,} of {total:,}", width="content")
        st.metric("Opened by nobody", f"{len(waiting)}", width="content")
        disputes = sum(open_disputes.values())
        st.metric("Open disputes", f"{disputes}", width="content")
        st.button("Settle them", disabled=not disputes, on_click=_settle, args=(study.name,))
    if study.deadline:
        st.caption(deadline_in_words(study.deadline))
    gold = recalled(("gold", study.name), lambda: studies.gold(study.name))
    table = _people_table(people, accuracy_of(judged, gold))
    if gold:
        st.caption(f"{plural(len(gold), 'hidden check')}: pairs that you marked under *{SETTLE}*.")
    data_table(table, "tted-progress", placeholder="")
    with st.expander("Mapping by mapping", key="study-mappings"):
        shown = st.segmented_control("Show", SHOWN, default=SHOWN[0], required=True, key="study-shown")
        rows = [
            _mapping_row(task, assignments, open_disputes[task.number])
            for task in tasks
            if shown == SHOWN[0]
            or (shown == SHOWN[1] and task in waiting)
            or (shown == SHOWN[2] and open_disputes[task.number])
        ]
        if rows:
            st.dataframe(pd.DataFrame(rows), hide_index=True)
        else:
            st.caption("None.")


def _settle(study: str) -> None:
    st.session_state.update({"annotate": SETTLE, "settle-study": study, "settle-at": 0})


def _people_table(people: Sequence[PersonProgress], accuracy: Sequence[Accuracy]) -> pd.DataFrame:
    checked = {each.person: each for each in accuracy}
    rows: list[dict[str, object]] = [
        {
            "Reviewer": each.person,
            "Mappings": each.mappings,
            "Opened": each.opened,
            "Finished": each.finished,
            "Pairs judged": each.judged,
            "Pairs": each.pairs,
            "Seconds a pair": each.pace.median_seconds,
            "Judgements an hour": each.pace.per_hour,
            "Last": each.last[:16].replace("T", " "),
            **({"Checks right": _right(checked.get(each.person))} if checked else {}),
        }
        for each in people
    ]
    table = pd.DataFrame(rows)
    counts = ["Mappings", "Opened", "Finished", "Pairs judged", "Pairs"]
    total = {"Reviewer": "Total", **{name: int(table[name].sum()) for name in counts}}
    table = pd.concat([table, pd.DataFrame([total])], ignore_index=True)
    return table.astype({"Seconds a pair": float, "Judgements an hour": float}).round(1)


def _right(accuracy: Accuracy | None) -> str:
    if accuracy is None:
        return ""
    return f"{accuracy.right} of {accuracy.judged} ({accuracy.right / accuracy.judged:.0%})"


def _mapping_row(task: TaskSummary, assignments: Sequence[Assignment], disputes: int) -> dict[str, object]:
    theirs = [each for each in assignments if each.task == task.number]
    return {
        "Document": task.document,
        "Left": task.left_name,
        "Right": task.right_name,
        "Pairs": task.pairs,
        "Assigned to": ", ".join(each.person for each in theirs),
        "Opened by": ", ".join(each.person for each in theirs if each.opened),
        "Finished by": ", ".join(each.person for each in theirs if is_finished(task, each.person)),
        "Open disputes": disputes,
    }


def agreement_part(judged: Sequence[Judged]) -> None:
    """Draw alpha over all mappings, and by two reviewers at a time."""
    found = agreement_of_study(judged)
    if not found.shared:
        st.caption("Alpha appears here once two reviewers have judged the same pair.")
        return
    alpha = found.alpha
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        value = "–" if alpha.value is None else f"{alpha.value:.3f}"
        st.metric("Alpha of the judgements", value, help=ALPHA_HELP, width="content")
        interval = "" if alpha.low is None else f"95 % interval **{alpha.low:.3f} to {alpha.high:.3f}**. "
        st.markdown(
            f"{interval}**{plural(found.shared, 'pair')}** judged by two or more in "
            f"{plural(alpha.units, 'mapping')}, **{found.disputed}** disputed."
            + changed_in_words(found.changed)
        )
    if found.of_maps.value is not None:
        low, high = found.of_maps.low, found.of_maps.high
        interval = "" if low is None else f" (95 % interval {low:.3f} to {high:.3f})"
        st.markdown(
            f"Alpha of the verdicts on whole mappings: **{found.of_maps.value:.3f}**{interval}, of "
            f"{plural(found.of_maps.units, 'mapping')}; ordinal: good and unusable are farther apart "
            "than good and needs work."
        )
    st.caption(
        "Two reviewers at a time: above the diagonal alpha with its interval, below it on how many pairs "
        "both said the same, of those that both have judged."
    )
    data_table(agreement_table(found), "tted-agreement-table")
    st.caption(markdown_escaped(found.signature))
