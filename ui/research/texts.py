"""Two texts by all measures."""

from functools import partial
from typing import TypeAlias

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.distances import Models
from tted_core.distances.text_measures import TEXT_MEASURES, text_scores
from tted_core.foundations.monitor import Monitor
from tted_core.notices import encoder_notices
from ui import models
from ui.fields import words
from ui.model_choice import encoder_field
from ui.page import PagePart, show_errors, show_warnings, table_exports
from ui.running import run_watched
from ui.text import markdown_escaped

FIRST = "Coral reefs protect the coast from storms."
SECOND = "Shores behind a reef are sheltered when the sea is rough."

MAX_CHARACTERS = 2_000

_ABOUT = """**How alike are two texts?** Each measure has its own scale: a *distance* is 0 for equal texts,
a *similarity* 1. Never compare numbers of two measures; compare several pairs by one measure."""


Scored: TypeAlias = dict[str, dict[str, float] | TTEDError]  # measure -> its scores, or the error


def two_texts() -> None:
    """Draw the tab."""
    st.markdown(_ABOUT)
    with show_errors():
        left, right = st.columns(2)
        texts = FIRST_TEXT.draw(left).strip(), SECOND_TEXT.draw(right).strip()
        encoder = _ENCODER.draw(st.columns(2)[0])  # a new row, so that narrow screens keep the order
        if not any(texts):
            st.info("Write a text on either side.")
            return
        chosen = texts, encoder
        scores, notices = run_watched(
            "text-scores", chosen, partial(_score, *chosen), stop_help="Leaves the measures uncomputed."
        )
        show_warnings(notices)
        _table(scores)
    with st.expander("Formulas and sources"):
        for measure in TEXT_MEASURES.values():
            st.markdown(
                f"**{measure.title}** ({measure.kind}; {markdown_escaped(measure.metric)}) "
                f"$\\;{measure.formula}$  \n{measure.reading} *{markdown_escaped(measure.source)}.*"
            )


FIRST_TEXT = words("texts-first", "First text", FIRST, height=90, max_chars=MAX_CHARACTERS)
SECOND_TEXT = words(
    "texts-second", "Second text (the reference)", SECOND, height=90, max_chars=MAX_CHARACTERS
)
_ENCODER = encoder_field("texts-encoder")


def _score(texts: tuple[str, str], encoder: str, monitor: Monitor) -> tuple[Scored, tuple[str, ...]]:
    """The scores, and notices about the texts and their encoder."""
    loaders = Models(encoder, models.encoder)
    scores: Scored = {}
    for name in monitor.over(list(TEXT_MEASURES), "Computing the measures"):
        scores |= text_scores(*texts, loaders, {name: TEXT_MEASURES[name]})
    return scores, encoder_notices(models.encoder(encoder), texts, "none")


def _table(scores: Scored) -> None:
    rows = []
    for name, score in scores.items():
        measure = TEXT_MEASURES[name]
        if isinstance(score, TTEDError):
            value, detail = "–", f"not computed: {score}"
        else:
            value = f"{score[measure.main]:.3f}"
            detail = ", ".join(f"{part} {number:.3f}" for part, number in score.items())
        rows.append(
            {
                "Measure": measure.title,
                "Value": value,
                "Equal texts": "0" if measure.kind == "distance" else "1",
                "Details": detail,
                "Reading": measure.reading,
            }
        )
    table = pd.DataFrame(rows)
    st.table(table.map(markdown_escaped).set_index("Measure"))
    table_exports(table, "text-measures")


TEXTS = PagePart("Texts", two_texts, (FIRST_TEXT, SECOND_TEXT, _ENCODER))
