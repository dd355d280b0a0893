"""The frame of every page: menu, style and title, tabs, and errors as one sentence, never a traceback."""

import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from tted_core import VERSION, TTEDError
from tted_core.errors import Interrupted, lookup
from ui.fields import Field
from ui.permalink import permalink
from ui.running import NotYet
from ui.text import in_page_words, markdown_escaped

_logger = logging.getLogger(__name__)

# The menu: group -> page (a file in pages/) -> Material icon.
MENU: dict[str, dict[str, str]] = {
    "Use": {
        "Compare": "compare_arrows",
        "Evaluate": "leaderboard",
        "Annotate": "rate_review",
    },
    "Understand": {"Learn": "school", "Method": "functions"},
    "Research": {"Research": "science"},
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
