"""The tab in which a comparison is begun: what is given, how it was understood, and earlier results."""

import os
import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.typing import UploadedFile

from tted_core import TTEDError
from tted_core.baselines import MEASURES, SUITE
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.parts import SUMMARY
from tted_core.batch.plans import ROLES, Plan
from tted_core.batch.results import opened_results
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import unwrapped
from tted_core.formats import ROOTS
from tted_core.formats.fields import places_in
from tted_core.formats.folder import Confined
from tted_core.formats.map_collections import RECORDS, Reading
from tted_core.formats.reading import read_bytes
from tted_core.foundations.limits import MAX_BYTES
from ui.errors import show_error
from ui.evaluate.results import KEPT, show_results
from ui.evaluate.scores_table import are_scores, draw_scores
from ui.evaluate.view import TABS
from ui.evaluate.work import go_on, planned
from ui.fields import amount, choice, choices
from ui.inputs import roots_field
from ui.many.batches import GIVEN, RESULTS, Batch, add, batches, new_folder, uploaded_results
from ui.many.uploads import draft, forget_upload, started, unpacked
from ui.options import sidebar
from ui.part import Part
from ui.text import in_page_words, markdown_escaped, plural, shortened

UPLOAD = "evaluate-given"
"""The session key of what was uploaded and not begun."""

ROLES_KEY = "evaluate-roles"
"""The session key of what was given, and the roles that its visitor chose."""

MEASURES_FOR = "evaluate-measures-for"
"""The session key of what measures were last chosen for, so that those taken away stay away."""

LAYOUT = (
    "Give **folders whose maps have the same names**, in one zip or one zip each: references, and the outputs "
    "of one system (compared as pairs) or of several (ranked). JSON of records can stand for a folder. Or "
    "give **a table** of pairs (*left*, *right*) with a zip of its maps, or of scores (*item*, *system*). A long "
    "run is for the command `tted batch`: a zip of its folder of results, best with the maps, opens here."
)

OF_PAPERS = ("cmgn_rouge1", "cmgn_rouge2", "cmgn_rougel")
"""The columns of papers on mind-map generation: in a ranking of systems at once, unless it would take long."""

MOST_WITH_PAPERS = 2_000
"""Pairs up to which these are added by themselves: they cost several times what TTED does."""


@dataclass(frozen=True)
class Given:
    """What is to be compared.

    Attributes:
        title: what it is called.
        home: the folder of the batch to be, or of the one whose files are compared again.
        again: whether it is that of another batch.
    """

    title: str
    home: Path
    again: bool = False

    @property
    def place(self) -> Path:
        """The folder that is looked through."""
        return self.home / GIVEN


def _set_up() -> None:
    """Draw the tab."""
    options = sidebar()
    if problem := st.session_state.pop("evaluate-problem", None):
        show_error(problem)
    files = st.file_uploader(
        "Folders of maps as zip, records, a table, or results as zip",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="evaluate-upload",
        on_change=_changed,
    )
    if len(files) == 1 and are_scores(files[0]):
        draw_scores(files[0])
        return
    given = _given(files)
    results = given and not given.again and uploaded_results(given.home, given.title)
    if given is None:
        st.caption(LAYOUT)
    elif results:
        rows = plural(len(opened_results(results.folder)), "row")
        st.markdown(f"**Results of {rows}**" + ("." if results.source else ", without their maps."))
        st.button("Open the results", type="primary", on_click=_open_results, args=(results,))
    else:
        _understood(given, options)
    _earlier()


def _changed() -> None:
    """Who takes files away by hand, or gives others, wants nothing else any more."""
    st.session_state[KEPT] = ""
    if not st.session_state["evaluate-upload"]:
        forget_upload(UPLOAD)


def _given(files: list[UploadedFile]) -> Given | None:
    """What was uploaded, or is still there of an upload."""
    kept = draft(UPLOAD)
    batch = batches().get(st.session_state.get(KEPT, ""))
    if files:
        kept = unpacked(UPLOAD, files)
    elif batch is not None and batch.began_here:
        _keeps(batch.title)
        return Given(batch.title, batch.home, again=True)
    elif kept:
        _keeps(kept[1])
    return Given(kept[1], kept[0]) if kept else None


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
    plan = planned(given.place, reading, roles if of == str(given.place) else {})
    if plan.sides:
        _sides(str(given.place), plan)
    for notice in plan.notices:
        st.caption(f":material/info: {markdown_escaped(in_page_words(notice))}")
    if plan.problem:
        raise plan.problem
    systems = [name for name in plan.source if name.startswith("system ")]
    if systems and not given.again and st.session_state.get(MEASURES_FOR) != str(given.place):
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
        files = Confined((given.place,))
        entries = files.entries(unwrapped(given.place, files))
        found = (each.path for each in entries if each.is_file and each.path.suffix.lower() in RECORDS)
        return next((read_bytes(file, files) for file in found), None)
    except (OSError, TTEDError):  # told of where the maps are looked for
        return None


def _start(given: Given, plan: Plan, options: BatchOptions) -> None:
    """Make the batch, show its results, and let it begin there; for a widget's callback."""
    try:
        with new_folder() if given.again else nullcontext(given.home) as home:
            if given.again:
                shutil.copytree(given.place, home / GIVEN, copy_function=os.link, dirs_exist_ok=True)
    except TTEDError as error:
        st.session_state["evaluate-problem"] = error
        return
    source = {name: home / path.relative_to(given.home) for name, path in plan.source.items()}
    batch = add(Batch(home, home / RESULTS, given.title, source, options.reading, options, plan.pairs))
    started(UPLOAD)
    go_on(batch.place)
    show_results(batch)
    of, roles = st.session_state.get(ROLES_KEY) or (None, {})
    if of == str(given.place):
        st.session_state[ROLES_KEY] = (str(home / GIVEN), roles)


def _open_results(batch: Batch) -> None:
    """Look at uploaded results; for a widget's callback."""
    add(batch)
    started(UPLOAD)
    show_results(batch)


def _earlier() -> None:
    """Draw the batches of this visit."""
    runs = list(reversed(batches().values()))
    if runs:
        st.markdown("**Runs of this visit**")
    for batch in runs:
        done = "finished" if (batch.folder / SUMMARY).exists() else "not finished"
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                markdown_escaped(shortened(batch.title, 60)),
                type="tertiary",
                key=f"evaluate-run-{batch.place}",
                on_click=show_results,
                args=(batch,),
            )
            pairs = "" if batch.pairs is None else f"{plural(batch.pairs, 'pair')}, "
            st.caption(pairs + done, width="content")


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
        BASELINES,
        EQUIVALENT,
        *RECORD_FIELDS,
    ),
)
