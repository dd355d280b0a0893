"""What all pages share: their frame, errors as one sentence, notes, tables, figures and components of our own.

An error is never shown as a traceback. Downloads are made on request. Components (Streamlit's ``components.v2``)
run in the page itself, so their scripts set texts as text and never as HTML. The theme reaches them as the
variables ``--st-*`` and as ``color-scheme``, both live.
"""

import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from tted_core import VERSION, TTEDError, report
from tted_core.errors import Interrupted, lookup
from tted_core.foundations.tables import csv_text
from tted_core.report.palette import SURFACE, css_colours
from ui.fields import Field
from ui.permalink import permalink
from ui.running import NotYet
from ui.text import counted, in_page_words, markdown_escaped

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.figures.style import Spec

_logger = logging.getLogger(__name__)

# The menu: group -> page (a file in pages/) -> Material icon.
MENU: dict[str, dict[str, str]] = {
    "Use": {
        "Compare": "compare_arrows",
        "Evaluate": "leaderboard",
        "Annotate": "rate_review",
    },
    "Understand": {"Learn": "school", "Method": "functions"},
}

# Width in pixels of the sidebar, the least that Streamlit allows; in another site's frame it begins folded.
SIDEBAR = 200

FAULT = (
    "This part hit a bug in the program; your input is not the cause. Reload the page. If it fails again, report "
    "the number **{number}** to the server's administrator, whose log has the details under it."
)


@contextmanager
def page(title: str) -> Iterator[None]:
    """Set up the page, draw its title, and show errors that are raised inside."""
    st.set_page_config(
        page_title=f"{title} · TTED",
        page_icon="🌳",  # an emoji: an icon by name would fetch a font from the network
        menu_items={"About": f"TTED {VERSION}: text tree edit distance between mind maps. GPL-3.0-or-later."},
    )
    st.html(Path(__file__).with_suffix(".css"))
    with st.container(key="page-title"):
        st.title(title, anchor=False)
    with show_errors():
        yield


@contextmanager
def show_errors() -> Iterator[None]:
    """Show errors that are raised inside, and continue below; log bugs of the program."""
    try:
        yield
    except NotYet:
        pass
    except Interrupted as stopped:
        st.info(markdown_escaped(str(stopped)))
        # Any click runs the page, and so the work again; several jobs of a page may have been stopped.
        st.button("Run again", type="primary", key=f"again-{uuid.uuid4().hex}")
    except TTEDError as error:
        show_error(error)
    except Exception as error:
        if getattr(error, "error_id", "") == "filename-contains-null-bytes":  # Streamlit refuses the upload
            st.error("The uploaded file's name contains a null byte; rename it.", icon=":material/warning:")
            return
        number = uuid.uuid4().hex[:8]
        _logger.exception("fault %s", number)
        st.error(FAULT.format(number=number), icon=":material/warning:")


def show_error(error: TTEDError) -> None:
    """Show one error."""
    st.error(markdown_escaped(in_page_words(error.text)), icon=":material/warning:")


def show_warnings(notices: Iterable[str]) -> None:
    """Show warnings, with options called as on the page."""
    for notice in notices:
        st.warning(markdown_escaped(in_page_words(notice)), icon=":material/warning:")


def show_notes(notices: Iterable[str]) -> None:
    """Show notes, with options called as on the page."""
    for notice in notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")


def fold_notes(notices: Sequence[str], key: str) -> None:
    """Show notes, if there are any, under a line that counts them."""
    if notices:
        with st.expander(counted(len(notices), "notice"), key=key):
            show_notes(notices)


@dataclass(frozen=True)
class PagePart:
    """A part of a page: its title, the function that draws it, and its fields in the page's link."""

    title: str
    draw: Callable[[], None]
    parameters: tuple[Field, ...] = ()


def draw_tabs(name: str, parts: Mapping[str, PagePart], *others: Field) -> None:
    """Draw the parts of a page as tabs, and have its link follow them.

    The link has the open tab by its name in ``parts``, the fields of all parts, and ``others``.

    Args:
        name: the page's; in lower case, the session key of the open tab's title.
        parts: what to draw, by the names in the link.
        others: fields that aren't of one part.
    """
    key = name.lower()
    names = {part.title: name for name, part in parts.items()}
    first = next(iter(parts))
    opened = Field(
        "tab",
        first,
        (key,),
        lambda text: {key: lookup(parts, text, "tab").title},
        lambda state: names.get(state.get(key, ""), first),
    )
    fields = (each for part in parts.values() for each in part.parameters)
    with permalink(name, (opened, *fields, *others)):
        for part, tab in zip(parts.values(), st.tabs(list(names), key=key, on_change="rerun"), strict=True):
            if tab.open:
                with tab, show_errors():
                    part.draw()


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
