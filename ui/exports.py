"""Downloads of tables as CSV and LaTeX and of figures as PNG, SVG and PDF, made on request."""

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
import streamlit as st

from tted_core.foundations.tables import csv_text, latex_cell, latex_escaped, latex_table

if TYPE_CHECKING:
    from tted_core.figures.style import Spec

MIME = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}

DARK_THEME_TEXT = "#e6e6e6"


def data_table(table: pd.DataFrame, name: str, stem: str | None = None, **options: Any) -> None:
    """Draw a table with buttons that save it (``table_exports``); ``options`` are those of ``st.dataframe``."""
    st.dataframe(table, hide_index=True, **options)
    table_exports(table, name, stem)


def table_exports(table: pd.DataFrame, name: str, stem: str | None = None) -> None:
    """Draw buttons that save the table as CSV and LaTeX; the files are named ``stem``, ``name`` by default."""
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "CSV",
            lambda: csv_text(table.columns, _rows(table)),
            file_name=f"{stem or name}.csv",
            mime="text/csv",
            on_click="ignore",
            key=f"{name}-csv",
        )
        st.download_button(
            "LaTeX",
            lambda: _latex_of(table),
            file_name=f"{stem or name}.tex",
            mime="text/x-tex",
            on_click="ignore",
            key=f"{name}-tex",
        )


def _rows(table: pd.DataFrame) -> list[list[Any]]:
    """Rows with None for missing values; those of pandas can't be compared."""
    rows: list[list[Any]] = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    return rows


def _latex_of(table: pd.DataFrame) -> str:
    return latex_table(
        "".join("r" if pd.api.types.is_numeric_dtype(kind) else "l" for kind in table.dtypes),
        map(latex_escaped, table.columns),
        (map(latex_cell, row) for row in _rows(table)),
    )


def figure(spec: "Spec", name: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw a figure, with buttons that save it; screen readers get its description."""
    from tted_core.figures.style import DRAWN, cleaned, drawn  # the opening page has no figure

    st.vega_lite_chart(_themed(cleaned(spec)), width=width, key=f"{name}-figure")
    with st.container(horizontal=True, gap="small"):
        for ending in DRAWN:
            st.download_button(
                ending.upper(),
                partial(drawn, spec, ending),
                file_name=f"{name}.{ending}",
                mime=MIME[ending],
                on_click="ignore",
                key=f"{name}-{ending}",
            )


def _themed(spec: "Spec") -> "Spec":
    """The figure with light labels in the dark theme, where Streamlit leaves them black; downloads stay black."""
    if st.context.theme.type != "dark":
        return spec
    return {**spec, "config": {**spec.get("config", {}), "text": {"color": DARK_THEME_TEXT}}}
