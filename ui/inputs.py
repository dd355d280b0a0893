"""The two map cards: choose a sample, paste a text or upload a file, and see how it was read."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from tted_core import MindMap, TTEDError
from tted_core.formats import FORMATS, ROOTS
from tted_core.formats.folder import SIGNATURE, entry_readers, packed
from tted_core.foundations.limits import MAX_BYTES, MAX_MAPS, MAX_NODES_COMPARED, MAX_NODES_READ
from ui import cache, samples
from ui.errors import show_error
from ui.fields import Field, amount, choice, switch
from ui.map_tools import map_tools
from ui.sides import (
    RIGHT,
    SAMPLE,
    SOURCES,
    GivenFile,
    Side,
    choose_sample,
    files_of,
    has_own,
    uploader_key,
)
from ui.text import html_escaped, in_page_words, markdown_escaped, plural, shortened

ROOTS_TEXTS = {
    "join": "put a new root above them (at a cost)",
    "first": "keep the first root's branch only, as the published code does",
    "error": "reject the map, and list its roots",
}

NOTHING = "nothing yet"

LIMITS = (
    f"Up to {MAX_BYTES // 1_000_000} MB and {MAX_NODES_READ:,} nodes a file are read; up to "
    f"{MAX_NODES_COMPARED:,} nodes of a map are compared; choose a depth for larger ones."
)
"""The limits of maps, for an uploader's help text."""

SEVERAL = 100
"""Up to this number, all maps of the right side are read, compared and put into the link."""

PLACEHOLDER = """Paste a mind map, for example

# Coral reefs
- Polyps build limestone cups
- Algae feed the polyps
  - They need light

or JSON, an indented text, a numbered outline ..."""


@dataclass(frozen=True)
class Found:
    """The input of a side: its name, the map or the error; neither while there is no input."""

    name: str
    mind_map: MindMap | None = None
    error: TTEDError | None = None


def roots_field(key: str, name: str = "") -> Field:
    """The choice of how to treat several roots; ``name`` is its name in the address, if it is there."""
    return choice(name or key, "Several roots", ROOTS, ROOTS[0], key=key, format_func=ROOTS_TEXTS.__getitem__)


def reading_fields(side: Side) -> dict[str, Field]:
    """A side's import options, by the names of their state."""
    name, key = f"{side.key}_{{}}".format, side.state
    sheet = amount(name("sheet"), "Which of the maps in it", (1, MAX_MAPS, 1), default="1", key=key("sheet"))
    return {
        "format": choice(
            name("format"),
            "Format",
            ["", *FORMATS],
            "",
            key=key("format"),
            options=[None, *FORMATS],
            format_func=lambda name: FORMATS[name].title if name else "recognise by content",
        ),
        "roots": roots_field(key("roots"), name("roots")),
        "sheet": replace(
            sheet,
            widget="selectbox",
            how={},
            write=lambda state: sheet.write(state) if has_own(side) else None,
        ),
        "floating": switch(
            name("floating"),
            "Keep topics outside the tree (floating topics, callouts, summaries)",
            widget="checkbox",
            key=key("floating"),
        ),
    }


def found_on(side: Side) -> Found:
    """Read a side's input; the session keeps the map under the side's ``read``, for links."""
    _set_defaults(side)
    name, mind_map, error = "files", None, None
    several: tuple[MindMap, ...] = ()
    try:
        _forget_reading(side)
        name, content = _given(side)
        mind_map = _read(side, name, content)
        if mind_map and len(mind_map.maps) > 1:
            name = f"{mind_map.name} ({st.session_state[side.state('sheet')]} of {len(mind_map.maps)})"
            if side is RIGHT and len(mind_map.maps) <= SEVERAL:
                several, _ = maps_on(side)
    except TTEDError as wrong:
        error = wrong
    st.session_state.update({side.state("read"): mind_map, side.state("several"): several})
    return Found(name, mind_map, error)


def card(side: Side, found: Found, *, expanded: bool, label: str = "") -> None:
    """Draw a card, folded to a line about its map; unfolded if the map is missing or wrong.

    ``label`` replaces the line.
    """
    mind_map = found.mind_map
    key, before = side.state("card"), side.state("card-was")
    same = st.session_state.get(before) == expanded  # until it changes, the user opens and folds the card
    # Set in every run: with another label it is another widget to Streamlit, which would forget that it is open.
    opened = st.session_state.get(key, expanded) if same else expanded
    st.session_state.update({key: opened, before: expanded})
    label = label or _summary(side, found.name, mind_map)
    with st.expander(label, expanded=expanded, key=key, on_change="rerun"):
        _widgets(side, mind_map)
        if found.error:
            show_error(found.error)
        if mind_map:
            _describe(mind_map)
            map_tools(side.key, mind_map)


