"""The tab of files to take away: all rows, and the tables of the ranking."""

import io
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from tted_core import VERSION
from tted_core.baselines import measure_title
from tted_core.batch.results import read_parts
from tted_core.foundations.tables import write_csv
from tted_core.method import Signature
from tted_core.systems import PairRow, SystemRow
from tted_core.systems.output import paper_measures, rows_csv, systems_latex
from ui.evaluate.batches import Batch, temporary_folder
from ui.evaluate.ranking import compare_shown_systems
from ui.evaluate.results import setting_in_words, show_results
from ui.page import PagePart
from ui.text import markdown_escaped, plural


def _draw() -> None:
    batch = show_results()
    settings = f"{setting_in_words(batch.results, 0)}, TTED {VERSION}"
    st.caption(f"Setting: {markdown_escaped(settings)}")
    if batch.has_systems:
        _of_systems(batch, settings)
    else:
        st.code(_signature(batch), language=None, wrap_lines=True)
    controls = ", also those of controls" if batch.has_systems else ""
    st.markdown(f"**All {plural(len(batch.results), 'row')}**{controls}")
    with st.container(horizontal=True, gap="small"):
        _button("CSV", partial(_csv_of_rows, batch.folder), "tted-batch.csv", "text/csv")
        _button("Results and maps (zip)", partial(zip_batch, batch), "tted-batch.zip", "application/zip")
    st.caption("The zip opens here again: upload it under *Maps*. It has the rows as Parquet, too.")


def _signature(batch: Batch) -> str:
    """The signature of the first setting; empty without any score."""
    results = batch.results
    lines = results.table["signature"][(results.of_setting == 0) & ~results.failed]
    return "".join(f"TTED|{Signature.read(line).setting}" for line in lines[:1])


def _of_systems(batch: Batch, settings: str) -> None:
    compared = compare_shown_systems(batch)
    signature = "|".join(filter(None, [_signature(batch), compared.signature]))
    st.code(signature, language=None, wrap_lines=True)
    st.markdown("**The ranking**, with the settings and the signature that repeat it")
    measures = st.multiselect(
        "Measures in the table",
        compared.measures,
        paper_measures(compared),
        format_func=measure_title,
        key="evaluate-view-measures",
        persist_state="session",
    )
    latex = systems_latex(compared, signature, measures=measures, settings=settings, notices=compared.summary)
    comment = f"# {settings}\n# {signature}\n"
    with st.container(horizontal=True, gap="small"):
        _button("LaTeX table", latex, "systems.tex", "text/x-tex")
        _button("Means (CSV)", comment + rows_csv(SystemRow, compared.systems), "systems.csv", "text/csv")
        _button("Tests (CSV)", comment + rows_csv(PairRow, compared.pairs), "tests.csv", "text/csv")


def _button(title: str, content: str | Callable[[], str | bytes], name: str, kind: str) -> None:
    st.download_button(
        title, content, file_name=name, mime=kind, on_click="ignore", key=f"evaluate-take-{name}"
    )


def _csv_of_rows(folder: Path) -> bytes:
    with temporary_folder() as home:
        file = Path(home) / "rows.csv"
        write_csv(read_parts(folder), file)
        return file.read_bytes()


def zip_batch(batch: Batch) -> bytes:
    """The maps and the results of a batch, as ``read_uploaded_results`` finds them again."""
    out = io.BytesIO()
    folders = {"given": batch.upload.folder}
    if not batch.folder.is_relative_to(batch.upload.folder):  # it began here; else its results were uploaded
        folders["results"] = batch.folder
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, folder in folders.items():
            for file in sorted(folder.rglob("*")):
                archive.write(file, Path(name) / file.relative_to(folder))
    return out.getvalue()


EXPORT = PagePart("Export", _draw)
