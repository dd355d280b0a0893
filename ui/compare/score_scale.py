"""The meaning of a normalized distance: its position among sample pairs that differ in a known way."""

import json
from html import escape
from pathlib import Path

import streamlit as st

from tted_core import Comparison
from tted_core.arithmetic import published, sizes_of, total
from tted_core.explain.scale import Band, replaced_for
from tted_core.method import Method
from tted_core.report.words import sizes_differ

SHIPPED = Path(__file__).parent / "score_scale.json"
"""The bands of the presets by each bundled encoder; written by ``pytest --update-golden`` of
tests/ui/compare/test_score_scale.py."""

RELATIONS = {
    "paraphrase": ("paraphrased", "same meaning, other words"),
    "structure": ("restructured", "same sentences, other structure"),
    "meaning": ("changed in meaning", "same structure"),
    "unrelated": ("unrelated", "another topic"),
}

MARKED = ("paraphrase", "structure", "unrelated")
"""The relations whose medians the gauge shows."""

REPLACED = "replaced "
"""The beginning of the names of bands whose pairs are a base and its paraphrases with sentences replaced."""


def gauge(result: Comparison) -> str:
    """HTML of the normalized distance on a line from 0 to that of this pair with no sentence kept.

    Marks show the medians of sample pairs that differ in a known way; none if the maps' sizes differ too much.
    """
    scale = known().get(settings(result.method))
    end, word = nothing_kept(result), "no sentence kept"
    marks = {}
    if scale and not sizes_differ(result):
        marks = {RELATIONS[kind][0]: scale[kind].median for kind in MARKED}
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


@st.fragment
def score_scale(result: Comparison) -> None:
    """Draw the button that explains the number, with the scale if there is one for this setting."""
    popover = st.popover(f"Is {result.normalized:.3f} a lot?", key="scale-of-scores", on_change="rerun")
    if not popover.open:
        return
    scale, end = known().get(settings(result.method)), nothing_kept(result)
    with popover:
        if scale and not sizes_differ(result):
            st.html(scale_html(scale, result.normalized, nodes=len(result.left.tree), end=end))
            st.caption(
                "Bars show the middle 80 % of the sample pairs under the same setting, the line in each is the "
                "median; the range of replaced sentences is where this score lies in the middle 80 %. Compare a "
                "score only with scores under the same setting."
            )
            return
        reason = (
            "One map has over half as many nodes again as the other. The sample pairs don't, so their typical "
            "values don't apply."
            if sizes_differ(result)
            else "Typical values are known for the presets with the built-in encoders."
        )
        st.markdown(f"With no sentence kept, this pair comes to {end:.2f}. {reason}")


def settings(options: Method) -> str:
    """The options on which a scale depends, as a text."""
    return "|".join(f"{name}:{value}" for name, value in options.columns.items())


@st.cache_resource(show_spinner=False)
def known() -> dict[str, dict[str, Band]]:
    """Settings -> bands."""
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {
        key: {kind: Band(tuple(values)) for kind, values in scale.items()} for key, scale in content.items()
    }


def scale_html(scale: dict[str, Band], value: float, *, nodes: int, end: float) -> str:
    """HTML of one bar per kind on the axis from 0 to the gauge's end, and a line at the value.

    Args:
        scale: the bands.
        value: the score, of a left map of so many ``nodes``.
        nodes: see ``value``.
        end: the score with no sentence kept.
    """
    rows = []
    summary = f"{detected_in_words(scale, value, nodes)} It {typical_in_words(scale, value)}"
    for kind, band in _related(scale).items():
        word, hint = RELATIONS[kind]
        title = (
            f"{word} (n = {len(band.values)}): {band.low:.2f} to {band.high:.2f}, median {band.median:.2f}"
        )
        full = "position:absolute;top:0;bottom:0"
        rows.append(
            f'<div style="font-size:.85rem;margin-top:.45rem">{escape(title)}; {hint}</div>'
            '<div style="position:relative;height:14px;background:rgba(128,128,128,.18);border-radius:3px">'
            f'<div style="{full};left:{band.low / end:.1%};'
            f"width:{(band.high - band.low) / end:.1%};"
            'background:currentColor;opacity:.35;border-radius:3px"></div>'
            f'<div style="{full};left:{band.median / end:.1%};border-left:2px solid"></div>'
            '<div style="position:absolute;top:-3px;bottom:-3px;'
            f"left:calc({min(value / end, 1.0):.1%} - 2px);"
            'border-left:4px solid #d55e00"></div></div>'
        )
    return (
        f'<div style="min-width:min(420px,80vw)"><b>{value:.3f}</b> {summary}'
        f'<div role="img" aria-label="The score as a line across the bars of the sample pairs">'
        f"{''.join(rows)}</div>"
        '<div style="display:flex;justify-content:space-between;font-size:.8rem"><span>0: the same</span>'
        f"<span>{end:.2f}: no sentence kept</span></div></div>"
    )


def _related(scale: dict[str, Band]) -> dict[str, Band]:
    return {kind: band for kind, band in scale.items() if kind in RELATIONS}


def detected_in_words(scale: dict[str, Band], value: float, nodes: int) -> str:
    """The number of replaced sentences in a paraphrase of so many nodes that gives the same distance."""
    doses = {
        float(kind.removeprefix(REPLACED)): band for kind, band in scale.items() if kind.startswith(REPLACED)
    }
    by_share = {0.0: scale["paraphrase"], **dict(sorted(doses.items()))}
    found = replaced_for(value, by_share)
    most = max(by_share)

    def sentences(share: float) -> str:
        return f"more than {round(most * nodes)}" if share > most else str(round(share * nodes))

    least, about, most_of_all = map(sentences, (found.least, found.about, found.most))
    span = f" ({least} to {most_of_all})" if least != most_of_all else ""
    replaced = f"{about} of {nodes} sentences replaced by those of another topic{span}"
    return f"is about as far as a paraphrase with {replaced}."


def typical_in_words(scale: dict[str, Band], value: float) -> str:
    """The kinds of difference for which the value is typical."""
    scale = _related(scale)
    usual = [kind for kind, band in scale.items() if band.low <= value <= band.high]
    if usual:
        return f"is typical of maps that are {' or '.join(RELATIONS[kind][0] for kind in usual)}."
    if value < min(band.low for band in scale.values()):
        return "is below the typical range of all of these."
    if value > max(band.high for band in scale.values()):
        return "is above the typical range of all of these."
    below = " or ".join(RELATIONS[kind][0] for kind, band in scale.items() if band.high < value)
    return f"is above the typical range of maps that are {below}, and below that of the others."
