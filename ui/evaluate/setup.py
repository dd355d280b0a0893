"""The tab in which a comparison is begun: what is given, how it was understood, and earlier results."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core import TTEDError
from tted_core.baselines import MEASURES, SUITE
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.map_collections import RECORDS, Reading
from tted_core.batch.parts import SUMMARY, part_files
from tted_core.batch.plans import ROLES, Plan
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import unwrapped
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.formats import ROOTS
from tted_core.formats.folder import Confined
from tted_core.formats.reading import read_bytes
from tted_core.formats.records import places_in
from tted_core.foundations.limits import MAX_BYTES
from ui.errors import show_error
from ui.evaluate.results import KEPT, show_results
from ui.evaluate.scores_table import are_scores, draw_scores
from ui.fields import amount, choice, choices, field_of
from ui.inputs import roots_field
from ui.many.kept_batches import GIVEN, Batch, batch_at, new_folder, recent, record
from ui.many.server_folders import files_below, folders_below, may_be_opened, offered_folders
from ui.many.uploads import copied, draft, forget_upload, started, unpacked
from ui.many.view import TABS, place_parameter
from ui.many.work import go_on, planned
from ui.options import sidebar
from ui.part import Part
from ui.permalink import Parameter
from ui.text import ago, in_page_words, markdown_escaped, plural, shortened

UPLOAD = "evaluate-given"
"""The session key of what was uploaded and not begun."""

ROLES_KEY = "evaluate-roles"
"""The session key of what was given, and the roles that its visitor chose."""

MEASURES_FOR = "evaluate-measures-for"
"""The session key of what measures were last chosen for, so that those taken away stay away."""

LAYOUT = (
    "Give **folders whose maps have the same names**, in one zip or one zip each: references, and the outputs "
    "of one system (compared as pairs) or of several (ranked). JSON of records can stand for a folder. Or "
    "give **a table** of pairs (*left*, *right*) with a zip of its maps, or of scores (*item*, *system*)."
)

OF_PAPERS = ("cmgn_rouge1", "cmgn_rouge2", "cmgn_rougel")
"""The columns of papers on mind-map generation: in a ranking of systems at once, unless it would take long."""

MOST_WITH_PAPERS = 2_000
"""Pairs up to which these are added by themselves: they cost several times what TTED does."""


@dataclass(frozen=True)
class Given:
    """What is to be compared: where it lies, and what has to be made of it first.

    Attributes:
        title: what it is called.
        place: the folder that is looked through.
        files: what may be opened there.
        folder: the batch's folder, where the files were uploaded for it.
        of: the batch whose files are compared again.
    """

    title: str
    place: Path
    files: Confined
    folder: Path | None = None
    of: Batch | None = None


def _set_up() -> None:
    """Draw the tab."""
    options = sidebar()
    if problem := st.session_state.pop("evaluate-problem", None):
        show_error(problem)
    files = st.file_uploader(
        "Folders of maps as zip, records, or a table",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="evaluate-upload",
        on_change=_changed,
    )
    if len(files) == 1 and are_scores(files[0]):
        draw_scores(files[0])
        return
    given = _given(files)
    if given is None:
        st.caption(LAYOUT)
    else:
        _understood(given, options)
    _earlier()


def _changed() -> None:
    """Who takes files away by hand, or gives others, wants nothing else any more."""
    st.session_state[KEPT] = ""
    st.session_state["evaluate-folder"] = None
    if not st.session_state["evaluate-upload"]:
        forget_upload(UPLOAD)


def _given(files: list[UploadedFile]) -> Given | None:
    """What was uploaded, is still there of an upload, or lies in a folder of the server."""
    chosen = st.session_state.get("evaluate-folder")
    folder = None if files else _server_folder(str(chosen)) if chosen else None
    if folder is not None:
        return Given(folder.name, folder, files_below(offered_folders()))
    kept = draft(UPLOAD)
    if files:
        kept = unpacked(UPLOAD, files)
    elif place := st.session_state.get(KEPT):
        batch = batch_at(place)
        given = batch.folder.parent / GIVEN
        if batch.own and any(given.iterdir()):
            _keeps(batch.title)
            return Given(batch.title, given, files_below((given.parent,)), of=batch)
    elif kept:
        _keeps(kept[1])
    if kept is None:
        return None
    folder, title = kept
    return Given(title, folder / GIVEN, files_below((folder,)), folder)


def _keeps(title: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        name = markdown_escaped(shortened(title, 80))
        st.markdown(f"Current files: **{name}**. Upload others to replace them.", width="content")
        st.button("Remove", type="tertiary", on_click=_remove)


def _remove() -> None:
    st.session_state[KEPT] = ""
    forget_upload(UPLOAD)


def _understood(given: Given, options: Any) -> None:
    """Draw how the files were understood, and what is left to choose."""
    first = _first_records(given)
    field, key = _record_keys(first) if first else (None, None)
    reading = Reading(st.session_state.get("evaluate-roots") or ROOTS[0], field, key)
    of, roles = st.session_state.get(ROLES_KEY) or (None, {})
    plan = planned(given.place, given.files, reading, roles if of == str(given.place) else {})
    if plan.sides:
        _sides(str(given.place), plan)
    for notice in plan.notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")
    if plan.problem:
        raise plan.problem
    systems = [name for name in plan.source if name.startswith("system ")]
    if systems and not given.of and st.session_state.get(MEASURES_FOR) != str(given.place):
        st.session_state[MEASURES_FOR] = str(given.place)
        if plan.pairs <= MOST_WITH_PAPERS and not st.session_state.get("evaluate-baselines"):
            st.session_state["evaluate-baselines"] = list(OF_PAPERS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        baselines = BASELINES.draw()
        by_equivalence = any(name in SUITE and SUITE[name].by_equivalence for name in baselines)
        equivalence = float(EQUIVALENT.draw()) if by_equivalence else EQUIVALENCE
        roots_field("evaluate-roots").draw()
    chosen = BatchOptions((options,), tuple(baselines), reading, equivalence, sentences=True)
    if "pairs" in plan.source:
        maps, listing = plural(plan.maps, "map"), markdown_escaped(plan.source["pairs"].name)
        st.markdown(f"**{plural(plan.pairs, 'pair')}** of {maps}, listed in {listing}.")
    st.button(
        f"Compare {plural(len(systems), 'system') if systems else plural(plan.pairs, 'pair')}",
        type="primary",
        on_click=_start,
        args=(given, plan, chosen),
        help="By the options in the sidebar. It can be stopped, and gone on with.",
    )


def _record_keys(content: bytes) -> tuple[str | None, str | None]:
    """Draw where in the records of a file the maps and their names stand, if it holds any."""
    places = _places(content)
    if not places[0]:
        return None, None
    with st.container(horizontal=True):
        field, key = (each.draw(options=names) for each, names in zip(RECORD_FIELDS, places, strict=True))
    return field, key


@st.cache_data(max_entries=16, show_spinner=False)
def _places(content: bytes) -> tuple[list[str], list[str]]:
    return places_in(content)


def _sides(place: str, plan: Plan) -> None:
    """A row for each folder of maps; its role may be chosen."""
    roles = {side.name: side.role for side in plan.sides}
    table = pd.DataFrame(
        {
            "folder": side.name,
            "role": side.role,
            "maps": side.maps,
            "matched": None if side.role == ROLES[-1] else side.matched,
            "unreadable": side.unreadable,
        }
        for side in plan.sides
    )
    key = f"evaluate-sides-{hash((place, *roles.items()))}"  # another one, that shows the chosen roles
    st.data_editor(
        table,
        hide_index=True,
        disabled=["folder", "maps", "matched", "unreadable"],
        column_config={
            "folder": st.column_config.TextColumn(width="large"),
            "role": st.column_config.SelectboxColumn(options=ROLES, required=True, width="medium"),
            "matched": st.column_config.NumberColumn(help="Maps that have a partner of the same name."),
            "unreadable": st.column_config.NumberColumn(help="Maps that can't be read."),
        },
        key=key,
        on_change=partial(_choose_roles, key, place, roles),
    )


def _choose_roles(key: str, place: str, roles: Mapping[str, str]) -> None:
    """Take over the roles that were chosen; of two references the new one counts."""
    names = list(roles)
    edited = st.session_state[key]["edited_rows"]
    changed = {names[row]: each["role"] for row, each in edited.items() if each.get("role")}
    if ROLES[0] in changed.values():
        roles = {name: ROLES[1] if role == ROLES[0] else role for name, role in roles.items()}
    st.session_state[ROLES_KEY] = (place, {**roles, **changed})


def _first_records(given: Given) -> bytes | None:
    """The first file that may hold records, of those that are no maps in a folder of maps."""
    try:
        entries = given.files.entries(unwrapped(given.place, given.files))
        files = (each.path for each in entries if each.is_file and each.path.suffix.lower() in RECORDS)
        return next((read_bytes(file, given.files) for file in files), None)
    except (OSError, TTEDError):  # told of where the maps are looked for
        return None


def _start(given: Given, plan: Plan, options: BatchOptions) -> None:
    """Make the batch, show its results, and let it begin there; for a widget's callback."""
    try:
        with new_folder() if given.folder is None else nullcontext(given.folder) as folder:
            source = copied(given.place, folder, plan.source) if given.of else plan.source
            batch = record(folder, given.title, source, options, plan.pairs)
    except TTEDError as error:
        st.session_state["evaluate-problem"] = error
        return
    started(UPLOAD)
    go_on(batch.place)
    show_results(place=batch.place)
    of, roles = st.session_state.get(ROLES_KEY) or (None, {})
    if of == str(given.place):
        st.session_state[ROLES_KEY] = (str(folder / GIVEN), roles)


