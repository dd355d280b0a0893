"""The maps of several annotators: a sample, or files by document and annotator."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.agreement import (
    AnnotatedDocument,
    is_collection,
    read_collection,
    unpacked_collection,
)
from tted_core.formats import ROOTS
from tted_core.limits import MAX_UNPACKED_BYTES, check_limit
from ui import samples
from ui.errors import show_error
from ui.inputs import roots_choice
from ui.text import in_page_words, markdown_escaped, plural

SOURCES = ("Sample", "Upload files or a zip", "Upload a folder")
UPLOADS = {SOURCES[1]: "collection-files", SOURCES[2]: "collection-folder"}
TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """One **folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

A zip of such folders, a folder, or files alone, which are then maps of one document."""


def collection_input() -> tuple[AnnotatedDocument, ...]:
    """Draw the choice of maps, folded to a line that tells what there is; empty while there is nothing."""
    state = st.session_state
    state.setdefault("collection-source", SOURCES[0])
    documents: tuple[AnnotatedDocument, ...] = ()
    wrong: TTEDError | None = None
    try:
        documents = _given(state["collection-source"], state.setdefault("collection-roots", ROOTS[0]))
    except TTEDError as error:
        wrong = error
    maps = sum(len(each.maps) for each in documents)
    what = f"{plural(len(documents), 'document')}, {plural(maps, 'map')}" if documents else "none yet"
    origin = "sample" if state["collection-source"] == SOURCES[0] else "uploaded"
    with st.expander(
        f"**Maps of several annotators**: {what} ({origin})", expanded=not documents, key="collection-card"
    ):
        source = st.segmented_control(
            "Where they come from", SOURCES, required=True, key="collection-source", persist_state="session"
        )
        if not source or source == SOURCES[0]:
            st.caption("Variants of four sample maps stand in for annotators.")
        else:
            st.markdown(LAYOUT)
            folder = source == SOURCES[2]
            st.file_uploader(
                "Folder of maps" if folder else "Files of maps, or a zip archive",
                accept_multiple_files="directory" if folder else True,
                key=UPLOADS[source],
            )
            roots_choice("collection-roots")
        if wrong:
            show_error(wrong)
        for each in documents:
            for notice in each.notices:
                st.warning(
                    f"{markdown_escaped(each.name)}: {markdown_escaped(in_page_words(notice))}", icon="⚠️"
                )
            for name, mind_map in each.maps.items():
                for notice in mind_map.notices:
                    st.caption(f"ℹ️ {markdown_escaped(f'{each.name}, {name}: {notice}')}")
    return documents


def _given(source: str, roots: str) -> tuple[AnnotatedDocument, ...]:
    if source == SOURCES[0]:
        return _sample()
    files = st.session_state.get(UPLOADS[source])
    if not files:
        return ()
    check_limit(
        sum(file.size for file in files), MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them"
    )
    return _read(tuple((file.name, file.getvalue()) for file in files), roots)


@st.cache_data(show_spinner=False)
def _sample() -> tuple[AnnotatedDocument, ...]:
    files = [
        (f"{topic}/{name}.json", (samples.FOLDER / topic / f"{name}.json").read_bytes())
        for topic in TOPICS
        for name in STAND_INS
    ]
    return read_collection(files)


@st.cache_data(max_entries=8, show_spinner="Reading the maps")
def _read(files: tuple[tuple[str, bytes], ...], roots: str) -> tuple[AnnotatedDocument, ...]:
    found: list[tuple[str, bytes]] = []
    for name, content in files:
        found += unpacked_collection(content) if is_collection(content) else [(name, content)]
    return read_collection(found, name="uploaded maps", roots=roots)
