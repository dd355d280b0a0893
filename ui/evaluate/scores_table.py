"""A table of scores that were computed elsewhere, or by a batch: what it holds, and the start of its ranking."""

import re
from functools import partial

import streamlit as st
from streamlit.typing import UploadedFile

from tted_core import TTEDError
from tted_core.foundations.monitor import Monitor
from tted_core.systems import SystemScores, read_scores
from ui.evaluate.results import Scores, show_scores
from ui.running import watched
from ui.text import markdown_escaped, plural

SCORES_ENDINGS = (".csv", ".tsv", ".txt")


def are_scores(file: UploadedFile) -> bool:
    """Whether a file is a table of scores, made elsewhere or by a batch, and none of pairs."""
    if not file.name.lower().endswith(SCORES_ENDINGS):
        return False
    head = file.getvalue()[:10_000].decode("utf-8-sig", "replace").partition("\n")[0]
    names = {name.strip().strip('"') for name in re.split("[,;\t]", head)}
    return "system" in names and not names.isdisjoint({"item", "signature"})


def draw_scores(file: UploadedFile) -> None:
    """Draw what a table of scores holds, and the button that compares its systems."""
    content = file.getvalue()
    scores = watched(
        "evaluate-table", file.file_id, partial(_read_table, content), stop_help="Stops reading the table."
    )
    if isinstance(scores, TTEDError):
        raise scores
    measures = ", ".join(map(markdown_escaped, scores.measures))
    systems = plural(len(scores.contenders.systems), "system")
    st.markdown(f"{systems}, {plural(len(scores.items), 'document')}, measures: {measures}.")
    lower = st.multiselect(
        "Lower is better for",
        list(scores.measures),
        default=sorted(scores.lower),
        key="evaluate-lower-of-table",
    )
    st.button(
        f"Compare {systems}",
        type="primary",
        on_click=show_scores,
        args=(Scores(content, tuple(lower)),),
    )


def _read_table(content: bytes, monitor: Monitor) -> SystemScores | TTEDError:
    """The scores of a table, read once beside the server; what is wrong with it is an outcome too."""
    monitor.stage("Reading the table")
    try:
        return read_scores(content)
    except TTEDError as error:
        return error
