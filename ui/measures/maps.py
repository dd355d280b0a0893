"""Choosing maps for a measure: samples, and files of the visitor's own."""

import streamlit as st

from tted_core import MindMap
from tted_core.formats.folder import packed
from tted_core.limits import MAX_BYTES
from ui import cache, samples
from ui.permalink import Parameter, one_of

OWN = "a file of my own"


def sample_name(file: str) -> str:
    """A sample's path for people, say "Coral reefs · Paraphrase 2"."""
    topic, _, name = file.partition("/")
    return f"{samples.topic_title(topic)} · {samples.file_title(name).partition(':')[0]}"


def sample_files() -> list[str]:
    """All samples in JSON, topic by topic."""
    return [
        f"{topic}/{file}"
        for topic in samples.topics()
        for file in samples.files(topic)
        if file.endswith(".json")
    ]


def one_map_link(key: str, opening: str) -> Parameter:
    """The parameter of ``one_map``: a sample by its file; a link can't carry a visitor's own."""
    return one_of(key, [*sample_files(), OWN], opening)


def several_maps(label: str, key: str) -> tuple[MindMap, ...]:
    """Any number of samples, and all maps of the files that were uploaded.

    Raises:
        TTEDError: a file can't be read.
    """
    chosen = st.multiselect(
        label,
        sample_files(),
        format_func=sample_name,
        key=key,
        placeholder="Choose samples",
        persist_state="page",
    )
    files = st.file_uploader(
        f"{label}: files of your own, or a zip of them",
        key=f"{key}-files",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
    )
    maps = [cache.read(cache.sample_content(samples.FOLDER / file), file) for file in chosen]
    if files:
        one = len(files) == 1
        content = files[0].getvalue() if one else packed((file.name, file.getvalue()) for file in files)
        maps += cache.read_all(content, files[0].name if one else f"{len(files)} files")
    return tuple(maps)


def one_map(label: str, key: str) -> MindMap | None:
    """A sample, or the first map of an uploaded file; None while there is no file.

    Raises:
        TTEDError: the file can't be read.
    """
    chosen = st.selectbox(
        label,
        [*sample_files(), OWN],
        format_func=lambda file: file if file == OWN else sample_name(file),
        key=key,
        persist_state="page",
    )
    if chosen != OWN:
        return cache.read(cache.sample_content(samples.FOLDER / chosen), chosen)
    file = st.file_uploader(f"{label}: file", key=f"{key}-file", max_upload_size=MAX_BYTES // 1_000_000)
    return cache.read(file.getvalue(), file.name) if file else None
