"""The tab that starts a comparison: uploaded files, their roles, and earlier runs."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.baselines import MEASURES, measure_title
from tted_core.batch.plans import ROLES, Plan, detect_plan, unwrap
from tted_core.batch.table import BatchOptions
from tted_core.errors import MAX_BYTES, MapFormatError, Message
from tted_core.formats.fields import candidate_paths
from tted_core.formats.map_collections import RECORDS, Reading
from tted_core.foundations.child import run_in_child
from tted_core.foundations.files import Files, read_bytes
from tted_core.method import Method
from ui.evaluate.batches import (
    DOCUMENT,
    UPLOAD,
    Batch,
    Upload,
    add,
    batches,
    put_loose_maps_in_folders,
    read_uploaded_results,
    temporary_folder,
    upload_of,
)
from ui.evaluate.ranking import RANKING_TAB
from ui.evaluate.results import BEGIN, LOOKED_AT, MAX_PAGE_PAIRS, look_at
from ui.fields import choice, choices
from ui.map_source import SECONDS_AT_ONCE
from ui.options import sidebar
from ui.page import PagePart, show_notes
from ui.running import PAGE_RUNS
from ui.text import counted, markdown_escaped, shorten

ROLES_KEY = "evaluate-roles"  # session key of an upload's folder and of the roles chosen for it

LAYOUTS = (
    "**Loose files**: a reference and the maps of one document by several systems, which are ranked. **Folders "
    "whose maps have the same names**, in one zip or one zip each: references, and the outputs of one system "
    "(compared as pairs) or of several (ranked); JSON of records can stand for a folder. **A table** of pairs "
    "(*left*, *right*) with a zip of its maps. **Results** of the command `tted batch`, best with the maps, as a "
    "zip."
)

# The measures of papers on mind-map generation: preset for a ranking of systems, unless it would take long.
OF_PAPERS = ("cmgn_rouge1", "cmgn_rouge2", "cmgn_rougel")

MOST_WITH_PAPERS = 2_000  # most pairs for which these are preset: they take several times as long as TTED

ADDED_MEASURES = choices(
    "evaluate-baselines", "Measures to add", list(MEASURES), (), format_func=measure_title, width=420
)
IN_RECORDS: dict[str, Any] = {
    "index": None,
    "accept_new_options": True,
    "help": "The file holds records of a program. Keys joined by dots lead to a field of each.",
    "width": 300,
}
RECORD_FIELDS = (
    choice(
        "evaluate-field",
        "Field with the map",
        None,
        "",
        placeholder="the usual fields",
        **IN_RECORDS,
    ),
    choice("evaluate-id", "Field with the name", None, "", placeholder="id, name, ...", **IN_RECORDS),
)


def _draw() -> None:
    files = st.file_uploader(
        "Drop your maps here: loose files, zips of folders, records, a table, or a zip of results",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="evaluate-upload",
        on_change=_forget_upload,
    )
    upload = upload_of(files)
    if upload is None:
        st.caption(LAYOUTS)
        if st.session_state.get(LOOKED_AT) is None:
            RANKING_TAB.draw()
            return
    method = sidebar()
    if upload is not None:
        if not files:
            with st.container(horizontal=True, vertical_alignment="center"):
                name = markdown_escaped(shorten(upload.title, 80))
                st.markdown(f"Current files: **{name}**. Upload others to replace them.", width="content")
                st.button("Remove", type="tertiary", on_click=_forget_upload)
        if results := read_uploaded_results(upload):
            rows = counted(len(results.results), "row")
            st.markdown(f"**Results of {rows}**" + ("." if results.source else ", without their maps."))
            st.button("Open the results", type="primary", on_click=_open_uploaded)
        else:
            _draw_maps(upload, method)
    if batches():
        st.markdown("**Runs of this visit**")
    for batch in reversed(batches().values()):
        how = batch.options.methods[0].in_words if batch.options else "options unknown"
        title = markdown_escaped(f"{shorten(batch.upload.title, 60)}: {how}")
        st.button(
            title, type="tertiary", key=f"evaluate-run-{batch.folder.name}", on_click=_open, args=(batch.key,)
        )


def _forget_upload() -> None:
    """Forget the upload if its files were removed by hand; on other tabs the widget drops them by itself."""
    if not st.session_state["evaluate-upload"]:
        st.session_state[UPLOAD] = None


def _draw_maps(upload: Upload, method: Method) -> None:
    """Draw the roles of the files, and the choices left."""
    reading = _draw_reading(upload.folder)
    of, roles = st.session_state.get(ROLES_KEY) or (None, {})
    plan = _find_plan(upload.folder, reading, roles if of == str(upload.folder) else {})
    if isinstance(plan, TTEDError):
        raise plan
    if plan.sides:
        _draw_sides(str(upload.folder), plan)
    show_notes(plan.notices)
    if plan.problem:
        raise plan.problem
    systems = [side.name for side in plan.sides if side.role == ROLES[1]]
    is_ranked = len(systems) > 1
    # Once for an upload, so that measures that were removed stay removed.
    if is_ranked and st.session_state.get("evaluate-measures-for") != upload.ids:
        st.session_state["evaluate-measures-for"] = upload.ids
        if plan.pairs <= MOST_WITH_PAPERS and not st.session_state.get("evaluate-baselines"):
            st.session_state["evaluate-baselines"] = list(OF_PAPERS)
    options = BatchOptions((method,), tuple(ADDED_MEASURES.draw()), reading, sentences=True)
    if table := plan.source.get("pairs"):
        counts = f"**{counted(plan.pairs, 'pair')}** of {counted(plan.maps, 'map')}"
        st.markdown(f"{counts}: {markdown_escaped(table.name)}")
    st.button(
        f"Compare {counted(len(systems), 'system') if is_ranked else counted(plan.pairs, 'pair')}",
        type="primary",
        on_click=_start,
        args=(plan, options, "Ranking" if is_ranked else "Pairs"),
        help="Uses the sidebar's options. You can stop and resume.",
    )


def _draw_reading(folder: Path) -> Reading:
    """Draw the choice of the record fields with maps and names, if a file has records."""
    files = Files((folder,))
    try:
        entries = sorted(unwrap(folder, files).iterdir())
        records = (each for each in entries if each.is_file() and each.suffix.lower() in RECORDS)
        fields, names = next((_fields(read_bytes(file, files)) for file in records), ([], []))
    except (OSError, TTEDError):  # reported when the maps are read
        fields = []
    if not fields:
        return Reading()
    with st.container(horizontal=True):
        of_map, of_name = RECORD_FIELDS
        return Reading(field=of_map.draw(options=fields), key=of_name.draw(options=names))


@st.cache_data(max_entries=16, show_spinner=False)
def _fields(content: bytes) -> tuple[list[str], list[str]]:
    with PAGE_RUNS.outside():
        call = partial(candidate_paths, content)
        return run_in_child(call, "reading the records", "give a file with fewer", seconds=SECONDS_AT_ONCE)


@st.cache_resource(scope="session", max_entries=8, show_spinner="Finding the maps")
def _find_plan(folder: Path, reading: Reading, roles: Mapping[str, str]) -> Plan | TTEDError:
    """The plan of comparisons for a folder, or the reason why there is none."""
    found = _understand(folder, reading, roles)
    if isinstance(found, Plan) and not any(folder.glob(f"*/{DOCUMENT}*")):
        return found
    with PAGE_RUNS.outside():
        left_out = put_loose_maps_in_folders(folder, Files((folder,)), reading)
    found = _understand(folder, reading, roles)
    if isinstance(found, Plan):
        known = tuple(f"{Path(name).stem} is ignored" for name in left_out)
        others = (notice for notice in found.notices if not notice.startswith(known))
        return found._replace(notices=(*left_out.values(), *others))
    few = "two of these files or more have to be maps, a reference and others"
    reasons = (Message("; ", reason) for reason in left_out.values())
    return MapFormatError(Message(few, *reasons)) if left_out else found


def _understand(folder: Path, reading: Reading, roles: Mapping[str, str]) -> Plan | TTEDError:
    try:
        return detect_plan(folder, Files((folder,)), reading=reading, roles=roles, most=MAX_PAGE_PAIRS)
    except TTEDError as error:
        return error


def _draw_sides(folder: str, plan: Plan) -> None:
    """A row for each folder of maps, or loose file; its role may be chosen."""
    roles = {side.name: side.role for side in plan.sides}
    table = pd.DataFrame(plan.sides).rename(columns={"name": "folder or file"})
    key = f"evaluate-sides-{hash((folder, *roles.items()))}"  # a new key, so that the table shows the chosen roles
    st.data_editor(
        table,
        hide_index=True,
        disabled=["folder or file", "maps", "matched"],
        column_config={
            "folder or file": st.column_config.TextColumn(width=190),
            "role": st.column_config.SelectboxColumn(
                options=ROLES, required=True, width=110, help="Double-click a role to change it."
            ),
            "matched": st.column_config.NumberColumn(help="Maps that have a partner of the same name."),
        },
        key=key,
        on_change=_choose_roles,
        args=(key, folder, roles),
    )


def _choose_roles(key: str, folder: str, roles: Mapping[str, str]) -> None:
    """Apply the chosen roles; of two references the new one counts."""
    names = list(roles)
    edited = st.session_state[key]["edited_rows"]
    changed = {names[row]: each["role"] for row, each in edited.items() if each.get("role")}
    if ROLES[0] in changed.values():
        roles = {name: ROLES[1] if role == ROLES[0] else role for name, role in roles.items()}
    st.session_state[ROLES_KEY] = (folder, {**roles, **changed})


# Streamlit keeps callbacks and their arguments for the whole session: a batch among them would keep its files.
def _start(plan: Plan, options: BatchOptions, tab: str) -> None:
    """Make the batch, show its results, and let it begin there; for a widget's callback."""
    home = temporary_folder()
    batch = Batch(st.session_state[UPLOAD], Path(home.name), plan.source, options, plan.pairs, home)
    st.session_state[BEGIN] = batch.key
    add(batch)
    look_at(batch.key, tab)


def _open_uploaded() -> None:
    upload = st.session_state[UPLOAD]
    batch = next((each for each in batches().values() if each.upload is upload), None)
    batch = batch or read_uploaded_results(upload)
    assert batch is not None, "the button is drawn if there are results"
    batches()[batch.key] = batch
    _open(batch.key)


def _open(key: str) -> None:
    batch = batches()[key]
    add(batch)
    look_at(key, "Ranking" if batch.has_systems else "Pairs")


MAPS_TAB = PagePart("Maps", _draw, (ADDED_MEASURES, *RECORD_FIELDS))