def _set_defaults(side: Side) -> None:
    st.session_state.setdefault(side.state("source"), SAMPLE)
    # The options of the boxes: a client that isn't a browser may send anything.
    offered: dict[str, tuple[object, tuple[object, ...]]] = {
        "topic": (samples.OPENING_TOPIC, tuple(samples.folders())),
        "format": (None, (None, *FORMATS)),
        "roots": (ROOTS[0], tuple(ROOTS)),
        "sheet": (1, (None, *range(1, MAX_MAPS + 1))),
    }
    for name, (default, values) in offered.items():
        if st.session_state.get(side.state(name), default) not in values:
            st.session_state[side.state(name)] = default
        st.session_state.setdefault(side.state(name), default)
    files = samples.files(st.session_state[side.state("topic")])
    if st.session_state.get(side.state("file")) not in files:
        st.session_state[side.state("file")] = side.opening_file if side.opening_file in files else files[1]
    empty = {"chosen": False, "floating": False, "field": ""}
    for name, nothing in empty.items():
        st.session_state.setdefault(side.state(name), nothing)


def _forget_reading(side: Side) -> None:
    """Reset import options that were chosen for another text or file.

    Input that the program sets together with its format has no origin yet (None).
    """
    state = st.session_state
    source = state[side.state("source")]
    origin: tuple[str, ...] = (source,)
    if source == SAMPLE:
        origin = (source, state[side.state("topic")], state[side.state("file")])
    elif source == "Upload":
        origin = (source, *(file.file_id for file in files_of(side)))
    if state.get(side.state("origin"), origin) not in {origin, None}:
        state[side.state("format")] = None
        state[side.state("sheet")] = None
        state[side.state("field")] = ""
    state[side.state("origin")] = origin


def _given(side: Side) -> tuple[str, bytes | str | None]:
    """Name and content of this side's input; the content is None while there is no input."""
    state = st.session_state
    match state[side.state("source")]:
        case "Paste":
            text = state.get(side.state("text")) or None
            return ("pasted text" if text else NOTHING), text
        case "Upload":
            return _uploaded(files_of(side))
        case _:
            topic, file = state[side.state("topic")], state[side.state("file")]
            return f"{topic}/{file}", cache.sample_content(samples.FOLDER / topic / file)


def maps_on(side: Side) -> tuple[tuple[MindMap, ...], dict[str, TTEDError]]:
    """All maps of a side in the order of their numbers, and the errors of files that can't be read.

    Raises:
        TTEDError: none of them can be read.
    """
    name, content = _given(side)
    how = _how(side)
    titles = cache.map_titles(content or "", format=how["format"], field=how["field"])
    maps = cache.read_all(content or "", name, **how)
    errors: dict[str, TTEDError] = {}
    if isinstance(content, bytes) and content.startswith(SIGNATURE):
        entries = entry_readers(content)
        for entry in entries if set(titles) & set(entries) else ():  # not if the map itself is an archive
            if entry not in titles:
                try:
                    cache.read(entries[entry](), entry, **how)
                except TTEDError as error:
                    errors[entry] = error
    return tuple(replace(each, name=title) for each, title in zip(maps, titles, strict=True)), errors


def _uploaded(files: list[UploadedFile | GivenFile]) -> tuple[str, bytes | None]:
    """The name and content of one file, or of an archive of several; names that came before are numbered."""
    if len(files) < 2:
        return (files[0].name, files[0].getvalue()) if files else (NOTHING, None)
    named, seen = {}, Counter[str]()
    for file in files:
        seen[file.name] += 1
        path, number = PurePath(file.name), seen[file.name]
        named[file.name if number == 1 else f"{path.stem} ({number}){path.suffix}"] = file.getvalue()
    return f"{len(files)} files", packed(named.items())


