"""A map's card: what its source is and how it was read, and every way to change it.

The session has one value for each side, its source. What the widgets show is derived from it in every run, and
their callbacks put another source there.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from tted_core import TextTree, TTEDError
from tted_core.errors import (
    MAX_BYTES,
    MAX_MARKDOWN_CHARACTERS,
    MAX_NODES_COMPARED,
    MAX_NODES_READ,
)
from tted_core.formats import FORMATS, ROOTS, WRITERS, map_text
from tted_core.foundations.messages import without_surrogates
from ui import samples
from ui.map_source import (
    PASTED,
    Given,
    MapSource,
    NamedFiles,
    Pasted,
    ReadingOptions,
    SampleFile,
    Uploaded,
    read_all,
    takes_long,
)
from ui.page import show_error, show_notes
from ui.running import NotYet, run_watched
from ui.text import counted, in_page_words, markdown_escaped, shorten

# The maps of a side, why they can't be read, the sign that they are being read, or nothing.
Found: TypeAlias = Given | TTEDError | NotYet | None

# The sides of a comparison: the session keys of their sources, which begin the keys of their widgets.
BOTH_SIDES = ("left", "right")

# The ways to give a map, and the kind of source that each makes.
TABS: dict[type[MapSource | None], str] = {Pasted: "Paste", Uploaded: "Upload", SampleFile: "Sample"}

ROOTS_TEXTS = {
    "join": "put a new root above them (at a cost)",
    "first": "keep the first root's branch only, as the published code does",
    "error": "reject the map, and list its roots",
}

# Import options whose values are offered: a client that isn't a browser may send anything.
_OFFERED: dict[str, tuple[str | None, ...]] = {"format": (None, *FORMATS), "roots": tuple(ROOTS)}

LIMITS = (
    f"Up to {MAX_BYTES // 1_000_000} MB and {MAX_NODES_READ:,} nodes a file are read; up to "
    f"{MAX_NODES_COMPARED:,} nodes of a map are compared; choose a depth for larger ones."
)

PLACEHOLDER = """Paste a mind map, for example

# Coral reefs
- Polyps build limestone cups
- Algae feed the polyps
  - They need light

