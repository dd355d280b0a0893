"""Sentences by NDD: how much each edit of one disturbs its other words, and maps cut down to key phrases."""

import math
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree
from tted_core.distances.ndd import (
    Compressor,
    MapCompression,
    Ndd,
    NddRow,
    ScoredSpan,
    Weights,
    choose_spans,
    measure_ndd,
    ndd_table,
    without_spans,
)
from tted_core.distances.ndd.compression import MAX_SPAN, NDD_MAX
from tted_core.figures import edited_words, ndd_words
from tted_core.foundations.monitor import Monitor
from tted_core.report.palette import OP_STYLES
from tted_core.words.splitting import Sentence
from ui.errors import show_errors
from ui.exports import data_table, figure
from ui.fields import amount, switch, words
from ui.map_tools import save_map
from ui.masked_models import masked_model_input
from ui.options import encoder_field
from ui.part import Part
from ui.processes import loading
from ui.research.inputs import one_map, one_map_field
from ui.running import watched_on_demand
from ui.text import html_escaped, in_page_words, markdown_escaped, plural, shortened, told_apart

ABOUT = """**How much does an edit disturb the rest of a sentence?** NDD, neighbouring distribution divergence:
each word that stays is hidden in turn, and a masked language model predicts it before and after the edit. The
more the two predictions differ, the larger the NDD; 0 is an unchanged sentence. Only edits of the same sentence
can be compared with each other."""

PHRASES = """Every span of words is left out once; where the NDD stays within the limit, it can go. Of two spans
that overlap, the one with the higher NDD goes (section 4 of the NDD paper)."""

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


WEIGHTS = {
    "mu": "μ: how much a word counts for each step away from the span",
    "nu": "ν: how much for each step from the sentence's start",
}


@dataclass(frozen=True)
class Edits:
    """A sentence and its edits."""

    initial: str
    edited: tuple[str, ...]
    model: str
    encoder: str
    weights: Weights


@dataclass(frozen=True)
class Spans:
    """A map and the spans of its sentences that are tried."""

    tree: TextTree
    model: str
    longest: int
    weights: Weights


def sentences() -> None:
    """Draw the tab: the masked model, edits of a sentence, and key phrases of a map."""
    st.markdown(ABOUT)
    model = masked_model_input("sentences-model")
    for section in (_edits, _key_phrases):
        with show_errors():
            section(model)
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


def _edits(model: str) -> None:
    left, right = st.columns([3, 2])
    initial, edited = SENTENCE.draw(left), AFTER.draw(left)
    with right, st.expander("More: encoder, weights", key="ndd-more"):
        encoder, mu, balanced = ENCODER.draw(), MU.draw(), BALANCED.draw()
    lines = dict.fromkeys(filter(None, map(str.strip, edited.splitlines())))
    asked = Edits(initial.strip(), tuple(lines), model, encoder, Weights(mu, balanced=balanced))
    found = watched_on_demand(
        "ndd",
        asked,
        partial(_measured, asked),
        label="Measure the edits",
        word_models=True,
        disabled=not (asked.initial and asked.edited),
    )
    if found:
        _show(*found)


def _measured(asked: Edits, monitor: Monitor) -> tuple[tuple[NddRow, ...], tuple[Ndd, ...]]:
    monitor.stage("Loading the masked model", 0.0)
    model = loading.masked_model(asked.model)
    monitor.stage("Predicting hidden words", 0.2)
    encoder = loading.encoder(asked.encoder)
    rows = ndd_table(asked.initial, asked.edited, model, encoder, asked.weights, monitor=monitor)
    monitor.stage("Predicting hidden words", 0.7)
    return rows, tuple(measure_ndd(asked.initial, text, model, asked.weights) for text in asked.edited)


