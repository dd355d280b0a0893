"""What was chosen in one part of the page stays while the other is open."""

from collections.abc import Sequence

import streamlit as st

from ui.permalink import Parameter


def keep_values(parameters: Sequence[Parameter]) -> None:
    """Keep the values of widgets that aren't drawn, which Streamlit would forget; the first one always is."""
    for each in parameters[1:]:
        for key in each.keys:
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]
