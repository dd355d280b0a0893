"""Properties of generated maps as sets of sentences: numbers, the semantic-syntactic plane, exports."""

import json
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import MindMap
from tted_core.errors import MAX_BYTES
from tted_core.figures.distances import similarity_plane
from tted_core.foundations.monitor import Monitor
from tted_core.measures.corpus import (
    CorpusProperties,
    Missing,
    corpus_json,
    load_grammar_check,
    measure_corpus,
    sentences_csv,
    sentences_of,
    try_loading,
)
from ui import models, samples
from ui.fields import choice, choices
from ui.map_card import read_watched, warn_of_problems
from ui.map_source import SampleFile, Uploaded, read
from ui.model_choice import choose_masked_model, encoder_field
from ui.page import PagePart, data_table, figure, number_columns, show_errors, show_warnings
from ui.running import run_on_demand
from ui.text import counted, markdown_escaped

_ABOUT = """**Are generated sentences new, plausible and relevant, and do they cover the reference?** Generated
maps are read as bags of sentences and compared with those of reference maps; structure plays no part."""

_LANGUAGES = {
    "none": "leave the grammar out",
    "en-US": "English (US)",
    "en-GB": "English (UK)",
    "ru-RU": "Russian",
    "de-DE": "German",
    "fr": "French",
    "es": "Spanish",
}

# The sets of maps, and the titles of their uploaders.
FILES = {
    "generated": "Generated maps",
    "reference": "Reference maps",
}

_HELP = {
    "unique": "Unique(n) = U / n: the share of the n generated sentences that equal no other "
    "sentence, generated or reference (in lower case, without punctuation). Higher is more varied.",
    "vocabulary": "Words of the generated sentences that the reference doesn't have.",
    "grammar": "Grammatical errors per word that LanguageTool finds, averaged over sentences. Lower is better.",
    "plausibility": "Average pseudo-perplexity of the sentences by the masked language model. Lower is more "
    "plausible.",
}

_READING = """| number | formula | question it answers |
| --- | --- | --- |
| precision | mean over generated sentences of the largest similarity to a reference one | are they relevant? |
| recall | mean over reference sentences of the largest similarity to a generated one | is everything covered? |
| F1 | harmonic mean of both | |
| semantic | similarity is the cosine of sentence embeddings | same meaning |
| syntactic | similarity is 1 / (1 + EdDist / longer length), EdDist in words; from 0.5 to 1 | same wording |

A semantic recall well below the precision is a sign of **mode collapse**, a high syntactic precision one of
**plagiarism**. Source: Zwerdling et al., *Understanding the Properties of Generated Corpora*."""


def corpora() -> None:
    """Draw the tab: maps, options, run, numbers, plane, exports."""
    st.markdown(_ABOUT)
    with show_errors():
        maps, chosen = _inputs()
        properties = run_on_demand(
            "corpus",
            (maps, chosen),
            partial(_measure, maps, *chosen),
            label="Describe the generated maps",
            disabled=not all(maps),
        )
        if properties:
            _show(properties)
    with st.expander("Formulas and source"):
        st.markdown(_READING)


def _inputs() -> tuple[tuple[tuple[MindMap, ...], ...], tuple[str, str | None, str]]:
    """Draw the inputs; return generated and reference maps, and encoder, masked model and language."""
    columns = st.columns(2)
    maps = tuple(_read_uploaded_maps(column, name) for name, column in zip(FILES, columns, strict=True))
    if not any(maps):
        maps = tuple(
            tuple(read(SampleFile(file)) for file in field.draw(column))
            for field, column in zip(SAMPLES, columns, strict=True)
        )
    elif not all(maps):
        missing = "reference" if maps[0] else "generated"
        st.caption(f"Upload {missing} maps too: samples are not mixed with your files.")
    with st.expander("More: encoder, plausibility, grammar", key="corpus-options"):
        encoder = _ENCODER.draw()
        plausible = st.checkbox("Plausibility, by a masked language model", True, key="corpus-plausible")
        model = choose_masked_model("corpus-model") if plausible else None
        return maps, (encoder, model, LANGUAGE.draw())


def _read_uploaded_maps(column: DeltaGenerator, name: str) -> tuple[MindMap, ...]:
    """Draw the uploader of a set; return all maps of its files, none at first.

    Raises:
        TTEDError: a file can't be read.
    """
    files = column.file_uploader(
        FILES[name],
        key=f"corpus-{name}-files",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        help="Files of maps, or a zip of them.",
    )
    if not files:
        return ()
    found = read_watched(
        f"corpus-{name}-read", Uploaded(tuple((each.name, each.getvalue()) for each in files))
    )
    with column:
        warn_of_problems(dict(found.unread), "read")
    return found.maps


