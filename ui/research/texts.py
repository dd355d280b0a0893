"""Two texts by all measures."""

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.masked_model import MaskedModel
from tted_core.errors import EncoderError
from tted_core.foundations.monitor import Monitor
from tted_core.measures.texts import TEXT_MEASURES, TextModels, text_scores
from tted_core.notices import encoder_notices
from ui import models
from ui.errors import show_errors
from ui.exports import table_exports
from ui.fields import switch, words
from ui.model_choice import encoder_field, masked_model_input
from ui.part import Part
from ui.running import watched
from ui.text import markdown_escaped

FIRST = "Coral reefs protect the coast from storms."
SECOND = "Shores behind a reef are sheltered when the sea is rough."

MAX_CHARACTERS = 2_000

ABOUT = """**How alike are two texts?** Each measure has its own scale: a *distance* is 0 for equal texts,
a *similarity* 1. Never compare numbers of two measures; compare several pairs by one measure."""


Scored: TypeAlias = dict[str, dict[str, float] | TTEDError]
"""Measure -> its scores, or the error."""


@dataclass(frozen=True)
class TextInputs:
    """Two texts and the models; without a masked model, NDD is left out."""

    first: str
    second: str
    encoder: str
    masked_model: str | None

    def models(self) -> TextModels:
        """The loaders of the models."""

        def masked_model() -> MaskedModel:
            if self.masked_model is None:
                raise EncoderError(
                    "switch on “NDD too”; it needs a masked language model, and none is built in"
                )
            return models.masked_model(self.masked_model)

        return TextModels(
            partial(models.encoder, self.encoder),
            partial(load_bertscorer, self.encoder),
            masked_model,
        )


def two_texts() -> None:
    """Draw the tab."""
    st.markdown(ABOUT)
    with show_errors():
        inputs = _inputs()
        if not (inputs.first or inputs.second):
            st.info("Write a text on either side.")
            return
        stop_help = "Leaves the measures uncomputed."
        scores, notices = watched("text-scores", inputs, partial(_scored, inputs), stop_help=stop_help)
        for notice in notices:
            st.warning(markdown_escaped(notice), icon=":material/warning:")
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
ENCODER = encoder_field("texts-encoder")
WITH_NDD = switch(
    "texts-ndd", "NDD too", help="Needs a masked language model, which has to be downloaded once."
)


def _inputs() -> TextInputs:
    left, right = st.columns(2)
    first, second = FIRST_TEXT.draw(left), SECOND_TEXT.draw(right)
    left, right = st.columns(2)  # a new row, so that narrow screens keep the order
    encoder = ENCODER.draw(left)
    with right:
        model = masked_model_input("texts-model") if WITH_NDD.draw() else None
    return TextInputs(first.strip(), second.strip(), encoder, model)


def _scored(inputs: TextInputs, monitor: Monitor) -> tuple[Scored, tuple[str, ...]]:
    """The scores, and notices about the texts and their encoder."""
    notices = encoder_notices(models.encoder(inputs.encoder), (inputs.first, inputs.second), "none")
    scores: Scored = {}
    for number, (name, measure) in enumerate(TEXT_MEASURES.items()):
        monitor.check()
        monitor.stage(f"Computing: {measure.title}", number / len(TEXT_MEASURES))
        scores |= text_scores(inputs.first, inputs.second, inputs.models(), {name: measure})
    return scores, notices


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


TEXTS = Part("Texts", two_texts, (FIRST_TEXT, SECOND_TEXT, ENCODER, WITH_NDD))
