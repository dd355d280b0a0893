"""Parts that the lessons of Learn share: slides, sample maps, the bundled encoder, outlines and pictures."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from tted_core import Comparison, TextTree
from tted_core.compare import compare_maps
from tted_core.encoders.embedding import embed
from tted_core.learn.tree_picture import tree_picture
from tted_core.method import Method
from tted_core.report.palette import OP_STYLES, SURFACE
from tted_core.script import OpKind
from tted_core.solvers import Mapping as Pairs
from ui import models
from ui.map_source import Pasted, SampleFile, read
from ui.page import component
from ui.text import html_escaped

LEARN_ENCODER = "minilm"
# Under this method replacing, deleting and inserting single letters cost 1 each, as on a blackboard.
LETTERS = Method(distance="levenshtein")


@st.cache_data(max_entries=64, show_spinner=False)
def vectors(texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Each text's vector, and that of the empty string."""
    return embed(models.encoder(LEARN_ENCODER), (*texts, ""))


@st.cache_data(max_entries=64, show_spinner=False)
def compare_small(left: TextTree, right: TextTree) -> Comparison:
    """Two small maps compared by the bundled encoder and the published setting."""
    return compare_maps(left, right, Method(), models.models())


def sample_tree(topic: str, file: str) -> TextTree:
    """A map of sample_trees/."""
    return read(SampleFile(f"{topic}/{file}")).tree


def read_outlines(left: str, right: str) -> tuple[TextTree, TextTree]:
    """Two maps from outlines."""
    return read(Pasted(left)).tree, read(Pasted(right)).tree


def outline(tree: TextTree, changes: Mapping[int, tuple[OpKind, float]], moved: str = "") -> str:
    """A tree as HTML, one line per node.

    Nodes of ``changes`` are highlighted with the sign and cost of their operation; an arrow marks the ``moved``
    sentence.
    """
    lines = []
    for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True)):
        sign, look, amount = "• ", "", ""
        if node in changes:
            kind, cost = changes[node]
            style = OP_STYLES[kind]
            fill, border = (
                f"light-dark({each[0]}, {each[1]})" for each in zip(style.light, style.dark, strict=True)
            )
            look = f"background:{fill};border-left:4px solid {border};"
            sign, amount = f"<b>{style.glyph}</b> ", f" <b>{cost:.4f}</b>"
        if label and label == moved:
            sign = f"<b>→ moved</b> {sign}"
        lines.append(
            f'<div style="margin:2px 0 2px {(depth - 1) * 1.2:g}em;padding:1px 6px;{look}">'
            f"{sign}{html_escaped(label)}{amount}</div>"
        )
    return f'<div style="font-size:.95rem">{"".join(lines)}</div>'


def draw_outlines(comparison: Comparison, moved: str = "") -> None:
    """Draw both maps side by side, with the sign and cost of each edit, and the ``moved`` sentence."""
    sides = comparison.left.tree, comparison.right.tree
    titles = ("Left map", "Right map")
    for side, (column, title, tree) in enumerate(zip(st.columns(2), titles, sides, strict=True)):
        nodes = (
            (op.target if side else op.source, (op.op, op.cost)) for op in comparison.script.ops if op.cost
        )
        column.markdown(f"**{title}**")
        column.html(outline(tree, {node: edit for node, edit in nodes if node is not None}, moved))


def draw_chart(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> None:
    """Draw a chart in full width, with labels as large as captions and as dark as text."""
    colour = SURFACE["dark" if is_dark() else "light"]["text"]
    look: dict[str, Any] = {
        "labelFontSize": 14,
        "titleFontSize": 14,
        "labelColor": colour,
        "titleColor": colour,
    }
    st.altair_chart(chart.configure_axis(**look).configure_legend(**look), width="stretch")


def draw_trees(
    left: TextTree,
    right: TextTree,
    pairs: Pairs,
    title: str,
    *,
    numbered: bool = False,
    stretch: bool = False,
) -> None:
    """Draw two trees and a mapping between them."""
    drawn = tree_picture((left, right), pairs, dark=is_dark(), title=title, numbered=numbered)
    draw_svg(drawn, title, stretch=stretch)


def is_dark() -> bool:
    """Return True if the user's theme is dark."""
    return bool(st.context.theme.type == "dark")


def draw_svg(svg: str, description: str, *, stretch: bool = False) -> None:
    """Draw an SVG at its own size or smaller if it doesn't fit; ``stretch`` draws it in full width.

    The description is for screen readers; ``st.image`` has only a caption.
    """
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    style = f"{'width' if stretch else 'max-width'}:100%;height:auto"
    st.html(f'<img src="{source}" alt="{escape(description)}" style="{style}">')


_slides = component(Path(__file__).parent / "slides", ("slides.js",), shared=("present.js",))


def draw_present_button() -> None:
    """Draw the button that presents the slides of this page; the address holds the one on screen."""
    _slides(key="slides", width="content")


def slide(number: int) -> DeltaGenerator:
    """A container that is one screen when presented; ``number`` counts from 1."""
    return st.container(key=f"slide-{number}")
