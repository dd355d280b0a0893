"""The tabs of rows: the pairs, worst first, each with a way to its maps; and files of all to take away."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import VERSION
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import measure_title
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.pairs import Inputs, side_name
from tted_core.batch.results import RowNumbers, read_parts
from tted_core.errors import OptionsError
from tted_core.foundations.tables import write_csv
from tted_core.matching.records import SHARES
from tted_core.method import Method, Signature
from tted_core.systems import PairRow, SystemRow
from tted_core.systems.output import paper_measures, rows_csv, systems_latex
from ui.comparisons import open_in_compare
from ui.evaluate.batches import Batch, temporary_folder
from ui.evaluate.results import compare_shown_systems, draw_choice, setting_in_words, show_results
from ui.page import PagePart, pick_row
from ui.text import counted, in_page_words, markdown_escaped, shorten

MOST_ROWS = 1_000  # rows of the table, the worst ones; *Export* has all
ROW = "evaluate-row"  # session key of the number of the selected row, to which a user comes back from Compare
WHOLE = ("match", "replace", "delete", "insert", "left_nodes", "right_nodes")  # columns of whole numbers


def _draw_pairs() -> None:
    batch = show_results()
    results = batch.results
    with st.container(horizontal=True):
        setting = 0
        if len(results.settings) > 1:
            in_words = partial(setting_in_words, results)
            setting = draw_choice(
                "Setting", "setting", range(len(results.settings)), format_func=in_words, width=320
            )
        names = list(results.scores)  # none if every pair has failed
        start = "normalized" if "normalized" in names else None
        by = (
            draw_choice("Worst by", "by", names, start, width=260, format_func=measure_title)
            if names
            else None
        )
    rows = results.rows(setting, by)
    if batch.has_systems:  # controls are no outputs
        rows = rows[~results.table["system"].iloc[rows].isin(BATCH_CONTROLS)]
    more = f"; the first {MOST_ROWS:,} are below" if len(rows) > MOST_ROWS else ""
    st.markdown(f"**{counted(len(rows), 'row')}**, worst first{more}")
    number = _table(batch, rows[:MOST_ROWS], by)
    with st.container(border=True, key="evaluate-row-panel"):
        row = results.table.loc[number]
        name, left, right = (markdown_escaped(shorten(name, 80)) for name in results.pair(number))
        st.markdown(f"**{name}**: {left} → {right}")
        if row["error"]:
            st.error(markdown_escaped(in_page_words(row["error"])), icon=":material/warning:")
        if row["notices"]:
            st.caption(f":material/info: {markdown_escaped(in_page_words(row['notices']))}")
        if st.button(
            "Open in Compare",
            type="primary",
            shortcut="O",
            disabled=bool(row["error"]),
            help="With the same options. This row stays chosen here.",
        ):
            open_pair(batch, number)


def _table(batch: Batch, rows: RowNumbers, by: str | None) -> int:
    """Draw the rows as a table, the score that they are sorted by first; return the number of the selected one."""
    results = batch.results
    table = results.table.iloc[rows]
    names = [by, "normalized", "tted", *NORMALISATIONS, *SHARES, *results.baselines, *WHOLE]
    scores = {name: results.scores[name][rows] for name in names if name in results.scores}
    frame = pd.DataFrame(
        {name: table[name] for name in ("id", "system") if name in table}
        | scores
        | {"notice or error": table["error"].where(table["error"] != "", table["notices"]).map(in_page_words)}
    )
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(name.replace("_", " "), format="%d")
        if name in WHOLE
        else st.column_config.NumberColumn(measure_title(name), format="%.4f")
        for name in scores
    }
    kept = rows.tolist().index(st.session_state[ROW]) if st.session_state.get(ROW) in rows else 0
    at = pick_row(
        frame,
        f"evaluate-table-{hash((batch.folder, len(rows), rows[0], by))}",
        kept,
        height=min(390, 38 + 35 * len(rows)),
        column_config={"id": st.column_config.TextColumn(width=230), **columns},
        placeholder="",
    )
    row = int(rows[at])
    st.session_state[ROW] = row
    return row


def open_pair(batch: Batch, row: int) -> None:
    """Go to the Compare page with the pair of a row, under its setting.

    Each map has its file's name, after that of the folder or side in which it lies.
    """
    results = batch.results
    inputs, numbers = _open_inputs(batch)
    pair, maps = results.pair(row), []
    if pair not in numbers:
        raise OptionsError("the maps of this pair aren't where its batch found them; compute it again")
    for side, number in zip(("left", "right"), inputs.pairs[numbers[pair]].tolist(), strict=True):
        name, read = inputs.maps[number]
        path, source = PurePosixPath(name), batch.source.get(side)
        folders = path.parent.parts[-1:] or (() if source is None else (side_name(source),))
        maps.append(replace(read(), name=" · ".join([*folders, path.name or "map"]), maps=(), sheet=1))
    open_in_compare(maps[0], maps[1], Method.of_columns(results.table.loc[row]))


@st.cache_resource(
    scope="session", max_entries=1, show_spinner=False, hash_funcs={Batch: lambda batch: str(batch.folder)}
)
def _open_inputs(batch: Batch) -> tuple[Inputs, dict[tuple[str, str, str], int]]:
    """The pairs of a batch, and their numbers by their ids and the names of their maps."""
    inputs = batch.inputs()
    names = [name for name, _ in inputs.maps]
    numbers = {
        (inputs.ids[row], names[left], names[right]): row
        for row, (left, right) in reversed(list(enumerate(inputs.pairs.tolist())))
    }
    return inputs, numbers


def _draw_files() -> None:
    batch = show_results()
    settings = f"{setting_in_words(batch.results, 0)}, TTED {VERSION}"
    st.caption(f"Setting: {markdown_escaped(settings)}")
    if batch.has_systems:
        _of_systems(batch, settings)
    else:
        st.code(_signature(batch), language=None, wrap_lines=True)
    controls = ", also those of controls" if batch.has_systems else ""
    st.markdown(f"**All {counted(len(batch.results), 'row')}**{controls}")
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


PAIRS_TAB = PagePart("Pairs", _draw_pairs)
EXPORT_TAB = PagePart("Export", _draw_files)
