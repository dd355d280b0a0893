"""The lead's part: a study from its maps to its figures, all of it in the database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import (
    READER,
    REVIEWER,
    Assignment,
    ReviewStore,
    Study,
    TaskSummary,
    export_csv,
    export_json,
    import_csv,
    import_json,
)
from tted_core.annotate.reviews.people import People
from tted_core.annotate.studies import Studies, assigned, setting_of
from tted_core.foundations.limits import MAX_GUIDELINE_CHARACTERS
from ui.annotate.pairs import GUIDELINES
from ui.annotate.people import keep_outcome, shown_outcome, signed_in, store
from ui.annotate.study_figures import agreement_part, progress_part
from ui.annotate.study_new import Sidebar, new_study
from ui.annotate.unsaved import kept_until_saved, recalled
from ui.errors import show_error
from ui.text import markdown_escaped, plural


def export_study(reviews: ReviewStore, study: Study) -> None:
    """Buttons that save all of a study; its agreement table has buttons of its own."""
    st.download_button(
        "Study as JSON Lines",
        lambda: export_json(reviews, study.name),
        file_name="tted-study.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        help="Maps, fixed mappings with their signatures, assignments, judgements and their history.",
    )
    st.download_button(
        "Judgements as CSV",
        lambda: export_csv(reviews, study.name),
        file_name="tted-study.csv",
        mime="text/csv",
        on_click="ignore",
        help="One judgement a row, with its mapping's signature.",
    )


def delete_study(studies: Studies, study: Study, judgements: int) -> None:
    """A popover in which a study can be deleted."""
    with st.popover("Delete"):
        st.markdown(
            f"The study with its mappings and {plural(judgements, 'judgement')}, and all that they were before, "
            "will be gone for everybody. Export it first if you may want it back."
        )
        st.button(
            "Delete for good",
            key="study-delete",
            on_click=keep_outcome,
            args=("study-outcome", partial(_delete, studies, study, judgements)),
        )


def _delete(studies: Studies, study: Study, seen: int) -> str:
    studies.delete(study.name, seen=seen)
    return "Deleted the study."


def exchange(reviews: ReviewStore) -> None:
    """A popover with exports of all reviews, and an import."""
    with st.popover("All reviews: export and import" if reviews.visitor.leads else "All reviews: export"):
        with st.container(horizontal=True):
            st.download_button(
                "All as JSON Lines",
                lambda: export_json(reviews),
                file_name="tted-reviews.jsonl",
                mime="application/jsonl",
                on_click="ignore",
                help="Maps, judgements and their history; can be imported anywhere.",
            )
            st.download_button(
                "All as CSV",
                lambda: export_csv(reviews),
                file_name="tted-reviews.csv",
                mime="text/csv",
                on_click="ignore",
                help="One judgement a row. A text that begins like a formula has an apostrophe in front.",
            )
        if not reviews.visitor.leads:
            return
        file = st.file_uploader("File to import", type=["jsonl", "json", "csv"], key="reviews-file")
        replacing = st.checkbox(
            "Where a judgement differs from the one here, take the file's (the history keeps both)",
            key="reviews-replacing",
        )
        if st.button("Import", disabled=file is None) and file is not None:
            _import(reviews, file.name, file.getvalue(), replacing=replacing)


def _import(reviews: ReviewStore, name: str, content: bytes, *, replacing: bool) -> None:
    read = import_csv if name.lower().endswith(".csv") else import_json
    try:
        report = read(reviews, content, replacing=replacing)
    except TTEDError as error:
        show_error(error)
        return
    what = "replaced what was here" if report.replaced else "left as they were here"
    st.success(
        f"{report.added:,} judgements added, {report.same:,} were here already, {report.different:,} differed and "
        f"{what}."
        + (f" {plural(report.empty, 'mapping')} without a judgement left out." if report.empty else "")
    )


def study(sidebar: Sidebar) -> None:
    """Draw the choice of a study and all about it, or what a new one is made of."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        if reviews.visitor.role == REVIEWER:
            st.info("Studies are the lead's. What is assigned to you is under *Review a mapping*.")
            return
        studies = Studies(reviews.engine, reviews.visitor)
        known = recalled(("studies",), studies.all)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = _study_input([each.name for each in known])
            exchange(reviews)
        shown_outcome("study-outcome")
        if chosen is None and not reviews.visitor.leads:
            st.info("There is no study to read yet: a lead makes one.")
        elif chosen is None:
            new_study(studies, sidebar)
        else:
            _study(reviews, studies, next(each for each in known if each.name == chosen))


