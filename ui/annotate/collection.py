"""The maps of several annotators: a sample, files by document and annotator, or those of a study."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.agreement import (
    AnnotatedDocument,
    is_collection,
    read_collection,
    unpacked_collection,
)
from tted_core.annotate.studies import Studies
from tted_core.formats import ROOTS
from tted_core.foundations.limits import MAX_UNPACKED_BYTES, check_limit
from ui.annotate.people import store
from ui.annotate.unsaved import recalled
from ui.errors import show_error
from ui.inputs import roots_field
from ui.samples import FOLDER
from ui.text import in_page_words, markdown_escaped, plural

SOURCES = ("Sample", "Upload files or a zip", "Upload a folder", "A study")
UPLOADS = {SOURCES[1]: "files", SOURCES[2]: "folder"}
KEPT = "collection-kept"
"""Where a session keeps what was uploaded, which Streamlit forgets as soon as another tab is open."""

ReadStudy: TypeAlias = Callable[[], tuple[AnnotatedDocument, ...]]
NO_STUDIES: Mapping[str, ReadStudy] = {}

TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """One **folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

A zip of such folders, a folder, or files alone, which are then maps of one document."""


def collection_input(
    studies: Mapping[str, ReadStudy] = NO_STUDIES, *, key: str = "collection", samples: bool = True
) -> tuple[AnnotatedDocument, ...]:
    """Draw the choice of maps, folded to a line that tells what there is; empty while there is nothing.

    Args:
        studies: by name, what reads the maps of those that are offered.
        key: begins the keys of the widgets; what is uploaded in one tab is there in another.
        samples: whether samples are offered.
    """
    state = st.session_state
    offered = [*SOURCES[1 - samples : 3], *(SOURCES[3:] if studies else ())]
    if state.get(f"{key}-source") not in offered:
        state[f"{key}-source"] = offered[0]
    documents: tuple[AnnotatedDocument, ...] = ()
    wrong: TTEDError | None = None
    try:
        documents = _given(key, studies)
    except TTEDError as error:
        wrong = error
    maps = sum(len(each.maps) for each in documents)
    what = f"{plural(len(documents), 'document')}, {plural(maps, 'map')}" if documents else "none yet"
    origin = {SOURCES[0]: "sample", SOURCES[3]: "of a study"}.get(state[f"{key}-source"], "uploaded")
    with st.expander(
        f"**Maps of several annotators**: {what} ({origin})", expanded=not documents, key=f"{key}-card"
    ):
        source = st.segmented_control(
            "Where they come from", offered, required=True, key=f"{key}-source", persist_state="session"
        )
        if not source or source == SOURCES[0]:
            st.caption("Variants of four sample maps stand in for annotators.")
        elif source == SOURCES[3]:
            st.selectbox("Study", list(studies), key=f"{key}-study", persist_state="session")
        else:
            _draw_upload(key, source)
        if wrong:
            show_error(wrong)
        for each in documents:
            for notice in each.notices:
                st.warning(
                    f"{markdown_escaped(each.name)}: {markdown_escaped(in_page_words(notice))}",
                    icon=":material/warning:",
                )
            for name, mind_map in each.maps.items():
                for notice in mind_map.notices:
                    st.caption(f":material/info: {markdown_escaped(f'{each.name}, {name}: {notice}')}")
    return documents


def _draw_upload(key: str, source: str) -> None:
    st.markdown(LAYOUT)
    folder = source == SOURCES[2]
    widget = f"{key}-{UPLOADS[source]}"
    st.file_uploader(
        "Folder of maps" if folder else "Files of maps, or a zip archive",
        accept_multiple_files="directory" if folder else True,
        key=widget,
        on_change=_keep,
        args=(widget, source),
    )
    kept = st.session_state.get(KEPT, {}).get(source)
    if kept and not st.session_state.get(widget):
        names = ", ".join(name for name, _ in kept[:3]) + (" …" if len(kept) > 3 else "")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Kept from before: {markdown_escaped(names)}", width="content")
            st.button("Forget", key=f"{key}-forget", on_click=st.session_state[KEPT].pop, args=(source,))
    roots_field(f"{key}-roots").draw()


def _keep(widget: str, source: str) -> None:
    """Keep what was uploaded, or forget it with the last file that is taken out; for a widget's callback."""
    files = st.session_state.get(widget) or ()
    kept = st.session_state.setdefault(KEPT, {})
    kept[source] = tuple((file.name, file.getvalue()) for file in files)


def _given(key: str, studies: Mapping[str, ReadStudy]) -> tuple[AnnotatedDocument, ...]:
    source = st.session_state[f"{key}-source"]
    if source == SOURCES[0]:
        return _sample()
    if source == SOURCES[3]:
        chosen = str(st.session_state.get(f"{key}-study"))
        return studies.get(chosen, next(iter(studies.values())))()
    files = st.session_state.get(KEPT, {}).get(source)
    if not files:
        return ()
    size = sum(len(content) for _, content in files)
    check_limit(size, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
    return _read(files, st.session_state.setdefault(f"{key}-roots", ROOTS[0]))


@st.cache_data(show_spinner=False)
def _sample() -> tuple[AnnotatedDocument, ...]:
    files = [
        (f"{topic}/{name}.json", (FOLDER / topic / f"{name}.json").read_bytes())
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


def studies_with_maps() -> dict[str, ReadStudy]:
    """By name what reads the maps of each study, for a lead; none for others, or without a database."""
    try:
        reviews = store()
        if not reviews.visitor.leads:
            return {}
        studies = Studies(reviews.engine, reviews.visitor)
        return {
            each.name: partial(studies.documents, each.name) for each in recalled(("studies",), studies.all)
        }
    except TTEDError:  # told where reviews are what it is about
        return {}
