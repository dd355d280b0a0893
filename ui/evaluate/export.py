"""The tab of files to take away: all rows, and the tables of the ranking."""

import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from tted_core.batch.parts import read_parts
from tted_core.foundations.tables import write_csv, write_parquet
from tted_core.report.exports import batch_latex
from tted_core.systems.output import pairs_csv, systems_csv, systems_latex
from ui.evaluate.ranking import compared_systems, given_scores
from ui.evaluate.results import Look, draw_method_line, looked_at, method_line
from ui.evaluate.view import TABS
from ui.many.batches import Batch
from ui.part import Part
from ui.text import plural

WRITERS: dict[str, tuple[Callable[..., None], str]] = {
    "CSV": (write_csv, "text/csv"),
    "Parquet": (write_parquet, "application/vnd.apache.parquet"),
}


def _export() -> None:
    """Draw the tab."""
    look = None if given_scores() else looked_at()
    if look is not None and not look.has_systems:
        draw_method_line(*method_line(look))
        _button("LaTeX summary", partial(batch_latex, look.results), "tted-batch.tex", "text/x-tex")
    elif look is not None or given_scores():
        _of_systems(look)
    if look is not None:
        _rows(look)


def _of_systems(look: Look | None) -> None:
    compared, _ = compared_systems(look)
    settings, signature = ("", compared.signature) if look is None else method_line(look, compared=compared)
    draw_method_line(settings, signature)
    st.markdown("**The ranking**, with the settings and the signature that repeat it")
    latex = systems_latex(compared, signature, settings=settings, notices=compared.summary)
    with st.container(horizontal=True, gap="small"):
        _button("LaTeX table", latex, "systems.tex", "text/x-tex")
        for title, table, name in (
            ("Means (CSV)", systems_csv(compared.systems), "systems.csv"),
            ("Tests (CSV)", pairs_csv(compared.pairs), "tests.csv"),
        ):
            comment = "".join(f"# {line}\n" for line in (settings, signature) if line)
            _button(title, comment + table, name, "text/csv")
    with st.expander("LaTeX", key="evaluate-latex"):
        st.code(latex, language="latex", wrap_lines=True)


def _rows(look: Look) -> None:
    st.markdown(f"**All {plural(len(look.results), 'row')}**")
    with st.container(horizontal=True, gap="small"):
        for title, (write, kind) in WRITERS.items():
            make = partial(_file, write, look.batch.folder)
            _button(title, make, f"tted-batch.{title.lower()}", kind)
        _button("Results and maps (zip)", partial(_zipped, look.batch), "tted-batch.zip", "application/zip")
    st.caption(f"The zip opens here again: upload it under *{TABS['maps']}*.")


def _button(title: str, content: str | Callable[[], str | bytes], name: str, kind: str) -> None:
    st.download_button(
        title, content, file_name=name, mime=kind, on_click="ignore", key=f"evaluate-take-{name}"
    )


def _file(write: Callable[..., None], folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "rows"
        write(read_parts(folder), file)
        return file.read_bytes()


def _zipped(batch: Batch) -> bytes:
    """All of a batch, as ``uploaded_results`` finds it again."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(batch.home.rglob("*")):
            archive.write(file, file.relative_to(batch.home))
    return out.getvalue()


EXPORT = Part(TABS["export"], _export)
