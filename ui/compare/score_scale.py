"""What a normalized distance means: where it lies among sample maps that differ in a known way."""

import itertools
import json
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import streamlit as st

from tted_core import Comparison, MindMap, read_map
from tted_core.comparing import compare_maps, loaded_distance
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.explain.scale import Band, MapPairs, bands, replaced_for
from tted_core.lab.detection import DOSES, Supply, edited, supply_for
from tted_core.lab.quality import Sample, read_samples
from tted_core.method import Method
from tted_core.monitor import Monitor
from ui import samples
from ui.comparisons import models, needs_server
from ui.errors import show_errors
from ui.running import begun, watched

SHIPPED = Path(__file__).parent / "score_scale.json"
"""The bands of the presets; ``pytest tests/test_score_scale.py --update-golden`` writes them anew."""

RELATIONS = {
    "paraphrase": ("paraphrased", "same meaning, other words"),
    "structure": ("restructured", "same sentences, other structure"),
    "meaning": ("changed in meaning", "same structure"),
    "unrelated": ("unrelated", "another topic"),
}

SECONDS = 2.0
"""For each pair of sample maps, where the order may take long."""

REPLACED = "replaced "
"""What the names of bands begin with whose pairs are a base and its paraphrases with sentences replaced."""


def score_scale(result: Comparison, options: Method) -> None:
    """Draw the scale with the result on it, or offer to compute it."""
    key = settings(options)
    with st.popover(f"How much is {result.normalized:.3f}?"), show_errors():
        scale = known().get(key)
        wanted = begun("scale", key)
        if scale is None and not wanted:
            wanted = st.button(
                "Compare the sample maps under these options",
                help="Some dozens of comparisons; their sentences are encoded once and kept.",
            )
        if scale is None and wanted:
            work = partial(computed, options)
            scale = known()[key] = watched(
                "scale",
                key,
                work,
                stop_help="No scale is shown then.",
                long=True,
                in_server=needs_server(options.distance),
            )
        if scale:
            nodes = len(result.left.tree)
            st.html(scale_html(scale, result.normalized, nodes=nodes, power=options.power))
            st.caption(
                "Bars hold the middle 80 % of the sample pairs under the same options, the line in each is the "
                "median; the range of replaced sentences is where this score lies in the middle 80 %. A score "
                "compares only with scores under the same options."
            )


def settings(options: Method) -> str:
    """What of the options a scale depends on, as a text."""
    return "|".join(f"{name}:{value}" for name, value in options.columns.items())


@st.cache_resource(show_spinner=False)
def known() -> dict[str, dict[str, Band]]:
    """Settings -> bands: those shipped, and those computed since the server started."""
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {
        key: {kind: Band(tuple(values)) for kind, values in scale.items()} for key, scale in content.items()
    }


def computed(options: Method, monitor: Monitor) -> dict[str, Band]:
    """The bands under these options."""
    method = replace(options, time_limit=options.time_limit and SECONDS)
    distance = loaded_distance(method, models(), monitor)
    english = options.encoder in ENCODERS and ENCODERS[options.encoder].languages == "English"
    compare = partial(compare_maps, method=method, models=distance)
    return bands(sample_pairs(english=english), compare, monitor)


def sample_pairs(*, english: bool) -> MapPairs:
    """Each topic's map with its variants, and the maps of each two topics; in English only, if so asked."""
    topics = [topic for topic in samples.topics() if not (english and topic in samples.LANGUAGES)]
    pairs: dict[str, list[tuple[MindMap, MindMap]]] = {
        kind: [
            (_read(topic, "base"), _read(topic, f"{kind}_{number}"))
            for topic in topics
            for number in (1, 2, 3)
        ]
        for kind in list(RELATIONS)[:-1]
    }
    pairs["unrelated"] = [
        (_read(one, "base"), _read(other, "base")) for one, other in itertools.combinations(topics, 2)
    ]
    read = [sample for sample in read_samples(samples.FOLDER) if sample.name in topics]
    for dose, count in DOSES.items():
        made = [pair for sample in read for pair in _replaced(sample, supply_for(sample, read), dose)]
        share = sum(count(len(left.tree)) / len(left.tree) for left, _ in made) / len(made)
        pairs[f"{REPLACED}{share:.4f}"] = made
    return pairs


