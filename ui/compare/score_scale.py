"""The meaning of a normalized distance: its position among sample pairs that differ in a known way."""

import json
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from tted_core import Comparison
from tted_core.arithmetic import published, sizes_of, total
from tted_core.method import Method
from tted_core.report.words import sizes_differ

SHIPPED = Path(__file__).parent / "score_scale.json"
"""The sample pairs' distances by each preset and bundled encoder; written by ``pytest --update-golden`` of
tests/ui/compare/test_score_scale.py."""

MARKED = {"paraphrase": "paraphrased", "structure": "restructured", "unrelated": "unrelated"}
"""The kinds of sample pairs whose medians the gauge shows, by their names there."""


def gauge(result: Comparison) -> str:
    """HTML of the normalized distance on a line from 0 to that of this pair with no sentence kept.

    Marks show the medians of sample pairs that differ in a known way; none if the maps' sizes differ too much.
    """
    scale = known().get(settings(result.method))
    end, word = nothing_kept(result), "no sentence kept"
    marks = {}
    if scale and not sizes_differ(result):
        marks = {word: float(np.median(scale[kind])) for kind, word in MARKED.items()}
    at = min(result.normalized / end, 1.0) if end else 0.0
    ticks = "".join(
        f'<div style="position:absolute;top:0;bottom:0;left:{min(median / end, 1.0):.1%};'
        'border-left:2px solid currentColor;opacity:.6"></div>'
        for median in marks.values()
    )
    typical = " · ".join(f"{name} {median:.2f}" for name, median in marks.items())
    spoken = f"Normalized distance {result.normalized:.3f} on a scale from 0, the same, to {end:.2f}, {word}"
    small = "display:flex;justify-content:space-between;gap:.5rem;font-size:.8rem;line-height:1.4"
    return (
        f'<div style="{small}"><span>0 the same</span><span>{end:.2f} {word}</span></div>'
        f'<div role="img" aria-label="{escape(spoken)}" style="position:relative;height:12px;border-radius:6px;'
        'margin:3px 0;background:linear-gradient(90deg,rgba(47,111,171,.15),rgba(213,94,0,.45))">'
        f'{ticks}<div style="position:absolute;top:-4px;bottom:-4px;left:calc({at:.1%} - 2.5px);width:5px;'
        'border-radius:2px;background:#d55e00;outline:1.5px solid light-dark(#fff,#0e1117)"></div></div>'
        + (f'<div style="{small}"><span>Typical: {escape(typical)}</span></div>' if marks else "")
    )


def nothing_kept(result: Comparison) -> float:
    """The normalized distance of this pair if every sentence were deleted or inserted."""
    power = result.method.power
    sizes = sizes_of(result.costs, power)
    indels = (*result.costs[:-1, -1], *result.costs[-1, :-1])
    return float(published(total(indels, power), sizes, power))


def settings(options: Method) -> str:
    """The options on which a scale depends, as a text."""
    return "|".join(f"{name}:{value}" for name, value in options.columns.items())


@st.cache_resource(show_spinner=False)
def known() -> dict[str, dict[str, list[float]]]:
    """Settings -> kind of difference -> normalized distances of sample pairs."""
    scales: dict[str, dict[str, list[float]]] = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return scales
