"""Maps of key phrases on the Measures page: sentences compressed by NDD, with the threshold as a slider."""

import math
from dataclasses import dataclass
from functools import partial

import streamlit as st

from tted_core import MindMap, TextTree
from tted_core.distances.ndd import Compressor, Weights, choose_spans
from tted_core.distances.ndd.compression import MAX_SPAN, NDD_MAX
from tted_core.monitor import Monitor
from tted_core.words.splitting import Sentence
from ui import cache
from ui.errors import show_errors
from ui.map_tools import save_map
from ui.masked_models import masked_model_input
from ui.measures.maps import one_map, one_map_link
from ui.palette import OP_STYLES
from ui.part import Part
from ui.permalink import number
from ui.running import watched_on_demand
from ui.text import html_escaped, in_page_words, markdown_escaped, plural

ABOUT = """**From sentences to key phrases.** Every span of words is left out once; if the others hardly
notice (their NDD stays within the limit), it can go. The higher the limit, the shorter the phrases. Of two
spans that overlap, the
one with the higher NDD goes (section 4 of the NDD paper)."""

WEIGHTS = {
    "mu": "μ: how much a word counts for each step away from the span",
    "nu": "ν: how much for each step from the sentence's start",
}


@dataclass(frozen=True)
class Asked:
    """The map and the spans to try."""

    tree: TextTree
    model: str
    longest: int
    weights: Weights


def key_phrases() -> None:
    """Draw the part: a map, its spans scored, and what is left of it at the limit on the slider."""
    st.markdown(ABOUT)
    with show_errors():
        left, right = st.columns(2)
        with left:
            mind_map = one_map("Map to compress", "phrases-map")
            longest = st.slider(
                "Longest span tried, in words",
                1,
                MAX_SPAN,
                key="phrases-longest",
                persist_state="page",
                help=f"The paper tries spans of up to {MAX_SPAN} words; shorter is quicker.",
            )
        with right:
            model = masked_model_input("phrases-model")
            mu, nu = (
                st.slider(label, 0.1, 1.0, step=0.05, key=f"phrases-{name}", persist_state="page")
                for name, label in WEIGHTS.items()
            )
        if mind_map is None:
            return
        asked = Asked(mind_map.tree, model, longest, Weights(mu, nu, balanced=True))
        compressor = watched_on_demand(
            "phrases",
            asked,
            partial(_scored, asked),
            label="Try all spans",
            in_server=True,
        )
        if compressor:
            _show(mind_map, compressor)


def _scored(asked: Asked, monitor: Monitor) -> Compressor:
    monitor.stage("Loading the masked model", 0.0)
    compressor = Compressor(cache.masked_model(asked.model), asked.longest, asked.weights)
    compressor.compress_map(asked.tree, monitor=monitor)
    return compressor


def _show(mind_map: MindMap, compressor: Compressor) -> None:
    tree = mind_map.tree
    scores = [span.score for label in tree.labels for span in compressor.spans(label)]
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
        or None
    )
    result = compressor.compress_map(tree, limit, 1, rate=rate)
    st.markdown(f"**{result.words_left} of {plural(result.words, 'word')}** are left ({result.rate:.0%}).")
    st.html("".join(_line(tree, node, compressor, limit, rate) for node in range(len(tree))))
    save_map("phrases", result.compressed)
    for notice in mind_map.notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")


def _line(tree: TextTree, node: int, compressor: Compressor, limit: float, rate: float | None) -> str:
    """A node with its left-out words struck through."""
    label = tree.labels[node]
    sentence = Sentence.of(label)
    end = 0
    pieces = []
    for span in choose_spans(sentence, compressor.spans(label), limit, (rate or 0) * len(sentence.spoken)):
        start, stop = sentence.words[span.start].start, sentence.words[span.stop - 1].end
        pieces.append(html_escaped(label[end:start]))
        pieces.append(
            f'<del title="NDD {span.score:.2f}" style="opacity:.75;text-decoration-color:'
            f'{OP_STYLES["delete"].light[1]}">{html_escaped(label[start:stop])}</del>'
        )
        end = stop
    pieces.append(html_escaped(label[end:]))
    indent = 1.4 * (tree.depths[node] - 1)
    return f'<p style="margin:.15rem 0 .15rem {indent:.1f}rem">{"".join(pieces)}</p>'


KEY_PHRASES = Part(
    "Key phrases",
    key_phrases,
    (
        one_map_link("phrases-map", "photosynthesis/base.json"),
        number("phrases-longest", int, 1, MAX_SPAN, default="4"),
        *(number(f"phrases-{name}", float, 0.1, 1.0, default="0.9") for name in WEIGHTS),
    ),
)
