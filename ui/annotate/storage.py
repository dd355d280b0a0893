"""The files that go out of the database of reviews and come in."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import (
    ReviewStore,
    Study,
    export_csv,
    export_json,
    import_csv,
    import_json,
)
from tted_core.annotate.studies import Studies
from ui.errors import show_error
from ui.text import plural


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
        st.button("Delete for good", key="study-delete", on_click=_delete, args=(studies, study, judgements))


def _delete(studies: Studies, study: Study, seen: int) -> None:
    try:
        studies.delete(study.name, seen=seen)
    except TTEDError as error:
        st.session_state["study-outcome"] = error
    else:
        st.session_state["study-outcome"] = "Deleted the study."


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
