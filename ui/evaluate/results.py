"""The comparison shown by the tabs of results: its run, its state and its settings; at first an example."""

import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from tted_core import TTEDError
from tted_core.baselines import DEFAULT_BASELINES
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.job import run_batch
from tted_core.batch.results import SUMMARY, Results, part_files
from tted_core.batch.table import BatchOptions
from tted_core.errors import Interrupted
from tted_core.foundations.monitor import Monitor, with_rates
from tted_core.method import Method
from tted_core.systems import Compared, SystemScores, compare_systems, read_batch
from ui import models, samples
from ui.evaluate.batches import UPLOAD, Batch, Upload, batches, find_batch, temporary_folder
from ui.fields import Field
from ui.options import sidebar
from ui.page import show_error
from ui.running import NotYet, forget, has_begun, run_watched
from ui.text import counted, markdown_escaped, shorten

TAB = "evaluate"  # session key of the title of the open tab
LOOKED_AT = "evaluate-looked-at"  # session key of the current results: the key of their batch
BEGIN = "evaluate-begin"  # session key of the key of a batch to begin or resume

# Session key of the system that the others are tested against; "" or none: each other.
BASELINE = "evaluate-view-baseline"

# Pairs in a batch that is started on the page; the command `tted batch` takes any number.
MAX_PAGE_PAIRS = 200_000


# System of the example -> the variant of the samples that it holds.
_EXAMPLE = {"reworded": "paraphrase_2", "other claims": "meaning_2", "rearranged": "structure_3"}


def look_at(batch: str, tab: str) -> None:
    """Show these results from their beginning; for a widget's callback."""
    for key in [str(key) for key in st.session_state if str(key).startswith("evaluate-view-")]:
        del st.session_state[key]
    st.session_state.update({LOOKED_AT: batch, TAB: tab})


def show_results() -> Batch:
    """Draw the head of a tab of results, and the run while it goes on; the example's until anything is given.

    Raises:
        NotYet: there are no rows yet.
    """
    key = st.session_state.get(LOOKED_AT)
    if key is None and st.session_state.get(UPLOAD):
        st.info("Results appear here once the files under *Maps* are compared.")
        raise NotYet
    batch = _example(sidebar()) if key is None else batches()[key]
    _run_if_requested(batch)
    if not part_files(batch.folder):
        st.info("No pair is done yet.")
        _offer_to_go_on(batch, "Start")
        raise NotYet
    _head(batch)
    return batch


def _read_key(key: str) -> dict[str, Any]:
    """The state that shows the batch with this key, and resumes it in a session that didn't have it."""
    if not key:
        return {LOOKED_AT: None}
    if key in batches():
        return {LOOKED_AT: key}
    batch = batches()[key] = find_batch(key)
    return {LOOKED_AT: key, **({} if (batch.folder / SUMMARY).exists() else {BEGIN: key})}


# The results shown, in the page's address.
RESULTS = Field(
    "results",
    "",
    (LOOKED_AT,),
    _read_key,
    lambda state: state.get(LOOKED_AT) or "",
    loss="a zip that was saved under Export opens again under Maps",
)


def compare_shown_systems(batch: Batch) -> Compared:
    """The comparison of the systems, with each other or with the one that is chosen under *Ranking*."""
    scores, baseline = read_shown_scores(batch), st.session_state.get(BASELINE) or ""
    if baseline not in scores.contenders.systems:  # chosen for other results
        baseline = ""

    def work(monitor: Monitor) -> Compared:
        monitor.stage("Resampling the documents", 0.1)
        return compare_systems(scores, baseline=baseline or None)

    key = batch.folder, len(batch.results), baseline
    return run_watched("systems", key, work, stop_help="Stops the tests.", shared=True)


@st.cache_data(
    max_entries=4,
    show_spinner=False,
    hash_funcs={Batch: lambda batch: (str(batch.folder), len(batch.results))},
)
def read_shown_scores(batch: Batch) -> SystemScores:
    """The scores of the batch's systems so far."""
    return read_batch(batch.folder)


def setting_in_words(results: Results, number: int) -> str:
    """A setting of the batch in words, with its preset."""
    return Method.of_columns(results.settings[number]).in_words


