"""The maps of several annotators: a sample, or files by document and annotator."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.agreement import (
    AnnotatedDocument,
    annotators_of,
    is_collection,
    read_collection,
    swapped,
    unpacked_collection,
)
from tted_core.formats import ROOTS
from tted_core.formats.forest import listed
from tted_core.formats.map_collections import Reading
from tted_core.foundations.limits import MAX_UNPACKED_BYTES, check_limit
from ui.errors import show_error
from ui.inputs import roots_field
from ui.samples import FOLDER
from ui.text import in_page_words, markdown_escaped, plural

SOURCES = ("Sample", "Upload files or a zip", "Upload a folder")
SOURCE, FILES, ROOTS_KEY = "collection-source", "collection-files", "collection-roots"
SWAPPED = "collection-swapped"
KEPT = "collection-kept"
"""Session key of the uploads, which Streamlit forgets as soon as another tab is open."""

TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """One **folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

Or a folder per annotator, in it a file per document. A zip of such folders, a folder, or files alone, which are
then maps of one document."""


def collection_input() -> tuple[AnnotatedDocument, ...]:
    """Draw the choice of maps, folded to a line that says what there is; empty while there is nothing."""
    source = st.session_state.setdefault(SOURCE, SOURCES[0])
    documents: tuple[AnnotatedDocument, ...] = ()
    wrong: TTEDError | None = None
    try:
        documents = _sample() if source == SOURCES[0] else _uploaded(source)
    except TTEDError as error:
        wrong = error
    if st.session_state.get(SWAPPED):
        documents = swapped(documents)
    maps = sum(len(each.maps) for each in documents)
    what = f"{plural(len(documents), 'document')}, {plural(maps, 'map')}" if documents else "none yet"
    origin = "sample" if source == SOURCES[0] else "uploaded"
    names = markdown_escaped(listed(annotators_of(documents)))
    title = f"**Maps of several annotators**: {what} ({origin})" + f"; annotators: {names}" * bool(names)
    with st.expander(title, expanded=not documents, key="collection-card"):
        st.segmented_control(
            "Where they come from", SOURCES, required=True, key=SOURCE, persist_state="session"
        )
        if source == SOURCES[0]:
            st.caption("Variants of four sample maps stand in for annotators.")
        else:
            _draw_upload(source)
        if documents:
            st.toggle(
                "Swap annotators and documents",
                key=SWAPPED,
                persist_state="session",
                help=f"Documents: {markdown_escaped(listed(each.name for each in documents))}.",
            )
        if wrong:
            show_error(wrong)
        for each in documents:
            name = markdown_escaped(each.name)
            for notice in each.notices:
                st.warning(f"{name}: {markdown_escaped(in_page_words(notice))}", icon=":material/warning:")
            for annotator, mind_map in each.maps.items():
                for notice in mind_map.notices:
                    st.caption(f":material/info: {name}, {markdown_escaped(f'{annotator}: {notice}')}")
    return documents


def _draw_upload(source: str) -> None:
    st.markdown(LAYOUT)
    folder = source == SOURCES[2]
    widget = "collection-folder" if folder else FILES
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
            st.caption(f"Current files: {markdown_escaped(names)}", width="content")
            st.button("Forget", key="collection-forget", on_click=st.session_state[KEPT].pop, args=(source,))
    roots_field(ROOTS_KEY).draw()


def _keep(widget: str, source: str) -> None:
    """Keep what was uploaded, or forget it with the last file that is removed; for a widget's callback."""
    st.session_state[SWAPPED] = False
    files = st.session_state.get(widget) or ()
    kept = st.session_state.setdefault(KEPT, {})
    kept[source] = tuple((file.name, file.getvalue()) for file in files)


def _uploaded(source: str) -> tuple[AnnotatedDocument, ...]:
    files = st.session_state.get(KEPT, {}).get(source)
    if not files:
        return ()
    size = sum(len(content) for _, content in files)
    check_limit(size, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
    return _read(files, st.session_state.setdefault(ROOTS_KEY, ROOTS[0]))


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
    return read_collection(found, name="uploaded maps", reading=Reading(roots))