def _replaced(sample: Sample, supply: Supply, dose: str) -> list[tuple[MindMap, MindMap]]:
    """A map with each of its paraphrases, in which sentences are replaced by those of other topics."""
    seeds = (f"{sample.name}/{number}" for number in itertools.count())
    changed = (
        edited(paraphrase, "swap", dose, seed=seed, supply=supply)
        for paraphrase, seed in zip(sample.paraphrase, seeds, strict=False)
    )
    return [(MindMap(sample.base, "tree"), MindMap(each.tree, "tree")) for each in changed if each]


def _read(topic: str, name: str) -> MindMap:
    return read_map(samples.FOLDER / topic / f"{name}.json")


def scale_html(scale: dict[str, Band], value: float, *, nodes: int, power: float) -> str:
    """One bar per kind on the axis from 0 to 1, and a line where the value lies.

    Args:
        scale: the bands.
        value: the score, of a left map of so many ``nodes``.
        nodes: see ``value``.
        power: the option; above 1, maps that have nothing in common come to less than 1.
    """
    rows = []
    said_of_it = f"{detected_in_words(scale, value, nodes)} It {place_in_words(scale, value)}"
    for kind, band in _related(scale).items():
        word, hint = RELATIONS[kind]
        said = f"{word} (n = {len(band.values)}): {band.low:.2f} to {band.high:.2f}, median {band.median:.2f}"
        place = "position:absolute;top:0;bottom:0"
        rows.append(
            f'<div style="font-size:.85rem;margin-top:.45rem">{escape(said)}; {hint}</div>'
            '<div style="position:relative;height:14px;background:rgba(128,128,128,.18);border-radius:3px">'
            f'<div style="{place};left:{_percent(band.low)};'
            f'width:{_percent(band.high - band.low)};background:currentColor;opacity:.35;border-radius:3px"></div>'
            f'<div style="{place};left:{_percent(band.median)};border-left:2px solid"></div>'
            f'<div style="position:absolute;top:-3px;bottom:-3px;left:calc({_percent(min(value, 1.0))} - 2px);'
            'border-left:4px solid #d55e00"></div></div>'
        )
    return (
        f'<div style="min-width:min(420px,80vw)"><b>{value:.3f}</b> {said_of_it}'
        f'<div role="img" aria-label="The score as a line across the bars of the sample pairs">'
        f"{''.join(rows)}</div>"
        '<div style="display:flex;justify-content:space-between;font-size:.8rem"><span>0: equal</span>'
        f"<span>1: {'nothing in common' if power == 1 else 'against an empty map'}</span></div></div>"
    )


def _related(scale: dict[str, Band]) -> dict[str, Band]:
    return {kind: band for kind, band in scale.items() if kind in RELATIONS}


def detected_in_words(scale: dict[str, Band], value: float, nodes: int) -> str:
    """How many sentences of a paraphrase of so many nodes one would have to replace to be so far."""
    by_share = {
        0.0: scale["paraphrase"],
        **{
            float(kind.removeprefix(REPLACED)): band
            for kind, band in scale.items()
            if kind.startswith(REPLACED)
        },
    }
    found = replaced_for(value, by_share)
    most = max(by_share)

    def sentences(share: float) -> str:
        return f"more than {round(most * nodes)}" if share > most else str(round(share * nodes))

    span = f"{sentences(found.least)} to {sentences(found.most)}"
    return (
        f"is about as far as a paraphrase with {sentences(found.about)} of {nodes} sentences replaced by those of "
        f"another topic ({span})."
    )


def place_in_words(scale: dict[str, Band], value: float) -> str:
    """For which kinds of difference the value is usual."""
    scale = _related(scale)
    usual = [kind for kind, band in scale.items() if band.low <= value <= band.high]
    if usual:
        return f"is usual for maps that are {' or '.join(RELATIONS[kind][0] for kind in usual)}."
    if value < min(band.low for band in scale.values()):
        return "is less than any of these usually have."
    if value > max(band.high for band in scale.values()):
        return "is more than any of these usually have."
    below = " or ".join(RELATIONS[kind][0] for kind, band in scale.items() if band.high < value)
    return f"is more than is usual for maps that are {below}, and less than for the others."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
