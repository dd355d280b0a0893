"""Errors on the page: one clear sentence instead of a traceback. A bug keeps its traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tted_core import Interrupted, TTEDError
from ui.text import markdown_escaped


@contextmanager
def show_errors() -> Iterator[None]:
    """Show what the core says of bad input, and go on below."""
    try:
        yield
    except Interrupted as stopped:
        st.info(markdown_escaped(str(stopped)))
        st.button("Run again", type="primary")  # any click runs the page, and with it the comparison
    except TTEDError as error:
        show_error(error)


def show_error(error: TTEDError) -> None:
    """Show one error."""
    st.error(markdown_escaped(str(error)), icon="⚠️")
