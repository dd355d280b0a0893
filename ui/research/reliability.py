"""Which measure and setting to trust for comparing systems, on a visitor's own references and outputs."""

from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from tted_core.batch.functions import CONTROLS
from tted_core.batch.map_collections import AS_IT_IS
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import opened_source
from tted_core.errors import OptionsError
from tted_core.formats.folder import Confined
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.systems.documents import collections_of
from tted_core.systems.reliability import SPLITS, Reliability, cells_of, measure_reliability
from tted_core.systems.statistics import LEVEL
from ui.exports import data_table
from ui.many.kept_batches import GIVEN
from ui.many.server_folders import files_below
from ui.many.uploads import forget_upload, unpacked
from ui.many.work import planned
from ui.options import encoder_field
from ui.part import Part
from ui.processes import loading
from ui.running import watched_on_demand
from ui.text import markdown_escaped, plural

STATE = "reliability-given"

ABOUT = """**Which setting tells your systems apart, and ranks them alike on two halves of the documents?**
Upload a folder of references and one for each system: one zip, or one zip each."""

LEGEND = f"""*Pairs told apart*: by a paired t-test, corrected by Holm's method ({LEVEL:.0%}). *tau*: how well the
rankings by two halves of the documents agree, mean of {SPLITS} halvings, with the middle 95 %. *|d_z|*: quartiles
over the pairs of the mean difference in standard deviations of the differences. *Controls* are made of the
references: a measure that ranks one above a system can be won without a good map."""


ENCODER = encoder_field("reliability-encoder")


def reliability_bench() -> None:
    """Draw the tab: uploads, run, table."""
    st.markdown(ABOUT)
    left, right = st.columns([2, 1])
    files = left.file_uploader(
        "Zip archives",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="reliability-upload",
    )
    encoder = ENCODER.draw(right)
    if not files:
        forget_upload(STATE)
        return
    folder, _ = unpacked(STATE, files)
    confined = files_below((folder,))
    plan = planned(folder / GIVEN, confined, AS_IT_IS, {})
    if plan.problem:
        raise plan.problem
    if "reference" not in plan.source:
        raise OptionsError("give references and at least two systems")
    (references,) = (each for each in plan.sides if each.role == "reference")
    st.caption(
        f"{plural(references.maps, 'reference')} in {markdown_escaped(references.name)}, "
        f"{plural(len(plan.source) - 1, 'system')}."
    )
    asked = (str(folder), encoder)
    rows = watched_on_demand("reliability", asked, partial(_measured, plan.source, confined, encoder))
    if rows:
        _show(rows)


def _measured(
    source: dict[str, Path], files: Confined, encoder: str, monitor: Monitor
) -> tuple[Reliability, ...]:
    references, systems = collections_of(opened_source(source, files=files))
    options = BatchOptions((Method(encoder=encoder),))
    rows, _ = measure_reliability(
        [references], systems, options, controls=tuple(CONTROLS), load=loading.fresh_encoder, monitor=monitor
    )
    return rows


def _show(rows: tuple[Reliability, ...]) -> None:
    data_table(
        pd.DataFrame(
            {"setting": row.setting, "measure": row.measure, "documents": row.documents, **cells_of(row)}
            for row in rows
        ),
        "reliability",
        width="stretch",
        key="reliability-table",
    )
    st.caption(LEGEND)


RELIABILITY = Part("Reliability", reliability_bench, (ENCODER,))
