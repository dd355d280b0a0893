"""NDD on the Measures page: edits of a sentence word by word, and maps compressed to key phrases."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from tted_core.distances.ndd import Ndd, NddRow, Weights, measure_ndd, ndd_table
from tted_core.figures import edited_words, ndd_words
from tted_core.monitor import Monitor
from ui import cache
from ui.errors import show_errors
from ui.exports import figure, table_exports
from ui.fields import amount, switch, words
from ui.masked_models import masked_model_input
from ui.options import encoder_field
from ui.part import Part
from ui.running import watched_on_demand
from ui.text import markdown_escaped, shortened, told_apart

ABOUT = """**NDD, neighbouring distribution divergence**, tells how much an edit disturbs what the *other*
words mean. Each word that stays is hidden in turn, and a language model says what it expects there, before
and after the edit. The further apart the two expectations, the larger the NDD; **0 is an unchanged
sentence**. Only edits of the same
sentence can be compared with each other."""

FORMULA = r"""$\mathrm{NDD}(W, W') = \sum_k a_k\, D_{KL}(d'_k \,\|\, d_k)$ over the words $k$ that stay. $d_k$
and $d'_k$ are what the model expects in place of word $k$ before and after, and $a_k =
\mu^{\min(|k-i|,|k-j|)}$ is less the further the word is from the edited ones, $i$ to $j$. *Balanced* weights
are $a'_k = a_k + a_{n'-k}\,\mu^{n'}$, with $n'$ words that stay. **Perplexity** (PPL) tells how surprising a
sentence is by itself, **cosine** how near the sentence embeddings are. Source: *A Novel Metric for Evaluating
Semantics Preservation*, sections 2, 3 and 4.3."""

INITIAL = "I am walking in the cold rain."
EDITED = """I am walking in the cool rain.
I am walking in the freezing rain.
I am walking in the hot rain.
I am walking in the cold sunshine.
He is walking in the cold rain."""


@dataclass(frozen=True)
class Asked:
    """What is to be measured."""

    initial: str
    edited: tuple[str, ...]
    model: str
    encoder: str
    weights: Weights


def edits() -> None:
    """Draw the part: a sentence and its edits, the table of them, and one edit word by word."""
    st.markdown(ABOUT)
    with show_errors():
        asked = _asked()
        found = watched_on_demand(
            "ndd",
            asked,
            partial(_measured, asked),
            label="Measure the edits",
            in_server=True,
            disabled=not (asked.initial and asked.edited),
        )
        if found:
            _show(*found)
    with st.expander("Formula and source"):
        st.markdown(FORMULA)


SENTENCE = words("ndd-initial", "Sentence", INITIAL, widget="text_input")
AFTER = words("ndd-edited", "The sentence after an edit, one on each line", EDITED, height=150)
ENCODER = encoder_field("ndd-encoder", "Encoder, for the cosine")
MU = amount(
    "ndd-mu",
    "μ: how much a word counts for each step away from the edit",
    (0.1, 1.0, 0.05),
    default="0.9",
    widget="slider",
)
BALANCED = switch(
    "ndd-balanced",
    "Balanced weights",
    widget="checkbox",
    help="Words near both ends of the sentence have fewer neighbours; this makes up for it.",
)


def _asked() -> Asked:
    left, right = st.columns([3, 2])
    initial, edited = SENTENCE.draw(left), AFTER.draw(left)
    with right:
        model = masked_model_input("ndd-model")
        encoder, mu, balanced = ENCODER.draw(), MU.draw(), BALANCED.draw()
    lines = dict.fromkeys(line.strip() for line in edited.splitlines())
    return Asked(initial.strip(), tuple(filter(None, lines)), model, encoder, Weights(mu, balanced=balanced))


def _measured(asked: Asked, monitor: Monitor) -> tuple[tuple[NddRow, ...], tuple[Ndd, ...]]:
    monitor.stage("Loading the masked model", 0.0)
    model = cache.masked_model(asked.model)
    monitor.stage("Predicting hidden words", 0.2)
    encoder = cache.encoder(asked.encoder)
    rows = ndd_table(asked.initial, asked.edited, model, encoder, asked.weights, monitor=monitor)
    monitor.stage("Predicting hidden words", 0.7)
    return rows, tuple(measure_ndd(asked.initial, text, model, asked.weights) for text in asked.edited)


def _show(rows: tuple[NddRow, ...], measured: tuple[Ndd, ...]) -> None:
    table = pd.DataFrame(
        [
            {"Sentence": row.sentence, "PPL": row.perplexity, "NDD": row.ndd, "cosine": row.cosine}
            for row in rows
        ]
    )
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        key="ndd-table-frame",
        column_config={
            "Sentence": st.column_config.TextColumn(width="medium"),
            "PPL": st.column_config.NumberColumn(format="%.2f", help="Lower is more fluent."),
            "NDD": st.column_config.NumberColumn(format="%.3f", help="0: nothing changed."),
            "cosine": st.column_config.NumberColumn(format="%.3f", help="1: the same direction."),
        },
    )
    table_exports(table, "ndd-table")
    sentences = {number: shortened(each.after.text, 90) for number, each in enumerate(measured)}
    sentences = told_apart(sentences, lambda number: f"edit {number + 1}")
    at = st.selectbox(
        "Look into an edit, word by word",
        list(sentences),
        format_func=sentences.__getitem__,
        key="ndd-looked-into",
    )
    ndd = measured[at]
    if not ndd.words:
        st.info(
            "No word of the sentence stays, so there is nothing to look at: the NDD of such an edit is 0."
        )
        return
    changed = markdown_escaped(edited_words(ndd)) or "nothing"
    st.caption(f"Edited: {changed}. NDD {ndd.total:.3f}, of which each word that stays adds:")
    figure(ndd_words(ndd), "ndd-words")
    words = pd.DataFrame(
        [
            {
                "word": word.text,
                "divergence": word.divergence,
                "weight": word.weight,
                "contribution": word.contribution,
                "expected before": _expected(word.expected_before),
                "expected after": _expected(word.expected_after),
            }
            for word in ndd.words
        ]
    )
    numbers = {
        name: st.column_config.NumberColumn(format="%.3f")
        for name in ("divergence", "weight", "contribution")
    }
    st.dataframe(words, hide_index=True, width="stretch", key="ndd-words-frame", column_config=numbers)
    table_exports(words, "ndd-words-table")


def _expected(pieces: tuple[tuple[str, float], ...]) -> str:
    return ", ".join(f"{piece} {chance:.0%}" for piece, chance in pieces)


EDITS = Part(
    "Edits of a sentence (NDD)",
    edits,
    (SENTENCE, AFTER, ENCODER, MU, BALANCED),
)
