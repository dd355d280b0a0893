"""The appendix: which measure tells a paraphrase from other sentences, and maps as bags of sentences."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from tted_core import Comparison, TTEDError
from tted_core.baselines import BaselineScore
from tted_core.comparing import compare_maps, loaded_distance
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.distances.bertscore import load_bertscorer
from tted_core.errors import Interrupted
from tted_core.figures import bag_scatter
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.monitor import Monitor
from tted_core.measures.paraphrases import Draw, MeasureQuality, qualities
from tted_core.measures.sentence_lists import ParaphrasePair, pairs_of_maps, read_paraphrases
from tted_core.measures.similarities import (
    BagPoint,
    SimilarityFamily,
    bag_point,
    bertscore_family,
    encoder_family,
    string_family,
)
from tted_core.method import Method
from tted_core.notices import language_notice
from ui import cache, samples
from ui.comparisons import reads_word_models
from ui.errors import show_errors
from ui.exports import data_table, figure
from ui.fields import choice, choices, switch
from ui.options import encoder_field, offered_encoders
from ui.part import Part
from ui.processes import loading
from ui.running import watched_on_demand
from ui.text import markdown_escaped, plural

PARAPHRASES = r"""For each sentence with a paraphrase, $Q_i = F(\text{sentence}, \text{paraphrase}) - \overline{F}
(\text{sentence}, \text{all others})$, where $F$ is a similarity (Koroteev 2020). The larger $Q$ is on average, and
the less it varies, the better the measure; below 0 it found other sentences nearer than the paraphrase."""

SIMILARITIES = r"""$F$ is 1 for equal texts. F1 of BERTScore, difflib's ratio and the cosine ($1-r^2$ of the
cosine distance $r$) are similarities already; normalised string distances are taken from 1. The Euclidean and
the Manhattan distance have no upper end: $F = 1 - \frac{2r(x,y)}{r(x,\lambda)+r(y,\lambda)+r(x,y)}$ with the
empty text $\lambda$, one minus their Steinhaus transform. $Q$ depends on the scale of $F$; **nearest**
doesn't: the share of sentences to which the paraphrase is nearer than every other sentence. Times count one
embedding of all texts for each measure that needs it, but not the loading of a model. IDF weights are counted
in all sentences of the list."""

SOURCES = {
    "english": "Our samples in English",
    "russian": "In Russian",
    "german": "In German",
    "own": "A list of my own",
}
VARIANTS = (1, 2, 3)

TEMPLATE = """reference,paraphrase
The sun warms the sea.,Sunlight heats the ocean.
Reefs need light.,Without light no reef grows.
"""


@dataclass(frozen=True)
class Judged:
    """The pairs, and the encoders whose distances and word vectors are judged."""

    pairs: tuple[ParaphrasePair, ...]
    encoders: tuple[str, ...]
    draw: Draw | None


_number = st.column_config.NumberColumn
COLUMNS: dict[str, ColumnConfig] = {
    "Mean Q": _number(format="%.4f", help="Larger is better, up to 1."),
    "Variance": _number(format="%.5f", help="Smaller is more reliable."),
    "Minimum": _number(format="%.4f"),
    "Maximum": _number(format="%.4f"),
    "Below 0": _number(help="Pairs in which other sentences were nearer, on average, than the paraphrase."),
    "Nearest": _number(format="%.3f", help="The share of pairs whose paraphrase is nearer than all others."),
    "Seconds": _number(format="%.2f", help="All comparisons together, on this machine."),
    "Seconds per 100": _number(format="%.4f", help="For 100 comparisons of two texts."),
}

SOURCE = choice(
    "paraphrases-source",
    "Sentences",
    list(SOURCES),
    "english",
    widget="radio",
    horizontal=True,
    format_func=SOURCES.__getitem__,
)
ENCODERS = choices("paraphrases-encoders", "Encoders", offered_encoders, ["minilm"])
DRAWN = switch(
    "paraphrases-drawn",
    "20 sentences for each, as in the paper",
    help=f"Up to {Draw.references} sentences are drawn, and each is compared with {Draw.sentences}, its "
    "paraphrase among them, instead of all. A long list can be judged only so.",
)


def appendix() -> None:
    """Draw both studies."""
    st.header("Which measure recognizes a paraphrase?", anchor=False)
    st.markdown(PARAPHRASES)
    with show_errors():
        _paraphrases()
    with st.expander("How distances become similarities, and what is counted"):
        st.markdown(SIMILARITIES)
    st.header("What does a measure without structure miss?", anchor=False)
    st.markdown(BAGS)
    with show_errors():
        _bags()


def _paraphrases() -> None:
    asked = _judged_pairs()
    if asked is None:
        return
    work = partial(_judged, asked)
    found = watched_on_demand("paraphrases", asked, work, label="Judge the measures", word_models=True)
    if found:
        _show_qualities(found)


def _judged_pairs() -> Judged | None:
    left, right = st.columns(2)
    source = SOURCE.draw(left)
    encoders, drawn = ENCODERS.draw(right), DRAWN.draw(right)
    if source != "own":
        pairs = _sample_pairs(source.capitalize())
    else:
        file = left.file_uploader(
            "A sentence and its paraphrase on each line (CSV or TSV), or groups parted by empty lines",
            type=["csv", "tsv", "txt"],
            key="paraphrases-file",
            max_upload_size=MAX_BYTES // 1_000_000,
        )
        left.download_button("Template", TEMPLATE, "paraphrases.csv", "text/csv", on_click="ignore")
        if file is None:
            return None
        pairs = read_paraphrases(file.getvalue())
    count = len({pair.reference for pair in pairs})
    left.caption(f"{plural(len(pairs), 'pair')} of {plural(count, 'sentence')}.")
    for name in encoders:
        for notice in language_notice(
            name, (text for pair in pairs for text in (pair.reference, pair.paraphrase))
        ):
            st.warning(markdown_escaped(notice), icon=":material/warning:")
    return Judged(tuple(pairs), tuple(encoders), Draw() if drawn else None)


def _sample_pairs(language: str) -> list[ParaphrasePair]:
    """Base and paraphrases of our samples, node by node."""
    found = []
    for topic in samples.topics():
        if samples.LANGUAGES.get(topic, "English") != language:
            continue
        base, *others = (
            cache.read(cache.sample_content(samples.FOLDER / topic / name), name).tree
            for name in ("base.json", *(f"paraphrase_{number}.json" for number in VARIANTS))
        )
        for other in others:
            found += pairs_of_maps(base, other)
    return found


def _judged(asked: Judged, monitor: Monitor) -> dict[str, MeasureQuality | TTEDError]:
    families = {"strings": string_family}
    families |= {name: partial(_encoder_family, name) for name in asked.encoders}
    families |= {f"{name} BERTScore": partial(_bertscore_family, name) for name in asked.encoders}
    return qualities(asked.pairs, families, monitor, asked.draw)


def _encoder_family(name: str) -> SimilarityFamily:
    return encoder_family(name, loading.fresh_encoder(name))


def _bertscore_family(name: str) -> SimilarityFamily:
    return bertscore_family(load_bertscorer(name))


def _show_qualities(found: dict[str, MeasureQuality | TTEDError]) -> None:
    judged = {name: row for name, row in found.items() if isinstance(row, MeasureQuality)}
    table = pd.DataFrame(
        {
            "Measure": name,
            "Mean Q": row.mean,
            "Variance": row.variance,
            "Minimum": min(row.q),
            "Maximum": max(row.q),
            "Below 0": row.below_zero,
            "Nearest": row.first,
            "Seconds": row.seconds,
            "Seconds per 100": 100 * row.seconds / row.comparisons,
        }
        for name, row in judged.items()
    )
    if judged:
        top = max(row.first for row in judged.values())
        best = ", ".join(markdown_escaped(name) for name, row in judged.items() if row.first == top)
        count = len(next(iter(judged.values())).q)
        st.markdown(
            f"The paraphrase is most often nearer than every other sentence by **{best}**: in "
            f"{round(top * count)} of {plural(count, 'pair')}."
        )
        data_table(
            table, "measure-quality", width="stretch", height=38 + 35 * len(table), column_config=COLUMNS
        )
    for name, row in found.items():
        if isinstance(row, TTEDError):
            st.caption(f":material/info: {markdown_escaped(name)} not computed: {markdown_escaped(str(row))}")


BAGS = """Each sample is compared with its own variants twice: by TTED, and as a bag of sentences, matched one
to one at the least cost. The bag is a lower bound of TTED, so no point lies below the line; **how far above it
a point lies is the price of the structure**."""

CHANGED = {
    "paraphrase": "other words",
    "structure": "another structure",
    "meaning": "another meaning",
    "demo": "a bit of everything",
    "translation": "another language",
}

SAME = 1e-9


DISTANCE = choice("bags-distance", "Distance between node texts", distances_at_hand, "cosine")
BAG_ENCODER = encoder_field("bags-encoder")


@dataclass(frozen=True)
class BagRow:
    """A pair of maps, and how alike rouge_bag finds them (1: the same)."""

    point: BagPoint
    rouge_bag: float | None


def _bags() -> None:
    left, right = st.columns(2)
    distance, encoder = DISTANCE.draw(left), BAG_ENCODER.draw(right)
    left.caption(DISTANCES[distance].note)
    method = Method(encoder=encoder, distance=distance)
    rows = watched_on_demand(
        "bags",
        method,
        partial(_compared, method),
        label="Compare our samples",
        word_models=reads_word_models(distance),
    )
    if rows:
        _show_bags(rows)


def _compared(method: Method, monitor: Monitor) -> list[BagRow]:
    """Every sample against its variants; what is done when the visitor stops it is kept."""
    files = [file for file in samples.every() if not file.endswith("/base.json")]
    distance = loaded_distance(method, loading.models())
    rows: list[BagRow] = []
    for number, file in enumerate(files):
        topic, _, variant = file.partition("/")
        name = samples.full_title(file)
        monitor.stage(f"Comparing {name}", number / len(files))
        maps = cache.sample_map(f"{topic}/base.json"), cache.sample_map(file)
        try:
            quiet = Monitor(should_stop=monitor.should_stop)
            comparison = compare_maps(*maps, method, distance, baselines=["rouge_bag"], monitor=quiet)
        except Interrupted:
            if not rows:
                raise
            break
        kind = CHANGED[variant.removesuffix(".json").partition("_")[0]]
        rows.append(BagRow(bag_point(name, kind, comparison), _rouge_bag(comparison)))
    return rows


def _rouge_bag(comparison: Comparison) -> float | None:
    """2 Sim(T, T') / (Sim(T, T) + Sim(T', T')); None if it could not be computed."""
    score = comparison.baselines["rouge_bag"]
    if not isinstance(score, BaselineScore) or not score.sim_left + score.sim_right:
        return None
    return 2 * score.sim / (score.sim_left + score.sim_right)


def _show_bags(rows: list[BagRow]) -> None:
    points = [row.point for row in rows]
    moved = [point for point in points if point.kind == CHANGED["structure"]]
    blind = [point for point in moved if point.bag < SAME]
    if blind:
        tted = float(np.mean([point.tted for point in blind]))
        st.markdown(
            f"**{len(blind)} of {plural(len(moved), 'restructured map')}** are the same bag of sentences as the "
            f"original: a measure without structure can't tell them apart. TTED does, at {tted:.3f} on average."
        )
    figure(bag_scatter(points), "bags")
    table = pd.DataFrame(
        {
            "Pair": row.point.name,
            "The right map has": row.point.kind,
            "Bag": row.point.bag,
            "TTED": row.point.tted,
            "Price of structure": row.point.tted - row.point.bag,
            "rouge_bag": row.rouge_bag,
        }
        for row in rows
    )
    data_table(
        table,
        "bags-table",
        width="stretch",
        column_config=dict.fromkeys(table.columns[2:], _number(format="%.3f")),
    )
    st.caption(
        "Bag and TTED are normalized (Steinhaus): 0 to 1. rouge_bag is a similarity, 1 for the same: "
        "2 Sim(T, T') / (Sim(T, T) + Sim(T', T'))."
    )


APPENDIX = Part("Appendix", appendix, (SOURCE, ENCODERS, DRAWN, DISTANCE, BAG_ENCODER))
