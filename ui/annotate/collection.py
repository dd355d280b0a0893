"""The maps of several annotators: a sample, or files by document and annotator."""

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.annotations import Annotations, is_collection, read_annotations, unzipped
from tted_core.formats import ROOTS
from tted_core.formats.forest import listed
from tted_core.formats.map_collections import Reading
from tted_core.foundations.limits import MAX_UNPACKED_BYTES, check_limit
from ui.errors import show_error
from ui.inputs import roots_field
from ui.samples import FOLDER
from ui.text import in_page_words, markdown_escaped, plural

SAMPLE, DIRECTORY = "Sample", "Upload a folder"
SOURCES = (SAMPLE, "Upload files or a zip", DIRECTORY)
SOURCE, FILES, ROOTS_KEY, SWAPPED = (
    "collection-source",
    "collection-files",
    "collection-roots",
    "collection-swapped",
)
KEPT = "collection-kept"
"""Session key of the uploads by source, which Streamlit forgets as soon as another tab is open."""

TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """One **folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

Or a folder per annotator, in it a file per document. A zip of such folders, a folder, or files alone: maps of one
document, or `tides_anna.json`, `tides_ben.mm`, ..."""


def collection_input() -> Annotations | None:
    """Draw the choice of maps, folded to a line that says what there is; None while there is nothing."""
    source = st.session_state.setdefault(SOURCE, SAMPLE)
    found, wrong = None, None
    try:
        found = sample() if source == SAMPLE else _uploaded(source)
    except TTEDError as error:
        wrong = error
    if found and st.session_state.get(SWAPPED):
        found = found.swapped()
    title = "**Maps of several annotators**: none yet"
    if found:
        title = (
            f"**Maps of several annotators**: {plural(len(found.documents), 'document')}, "
            f"{plural(len(found.maps), 'map')} ({'sample' if source == SAMPLE else 'uploaded'}); annotators: "
            f"{markdown_escaped(listed(found.annotators))}"
        )
    with st.expander(title, expanded=not found, key="collection-card"):
        st.segmented_control(
            "Where they come from", SOURCES, required=True, key=SOURCE, persist_state="session"
        )
        if source == SAMPLE:
            st.caption("Variants of four sample maps stand in for annotators.")
        else:
            _draw_upload(source)
        if wrong:
            show_error(wrong)
        if found:
            st.toggle(
                "Swap annotators and documents",
                key=SWAPPED,
                persist_state="session",
                help=f"Documents: {markdown_escaped(listed(found.documents))}.",
            )
            for path, reason in found.failures.items():
                text = f"{path}: can't be read: {in_page_words(reason)}"
                st.warning(markdown_escaped(text), icon=":material/warning:")
            for names, mind_map in found.maps.items():
                for notice in mind_map.notices:
                    text = f"{', '.join(names)}: {notice}"
                    st.caption(f":material/info: {markdown_escaped(text)}")
    return found


def _draw_upload(source: str) -> None:
    st.markdown(LAYOUT)
    folder = source == DIRECTORY
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
        names = markdown_escaped(listed(name for name, _ in kept))
        st.caption(f"Current files: {names}. Upload others to replace them.")
    roots_field(ROOTS_KEY).draw()


def _keep(widget: str, source: str) -> None:
    """Keep what was uploaded, or forget it with the last file that is removed; for a widget's callback."""
    st.session_state[SWAPPED] = False
    kept = st.session_state.setdefault(KEPT, {})
    kept[source] = tuple((file.name, file.getvalue()) for file in st.session_state.get(widget) or ())


def _uploaded(source: str) -> Annotations | None:
    files = st.session_state.get(KEPT, {}).get(source)
    if not files:
        return None
    size = sum(len(content) for _, content in files)
    check_limit(size, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
    return _read(files, st.session_state.setdefault(ROOTS_KEY, ROOTS[0]))


@st.cache_data(show_spinner=False)
def sample() -> Annotations:
    """Variants of sample maps as if by annotators."""
    names = [f"{topic}/{name}.json" for topic in TOPICS for name in STAND_INS]
    return read_annotations((name, (FOLDER / name).read_bytes()) for name in names)


@st.cache_data(max_entries=8, show_spinner="Reading the maps")
def _read(files: tuple[tuple[str, bytes], ...], roots: str) -> Annotations:
    found: list[tuple[str, bytes]] = []
    for name, content in files:
        found += unzipped(name, content) if is_collection(content) else [(name, content)]
    return read_annotations(found, name="uploaded maps", reading=Reading(roots))
