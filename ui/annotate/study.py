"""The lead's part: a study from its maps to its figures, all of it in the database."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import ANNOTATOR, Assignment, ReviewStore, Study
from tted_core.annotate.studies import Studies, setting_of
from tted_core.method import Method
from ui.annotate.people import signed_in, store
from ui.annotate.storage import delete_study, exchange, export_study
from ui.annotate.study_assign import assign_part, guidelines_part
from ui.annotate.study_figures import agreement_part, progress_part
from ui.annotate.study_new import new_study
from ui.annotate.unsaved import kept_until_saved, recalled
from ui.text import markdown_escaped, plural


def study(options: Method) -> None:
    """Draw the choice of a study and all about it, or what a new one is made of."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        if reviews.visitor.role == ANNOTATOR:
            st.info("Studies are the lead's. What is assigned to you is under *Review a mapping*.")
            return
        studies = Studies(reviews.engine, reviews.visitor)
        known = recalled(("studies",), studies.all)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = _study_input([each.name for each in known])
            exchange(reviews)
        _show_outcome()
        if chosen is None and not reviews.visitor.leads:
            st.info("There is no study to read yet: a lead makes one.")
        elif chosen is None:
            new_study(studies, options)
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
        f"🔒 {markdown_escaped(' / '.join(sorted(settings)))}"
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


def _show_outcome() -> None:
    outcome = st.session_state.pop("study-outcome", None)
    if isinstance(outcome, TTEDError):
        st.error(markdown_escaped(str(outcome)), icon="⚠️")
    elif outcome:
        st.success(outcome, icon="✅")
