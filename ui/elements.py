"""Elements that Streamlit lacks: tables with a row to pick, downloads of tables and figures, own components.

Downloads are made on request. Components (Streamlit's ``components.v2``) run in the page itself, so their scripts
set texts as text and never as HTML. The theme reaches them as the variables ``--st-*`` and as ``color-scheme``,
both live.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from tted_core import report
from tted_core.foundations.tables import csv_text
from tted_core.report.palette import SURFACE, css_colours

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.figures.style import Spec

REPORTS = Path(report.__file__).parent  # the folder of scripts and styles that reports and components share

MIME = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def data_table(table: "pd.DataFrame", name: str, **options: Any) -> None:
    """Draw a table with a button that saves it (``table_exports``); ``options`` are those of ``st.dataframe``."""
    st.dataframe(table, hide_index=True, **options)
    table_exports(table, name)


def number_columns(table: "pd.DataFrame", form: str) -> dict[str, Any]:
    """The table's columns of numbers, except counts, in a format, as Streamlit's tables take them."""
    return dict.fromkeys(table.select_dtypes("float"), st.column_config.NumberColumn(format=form))


def pick_row(table: "pd.DataFrame", key: str, at: int = 0, **options: Any) -> int:
    """Draw a table in which one row is always selected, at first row ``at``; return the position of the row."""
    picked = st.dataframe(
        table,
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [at]}},
        **options,
    )
    return min(int((picked["selection"]["rows"] or [at])[0]), len(table) - 1)


def table_exports(table: "pd.DataFrame", name: str) -> None:
    """Draw a button that saves the table as CSV, in a file of this name."""

    def content() -> str:
        # None for missing values; those of pandas can't be compared.
        return csv_text(table.columns, table.astype(object).where(table.notna(), None).to_numpy().tolist())

    st.download_button(
        "CSV",
        content,
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"{name}-csv",
    )


def figure(spec: "Spec", name: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw a figure, with buttons that save it; screen readers get its description."""
    from tted_core.figures.style import RENDERERS, clean_spec, render_figure  # the opening page has no figure

    st.vega_lite_chart(_in_theme(clean_spec(spec)), width=width, key=f"{name}-figure")
    with st.container(horizontal=True, gap="small"):
        for ending in RENDERERS:
            st.download_button(
                ending.upper(),
                partial(render_figure, spec, ending),
                file_name=f"{name}.{ending}",
                mime=MIME[ending],
                on_click="ignore",
                key=f"{name}-{ending}",
            )


def _in_theme(spec: "Spec") -> "Spec":
    """The figure with labels in the colour of the theme's text, as Streamlit's are pale; downloads stay black."""
    colour = SURFACE["dark" if st.context.theme.type == "dark" else "light"]["text"]
    config = {**spec.get("config", {}), "text": {"color": colour}}
    for part in ("axis", "legend", "header"):
        config[part] = {**config.get(part, {}), "labelColor": colour, "titleColor": colour}
    return {**spec, "config": config}


def component(folder: Path, scripts: Sequence[str], shared: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component of a folder ``name``: ``name.css``, ``name.html`` and ``scripts``.

    The last script exports it; ``shared`` are scripts of the reports that it needs too, each with its style if it
    has one. Without ``name.html`` it begins as an empty box of the class ``name``. The style finds the colours of
    operations as ``--match-fill``, ``--match-line`` and so on.
    """
    name = folder.name
    page = folder / f"{name}.html"
    html = page.read_text(encoding="utf-8") if page.exists() else f'<div class="{name}"></div>'
    colours = " ".join(f"--{colour}: {value};" for colour, value in css_colours().items())
    styles = [folder / f"{name}.css", *(REPORTS / script.replace(".js", ".css") for script in shared)]
    style = "\n".join(path.read_text(encoding="utf-8") for path in styles if path.exists())
    paths = [
        *(REPORTS / script for script in ("element.js", *shared)),
        *(folder / script for script in scripts),
    ]
    js = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return st.components.v2.component(name, html=html, css=f":host {{ {colours} }}\n{style}", js=js)
