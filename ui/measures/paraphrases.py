"""The quality of measures on the Measures page: how well each tells a paraphrase from other sentences."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from tted_core import TTEDError
from tted_core.distances.bertscore import load_bertscorer
from tted_core.limits import MAX_BYTES
from tted_core.measures.paraphrases import Draw, MeasureQuality, qualities
from tted_core.measures.sentence_lists import ParaphrasePair, pairs_of_maps, read_paraphrases
from tted_core.measures.similarities import SimilarityFamily, bertscore_family, encoder_family, string_family
from tted_core.monitor import Monitor
from tted_core.notices import language_notice
from ui import cache, samples
from ui.errors import show_errors
from ui.exports import table_exports
from ui.options import offered_encoders
from ui.part import Part
from ui.permalink import flag, one_of, several_of
from ui.running import watched_on_demand
from ui.text import markdown_escaped, plural

ABOUT = r"""**Which measure knows a paraphrase when it sees one?** For each sentence with a paraphrase, $Q_i =
F(\text{sentence}, \text{paraphrase}) - \overline{F}(\text{sentence}, \text{all others})$, where $F$ is a
similarity and the others are all sentences of the list that say something else (Koroteev 2020). The larger
$Q$ is on average, and the less it varies, the better the measure; **below 0** it found strangers nearer than
the paraphrase. The paper's sentences are in the folder ParaphraseDetection/Data of Koziev's NLP_Datasets."""

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
class Asked:
    """The pairs, and the encoders whose distances and word vectors are judged."""

    pairs: tuple[ParaphrasePair, ...]
    encoders: tuple[str, ...]
    draw: Draw | None


def paraphrases() -> None:
    """Draw the part."""
    st.markdown(ABOUT)
    with show_errors():
        asked = _asked()
        if asked is not None:
            found = watched_on_demand(
                "paraphrases", asked, partial(_judged, asked), label="Judge the measures", in_server=True
            )
            if found:
                _show(found)
    with st.expander("How distances become similarities, and what is counted"):
        st.markdown(SIMILARITIES)


def _asked() -> Asked | None:
    left, right = st.columns(2)
    source = left.radio(
        "Sentences",
        list(SOURCES),
        format_func=SOURCES.__getitem__,
        key="paraphrases-source",
        horizontal=True,
        persist_state="page",
    )
    encoders = right.multiselect(
        "Encoders", offered_encoders(), key="paraphrases-encoders", persist_state="page"
    )
    drawn = right.toggle(
        "20 sentences for each, as in the paper",
        key="paraphrases-drawn",
        persist_state="page",
        help=f"Up to {Draw.references} sentences are drawn, and each is held against {Draw.sentences}, its "
        "paraphrase among them, instead of all. A long list can be judged only so.",
    )
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
            st.warning(markdown_escaped(notice), icon="⚠️")
    return Asked(tuple(pairs), tuple(encoders), Draw() if drawn else None)


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


def _judged(asked: Asked, monitor: Monitor) -> dict[str, MeasureQuality | TTEDError]:
    families = {"strings": string_family}
    families |= {name: partial(_encoder_family, name) for name in asked.encoders}
    families |= {f"{name} BERTScore": partial(_bertscore_family, name) for name in asked.encoders}
    return qualities(asked.pairs, families, monitor, asked.draw)


def _encoder_family(name: str) -> SimilarityFamily:
    return encoder_family(name, cache.fresh_encoder(name))


def _bertscore_family(name: str) -> SimilarityFamily:
    return bertscore_family(load_bertscorer(name))


def _show(found: dict[str, MeasureQuality | TTEDError]) -> None:
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
        st.dataframe(
            table, hide_index=True, width="stretch", height=38 + 35 * len(table), column_config=_columns()
        )
        table_exports(table, "measure-quality")
    for name, row in found.items():
        if isinstance(row, TTEDError):
            st.caption(f":material/info: {markdown_escaped(name)} not computed: {markdown_escaped(str(row))}")


def _columns() -> dict[str, ColumnConfig]:
    number = st.column_config.NumberColumn
    return {
        "Mean Q": number(format="%.4f", help="Larger is better, up to 1."),
        "Variance": number(format="%.5f", help="Smaller is more reliable."),
        "Minimum": number(format="%.4f"),
        "Maximum": number(format="%.4f"),
        "Below 0": number(
            help="Pairs in which other sentences were nearer, on average, than the paraphrase."
        ),
        "Nearest": number(
            format="%.3f", help="The share of pairs whose paraphrase is nearer than all others."
        ),
        "Seconds": number(format="%.2f", help="All comparisons together, on this machine."),
        "Seconds per 100": number(format="%.4f", help="For 100 comparisons of two texts."),
    }


PARAPHRASES = Part(
    "Which measure is best?",
    paraphrases,
    (
        one_of("paraphrases-source", list(SOURCES), next(iter(SOURCES))),
        several_of("paraphrases-encoders", offered_encoders(), ["minilm"]),
        flag("paraphrases-drawn"),
    ),
)
