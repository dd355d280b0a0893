"""The ranking that the page shows before anything is given: variants of the samples, as three systems."""

import atexit
import secrets
import shutil
import tempfile
from pathlib import Path

import streamlit as st

from tted_core.baselines import USUAL
from tted_core.batch.running import run_batch
from tted_core.batch.settings import BatchOptions
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui import models, samples
from ui.many.batches import Batch, Upload, new_folder
from ui.running import watched

SYSTEMS = {"reworded": "paraphrase_2", "other claims": "meaning_2", "rearranged": "structure_3"}
"""System of the example -> the variant of the samples that it holds."""


def example(method: Method) -> Batch:
    """The example's finished batch; by the default settings it is computed once a server, else once a visit."""
    upload = Upload((), _given() / "maps", "Example")
    source = {"reference": upload.folder / "references"}
    source |= {f"system {name}": upload.folder / name for name in SYSTEMS}
    options = BatchOptions((method,), USUAL, sentences=True)
    shared = method == Method()
    folder = _given() / secrets.token_hex(8) if shared else new_folder()
    batch = Batch(upload, folder, source, options)

    def finished(monitor: Monitor) -> Batch:
        run_batch(batch.inputs(), options, folder, workers=1, load=models.encoder, monitor=monitor)
        return batch

    return watched("example", method, finished, stop_help="Ends without the example.", shared=shared)


@st.cache_resource(show_spinner=False)
def _given() -> Path:
    """A folder of the server, with the maps of the example in it."""
    home = Path(tempfile.mkdtemp(prefix="tted-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name, variant in {"references": "base", **SYSTEMS}.items():
        (home / "maps" / name).mkdir(parents=True)
        for topic in samples.topics():
            if topic not in samples.LANGUAGES:
                shutil.copy(
                    samples.FOLDER / topic / f"{variant}.json", home / "maps" / name / f"{topic}.json"
                )
    return home
