"""The part in which a batch is begun: pairs from uploads or a folder of the server, or results that are there."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core import TTEDError
from tted_core.baselines import MEASURES
from tted_core.batch.map_collections import RECORDS, Reading
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import unwrapped
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.formats import ROOTS
from tted_core.formats.folder import Confined
from tted_core.formats.reading import read_bytes
from tted_core.limits import MAX_BYTES
from ui.errors import show_error
from ui.inputs import (
    equivalence_choice,
    equivalence_field,
    record_choice,
    record_parameters,
    roots_choice,
)
from ui.many.kept_batches import GIVEN, batch_at, new_folder, record
from ui.many.server_folders import files_below, folders_below, may_be_opened, offered_folders
from ui.many.uploads import Target, forget_upload, started, unpacked
from ui.many.view import RESULTS_TITLE
from ui.many.work import Plan, planned
from ui.options import sidebar
from ui.part import Part
from ui.permalink import Parameter, one_of, several_of
from ui.text import markdown_escaped, plural

UPLOAD = "batch-given"
"""Where the session keeps what was uploaded."""

SOURCES = {
    "upload": "Upload",
    "folder": "Folder on this server",
    "results": "Open results",
}

LAYOUT = (
    "Give **two folders in one zip** (references and outputs, say) whose maps have the same names; or **a table** "
    "(.csv, .tsv or .jsonl) with the columns *left* and *right*, in a zip with the maps it names, or beside one; "
    "or **two files of records** (.json or .jsonl), such as a program's results."
)

NONE_OFFERED = (
    "This server offers its visitors no folder of its own. Whoever runs it names some in the environment variable "
    "TTED_BATCH_FOLDERS."
)


@dataclass(frozen=True)
class Given:
    """Where pairs are to be looked for, and the folder that was made for them if they were uploaded."""

    title: str
    place: Path
    files: Confined
    folder: Path | None = None


def _set_up() -> None:
    """Draw the part."""
    options = sidebar()
    st.session_state.setdefault("batch-source", "upload")
    source = st.segmented_control(
        "Pairs from",
        list(SOURCES),
        format_func=SOURCES.__getitem__,
        key="batch-source",
        required=True,
    )
    problem = st.session_state.pop("batch-problem", None)
    if problem:
        show_error(problem)
    if source == "results":
        _open_results()
        return
    given = _uploaded() if source == "upload" else _of_server()
    if given is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        baselines = st.multiselect(
            "Measures to add as columns", list(MEASURES), key="batch-baselines", width=420
        )
        equivalence = equivalence_choice("batch-equivalence", baselines)
        roots = roots_choice("batch-roots")
    first = _first_records(given)
    reading = Reading(roots, *(record_choice("batch", first) if first else ()))
    plan = planned(given.place, given.files, reading)
    chosen = BatchOptions((options,), tuple(baselines), reading, equivalence, sentences=True)
    _describe(plan)
    st.button(
        f"Compare {plural(plan.pairs, 'pair')}",
        type="primary",
        on_click=_start,
        args=(given, plan, chosen),
        help="By the options in the sidebar. It can be stopped, and gone on with.",
    )


def _first_records(given: Given) -> bytes | None:
    """The first file that may hold records, of those that are no maps in a folder of maps."""
    try:
        entries = given.files.entries(unwrapped(given.place, given.files))
        files = (each.path for each in entries if each.is_file and each.path.suffix.lower() in RECORDS)
        return next((read_bytes(file, given.files) for file in files), None)
    except (OSError, TTEDError):  # told of where the pairs are looked for
        return None


def _uploaded() -> Given | None:
    files = st.file_uploader(
        "A zip, a table of pairs, or both",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="batch-upload",
    )
    if not files:
        forget_upload(UPLOAD)
        st.caption(LAYOUT)
        return None
    folder, _ = unpacked(UPLOAD, files, _put)
    title = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"
    return Given(title, folder / GIVEN, files_below((folder,)), folder)


def _put(files: Sequence[UploadedFile], target: Target) -> None:
    archives = [file for file in files if file.name.lower().endswith(".zip")]
    # Two archives are two sides; one holds everything, or the maps that a table beside it names.
    whole = [file for file in files if file not in archives or len(archives) > 1]
    for file in whole:
        target.write(file.name, file.getvalue())
    if len(archives) == 1:
        target.unpack(archives[0].getvalue())


def _of_server() -> Given | None:
    roots = offered_folders()
    if not roots:
        st.info(NONE_OFFERED)
        return None
    folder = _folder_input([folder for folder, _ in folders_below(roots)], roots)
    if folder is None:
        st.caption(LAYOUT)
        return None
    return Given(folder.name, folder, files_below(roots))


def _open_results() -> None:
    roots = offered_folders()
    if not roots:
        st.info(NONE_OFFERED)
        return
    folder = _folder_input([folder for folder, has_results in folders_below(roots) if has_results], roots)
    if folder is not None:
        batch_at(str(folder))
        st.button("Open", type="primary", on_click=_show, args=(str(folder),))
    else:
        st.caption("A folder that `tted batch ... --out FOLDER` has written, finished or not.")


def _folder_input(folders: list[Path], roots: tuple[Path, ...]) -> Path | None:
    """A box to choose from; a path may be typed in as well."""
    chosen = st.session_state.get("batch-folder")
    offered = [str(folder) for folder in folders]
    if chosen and chosen not in offered:
        offered.append(chosen)
    text = st.selectbox(
        "Folder",
        offered,
        index=None,
        key="batch-folder",
        accept_new_options=True,
        placeholder="Choose a folder, or type its path",
        help="Folders that this server's owner offers, and those in them.",
    )
    if not text:
        return None
    folder = Path(text)
    if not folder.is_absolute() and len(roots) == 1:
        folder = roots[0] / folder
    if not may_be_opened(roots, folder):
        raise OptionsError("this server offers no such folder to its visitors; choose one of the list")
    if not folder.is_dir():
        raise OptionsError(f"there is no folder {folder.name!r}; choose one of the list")
    return folder.resolve()


def _describe(plan: Plan) -> None:
    maps = plural(plan.maps, "map")
    if "pairs" in plan.source:
        how = f"listed in {plan.source['pairs'].name}"
    else:
        left, right = (plan.source[side].name for side in ("left", "right"))
        how = f"of the same names: {left} (left) and {right} (right)"
    st.markdown(f"**{plural(plan.pairs, 'pair')}** of {maps}, {markdown_escaped(how)}.")
    for notice in plan.notices:
        st.caption(f":material/info: {markdown_escaped(notice)}")


def _start(given: Given, plan: Plan, options: BatchOptions) -> None:
    """Make the batch, show its part of the page, and let it begin there; for a widget's callback."""
    try:
        with new_folder() if given.folder is None else nullcontext(given.folder) as folder:
            batch = record(folder, given.title, plan.source, options, plan.pairs)
    except TTEDError as error:
        st.session_state["batch-problem"] = error
        return
    started(UPLOAD)
    _show(batch.place)
    st.session_state["batch-go"] = batch.place


def _show(place: str) -> None:
    start = {"place": place, "setting": 1, "by": "normalized", "first": "worst", "show": "all", "find": ""}
    start |= {"low": None, "high": None, "page": 1, "row": None, "x": None, "y": None}
    st.session_state.update({f"batch-{name}": value for name, value in start.items()})
    st.session_state["batch-part"] = RESULTS_TITLE


def _read_folder(text: str) -> dict[str, Any]:
    if text and not may_be_opened(offered_folders(), Path(text)):
        raise UnknownNameError("this server offers no such folder to its visitors")
    return {"batch-folder": text or None}


NEW = Part(
    "New batch",
    _set_up,
    (
        one_of("from", tuple(SOURCES), next(iter(SOURCES)), key="batch-source"),
        Parameter(
            "folder",
            "",
            ("batch-folder",),
            _read_folder,
            lambda state: str(state.get("batch-folder") or ""),
            loss="none is chosen",
        ),
        several_of("batch-baselines", list(MEASURES), ()),
        equivalence_field("batch-equivalence"),
        one_of("batch-roots", ROOTS, ROOTS[0]),
        *record_parameters("batch"),
    ),
)