def _earlier() -> None:
    """Draw the last runs, and the folders of the server that its visitors may choose."""
    runs = recent()
    roots = offered_folders()
    folders = folders_below(roots) if roots else ()
    if not runs and not folders:
        return
    st.markdown("**Recent runs**" if runs else "**On this server**")
    for batch, seen in runs:
        done = "finished" if (batch.folder / SUMMARY).exists() else "not finished"
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                markdown_escaped(shortened(batch.title, 60)),
                type="tertiary",
                key=f"evaluate-run-{batch.place}",
                on_click=show_results,
                kwargs={"place": batch.place},
            )
            st.caption(f"{plural(batch.pairs or 0, 'pair')}, {done}, {ago(seen)}", width="content")
    if folders:
        _folder_input(folders)


def _folder_input(folders: tuple[tuple[Path, bool], ...]) -> None:
    """A box to choose a folder of the server from; a path may be typed in as well."""
    chosen = st.session_state.get("evaluate-folder")
    offered = [str(folder) for folder, _ in folders]
    if chosen and chosen not in offered:
        offered.append(chosen)
    with_results = {str(folder) for folder, has_results in folders if has_results}
    FOLDER.draw(
        options=offered,
        format_func=lambda folder: f"{folder} (results)" if folder in with_results else folder,
    )


