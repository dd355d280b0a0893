"""Tables with a row to pick, and downloads: tables as CSV, figures as PNG, SVG and PDF, made on request."""

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from tted_core.foundations.tables import csv_text
from tted_core.report.palette import SURFACE

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.figures.style import Spec

MIME = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def data_table(table: "pd.DataFrame", name: str, **options: Any) -> None:
    """Draw a table with a button that saves it (``table_exports``); ``options`` are those of ``st.dataframe``."""
    st.dataframe(table, hide_index=True, **options)
    table_exports(table, name)


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
