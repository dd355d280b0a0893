"""Lessons on sample maps: from sentences to costs, and what TTED can't see.

The first takes two sentences to word pieces, vectors and their distance. The second shows blind spots: a sentence
in a longer node, a changed claim, the size of the maps.
"""

import math
from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from tted_core import TextTree
from tted_core.distances.formulas import cosine as cosine_distance
from tted_core.explain.build import explain
from tted_core.foundations.stats import plane
from tted_core.matching.records import PARTS, STATUSES
from tted_core.method import Method
from tted_core.words.claims import changed_claims
from ui import models, samples
from ui.comparisons import draw_open_button
from ui.fields import choice, words
from ui.learn.lesson import (
    LEARN_ENCODER,
    compare_small,
    draw_chart,
    draw_outlines,
    sample_tree,
    slide,
    vectors,
)
from ui.page import PagePart
from ui.text import counted, html_escaped, markdown_escaped

SIDE_TITLES = ("left", "right", "empty")
POINT_COLOURS = ("#2f6fab", "#c06a00", "#8a5fb0")
SHAPES = ("circle", "square", "diamond")


def projection(
    trees: tuple[TextTree, TextTree], chosen: tuple[str, str], known: Mapping[str, NDArray[np.float64]]
) -> tuple[alt.LayerChart | alt.FacetChart, float]:
    """All sentences in their principal plane, with lines between the two chosen ones and the empty one.

    Returns:
        The chart, and the share of the variance that it keeps.
    """
    rows = [
        (name, label, label == picked)
        for name, tree, picked in zip(SIDE_TITLES, trees, chosen, strict=False)
        for label in dict.fromkeys((*tree.labels, picked))
    ]
    rows.append(("empty", "(the empty sentence)", False))
    xy, shares = plane(np.array([known["" if name == "empty" else label] for name, label, _ in rows]))
    table = pd.DataFrame(rows, columns=["map", "sentence", "chosen"]).assign(x=xy[:, 0], y=xy[:, 1])
    ends = table[table["chosen"] | (table["map"] == "empty")]
    both = {
        name: channel(
            f"{name}:Q", title=None, axis=alt.Axis(labels=False, ticks=False), scale=alt.Scale(zero=False)
        )
        for name, channel in (("x", alt.X), ("y", alt.Y))
    }
    triangle = pd.concat([ends, ends.head(1)]).assign(order=range(len(ends) + 1))
    lines = alt.Chart(triangle).mark_line(strokeDash=[5, 4], color="#7d8590").encode(**both, order="order:O")
    legend = alt.Legend(orient="top", title=None)
    points = (
        alt.Chart(table)
        .mark_point(filled=True, opacity=0.9)
        .encode(
            **both,
            color=alt.Color("map:N", scale=alt.Scale(domain=SIDE_TITLES, range=POINT_COLOURS), legend=legend),
            shape=alt.Shape("map:N", scale=alt.Scale(domain=SIDE_TITLES, range=SHAPES)),
            size=alt.condition("datum.chosen || datum.map === 'empty'", alt.value(260), alt.value(80)),
            tooltip=["map", "sentence"],
        )
    )
    return alt.layer(lines, points).properties(height=460), float(shares.sum())


TOPIC, LEFT_SENTENCE, RIGHT_SENTENCE = "sentences_topic", "left_sentence", "right_sentence"
MAPS = ("base.json", "paraphrase_1.json")

PIECES_STYLE = (
    "display:inline-block;border:1px solid color-mix(in srgb, currentColor 45%, transparent);border-radius:4px;"
    "padding:0 5px;margin:2px 3px 2px 0;font-family:monospace"
)