def _open_results() -> None:
    """A folder of results is opened at once; for a widget's callback."""
    chosen = st.session_state.get("evaluate-folder")
    if chosen and may_be_opened(offered_folders(), Path(chosen)) and part_files(Path(chosen)):
        st.session_state["evaluate-folder"] = None
        show_results(place=batch_at(chosen).place)


def _server_folder(text: str) -> Path:
    """A folder of the server by its path, from the only one that is offered, or from the root.

    Raises:
        OptionsError: there is none, or none for visitors.
    """
    roots, folder = offered_folders(), Path(text)
    if not folder.is_absolute() and len(roots) == 1:
        folder = roots[0] / folder
    if not may_be_opened(roots, folder):
        raise OptionsError("this server offers no such folder to its visitors; choose one of the list")
    if not folder.is_dir():
        raise OptionsError(f"there is no folder {folder.name!r}; choose one of the list")
    return folder.resolve()


def _read_folder(text: str) -> dict[str, Any]:
    if text and not may_be_opened(offered_folders(), Path(text)):
        raise UnknownNameError("this server offers no such folder to its visitors")
    return {"evaluate-folder": text or None}


FOLDER = field_of(
    Parameter(
        "folder",
        "",
        ("evaluate-folder",),
        _read_folder,
        lambda state: str(state.get("evaluate-folder") or ""),
        loss="none is chosen",
    ),
    "Folder on this server",
    "selectbox",
    index=None,
    accept_new_options=True,
    placeholder="Choose a folder of maps or of results, or type its path",
    help="Folders that this server's owner offers, and those in them.",
    on_change=_open_results,
)
BASELINES = choices("evaluate-baselines", "Measures to add", list(MEASURES), (), width=420)
EQUIVALENT = amount(
    "evaluate-equivalence",
    "Equivalent up to",
    (0.0, 100.0, 0.05),
    default=f"{EQUIVALENCE:g}",
    width=150,
    help="The distance of two nodes up to which they are equivalent, for structural_tted and equivalent_share",
)
IN_RECORDS: dict[str, Any] = {
    "index": None,
    "accept_new_options": True,
    "help": "The file holds records of a program. Keys joined by dots lead to a place in each.",
    "width": 300,
}
RECORD_FIELDS = (
    choice(
        "evaluate-field",
        "Field with the map",
        None,
        "",
        placeholder="where maps usually stand",
        **IN_RECORDS,
    ),
    choice("evaluate-id", "Field with the name", None, "", placeholder="id, name, ...", **IN_RECORDS),
)
MAPS = Part(
    TABS["maps"],
    _set_up,
    (
        place_parameter("evaluate"),
        FOLDER,
        BASELINES,
        EQUIVALENT,
        *RECORD_FIELDS,
    ),
)
