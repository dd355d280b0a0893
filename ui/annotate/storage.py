"""The files that go out of the database of reviews and come in."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import (
    ReviewStore,
    export_csv,
    export_json,
    import_csv,
    import_json,
)
from ui.errors import show_error
from ui.text import plural


def exchange(reviews: ReviewStore) -> None:
    """A popover with exports of all reviews, and an import."""
    with st.popover("Export and import"):
        with st.container(horizontal=True):
            st.download_button(
                "All as JSON",
                lambda: export_json(reviews),
                file_name="tted-reviews.json",
                mime="application/json",
                on_click="ignore",
                help="Maps, judgements and their history; can be imported anywhere.",
            )
            st.download_button(
                "All as CSV",
                lambda: "\ufeff" + export_csv(reviews),
                file_name="tted-reviews.csv",
                mime="text/csv",
                on_click="ignore",
                help="One judgement a row. A text that begins like a formula has an apostrophe in front.",
            )
        file = st.file_uploader("File to import", type=["json", "csv"], key="reviews-file")
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
