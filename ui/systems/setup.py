"""The part in which systems are given: folders of maps, results of a batch, or scores made elsewhere."""

from functools import partial

import streamlit as st

from tted_core import TTEDError
from tted_core.baselines import MEASURES
from tted_core.batch.map_collections import RECORDS, Reading
from tted_core.batch.settings import BatchOptions
from tted_core.limits import MAX_BYTES, MAX_PAGE_PAIRS, check_limit
from tted_core.monitor import Monitor
from tted_core.systems import Scores, read_scores
from ui.errors import show_error
from ui.inputs import (
    equivalence_choice,
    equivalence_field,
    record_choice,
    record_parameters,
    roots_choice,
)
from ui.kept_maps import keep
from ui.many.kept_batches import batch_at, record
from ui.many.server_folders import folders_below, offered_folders
from ui.many.systems_given import STATE, Given, unpacked
from ui.many.uploads import forget_upload, started
from ui.many.work import go_on
from ui.options import sidebar
from ui.part import Part
from ui.permalink import one_of, several_of
from ui.running import watched
from ui.text import markdown_escaped, plural

SOURCES = {"maps": "Folders of maps", "batch": "Results of a batch", "scores": "Table of scores"}

LAYOUT = (
    "Give **a folder of references and one for each system**, in one zip, or one zip each. Maps of one document "
    "have the same name in all; the folder whose name begins with *ref*, *gold* or *base* holds the references. "
    "Instead of a folder, **JSON or JSON lines of records** will do, such as a program's results: the boxes that "
    "then appear say where in a record the map stands."
)

SCORES = (
    "A CSV with the columns **item** (the document) and **system**, and one for each measure: any scores of any "
    "measure, made elsewhere. `tted systems --items FILE` writes one."
)


def _set_up() -> None:
    """Draw the part."""
    st.session_state.setdefault("systems-from", "maps")
    source = st.segmented_control(
        "Compare", list(SOURCES), format_func=SOURCES.__getitem__, key="systems-from", required=True
    )
    problem = st.session_state.pop("systems-problem", None)
    if problem:
        show_error(problem)
    if source == "maps":
        _from_maps()
    elif source == "batch":
        _from_batch()
    else:
        _from_scores()


def _from_maps() -> None:
    options = sidebar()
    files = st.file_uploader(
        "Zip archives, or JSON of records",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="systems-upload",
    )
    if not files:
        forget_upload(STATE)
        st.caption(LAYOUT)
        return
    records = [file.getvalue() for file in files if file.name.lower().endswith(RECORDS)]
    field, key = record_choice("systems", records[0]) if records else (None, None)
    given = unpacked(files, key, references=st.session_state.get("systems-reference"))
    st.session_state["systems-reference"] = given.references
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "References",
            sorted((given.references, *given.systems)),
            key="systems-reference",
            width=220,
            help="The folder that the others are compared with. Guessed by its name: ref..., gold, base, human.",
        )
        baselines = st.multiselect("Measures to add", list(MEASURES), key="systems-baselines", width=420)
        equivalence = equivalence_choice("systems-equivalence", baselines)
        roots = roots_choice("systems-roots")
    check_limit(given.pairs, MAX_PAGE_PAIRS, "pairs", "give fewer of them, or use the command tted systems")
    chosen = BatchOptions((options,), tuple(baselines), Reading(roots, field), equivalence)
    systems = ", ".join(f"**{markdown_escaped(name)}** ({count:,})" for name, count in given.systems.items())
    st.markdown(
        f"{plural(given.documents, 'reference')} in {markdown_escaped(given.references)}, against {systems}."
    )
    for told in given.told:
        st.caption(f":material/info: {markdown_escaped(told)}")
    st.button(
        f"Compare {plural(len(given.systems), 'system')}",
        type="primary",
        on_click=_start,
        args=(given, chosen),
        help="By the options in the sidebar. It can be stopped, and gone on with.",
    )


def _start(given: Given, options: BatchOptions) -> None:
    """Make the batch and show the results, which begin there; for a widget's callback."""
    title = " · ".join(given.systems)
    try:
        batch = record(given.folder, title, {"pairs": given.table}, options, given.pairs)
    except TTEDError as error:
        st.session_state["systems-problem"] = error
        return
    started(STATE)
    go_on(batch.place)
    show_results(place=batch.place)


def _from_batch() -> None:
    folders = [folder for folder, has_results in folders_below(offered_folders()) if has_results]
    st.caption(
        "Any batch whose table of pairs had a column **system** can be compared. One that you began on the page "
        "Batch leads here by its button *Compare systems*."
    )
    if not folders:
        st.info(
            "This server offers its visitors no folder with results. Whoever runs it names some in the "
            "environment variable TTED_BATCH_FOLDERS."
        )
        return
    chosen = st.selectbox("Folder", folders, index=None, format_func=str, key="systems-folder")
    if chosen is not None:
        st.button(
            "Open", type="primary", on_click=show_results, kwargs={"place": batch_at(str(chosen)).place}
        )


def _from_scores() -> None:
    file = st.file_uploader("Scores (CSV)", max_upload_size=MAX_BYTES // 1_000_000, key="systems-table")
    if file is None:
        st.caption(SCORES)
        return
    content = file.getvalue()
    scores = watched(
        "systems-table", file.file_id, partial(_read_table, content), stop_help="Stops reading the table."
    )
    if isinstance(scores, TTEDError):
        raise scores
    measures = ", ".join(map(markdown_escaped, scores.measures))
    systems = plural(len(scores.contenders.systems), "system")
    st.markdown(f"{systems}, {plural(len(scores.items), 'document')}, measures: {measures}.")
    unknown = st.multiselect(
        "Lower is better for",
        list(scores.measures),
        default=sorted(scores.lower),
        key="systems-lower-of-table",
    )
    token = keep(("scores", file.file_id), file.name, content)
    if token is None:
        st.info(
            "This server keeps no tables of its visitors; the command `tted systems --scores` compares them."
        )
        return
    st.button(
        f"Compare {systems}",
        type="primary",
        on_click=show_results,
        kwargs={"scores": token, "lower": ",".join(unknown)},
    )


def _read_table(content: bytes, monitor: Monitor) -> Scores | TTEDError:
    """The scores of a table, read once beside the server; what is wrong with it is an outcome too."""
    monitor.stage("Reading the table")
    try:
        return read_scores(content)
    except TTEDError as error:
        return error


def show_results(*, place: str = "", scores: str = "", lower: str = "") -> None:
    """Show the results of a batch or of a kept table; for a widget's callback."""
    start = {"place": place, "scores": scores, "lower": lower, "measure": "", "baseline": "", "pair": ""}
    st.session_state.update({f"systems-{name}": value for name, value in start.items()})
    st.session_state["systems-part"] = "Results"


NEW = Part(
    "New comparison",
    _set_up,
    (
        one_of("from", tuple(SOURCES), "maps", key="systems-from"),
        several_of("systems-baselines", list(MEASURES), ()),
        equivalence_field("systems-equivalence"),
        *record_parameters("systems"),
    ),
)
