"""All rows as a file, with what was noted; made when it is asked for."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from tted_core.batch.notes import noted_parts
from tted_core.batch.results import Results
from tted_core.report.exports import batch_latex
from tted_core.tables import write_csv, write_parquet
from ui.many.kept_batches import Batch
from ui.text import plural

WRITERS: dict[str, tuple[Callable[..., None], str]] = {
    "CSV": (write_csv, "text/csv"),
    "Parquet": (write_parquet, "application/vnd.apache.parquet"),
}


def downloads(batch: Batch, results: Results) -> None:
    """Draw the buttons."""
    st.markdown(f"**All {plural(len(results), 'row')}**, with marks and comments")
    with st.container(horizontal=True, gap="small"):
        for title, (write, kind) in WRITERS.items():
            st.download_button(
                title,
                partial(_file, write, batch.folder),
                file_name=f"tted-batch.{title.lower()}",
                mime=kind,
                on_click="ignore",
                key=f"batch-{title}",
            )
        st.download_button(
            "LaTeX summary",
            partial(batch_latex, results),
            file_name="tted-batch.tex",
            mime="text/x-tex",
            on_click="ignore",
            key="batch-latex",
            help="A row for each setting, with rules of the package booktabs.",
        )


def _file(write: Callable[..., None], folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "rows"
        write(noted_parts(folder), file)
        return file.read_bytes()
