"""The Lab page: which settings to trust, and the evidence."""

import streamlit as st

from ui.lab.judgements import judgements
from ui.lab.perturbation import perturbation_bench
from ui.page import start_page

start_page("Metric laboratory")
change, judge = st.tabs(["Change a map step by step", "Ask people"], key="lab", on_change="rerun")
if change.open:
    with change:
        perturbation_bench()
if judge.open:
    with judge:
        judgements()
