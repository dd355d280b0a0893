"""How the scores are spread, and any two of them against each other."""

import numpy as np
import streamlit as st

from tted_core.batch.results import Results, RowNumbers
from tted_core.figures import score_histogram, score_scatter
from tted_core.figures.scores import MOST_POINTS
from ui.exports import figure
from ui.text import plural

START = "normalized"


def charts(results: Results, rows: RowNumbers, by: str) -> None:
    """Draw both, of the rows that the table shows."""
    scores = [name for name in results.scores if np.isfinite(results.scores[name][rows]).any()]
    if START not in scores:
        st.info("There is nothing to draw: none of these pairs has a score.")
        return
    start = by if by in scores else START
    st.markdown(f"**How {plural(len(rows), 'row')} are spread**")
    with st.container(horizontal=True):
        across = _score("Score", "batch-x", scores, start)
        upwards = _score("Against", "batch-y", scores, _other(scores, start))
    left, right = st.columns(2)
    with left:
        figure(score_histogram(across, results.scores[across][rows]), "score-histogram")
    with right:
        few = rows.tolist() if len(rows) <= MOST_POINTS else []
        spec = score_scatter(
            (across, upwards),
            results.scores[across][rows],
            results.scores[upwards][rows],
            [results.pairs[row][0] for row in few],
        )
        figure(spec, "score-scatter")


def _score(label: str, key: str, scores: list[str], start: str) -> str:
    if st.session_state.get(key) not in scores:
        st.session_state[key] = start
    name: str = st.selectbox(label, scores, key=key, width=170)
    return name


def _other(scores: list[str], first: str) -> str:
    """Another score to begin with: a baseline would be best, sizes tell something too."""
    liked = [name for name in scores if name.startswith("rouge")]
    return next(name for name in (*liked, "left_nodes", *scores) if name in scores and name != first)
