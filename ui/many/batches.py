"""The batches of a visit: what was given and what came of it, in folders that go when the visitor leaves."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import TTEDError
from tted_core.batch.inputs import Inputs
from tted_core.batch.parts import JOB, SUMMARY, part_files
from tted_core.batch.results import Results, opened_results
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import opened_source
from tted_core.errors import OptionsError
from tted_core.formats.folder import Confined
from tted_core.formats.map_collections import AS_IT_IS, Reading
from ui.masked_models import offered_masked_models
from ui.options import offered_encoders

GIVEN = "given"
RESULTS = "results"

MOST = 6
"""Batches of one visit that are kept; the oldest gives way to a new one."""


@dataclass(frozen=True)
class Batch:
    """A batch, finished or not.

    Attributes:
        home: its folder.
        folder: where its results are, or will be.
        title: what it is called.
        source: where its pairs come from, as ``opened_source`` takes it; empty if its maps aren't there.
        reading: how its maps are read.
        options: what is combined; None if uploaded results don't tell, or this server doesn't offer it.
        pairs: how many pairs there are; None if only the results could tell.
    """

    home: Path
    folder: Path
    title: str
    source: Mapping[str, Path]
    reading: Reading
    options: BatchOptions | None
    pairs: int | None = None

    @property
    def place(self) -> str:
        """What the session calls it."""
        return self.home.name

    @property
    def given(self) -> Path:
        """The folder of the files that were given."""
        return self.home / GIVEN

    @property
    def began_here(self) -> bool:
        """Whether it was begun on the page; else its results were uploaded."""
        return self.folder == self.home / RESULTS

    @property
    def can_go_on(self) -> bool:
        """Whether the rest can be computed here."""
        return self.options is not None and bool(self.source)

    def inputs(self, most: int | None = None) -> Inputs:
        """Its pairs, ``most`` of them at most.

        Raises:
            TTEDError: they can't be read.
        """
        if not self.source:
            raise OptionsError(
                "the maps of these results aren't here; upload a zip of both, in folders as before"
            )
        files = Confined((self.home,))
        return opened_source(dict(self.source), files=files, reading=self.reading, most=most)


def batches() -> dict[str, Batch]:
    """Those of this visit by their places, the newest last."""
    found: dict[str, Batch] = st.session_state.setdefault("batches", {})
    return found


@contextmanager
def new_folder() -> Iterator[Path]:
    """The home of a batch to be, in which what is given is put; removed if that fails.

    Raises:
        OptionsError: nothing can be put there.
    """
    folder = Path(tempfile.mkdtemp(dir=_of_session().name))
    try:
        (folder / GIVEN).mkdir()
        yield folder
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise OptionsError(
            f"this server can't take the files ({error.strerror}); tell whoever runs it"
        ) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def add(batch: Batch) -> Batch:
    """Keep a batch as the newest of this visit."""
    found = batches()
    found[batch.place] = batch
    while len(found) > MOST:
        shutil.rmtree(found.pop(next(iter(found))).home, ignore_errors=True)
    return batch


def uploaded_results(home: Path, title: str) -> Batch | None:
    """The batch whose results are among the uploaded files, of the command or of an earlier visit.

    Its maps are found if they were uploaded too, by the names of the folders and tables that it was made of.
    """
    parts = sorted((home / GIVEN).rglob("part-*.parquet"))
    if not parts:
        return None
    folder = parts[0].parent
    job = _job(folder)
    options, inputs = job.get("options"), job.get("inputs")
    read = options if isinstance(options, dict) else {}
    reading = Reading(**{each.name: read[each.name] for each in fields(AS_IT_IS) if each.name in read})
    source = {
        side: _found(home, str(path)) for side, path in (inputs if isinstance(inputs, dict) else {}).items()
    }
    there = {side: path for side, path in source.items() if path is not None}
    return Batch(home, folder, title, there if len(there) == len(source) else {}, reading, _offered(options))


def results_of(batch: Batch) -> Results:
    """What there is of its results.

    Raises:
        OptionsError: there is nothing yet, or it can't be read.
    """
    return _opened(batch.folder, len(part_files(batch.folder)), (batch.folder / SUMMARY).exists())


@st.cache_resource(scope="session", max_entries=2, show_spinner="Reading the results")
def _opened(folder: Path, *stamp: int) -> Results:  # noqa: ARG001 - it tells new results from old ones
    return opened_results(folder)


@st.cache_resource(scope="session", on_release=tempfile.TemporaryDirectory.cleanup, show_spinner=False)
def _of_session() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="tted-", ignore_cleanup_errors=True)


def _job(folder: Path) -> dict[str, Any]:
    """What a run was asked for; nothing if its description is missing or damaged."""
    try:
        told = json.loads((folder / JOB).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _found(home: Path, path: str) -> Path | None:
    """The file or folder among the given ones that has the last name of a path."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return next((each for each in sorted((home / GIVEN).rglob("*")) if each.name == name), None)


def _offered(options: Any) -> BatchOptions | None:
    """The options that a run wrote down; None if this server doesn't offer what they name."""
    try:
        told = BatchOptions.of_described(options)
    except (TTEDError, TypeError, ValueError, KeyError):
        return None
    here = all(
        each.encoder in offered_encoders() and each.masked_model in offered_masked_models()
        for each in told.methods
    )
    return told if here else None