or JSON, an indented text, a numbered outline ..."""

PROBLEMS = 8  # files that can't be used whose problems are shown


def source_of(side: str) -> MapSource | None:
    """The source of a side; None if nothing has been given."""
    source: MapSource | None = st.session_state.get(side)
    return source


def nothing_given() -> bool:
    """Return True if neither side of the comparison has been given anything, nor was left empty by a link."""
    return not any(map(source_of, BOTH_SIDES))


def own_source(side: str) -> MapSource | None:
    """The source of a side if it is the user's own, even if it can't be read; not a sample."""
    source = source_of(side)
    return None if isinstance(source, SampleFile) or source == Pasted("") else source


def try_reading(side: str) -> Found:
    """The maps of a side, or why there are none; those of large files are read with a progress bar."""
    source = source_of(side)
    if not source or source == Pasted(""):
        return None
    try:
        return read_watched(f"read-{side}", source)
    except (TTEDError, NotYet) as reason:
        return reason


def read_watched(slot: str, source: MapSource) -> Given:
    """Read all maps of a source, with a progress bar and a stop button if it takes long.

    Raises:
        NotYet: they are being read.
        TTEDError: as ``read_all``.
    """
    if takes_long(source):
        return run_watched(slot, source, partial(read_all, source), stop_help="Ends without the map.")
    return read_all(source)


def card(side: str, title: str, found: Found, *, expanded: bool, label: str = "") -> None:
    """Draw a card, folded to a line about its map; unfolded if the map is missing or wrong.

    ``label`` replaces the line. What is in a folded card is drawn once it is unfolded.
    """
    key, before = f"{side}-card", f"{side}-card-was"
    same = st.session_state.get(before) == expanded  # until it changes, the user opens and folds the card
    # Set in every run: with another label it is another widget to Streamlit, which would forget that it is open.
    opened = st.session_state.get(key, expanded) if same else expanded
    st.session_state.update({key: opened, before: expanded})
    source = source_of(side)
    with st.expander(
        label or f"**{title}**: {_summary(source, found)}", expanded=expanded, key=key, on_change="rerun"
    ):
        if isinstance(found, Given) and not opened:
            return
        _ways_to_give(side, source)
        if isinstance(found, Given) and len(found.maps) > 1:
            st.session_state[f"{side}-shown"] = found.shown.name
            numbers = {each.name: number for number, each in enumerate(found.maps, 1)}
            st.selectbox(
                f"Which of the {len(numbers)} maps in it",
                numbers,
                format_func=lambda name: f"{numbers[name]}: {shorten(name, 80)}",
                key=f"{side}-shown",
                on_change=set_option,
                args=(side, "shown"),
            )
        if source and not isinstance(source, Given):
            _import_options(side, source.options)
        if isinstance(found, Given):
            mind_map = found.shown
            if mind_map.talk:
                lines = "\n\n".join(map(markdown_escaped, mind_map.talk))
                st.markdown(f"{counted(len(mind_map.talk), 'line')} left out", help=lines, width="content")
            show_notes(mind_map.notices)
            with st.popover("Edit or save", width="stretch", key=f"{side}-tools"):
                st.button(
                    "Edit as text",
                    key=f"{side}-edit",
                    on_click=_edit,
                    args=(side, mind_map.tree),
                    help="Puts the map into the Paste tab as Markdown: rename, add, remove, indent and outdent "
                    "lines there. Ctrl+Z undoes.",
                )
                draw_save_map(side, mind_map.tree)
        elif isinstance(found, TTEDError):
            show_error(found)


def warn_of_problems(problems: Mapping[str, str], what: str) -> None:
    """Draw a warning of files that can't be used, by their names; ``what`` they can't be ("read")."""
    if problems:
        lines = [f"{counted(len(problems), 'file')} can't be {what}:"]
        lines += [f"{name}: {in_page_words(reason)}" for name, reason in [*problems.items()][:PROBLEMS]]
        lines += ["..."] * (len(problems) > PROBLEMS)
        st.warning("  \n".join(map(markdown_escaped, lines)), icon=":material/warning:")


def set_option(side: str, name: str, widget: str = "") -> None:
    """Put the value of a widget into the options of a side's source; for the widget's callback."""
    source, value = source_of(side), st.session_state[widget or f"{side}-{name}"]
    if source and value in _OFFERED.get(name, (value,)):
        st.session_state[side] = replace(source, options=replace(source.options, **{name: value}))


def _summary(source: MapSource | None, found: Found) -> str:
    """A line such as "answer.md · Markdown list · 9 nodes · 2 lines left out"."""
    if not isinstance(found, Given):
        named = [name for name, _ in source.files] if isinstance(source, Uploaded) else []
        name = ", ".join(named) or getattr(source, "file", PASTED)
        return markdown_escaped(shorten(name, 60)) if found else "nothing yet"
    mind_map = found.shown
    count = len(found.maps)
    number = f" ({found.maps.index(mind_map) + 1} of {count})" if count > 1 else ""
    parts = [markdown_escaped(shorten(mind_map.name or "map", 60) + number)]
    if mind_map.format in FORMATS:
        title = FORMATS[mind_map.format].title.partition(" (")[0]
        parts.append(f"{title[:1].upper()}{title[1:]}")
    parts.append(counted(len(mind_map.tree), "node"))
    if mind_map.talk:
        parts.append(f"{counted(len(mind_map.talk), 'line')} left out")
    if notices := len(mind_map.notices) - bool(mind_map.talk):
        parts.append(counted(notices, "notice"))
    return " · ".join(parts)


def _ways_to_give(side: str, source: MapSource | None) -> None:
    st.session_state.setdefault(f"{side}-tab", TABS.get(type(source), "Paste"))
    paste, upload, sample = st.tabs([*TABS.values()], key=f"{side}-tab", on_change="rerun")
    with paste:
        _show(f"{side}-text", source.text if isinstance(source, Pasted) else "")
        st.text_area(
            "Text of the map",
            key=f"{side}-text",
            height=170,
            placeholder=PLACEHOLDER,
            on_change=_take_text,
            args=(side,),
        )
        st.caption("Updates when you leave the box.")
    with upload:
        files = source.files if isinstance(source, Uploaded) else ()
        drop_zone(
            f"{side}-upload",
            "File of the map",
            lambda files: st.session_state.update({side: Uploaded(files)}),
            help=f"The format is recognised by the content. Of several files, choose a map. {LIMITS}",
        )
        if files:
            names = ", ".join(markdown_escaped(shorten(name, 60)) for name, _ in files)
            st.caption(f"Current file: {names}. Upload another to replace it.")
    with sample:
        st.session_state[f"{side}-sample"] = source.file if isinstance(source, SampleFile) else None
        st.selectbox(
            "Sample",
            samples.list_all(),
            format_func=samples.sample_title,
            key=f"{side}-sample",
            placeholder="Choose a map, or type a part of its name",
            on_change=_take_sample,
            args=(side,),
        )


def drop_zone(key: str, label: str, take: Callable[[NamedFiles], None], **how: Any) -> None:
    """Draw an uploader that gives its files to ``take``; ``how`` are others of its options.

    It can't be emptied: another one takes its place.
    """
    number = st.session_state.setdefault(f"{key}-number", 0)
    st.file_uploader(
        label,
        key=f"{key}-{number}",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        on_change=_take_dropped,
        args=(key, take),
        **how,
    )


def _take_dropped(key: str, take: Callable[[NamedFiles], None]) -> None:
    number = st.session_state[f"{key}-number"]
    files = tuple((file.name, file.getvalue()) for file in st.session_state[f"{key}-{number}"])
    st.session_state[f"{key}-number"] = number + 1
    if files:
        take(files)


def _show(key: str, value: object) -> None:
    """Set a widget's value if it is another; in every run, it would replace what is being typed."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _take_text(side: str) -> None:
    text, source = st.session_state[f"{side}-text"], source_of(side)
    options = source.options if isinstance(source, Pasted) else ReadingOptions()
    st.session_state[side] = Pasted(text, options) if text else None


