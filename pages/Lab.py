"""The Lab page: which settings to trust, and the evidence."""

import streamlit as st

from ui.errors import show_errors
from ui.lab.arithmetic import published_arithmetic
from ui.lab.detection import detection_bench
from ui.lab.judgements import judgements
from ui.lab.perturbation import perturbation_bench
from ui.lab.quality import quality_grid
from ui.page import page

with page("Metric laboratory"):
    names = [
        "Structure and meaning",
        "Detection",
        "Change a map step by step",
        "Ask people",
        "The published arithmetic",
    ]
    measure, find, change, judge, published = st.tabs(names, key="lab", on_change="rerun")
    if measure.open:
        with measure, show_errors():
            quality_grid()
    if find.open:
        with find, show_errors():
            detection_bench()
    if change.open:
        with change, show_errors():
            perturbation_bench()
    if judge.open:
        with judge, show_errors():
            judgements()
    if published.open:
        with published, show_errors():
            published_arithmetic()
