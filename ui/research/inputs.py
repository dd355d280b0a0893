"""What the tabs of the Research page share: maps, and figures that are greyed."""

from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from tted_core import MindMap
from tted_core.foundations.limits import MAX_BYTES
from ui import cache, samples
from ui.fields import Field, choice

COEFFICIENTS = """$R_S$ and $R_M$ are the paper's coefficients: the mean distance to a paraphrase as a share of
that to a restructured map ($R_S$) or one of another meaning ($R_M$). Below 1 a measure sees more than wording.
**Report them, but don't choose a setting by them**: a high cost of missing sentences alone lowers $R_S$,
whether or not the measure finds more errors."""

GREY = "color: #7d828b"

OWN = "a file of my own"


def greyed(table: pd.DataFrame, doubtful: Sequence[Iterable[str]], digits: int) -> Styler:
    """The table with numbers of so many digits, and for each row the columns grey whose figures are doubtful."""
    styles = pd.DataFrame("", index=table.index, columns=table.columns)
    for row, columns in enumerate(doubtful):
        styles.loc[row, list(columns)] = GREY
    return table.style.format(precision=digits).apply(lambda _: styles, axis=None)


def one_map_field(name: str, label: str, opening: str) -> Field:
    """The choice of a sample by its file, or of a visitor's own, which a link can't carry."""
    return choice(
        name,
        label,
        [*samples.every(), OWN],
        opening,
        format_func=lambda file: file if file == OWN else samples.full_title(file),
    )


def one_map(field: Field) -> MindMap | None:
    """A sample, or the first map of an uploaded file; None while there is no file.

    Raises:
        TTEDError: the file can't be read.
    """
    chosen = field.draw()
    if chosen != OWN:
        return cache.sample_map(chosen)
    file = st.file_uploader(
        f"{field.label}: file", key=f"{field.name}-file", max_upload_size=MAX_BYTES // 1_000_000
    )
    return cache.read(file.getvalue(), file.name) if file else None
