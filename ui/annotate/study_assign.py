"""What a lead settles of a study: who judges what, by which guidelines, and until when."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.people import People
from tted_core.annotate.reviews import READER, Assignment, ReviewStore, Study, TaskSummary
from tted_core.annotate.studies import Studies, assigned
from tted_core.limits import MAX_GUIDELINE_CHARACTERS
from ui.annotate.unsaved import recalled
from ui.text import plural


def assign_part(
    reviews: ReviewStore,
    studies: Studies,
    study: Study,
    tasks: Sequence[TaskSummary],
    assignments: Sequence[Assignment],
) -> None:
    """Draw who judges what, with a button that draws it anew; whoever has begun goes on."""
    with st.expander("Who judges what", expanded=not assignments, key="study-assign"):
        people = recalled(("people",), lambda: People(reviews.engine, reviews.visitor).all())
        now = sorted({each.person for each in assignments})
        names = st.multiselect(
            "Reviewers",
            list(dict.fromkeys([*now, *(each.name for each in people if each.role != READER)])),
            default=now,
            accept_new_options=not reviews.visitor.checked,
            key=f"study-people-{study.name}",
            placeholder="Write a name and press Enter" if not reviews.visitor.checked else "Choose",
        )
        most = max(1, len(names))
        overlap = st.number_input(
            "Reviewers for each document",
            1,
            most,
            min(2, most),
            key=f"study-overlap-{study.name}-{most}",
            width=260,
            help="A document goes with all its mappings to so many of them; everybody gets about as many pairs.",
        )
        table = st.data_editor(
            _documents(tasks, overlap),
            hide_index=True,
            disabled=["Document", "Mappings", "Pairs"],
            key=f"study-documents-{study.name}-{overlap}-{most}",
            column_config={
                "Reviewers": st.column_config.NumberColumn(
                    min_value=1, max_value=most, step=1, help="For this document, if not as many as for all."
                )
            },
        )
        wanted = dict(zip(table["Document"], table["Reviewers"].astype(int), strict=True))
        st.button(
            "Assign" if not assignments else "Assign anew",
            type="secondary" if assignments else "primary",
            disabled=not names,
            help="What somebody has opened stays theirs. Each reviewer's order is shuffled by the seed "
            f"{study.seed} and the name.",
            on_click=_assign,
            args=(studies, study, partial(_plan, study, tasks, names, wanted, assignments)),
        )


def _documents(tasks: Sequence[TaskSummary], overlap: int) -> pd.DataFrame:
    of_document: dict[str, list[int]] = {}
    for each in tasks:
        of_document.setdefault(each.document, []).append(each.pairs or 0)
    return pd.DataFrame(
        {"Document": name, "Mappings": len(pairs), "Pairs": sum(pairs), "Reviewers": overlap}
        for name, pairs in of_document.items()
    )


def _plan(
    study: Study,
    tasks: Sequence[TaskSummary],
    names: Sequence[str],
    overlap: Mapping[str, int],
    before: Sequence[Assignment],
) -> tuple[Assignment, ...]:
    kept = [each for each in before if each.opened]
    return assigned(tasks, names, overlap, seed=study.seed, kept=kept)


def _assign(studies: Studies, study: Study, planned: Callable[[], tuple[Assignment, ...]]) -> None:
    state = st.session_state
    try:
        plan = planned()
        studies.assign(study.name, plan)
    except TTEDError as error:
        state["study-outcome"] = error
        return
    people = len({each.person for each in plan})
    state["study-outcome"] = f"Assigned {plural(len(plan), 'mapping')} to {plural(people, 'reviewer')}."


def guidelines_part(studies: Studies, study: Study) -> None:
    """Draw the guidelines and the deadline."""
    with st.expander("Guidelines and deadline", key="study-guidelines"), st.form("study-words", border=False):
        text = st.text_area(
            "Guidelines in Markdown; they stand beside the work",
            study.guidelines,
            height=220,
            max_chars=MAX_GUIDELINE_CHARACTERS,
            key=f"study-text-{study.name}",
        )
        deadline = st.date_input(
            "Deadline",
            date.fromisoformat(study.deadline) if study.deadline else None,
            key=f"study-deadline-{study.name}",
            width=260,
        )
        if st.form_submit_button("Save"):
            _change(
                studies, replace(study, guidelines=text, deadline=deadline.isoformat() if deadline else "")
            )


def _change(studies: Studies, study: Study) -> None:
    studies.change(study)
    st.session_state["study-outcome"] = "Saved the guidelines and the deadline."
    st.rerun()
