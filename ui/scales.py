"""How alike two maps are at three scales, in words and bars."""

from collections.abc import Mapping
from html import escape

from tted_core import TTEDError
from tted_core.baselines import BASELINES, SCALES, BaselineScore

SCALE_TITLES = {"mean_vector": "as a whole", "neighbourhood": "by sentence", "tree": "as a tree"}

LITTLE_ALIKE = 0.25
"""Maps below this at every scale have little in common."""

HALF_ALIKE = 0.5
"""Below this sentence by sentence, more sentences differ than correspond."""

SAME_SENTENCES = 0.95
"""Maps above this as a whole have nearly the same sentences."""

SCALE_STEP = 0.2
"""A difference between two scales that is worth a sentence."""


def alike(scores: Mapping[str, BaselineScore | TTEDError]) -> str:
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