def _read(side: Side, name: str, content: bytes | str | None) -> MindMap | None:
    if content is None:
        return None
    state, how = st.session_state, _how(side)
    titles = cache.map_titles(content, format=how["format"], field=how["field"])
    if (state[side.state("sheet")] or len(titles) + 1) > len(titles):  # it was chosen for other files
        title = state.get(side.state("map"))
        state[side.state("sheet")] = titles.index(title) + 1 if title in titles else 1
    state[side.state("map")] = titles[state[side.state("sheet")] - 1]
    mind_map = cache.read(content, name, sheet=state[side.state("sheet")] if len(titles) > 1 else None, **how)
    if len(titles) > 1:
        mind_map = replace(mind_map, name=state[side.state("map")])
    return mind_map


def _how(side: Side) -> dict[str, Any]:
    """A side's import options, as the reader's arguments."""
    how = {name: st.session_state[side.state(name)] for name in ("format", "roots")}
    field = str(st.session_state[side.state("field")]).strip() or None
    return how | {"include_floating": st.session_state[side.state("floating")], "field": field}


def _summary(side: Side, name: str, mind_map: MindMap | None) -> str:
    """A line such as "Left map: answer.md · Markdown list · 9 nodes · 2 lines left out"."""
    start = f"**{side.title}**: {markdown_escaped(shortened(name, 60))}"
    if mind_map is None:
        return start
    title = FORMATS[mind_map.format].title.partition(" (")[0]
    parts = [start, f"{title[:1].upper()}{title[1:]}", plural(len(mind_map.tree), "node")]
    if mind_map.talk:
        parts.append(f"{plural(len(mind_map.talk), 'line')} left out")
    if notices := len(mind_map.notices) - bool(mind_map.talk):
        parts.append(plural(notices, "notice"))
    return " · ".join(parts)


def _widgets(side: Side, mind_map: MindMap | None) -> None:
    fields = reading_fields(side)
    paste, upload, sample = st.tabs(SOURCES, key=side.state("source"), on_change="rerun")
    with sample:
        topics = samples.folders()
        st.selectbox(
            "Topic",
            topics,
            format_func=samples.topic_title,
            key=side.state("topic"),
            on_change=choose_sample,
            args=(side,),
        )
        files = samples.files(st.session_state[side.state("topic")])
        st.selectbox(
            "Map",
            files,
            format_func=samples.file_title,
            key=side.state("file"),
            on_change=choose_sample,
            args=(side,),
        )
    with paste:
        st.text_area("Text of the map", key=side.state("text"), height=170, placeholder=PLACEHOLDER)
        st.caption("Updates when you leave the box.")
    with upload:
        st.file_uploader(
            "File of the map",
            key=uploader_key(side),
            accept_multiple_files=True,
            max_upload_size=MAX_BYTES // 1_000_000,
            # The widget forgets its files on another page.
            on_change=lambda: st.session_state.update(
                {side.state("files"): st.session_state[uploader_key(side)]}
            ),
            help=f"The format is recognised by the content. Of several files, choose a map. {LIMITS}",
        )
        in_the_widget = [file.file_id for file in st.session_state[uploader_key(side)]]
        if (kept := files_of(side)) and [file.file_id for file in kept] != in_the_widget:
            names = ", ".join(markdown_escaped(shortened(file.name, 60)) for file in kept)
            st.caption(f"Current file: {names}. Upload another to replace it.")
    if mind_map and len(mind_map.maps) > 1:
        fields["sheet"].draw(
            label=f"Which of the {len(mind_map.maps)} maps in it",
            options=range(1, len(mind_map.maps) + 1),
            format_func=lambda number: f"{number}: {shortened(mind_map.maps[number - 1], 80)}",
        )
    with st.popover("Import options"):
        for name in ("format", "roots", "floating"):
            fields[name].draw(sent=True)
        st.text_input(
            "Field with the map",
            key=side.state("field"),
            placeholder="generation.rendered",
            help="Only for JSON of records, such as a program's results: the position of the map in each record, "
            "as keys joined by dots.",
        )


def _describe(mind_map: MindMap) -> None:
    tree = mind_map.tree
    root = html_escaped(shortened(tree.labels[0], 120))
    st.html(
        f"<p>Read as <b>{FORMATS[mind_map.format].title}</b>: {plural(len(tree), 'node')}, "
        f"depth {tree.depth}, root “{root}”</p>"
    )
    if mind_map.talk:
        lines = "\n\n".join(map(markdown_escaped, mind_map.talk))
        st.markdown(f"{plural(len(mind_map.talk), 'line')} left out", help=lines, width="content")
    for notice in mind_map.notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")