def _study_input(names: list[str]) -> str | None:
    """The study's name; None for one to be made."""
    offered = [*names, None]
    made = st.session_state.pop("study-go", None)
    if made in names:
        st.session_state["study"] = made
    if st.session_state.get("study", "") not in offered:
        st.session_state["study"] = offered[0]
    return st.selectbox(
        "Study",
        offered,
        format_func=lambda name: "New study …" if name is None else name,
        key="study",
        placeholder="New study …",  # shown where it is chosen: None is no choice to Streamlit
        persist_state="session",
        width=380,
    )


def _study(reviews: ReviewStore, studies: Studies, study: Study) -> None:
    judged = recalled(("judged", study.name), lambda: studies.judged(study.name))
    assignments: tuple[Assignment, ...] = recalled(
        ("assignments", study.name), lambda: studies.assignments(study.name)
    )
    tasks = tuple(each.task for each in judged)
    documents = len({each.document for each in tasks})
    pairs = sum(each.pairs or 0 for each in tasks)
    settings = {setting_of(each.signature) for each in tasks}
    st.caption(
        f"{plural(len(tasks), 'mapping')} of {plural(documents, 'document')}, {plural(pairs, 'pair')} to judge · "
        f":material/lock: {markdown_escaped(' / '.join(sorted(settings)))}"
    )
    if assignments:
        progress_part(studies, study, judged, assignments)
        agreement_part(judged)
    if reviews.visitor.leads:
        assign_part(reviews, studies, study, tasks, assignments)
        guidelines_part(studies, study)
    with st.container(horizontal=True):
        export_study(reviews, study)
        if reviews.visitor.leads:
            delete_study(studies, study, sum(len(each.judgements) for each in judged))


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
        begun = [each for each in assignments if each.opened]
        wanted = dict(zip(table["Document"], table["Reviewers"].astype(int), strict=True))
        st.button(
            "Assign" if not assignments else "Reassign",
            type="secondary" if assignments else "primary",
            disabled=not names,
            help="What somebody has opened stays theirs. Each reviewer's order is shuffled by the seed "
            f"{study.seed} and the name.",
            on_click=keep_outcome,
            args=(
                "study-outcome",
                lambda: _assign(studies, study, assigned(tasks, names, wanted, seed=study.seed, kept=begun)),
            ),
        )


def _documents(tasks: Sequence[TaskSummary], overlap: int) -> pd.DataFrame:
    of_document: dict[str, list[int]] = {}
    for each in tasks:
        of_document.setdefault(each.document, []).append(each.pairs or 0)
    return pd.DataFrame(
        {"Document": name, "Mappings": len(pairs), "Pairs": sum(pairs), "Reviewers": overlap}
        for name, pairs in of_document.items()
    )


def _assign(studies: Studies, study: Study, plan: tuple[Assignment, ...]) -> str:
    studies.assign(study.name, plan)
    people = len({each.person for each in plan})
    return f"Assigned {plural(len(plan), 'mapping')} to {plural(people, 'reviewer')}."


def guidelines_part(studies: Studies, study: Study) -> None:
    """Draw the guidelines and the deadline."""
    with st.expander("Guidelines and deadline", key="study-guidelines"), st.form("study-words", border=False):
        text = st.text_area(
            "Guidelines in Markdown; they stand beside the work",
            study.guidelines or GUIDELINES,
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
            due = deadline.isoformat() if deadline else ""
            studies.change(replace(study, guidelines=text, deadline=due))
            st.session_state["study-outcome"] = "Saved the guidelines and the deadline."
            st.rerun()