def _draw_sentences() -> None:
    topic, *fields = PARAMETERS
    with slide(1):
        trees = _pair(topic.draw(on_change=_take_first_sentences))
        for column, field, tree in zip(st.columns(2), fields, trees, strict=True):
            field.draw(column, options=list(dict.fromkeys([*tree.labels, st.session_state[field.name]])))
        sentences = st.session_state[LEFT_SENTENCE].strip(), st.session_state[RIGHT_SENTENCE].strip()
        known = vectors([*sentences, *trees[0].labels, *trees[1].labels])
        st.markdown("## 1. Into word pieces")
        for side, pieces in zip(SIDE_TITLES, _pieces_of((*sentences, "")), strict=True):
            chips = "".join(f'<span style="{PIECES_STYLE}">{html_escaped(piece)}</span>' for piece in pieces)
            st.html(f"<div><b>{side}</b> ({counted(len(pieces), 'piece')}) {chips}</div>")
        st.caption("\\#\\# continues a word; \\[CLS\\] and \\[SEP\\] stand for the beginning and the end.")
    with slide(2):
        st.markdown("## 2. Into vectors")
        chart, kept = projection(trees, sentences, known)
        draw_chart(chart)
        st.caption(
            f"Each sentence of both maps becomes {len(known[''])} numbers, a point in as many dimensions; so does "
            "the empty sentence, with which deleted and inserted sentences are compared. This flat picture "
            f"(principal axes) keeps {kept:.0%} of the variance, so points that look near may be far apart. Point "
            "at one to read it."
        )
    with slide(3):
        st.markdown("## 3. Into costs")
        _costs(sentences, known)
    draw_open_button(*trees, Method(), "sentences")


def _pair(topic: str) -> tuple[TextTree, TextTree]:
    return sample_tree(topic, MAPS[0]), sample_tree(topic, MAPS[1])


def _take_first_sentences() -> None:
    topic = st.session_state[TOPIC]
    if topic in samples.topics():  # a client that isn't a browser may send anything
        for key, tree in zip((LEFT_SENTENCE, RIGHT_SENTENCE), _pair(topic), strict=True):
            st.session_state[key] = tree.labels[1]


@st.cache_data(max_entries=64, show_spinner=False)
def _pieces_of(texts: tuple[str, ...]) -> list[list[str]]:
    return models.encoder(LEARN_ENCODER).word_pieces(texts)


def _costs(sentences: tuple[str, str], known: dict[str, NDArray[np.float64]]) -> None:
    a, b, empty = known[sentences[0]], known[sentences[1]], known[""]
    distances = cosine_distance(np.array([a, b, empty]), np.array([a, b, empty])).round(4)  # sums as shown
    replace, delete, insert = distances[0, 1], distances[0, 2], distances[1, 2]
    cosine = float(a @ b / math.sqrt((a @ a) * (b @ b)))
    st.latex(
        r"\begin{aligned} r(a, b) &= \frac{\lVert \hat a - \hat b \rVert}{\sqrt 2} = \sqrt{1 - \cos(a, b)}"
        rf"\\[.6em] &= \sqrt{{1 {-cosine:+.6f}}} = {replace:.4f} \end{{aligned}}"
    )
    st.markdown(
        "| ~ replace left with right | − delete left | + insert right |\n| --- | --- | --- |\n"
        f"| $r(a, b) =$ **{replace:.4f}** | $r(a, \\lambda) =$ **{delete:.4f}** "
        f"| $r(\\lambda, b) =$ **{insert:.4f}** |"
    )
    rest = delete + insert
    saved = (
        f"Pairing them saves {rest - replace:.4f} over deleting one and inserting the other ({rest:.4f})."
        if replace < rest
        else f"Deleting one and inserting the other costs no more ({rest:.4f})."
    )
    st.markdown(
        f"{saved} Since $r$ is a metric, replacing never costs more: the way through the empty sentence "
        "$\\lambda$ is a detour (triangle inequality)."
    )


PARAMETERS = (
    choice(
        TOPIC,
        "Maps",
        samples.topics(),
        samples.OPENING_TOPIC,
        format_func=samples.topic_title,
        width=300,
        help="The sample map of this topic, and a paraphrase of it.",
    ),
    *(
        words(
            key,
            label,
            tree.labels[1],
            widget="selectbox",
            accept_new_options=True,
            help="One of the map's sentences, or type one of your own and press Enter.",
        )
        for key, label, tree in zip(
            (LEFT_SENTENCE, RIGHT_SENTENCE),
            ("Left sentence", "Right sentence"),
            _pair(samples.OPENING_TOPIC),
            strict=True,
        )
    ),
)
SENTENCES_PART = PagePart("From sentences to costs", _draw_sentences, PARAMETERS)