# The samples that are measured while nothing is uploaded.
SAMPLES = tuple(
    choices(
        f"corpus-{name}",
        f"Or samples: {name}",
        samples.list_all,
        opening,
        format_func=samples.sample_title,
        placeholder="Choose samples",
    )
    for name, opening in (
        ("generated", ["coral-reefs/demo.json"]),
        ("reference", ["coral-reefs/base.json"]),
    )
)

_ENCODER = encoder_field("corpus-encoder")
LANGUAGE = choice(
    "corpus-language",
    "Grammar, by LanguageTool",
    list(_LANGUAGES),
    "en-US",
    format_func=_LANGUAGES.__getitem__,
    help="Runs on this page's server and needs Java 17 there; no text leaves it.",
)


def _measure(
    maps: tuple[tuple[MindMap, ...], ...], encoder: str, model: str | None, language: str, monitor: Monitor
) -> CorpusProperties:
    monitor.stage("Loading the models", 0.0)
    left_out = "it was left out"
    masked_model = try_loading(partial(models.get_masked_model, model or ""), "" if model else left_out)
    grammar = try_loading(partial(load_grammar_check, language), left_out if language == "none" else "")
    return measure_corpus(
        *(sentences_of(each.tree for each in some) for some in maps),
        encoder=models.encoder(encoder),
        masked_model=masked_model,
        grammar=grammar,
        monitor=monitor,
    )


def _show(properties: CorpusProperties) -> None:
    st.markdown(
        f"**{counted(len(properties.sentences), 'generated sentence')}** against "
        f"{counted(properties.reference_size, 'reference sentence')}."
    )
    _numbers(properties)
    scores = pd.DataFrame(
        {"similarity": name, "precision": each.precision, "recall": each.recall, "F1": each.f1}
        for name, each in (
            ("semantic (meaning)", properties.semantic),
            ("syntactic (wording)", properties.syntactic),
        )
    )
    data_table(
        scores, "corpus-similarities", column_config=number_columns(scores, "%.3f"), key="corpus-scores"
    )
    show_warnings(properties.notices)
    st.header("Meaning and wording of each sentence", anchor=False)
    st.caption(
        "To the right: near a reference sentence in meaning. At the top: worded differently. The upper right "
        "corner holds new sentences that are relevant; the lower right one, copies; off-topic sentences are on "
        "the left. A larger dot is several sentences."
    )
    figure(similarity_plane(properties), "corpus-plane")
    with st.container(horizontal=True):
        st.download_button(
            "All sentences as CSV",
            lambda: sentences_csv(properties),
            file_name="tted-corpus.csv",
            mime="text/csv",
            on_click="ignore",
        )
        st.download_button(
            "All numbers as JSON",
            lambda: json.dumps(corpus_json(properties), ensure_ascii=False, indent=2, allow_nan=False),
            file_name="tted-corpus.json",
            mime="application/json",
            on_click="ignore",
        )


def _numbers(properties: CorpusProperties) -> None:
    """Draw shares, counts and the models' numbers beside the reference's, and reasons for missing ones."""
    with st.container(horizontal=True, gap="large", key="corpus-numbers"):
        for label, shown, what in (
            (f"Unique({len(properties.sentences)})", f"{properties.unique:.0%}", "unique"),
            ("New words", str(len(properties.new_words)), "vocabulary"),
        ):
            st.metric(label, shown, help=_HELP[what], width="content")
        missing = {}
        for name in ("grammar", "plausibility"):
            value, reference = (getattr(properties, each) for each in (name, f"{name}_reference"))
            if isinstance(value, Missing):
                missing[name.capitalize()] = value.reason
                continue
            st.metric(
                name.capitalize(),
                f"{value:.3g}",
                delta=None if isinstance(reference, Missing) else f"reference {reference:.3g}",
                delta_color="off",
                delta_arrow="off",
                help=_HELP[name],
                width="content",
            )
    for name, reason in missing.items():
        st.caption(f":material/info: {name} is not computed: {markdown_escaped(reason)}")


CORPORA = PagePart("Corpora", corpora, (*SAMPLES, _ENCODER, LANGUAGE))
