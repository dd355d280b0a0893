"""The maps of several annotators: files by document and annotator, or a sample; and uploads that are kept."""

from functools import partial

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.annotations import Annotations, read_annotations, unzip
from tted_core.errors import MAX_UNPACKED_BYTES, check_limit
from tted_core.formats.forest import list_some
from tted_core.foundations.child import run_in_child
from tted_core.notices import group_notices
from ui.page import show_error, show_notes, show_warnings
from ui.running import PAGE_RUNS
from ui.samples import FOLDER
from ui.text import in_page_words, markdown_escaped, plural

COLLECTION, SWAPPED = "collection-kept", "collection-swapped"
"""Session keys: the upload, and whether its roles are swapped."""

TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """A zip of **one folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

If folders can also be annotators, you choose. Or files alone: maps of one document, or `tides_anna.json`,
`tides_ben.mm`, ..."""


def draw_upload(label: str, key: str) -> None:
    """Draw an upload that the session keeps, which Streamlit forgets as soon as another tab is open."""
    widget = f"{key}-files"
    st.file_uploader(label, accept_multiple_files=True, key=widget, on_change=_keep, args=(widget, key))
    kept = st.session_state.get(key)
    if kept and not st.session_state[widget]:
        names = markdown_escaped(list_some(name for name, _ in kept))
        st.caption(f"Current files: {names}. Upload others to replace them.")


def _keep(widget: str, key: str) -> None:
    st.session_state[key] = tuple((file.name, file.getvalue()) for file in st.session_state[widget])


def draw_collection() -> Annotations | None:
    """Draw the choice of maps, folded to a line that says what there is; None if they can't be read."""
    files = st.session_state.get(COLLECTION)
    found, title = None, "**Maps of several annotators**: can't be read"
    try:
        with PAGE_RUNS.outside():  # also while another page reads the same, as in a class
            found = _read(files) if files else sample()
    except TTEDError as error:
        show_error(error)
    readings = (found, found.swap()) if found and files and found.can_be_swapped else ()
    swapped = st.session_state.get(SWAPPED)
    if found:
        found = (readings[bool(swapped)] if readings else found).with_roots()
        parts = [f"{plural(len(found.maps), 'map')} ({'uploaded' if files else 'sample'})"]
        if not readings or swapped is not None:
            parts.append(plural(len(found.documents), "document"))
            parts.append(f"annotators {markdown_escaped(list_some(found.annotators))}")
        title = f"**Maps of several annotators**: {', '.join(parts)}"
    with st.expander(title, expanded=not (files and found), key=f"collection-card-{bool(files and found)}"):
        st.markdown(LAYOUT)
        draw_upload("Files of maps, or a zip archive", COLLECTION)
        if not files:
            st.caption("Until there is an upload, variants of four sample maps stand in for annotators.")
        if found:
            show_warnings(
                f"{path}: can't be read: {in_page_words(reason)}" for path, reason in found.failures.items()
            )
            notices = [
                (", ".join(names), notice) for names, each in found.maps.items() for notice in each.notices
            ]
            show_notes(group_notices(notices))
    if readings:
        chosen = st.radio(
            "The names can be read in two ways. Which one is meant?",
            (False, True),
            index=None,
            format_func=[
                markdown_escaped(
                    f"Documents: {list_some(each.documents)}. Annotators: {list_some(each.annotators)}."
                )
                for each in readings
            ].__getitem__,
            key=SWAPPED,
            persist_state="session",
        )
        return None if chosen is None else found
    return found


@st.cache_data(show_spinner=False)
def sample() -> Annotations:
    """Variants of sample maps as if by annotators."""
    names = [f"{topic}/{name}.json" for topic in TOPICS for name in STAND_INS]
    return read_annotations((name, (FOLDER / name).read_bytes()) for name in names)


@st.cache_data(max_entries=8, show_spinner="Reading the maps")
def _read(files: tuple[tuple[str, bytes], ...]) -> Annotations:
    size = sum(len(content) for _, content in files)
    check_limit(size, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
    found = [file for name, content in files for file in unzip(name, content)]
    call = partial(read_annotations, found, name="uploaded maps")
    return run_in_child(call, "reading the maps", "give fewer of them")
