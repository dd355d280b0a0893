"""Take the result away: JSON, CSV, and the signature that lets others repeat the number."""

import json

import streamlit as st

from tted_core import Comparison, comparison_json, script_csv
from ui.compare_link import compare_link
from ui.inputs import LEFT, RIGHT, SOURCES
from ui.permalink import link


def downloads(result: Comparison) -> None:
    """Draw the download buttons and the signature."""
    with st.container(horizontal=True):
        st.download_button(
            "Result as JSON",
            json.dumps(comparison_json(result), ensure_ascii=False, indent=2, allow_nan=False),
            file_name="tted.json",
            mime="application/json",
            on_click="ignore",
            help="Everything: scores, script, both maps, options. The same as the command line prints.",
        )
        st.download_button(
            "Edit script as CSV",
            # The byte-order mark makes spreadsheets read it as UTF-8.
            "\ufeff" + script_csv(result),
            file_name="tted-script.csv",
            mime="text/csv",
            on_click="ignore",
        )
    st.markdown("**Signature**: quote it beside the number, so that others can repeat it.")
    st.code(result.signature, language=None, wrap_lines=True)
    _link()


def _link() -> None:
    """The link to the page as it stands, with a button that copies it."""
    st.markdown("**Link**: opens this comparison on the page, with the same maps and options.")
    st.code(link(compare_link()), language=None, wrap_lines=True)
    if any(st.session_state[side.state("source")] != SOURCES[0] for side in (LEFT, RIGHT)):
        st.caption("A link carries options and sample maps only; your own maps stay out of it.")
