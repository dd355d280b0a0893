"""Presenting: the steps of a part of Learn, or of Method, one at a time and as large as the window allows."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.component import component

_slides = component(Path(__file__).parent, ("slides.js",), shared=("present.js",))


def presenting() -> None:
    """Draw the button that presents the slides of this page; the address holds the one on screen."""
    _slides(key="slides", width="content")


def slide(number: int) -> DeltaGenerator:
    """A container that is one screen when presented; ``number`` counts from 1."""
    return st.container(key=f"slide-{number}")