def _take_sample(side: str) -> None:
    """Take over the sample that was chosen; on Compare, the other side shows one too if it is empty."""
    state = st.session_state
    file = state[f"{side}-sample"]
    if file not in samples.list_all():  # a client that isn't a browser may send anything
        return
    state[side] = SampleFile(file)
    for each in BOTH_SIDES if side in BOTH_SIDES else ():
        # Who chooses a sample still needs the cards, even if both maps are there.
        state.update({f"{each}-card": True, f"{each}-card-was": False})
        state[each] = state.get(each) or SampleFile(samples.OPENING[each])


def _import_options(side: str, options: ReadingOptions) -> None:
    for name in ("format", "roots", "include_floating"):
        # Set in every run: in a closed popover the browser has no inputs yet, and would send back a default.
        st.session_state[f"{side}-{name}"] = getattr(options, name)
    _show(f"{side}-field", options.field or "")

    def how(name: str) -> dict[str, Any]:
        return {"key": f"{side}-{name}", "on_change": set_option, "args": (side, name)}

    with st.popover("Import options"):
        st.selectbox(
            "Format",
            _OFFERED["format"],
            format_func=lambda name: FORMATS[name].title if name else "recognise by content",
            **how("format"),
        )
        st.selectbox("Several roots", ROOTS, format_func=ROOTS_TEXTS.__getitem__, **how("roots"))
        st.checkbox(
            "Keep topics outside the tree (floating topics, callouts, summaries)", **how("include_floating")
        )
        st.text_input(
            "Field with the map",
            placeholder="generation.rendered",
            help="Only for JSON of records, such as a program's results: the position of the map in each record, "
            "as keys joined by dots.",
            **how("field"),
        )


def _edit(side: str, tree: TextTree) -> None:
    chosen, (text, _) = "markdown", map_text(tree, "markdown")
    if len(text) > MAX_MARKDOWN_CHARACTERS:
        chosen, (text, _) = "nested-json", map_text(tree, "nested-json")
    source = Pasted(without_surrogates(text), ReadingOptions(chosen))
    st.session_state.update({side: source, f"{side}-tab": TABS[Pasted]})


def draw_save_map(side: str, tree: TextTree) -> None:
    """Draw the choice of a format and the download; ``side`` begins the widgets' keys."""
    chosen = st.selectbox(
        "Save as", list(WRITERS), format_func=lambda name: WRITERS[name].title, key=f"{side}-save-format"
    )
    text, notices = map_text(tree, chosen)
    show_notes(notices)
    st.download_button(
        "Download",
        text,
        file_name=f"map{WRITERS[chosen].extension}",
        mime="text/plain",
        key=f"{side}-save",
        on_click="ignore",
    )