# A branch of the sample map "coral-reefs": a sentence and two below it, one node in the other map.
MERGED_BRANCH = slice(5, 8)

# Beginnings of sentences of the sample map "solar-system", and the words that are changed in them.
_CHANGED_CLAIMS = (
    ("Jupiter has more mass than all", "more mass", "less mass"),
    ("Sunlight needs a little more than eight", "eight minutes", "eighty minutes"),
    ("Earth is the only place", "is the only", "is not the only"),
)

SIZES = (
    (("solar-system", "base.json"), ("solar-system", "paraphrase_1.json"), "solar-system and its paraphrase"),
    (("urban-heat", "base.json"), ("urban-heat", "paraphrase_1.json"), "urban-heat and its paraphrase"),
    (("urban-heat", "base.json"), ("olive-oil", "base.json"), "urban-heat and olive-oil"),
)


def _draw_limits() -> None:
    for number, draw in enumerate((_merging, _claims, _sizes), 1):
        with slide(number):
            draw()


def _merging() -> None:
    st.markdown("## 1. Merged sentences")
    top, *below = sample_tree("coral-reefs", "base.json").labels[MERGED_BRANCH]
    left, right = TextTree((top, *below), (-1, 0, 0)), TextTree((top, " ".join(below)), (-1, 0))
    comparison = compare_small(left, right)
    draw_outlines(comparison)
    for each in explain(comparison).sentences:
        if each.status in PARTS and each.left:
            st.markdown(f"- {STATUSES[each.status]} {each.status}: “{markdown_escaped(each.left.label)}”")
    st.markdown(
        f"Not a word is lost, yet TTED is {comparison.tted:.4f}: a mapping pairs single nodes, so one node is "
        "rewritten and another deleted or inserted. *Compare* also looks for sentences within longer nodes "
        "and calls them merged or split; the distance doesn't change."
    )
    draw_open_button(left, right, Method(), "limits")


def _claims() -> None:
    st.markdown("## 2. A changed claim")
    base, reworded = (sample_tree("solar-system", f"{name}.json").labels for name in ("base", "paraphrase_1"))
    rows = ["| sentence | the same claim, reworded | another claim |", "| --- | --- | --- |"]
    for beginning, before, after in _CHANGED_CLAIMS:
        node = next(node for node, label in enumerate(base) if label.startswith(beginning))
        texts = base[node], reworded[node], base[node].replace(before, after)
        known = vectors(texts)
        costs = cosine_distance(np.array([known[texts[0]]]), np.array([known[text] for text in texts[1:]]))[0]
        flags = ", ".join(flag.words for flag in changed_claims(texts[0], texts[2]))
        same, other = (f"{text} **{cost:.3f}**" for text, cost in zip(texts[1:], costs, strict=True))
        rows.append(f"| {texts[0]} | {same} | {other}, {flags} |")
    st.markdown("\n".join(rows))
    st.markdown(
        "The encoder sees the subject and the words: another claim in the same words costs less than the same "
        "claim in other words. So *Compare* also flags numbers, negations, opposites, names and modality (must, "
        "may) that differ. A flag changes no score."
    )


def _sizes() -> None:
    st.markdown("## 3. Size")
    rows = ["| maps | TTED | normalized |", "| --- | --- | --- |"]
    for left, right, names in SIZES:
        trees = sample_tree(*left), sample_tree(*right)
        found = compare_small(*trees)
        sizes = " and ".join(str(len(tree)) for tree in trees)
        rows.append(f"| {names} ({sizes} nodes) | **{found.tted:.2f}** | **{found.normalized:.2f}** |")
    st.markdown("\n".join(rows))
    st.markdown(
        "TTED is a sum: the distance of two maps of 42 nodes with the same content is four times that of two "
        "of 10. Compare maps of different sizes by the normalized distance. It has a blind spot of its own: a "
        "single wrong sentence hardly counts in a large map."
    )


LIMITS_PART = PagePart("What TTED can't see", _draw_limits)