def _show(rows: tuple[NddRow, ...], measured: tuple[Ndd, ...]) -> None:
    data_table(
        pd.DataFrame(
            [
                {"Sentence": row.sentence, "PPL": row.perplexity, "NDD": row.ndd, "cosine": row.cosine}
                for row in rows
            ]
        ),
        "ndd-table",
        width="stretch",
        key="ndd-table-frame",
        column_config={
            "Sentence": st.column_config.TextColumn(width="medium"),
            "PPL": st.column_config.NumberColumn(format="%.2f", help="Lower is more fluent."),
            "NDD": st.column_config.NumberColumn(format="%.3f", help="0: nothing changed."),
            "cosine": st.column_config.NumberColumn(format="%.3f", help="1: the same direction."),
        },
    )
    titles = {number: shortened(each.after.text, 90) for number, each in enumerate(measured)}
    titles = told_apart(titles, lambda number: f"edit {number + 1}")
    at = st.selectbox(
        "Look into an edit, word by word",
        list(titles),
        format_func=titles.__getitem__,
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
    data_table(words, "ndd-words-table", width="stretch", key="ndd-words-frame", column_config=numbers)


def _expected(pieces: tuple[tuple[str, float], ...]) -> str:
    return ", ".join(f"{piece} {chance:.0%}" for piece, chance in pieces)


def _key_phrases(model: str) -> None:
    """Draw a map, its spans scored, and what is left of it at the limit on the slider."""
    st.header("Key phrases of a map", anchor=False)
    st.caption(PHRASES)
    left, right = st.columns(2)
    with left:
        mind_map = one_map(MAP)
    with right, st.expander("More: spans, weights", key="phrases-more"):
        longest = LONGEST.draw()
        mu, nu = (field.draw() for field in PHRASE_WEIGHTS)
    if mind_map is None:
        return
    asked = Spans(mind_map.tree, model, longest, Weights(mu, nu, balanced=True))
    work = partial(_scored, asked)
    spans = watched_on_demand("phrases", asked, work, label="Try all spans", word_models=True)
    if spans is not None:
        _show_phrases(mind_map, spans)


MAP = one_map_field("phrases-map", "Map to compress", "photosynthesis/base.json")
LONGEST = amount(
    "phrases-longest",
    "Longest span tried, in words",
    (1, MAX_SPAN, 1),
    default="4",
    widget="slider",
    help=f"The paper tries spans of up to {MAX_SPAN} words; shorter is quicker.",
)
PHRASE_WEIGHTS = tuple(
    amount(f"phrases-{name}", label, (0.1, 1.0, 0.05), default="0.9", widget="slider")
    for name, label in WEIGHTS.items()
)


def _scored(asked: Spans, monitor: Monitor) -> list[tuple[ScoredSpan, ...]]:
    """The spans of each node's text."""
    monitor.stage("Loading the masked model", 0.0)
    compressor = Compressor(loading.masked_model(asked.model), asked.longest, asked.weights)
    compressor.compress_map(asked.tree, monitor=monitor)
    return list(map(compressor.spans, asked.tree.labels))


def _show_phrases(mind_map: MindMap, spans: list[tuple[ScoredSpan, ...]]) -> None:
    scores = [span.score for of_node in spans for span in of_node]
    if not scores:
        st.info("Every node is a single word: there is nothing to leave out.")
        return
    top = max(2 * NDD_MAX, math.ceil(max(scores)))
    limit = st.slider(
        "Largest NDD at which a span is left out",
        0.0,
        float(top),
        NDD_MAX,
        top / 100,
        key="phrases-limit",
        help=f"The paper takes {NDD_MAX:g}.",
    )
    rate = (
        st.slider(
            "Share of each node's words that is short enough",
            0,
            100,
            key="phrases-rate",
            format="%d %%",
            help="No more is left out than that takes; 0 % leaves out all that may go. The paper takes 60 %.",
        )
        / 100
    )
    tree = mind_map.tree
    sentences = list(map(Sentence.of, tree.labels))
    deleted = [
        choose_spans(sentence, of_node, limit, rate * len(sentence.spoken))
        for sentence, of_node in zip(sentences, spans, strict=True)
    ]
    result = MapCompression.of(tree, list(map(without_spans, sentences, deleted)))
    st.markdown(f"**{result.words_left} of {plural(result.words, 'word')}** are left ({result.rate:.0%}).")
    st.html("".join(map(_line, sentences, deleted, tree.depths)))
    save_map("phrases", result.compressed)
    for notice in mind_map.notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")


def _line(sentence: Sentence, deleted: tuple[ScoredSpan, ...], depth: int) -> str:
    """A node with its left-out words struck through."""
    label = sentence.text
    end = 0
    pieces = []
    for span in deleted:
        start, stop = sentence.words[span.start].start, sentence.words[span.stop - 1].end
        pieces.append(html_escaped(label[end:start]))
        pieces.append(
            f'<del title="NDD {span.score:.2f}" style="opacity:.75;text-decoration-color:'
            f'{OP_STYLES["delete"].light[1]}">{html_escaped(label[start:stop])}</del>'
        )
        end = stop
    pieces.append(html_escaped(label[end:]))
    indent = 1.4 * (depth - 1)
    return f'<p style="margin:.15rem 0 .15rem {indent:.1f}rem">{"".join(pieces)}</p>'


SENTENCES = Part(
    "Sentences",
    sentences,
    (
        SENTENCE,
        AFTER,
        ENCODER,
        MU,
        BALANCED,
        MAP,
        LONGEST,
        *PHRASE_WEIGHTS,
    ),
)
