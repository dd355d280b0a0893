"""Blind spots of TTED, on real samples: a sentence in a longer node, a changed claim, the size of the maps."""

import numpy as np
import streamlit as st

from tted_core import TextTree
from tted_core.distances.formulas import cosine as cosine_distance
from tted_core.explain.build import explain
from tted_core.matching.records import PARTS, STATUSES
from tted_core.method import Method
from tted_core.words.claims import changed_claims
from ui.comparisons import draw_open_button
from ui.learn.lesson import compare_small, draw_outlines, sample_tree, slide, vectors
from ui.page import PagePart
from ui.text import markdown_escaped

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


def _draw() -> None:
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


LIMITS_PART = PagePart("What TTED can't see", _draw)