def draw_choice(label: str, name: str, offered: Iterable[Any], start: Any = None, **how: Any) -> Any:
    """Draw a choice for the current results, at first ``start`` or the first; kept while they are shown."""
    key, names = f"evaluate-view-{name}", list(offered)
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0] if start is None else start
    return st.selectbox(label, names, key=key, persist_state="session", **how)


def _head(batch: Batch) -> None:
    results = batch.results
    settings = len(results.settings)
    pairs = len(results) // settings
    parts = [f"**{markdown_escaped(shorten(batch.upload.title, 80))}**"]
    if batch.has_systems:
        outputs = results.table[~results.table["system"].isin(BATCH_CONTROLS)]
        systems, of_document = outputs["system"].nunique(), outputs.groupby("id")["system"].nunique()
        complete = np.count_nonzero(of_document == systems)
        documents = counted(len(of_document), "document")
        if complete < len(of_document):
            documents += f", of which the {complete:,} with a map of every system count"
        parts.append(f"{counted(systems, 'system')}, {documents}")
    else:
        parts.append(counted(pairs, "pair"))
    if results.failed.any():
        parts.append(f"{np.count_nonzero(results.failed):,} with an error")
    if settings > 1:
        parts.append(counted(settings, "setting"))
    st.markdown(" · ".join(parts))
    if not results.complete:
        every = f" of {batch.pairs:,}" if batch.pairs else ""
        with st.container(horizontal=True, vertical_alignment="center", key="evaluate-partial"):
            st.warning(
                f"Not finished: {pairs:,}{every} pairs are done. What is below is partial, and so are the "
                "downloads.",
                icon=":material/warning:",
                width=640,
            )
            _offer_to_go_on(batch, "Go on")
        if not batch.can_go_on:
            st.caption("It can't go on here. The command `tted batch` can.")
    st.caption(
        "This page's address reopens these results for two hours, for all who have it; *Export* has them as a zip."
        if batch.key in batches()
        else "Three variants of the sample maps, ranked as if three systems had made them. Files that you give "
        "under *Maps* replace this example."
    )


def _offer_to_go_on(batch: Batch, label: str) -> None:
    if batch.can_go_on:
        st.button(label, type="primary", on_click=st.session_state.update, args=({BEGIN: batch.key},))


def _run_if_requested(batch: Batch) -> None:
    """Begin the requested run, or watch the one under way until it ends."""
    if not batch.can_go_on:
        return
    if st.session_state.pop(BEGIN, None) == batch.key:
        forget("batch", batch.folder)
    elif not has_begun("batch", batch.folder):
        return
    help_text = "Keeps the rows that are done. You can go on later."
    try:
        run_watched(
            "batch", batch.folder, partial(_run_batch, batch), stop_help=help_text, long=True, shared=True
        )
    except Interrupted:
        pass  # the head says that it isn't all
    except TTEDError as error:
        show_error(error)


def _run_batch(batch: Batch, monitor: Monitor) -> Batch:
    assert batch.options is not None
    monitor.stage("Finding the pairs")
    inputs = batch.inputs(MAX_PAGE_PAIRS)
    run_batch(
        inputs,
        batch.options,
        batch.folder,
        workers=1,  # the other cores are for other users
        resume=True,
        load=models.encoder,
        monitor=monitor.with_report(with_rates(monitor.report)),
    )
    return batch


def _example(method: Method) -> Batch:
    """The example's finished batch; by the default settings it is computed once a server, else once a visit."""
    upload, home = _samples(), temporary_folder()
    source = {"reference": upload.folder / "references"}
    source |= {f"system {name}": upload.folder / name for name in _EXAMPLE}
    options = BatchOptions((method,), DEFAULT_BASELINES, sentences=True)
    batch = Batch(upload, Path(home.name), source, options, home=home)
    return run_watched(
        "example",
        method,
        partial(_run_batch, batch),
        stop_help="Ends without the example.",
        shared=method == Method(),
    )


@st.cache_resource(show_spinner=False)
def _samples() -> Upload:
    """The maps of the example, as if they were uploaded."""
    upload = Upload((), temporary_folder(), "Example")
    for name, variant in {"references": "base", **_EXAMPLE}.items():
        (upload.folder / name).mkdir()
        for topic in samples.topics():
            if topic not in samples.SAMPLE_LANGUAGES:
                copy = upload.folder / name / f"{topic}.json"
                shutil.copy(samples.FOLDER / topic / f"{variant}.json", copy)
    return upload
