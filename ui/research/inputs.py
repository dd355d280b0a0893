"""What the tabs of the Research page share: choices of several names, maps, and figures that are greyed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from tted_core import MindMap
from tted_core.formats.folder import packed
from tted_core.limits import MAX_BYTES
from ui import cache, samples
from ui.fields import Field, choices
from ui.permalink import Parameter, one_of

COEFFICIENTS = """$R_S$ and $R_M$ are the paper's coefficients: the mean distance to a paraphrase as a share of
that to a restructured map ($R_S$) or one of another meaning ($R_M$). Below 1 a measure sees more than wording.
**Report them, but don't choose a setting by them**: a high cost of missing sentences alone lowers $R_S$,
whether or not the measure finds more errors. The AUC of *Detection* can't be driven like that: no rising
function of a measure changes it."""

GREY = "color: #7d828b"

OWN = "a file of my own"


def greyed(table: pd.DataFrame, doubtful: Sequence[Iterable[str]], digits: int) -> Styler:
    """The table with numbers of so many digits, and for each row the columns grey whose figures are doubtful."""
    styles = pd.DataFrame("", index=table.index, columns=table.columns)
    for row, columns in enumerate(doubtful):
        styles.loc[row, list(columns)] = GREY
    return table.style.format(precision=digits).apply(lambda _: styles, axis=None)


def several(
    name: str,
    label: str,
    names: Sequence[str] | Callable[[], Iterable[str]],
    default: Sequence[str] = (),
    **how: Any,
) -> Field:
    """Any of several names, as pills."""
    return choices(name, label, names, default, widget="pills", selection_mode="multi", wrap=True, **how)


def sample_name(file: str) -> str:
    """A sample's path for people, say "Coral reefs · Paraphrase 2"."""
    topic, _, name = file.partition("/")
    return f"{samples.topic_title(topic)} · {samples.file_title(name).partition(':')[0]}"


def sample_files() -> list[str]:
    """All samples in JSON, topic by topic."""
    return [
        f"{topic}/{file}"
        for topic in samples.topics()
        for file in samples.files(topic)
        if file.endswith(".json")
    ]


def one_map_link(key: str, opening: str) -> Parameter:
    """The parameter of ``one_map``: a sample by its file; a link can't carry a visitor's own."""
    return one_of(key, [*sample_files(), OWN], opening)


def sample_map(file: str) -> MindMap:
    """A sample by its path, as ``sample_files`` lists it."""
    return cache.read(cache.sample_content(samples.FOLDER / file), file)


def one_map(label: str, key: str) -> MindMap | None:
    """A sample, or the first map of an uploaded file; None while there is no file.

    Raises:
        TTEDError: the file can't be read.
    """
    chosen = st.selectbox(
        label,
        [*sample_files(), OWN],
        format_func=lambda file: file if file == OWN else sample_name(file),
        key=key,
        persist_state="page",
    )
    if chosen != OWN:
        return sample_map(chosen)
    file = st.file_uploader(f"{label}: file", key=f"{key}-file", max_upload_size=MAX_BYTES // 1_000_000)
    return cache.read(file.getvalue(), file.name) if file else None


def uploaded_maps(label: str, key: str) -> tuple[MindMap, ...]:
    """All maps of the files that the visitor uploads; none at first.

    Raises:
        TTEDError: a file can't be read.
    """
    files = st.file_uploader(
        label,
        key=key,
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        help="Files of maps, or a zip of them.",
    )
    if not files:
        return ()
    if len(files) == 1:
        return tuple(cache.read_all(files[0].getvalue(), files[0].name))
    content = packed((file.name, file.getvalue()) for file in files)
    return tuple(cache.read_all(content, f"{len(files)} files"))
