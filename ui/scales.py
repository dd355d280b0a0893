"""The meaning of scores: a distance among those of sample pairs, and how alike two maps are at three scales."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from tted_core import Comparison, TTEDError
from tted_core.arithmetic import normalize_as_published, sizes_of, total
from tted_core.baselines import BASELINES, SCALES, BaselineScore
from tted_core.method import Method
from tted_core.report.wording import sizes_differ

# The sample pairs' distances by each preset and bundled encoder; written by ``pytest --update-golden`` of
# tests/ui/compare/test_score_scale.py.
SHIPPED = Path(__file__).parent / "score_scale.json"

# The kinds of sample pairs whose medians the gauge shows, by their names there.
MARKED = {"paraphrase": "paraphrased", "structure": "restructured", "unrelated": "unrelated"}

_NOTHING = "no sentence kept"  # the word at the line's end

# About the width of a letter at the ticks and the space between words, as shares of the line's 336 pixels.
LETTER_WIDTH, WORD_GAP = 5.5 / 336, 6 / 336

SCALE_TITLES = {"mean_vector": "as a whole", "neighbourhood": "by sentence", "tree": "as a tree"}

LITTLE_ALIKE = 0.25  # maps below this at every scale have little in common
HALF_ALIKE = 0.5  # below this sentence by sentence, more sentences differ than correspond
SAME_SENTENCES = 0.95  # maps above this as a whole have nearly the same sentences
SCALE_STEP = 0.2  # a difference between two scales that is worth a sentence


def gauge(result: Comparison) -> str:
    """HTML of the normalized distance on a line from 0 to that of this pair with no sentence kept.

    Ticks show the medians of sample pairs that differ in a known way; none if the maps' sizes differ too much.
    """
    scale = read_scales().get(scale_key(result.method))
    end = nothing_kept(result)
    medians = {}
    if scale and not sizes_differ(result):
        medians = {word: float(np.median(scale[kind])) for kind, word in MARKED.items()}
    at = min(result.normalized / end, 1.0) if end else 0.0
    ticks = {word: min(median / end, 1.0) for word, median in medians.items()}
    spoken = (
        f"Normalized distance {result.normalized:.3f} on a scale from 0, the same, to {end:.2f}, {_NOTHING}"
    )
    if medians:
        spoken += ". Typical: " + " · ".join(f"{word} {median:.2f}" for word, median in medians.items())
    words = "".join(
        f'<span style="position:absolute;left:{left:.1%};transform:translateX(-50%)" '
        f'title="{medians[word]:.2f}: median of {word} sample pairs">{word}</span>'
        for word, left in spread(ticks).items()
    )
    lines = "".join(
        f'<div style="position:absolute;top:-3px;bottom:0;left:{left:.1%};border-left:2px solid currentColor;'
        'opacity:.6"></div>'
        for left in ticks.values()
    )
    return (
        f'<div role="img" aria-label="{escape(spoken)}" '
        'style="font-size:11px;line-height:1.4;white-space:nowrap">'
        f'<div style="position:relative;height:{15 if words else 0}px">{words}</div>'
        '<div style="position:relative;height:12px;border-radius:6px;margin:3px 0;'
        'background:linear-gradient(90deg,rgba(47,111,171,.15),rgba(213,94,0,.45))">'
        f'{lines}<div style="position:absolute;top:-4px;bottom:-4px;left:calc({at:.1%} - 2.5px);width:5px;'
        'border-radius:2px;background:#d55e00;outline:1.5px solid light-dark(#fff,#0e1117)"></div></div>'
        f'<div style="display:flex;justify-content:space-between"><span>0 the same</span>'
        f"<span>{end:.2f} {_NOTHING}</span></div></div>"
    )


def spread(ticks: Mapping[str, float]) -> dict[str, float]:
    """Positions of the ticks' words as shares of the line: at their ticks, or beside them lest words overlap."""
    words = sorted(ticks, key=ticks.__getitem__)
    half = {word: (len(word) * LETTER_WIDTH + WORD_GAP) / 2 for word in words}
    found, last = dict[str, float](), 0.0
    for word in words:
        found[word] = max(ticks[word], last + half[word])
        last = found[word] + half[word]
    last = 1.0
    for word in reversed(words):
        found[word] = min(found[word], last - half[word])
        last = found[word] - half[word]
    return found


def nothing_kept(result: Comparison) -> float:
    """The normalized distance of this pair if every sentence were deleted or inserted."""
    power = result.method.power
    sizes = sizes_of(result.costs, power)
    indels = (*result.costs[:-1, -1], *result.costs[-1, :-1])
    return float(normalize_as_published(total(indels, power), sizes, power))


def scale_key(options: Method) -> str:
    """The options on which a scale depends, as a text."""
    return "|".join(f"{name}:{value}" for name, value in options.columns.items())


@st.cache_resource(show_spinner=False)
def read_scales() -> dict[str, dict[str, list[float]]]:
    """Settings -> kind of difference -> normalized distances of sample pairs."""
    scales: dict[str, dict[str, list[float]]] = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return scales


def describe_similarity(scores: Mapping[str, BaselineScore | TTEDError]) -> str:
    """HTML with the similarity of two maps, its reason in words, and a bar for each scale.

    Empty if a scale was not computed, as without sentence vectors.
    """
    shares = [score.sim for name in SCALES if isinstance(score := scores.get(name), BaselineScore)]
    if len(shares) < len(SCALES):
        return ""
    bars = "".join(
        f'<span title="{escape(BASELINES[name].note)}" style="white-space:nowrap">{SCALE_TITLES[name]} '
        f'<b>{share:.2f}</b><span style="display:block;height:3px;background:#8884">'
        f'<span style="display:block;height:3px;width:{share:.0%};background:currentColor"></span></span></span>'
        for name, share in zip(SCALES[:-1], shares, strict=False)
    )
    return (
        '<div class="alike" style="display:flex;flex-wrap:wrap;gap:0 .9rem;margin-top:2px;font-size:11px;'
        'line-height:1.35">'
        f'<span title="{escape(BASELINES[SCALES[-1]].note)}">Similarity <b>{shares[-1]:.2f}</b>: '
        f"{_why_alike(*shares[:-1])}</span>{bars}</div>"
    )


def _why_alike(whole: float, sentences: float, tree: float) -> str:
    """The scale at which the maps lose most, in words.

    >>> _why_alike(0.9, 0.8, 0.4)
    'mostly the same sentences, different structure'
    """
    if max(whole, sentences, tree) < LITTLE_ALIKE:
        return "little in common"
    if min(whole, sentences, tree) > 1 - SCALE_STEP:
        return "nearly the same"
    if whole > SAME_SENTENCES > tree or (sentences > HALF_ALIKE and sentences - tree > SCALE_STEP):
        return "mostly the same sentences, different structure"
    if whole - sentences > SCALE_STEP:
        return f"same topic, {'some' if sentences > HALF_ALIKE else 'mostly'} different sentences"
    return "differences at every scale"
