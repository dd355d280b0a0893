"""Batches that pages know: visitors' own, kept on the server for a while, and results in a folder of its owner's.

A visitor's own batch lies in a folder of the cache (TTED_CACHE) under a name that nobody can guess and only the
address of its visitor's page says, as maps do (``ui/kept_maps.py``), and goes when they go. Where none are kept,
it lies in a folder that goes with the session.
"""

import json
import os
import secrets
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import TTEDError, UnknownNameError
from tted_core.batch.inputs import Inputs
from tted_core.batch.parts import SUMMARY, part_files
from tted_core.batch.results import Results, opened_results
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import opened_source
from tted_core.encoders.embedding_cache import default_cache
from tted_core.errors import OptionsError
from tted_core.limits import MAX_KEPT_BATCH_BYTES
from ui.kept_maps import DAY_SECONDS, TOKEN, kept_days
from ui.many.server_folders import may_be_opened, offered_folders
from ui.masked_models import offered_masked_models
from ui.options import offered_encoders

OWN = "own:"
RECORD = "batch.json"
GIVEN = "given"
RESULTS = "results"


@dataclass(frozen=True)
class Batch:
    """A batch, finished or not.

    Attributes:
        place: what the address says of it: ``OWN`` and a token, or the path of a folder.
        folder: where its results are, or will be.
        title: what it is called.
        source: where its pairs come from, as ``opened_source`` takes it; empty if the results don't tell.
        roots: what was done with several roots.
        pairs: how many pairs there are; None if only the results could tell.
        options: what is combined; None if the results don't tell, or this server doesn't offer it.
    """

    place: str
    folder: Path
    title: str
    source: dict[str, Path] = field(default_factory=dict)
    roots: str = "join"
    pairs: int | None = None
    options: BatchOptions | None = None

    @property
    def own(self) -> bool:
        """Whether it is a visitor's, kept here for a while."""
        return self.place.startswith(OWN)

    @property
    def can_go_on(self) -> bool:
        """Whether the rest can be computed here: what is asked for is known, and rows can be written."""
        return (
            self.options is not None and bool(self.source) and (self.own or os.access(self.folder, os.W_OK))
        )

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders whose files it may read."""
        return (*((self.folder.parent,) if self.own else ()), *offered_folders())

    def inputs(self, readable: tuple[Path, ...] | None = None) -> Inputs:
        """Its pairs.

        Raises:
            TTEDError: they can't be read, or not by this server's visitors.
        """
        if not self.source:
            raise OptionsError(
                "the results don't say where their maps are; compute them anew with this version of tted"
            )
        roots = self.readable if readable is None else readable
        return opened_source(self.source, roots=self.roots, allowed=lambda path: may_be_opened(roots, path))


def new_folder() -> Path:
    """An empty folder for a visitor's own batch; the oldest ones go where there are too many.

    Raises:
        OptionsError: it can't be made.
    """
    home = _home()
    folder = home / secrets.token_urlsafe(16)
    try:
        _shrink(home)
        folder.mkdir(parents=True, mode=0o700)
        (folder / GIVEN).mkdir()
    except OSError as error:
        raise OptionsError(
            f"this server can't keep a batch ({error.strerror}); whoever runs it sees to the folder TTED_CACHE"
        ) from error
    return folder


def record(folder: Path, title: str, source: dict[str, Path], options: BatchOptions, pairs: int) -> Batch:
    """Write down what a visitor's batch is, so that it can be opened by its place."""
    told = {
        "title": title,
        "source": {name: str(path) for name, path in source.items()},
        "options": options.described,
        "pairs": pairs,
    }
    (folder / RECORD).write_text(json.dumps(told), encoding="utf-8", errors="backslashreplace")
    return batch_at(OWN + folder.name)


def batch_at(place: str) -> Batch:
    """The batch of a place.

    Raises:
        UnknownNameError: there is none, not any more, or it isn't for visitors.
    """
    return _own(place.removeprefix(OWN)) if place.startswith(OWN) else _of_owner(Path(place))


def is_kept() -> bool:
    """Whether a visitor's own batch outlives the session, so that a link may name it."""
    return bool(kept_days())


def results_of(batch: Batch) -> Results:
    """What there is of its results, shared by all who look at them.

    Raises:
        OptionsError: there is nothing yet, or it can't be read.
    """
    files = part_files(batch.folder)
    newest = max((file.stat().st_mtime_ns for file in files), default=0)
    return _opened(batch.folder, len(files), newest, int((batch.folder / SUMMARY).exists()))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a folder for one run at a time; whatever ends the process that holds it sets it free.

    Raises:
        OptionsError: another run holds it.
    """
    connection = sqlite3.connect(folder / "lock.sqlite", timeout=0, isolation_level=None)
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise OptionsError(
                "this batch is being computed already, perhaps in a tab that was closed a moment ago; go on with "
                "it in half a minute"
            ) from error
        yield
    finally:
        connection.close()


@st.cache_resource(max_entries=4, show_spinner="Reading the results")
def _opened(folder: Path, *stamp: int) -> Results:  # noqa: ARG001 - it tells new results from old ones
    return opened_results(folder)


def _own(token: str) -> Batch:
    days = kept_days()
    gone = "that batch isn't kept here any more"
    gone += f" (this server keeps them for {days:g} days after the last visit)" if days else ""
    folder = _home() / token
    file = folder / RECORD
    if not TOKEN.fullmatch(token) or not file.is_file():
        raise UnknownNameError(gone)
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        os.utime(folder)
        options = BatchOptions.of_described(told["options"])
        return Batch(
            OWN + token,
            folder / RESULTS,
            str(told["title"]),
            {name: Path(path) for name, path in told["source"].items()},
            options.roots,
            int(told["pairs"]),
            options,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnknownNameError(gone) from error


def _of_owner(folder: Path) -> Batch:
    if not folder.is_absolute() or not may_be_opened(offered_folders(), folder):
        raise UnknownNameError("this server offers no such folder to its visitors")
    try:
        job = opened_job(folder)
    except (OSError, ValueError) as error:
        raise UnknownNameError(f"the folder {folder.name} holds no results that can be read") from error
    source = job.get("inputs")
    source = source if isinstance(source, dict) else {}
    options = job.get("options")
    roots = options.get("roots", "join") if isinstance(options, dict) else "join"
    paths = {name: Path(path) for name, path in source.items() if isinstance(path, str)}
    return Batch(str(folder), folder, folder.name, paths, roots, options=_offered(options))


def _offered(options: Any) -> BatchOptions | None:
    """The options that the command wrote down; None if this server doesn't offer what they name."""
    try:
        told = BatchOptions.of_described(options)
    except (TTEDError, TypeError, ValueError, KeyError):
        return None
    here = all(
        each.encoder in offered_encoders() and each.masked_model in offered_masked_models()
        for each in told.methods
    )
    return told if here else None


def opened_job(folder: Path) -> dict[str, Any]:
    """What the command wrote down of a run; empty if it is missing."""
    file = folder / "job.json"
    told = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return told if isinstance(told, dict) else {}


def _home() -> Path:
    cache = default_cache()
    return cache.file.parent / "batches" if cache and kept_days() else _of_session()


@st.cache_resource(scope="session", on_release=lambda folder: shutil.rmtree(folder, ignore_errors=True))
def _of_session() -> Path:
    return Path(tempfile.mkdtemp(prefix="tted-"))


def _shrink(home: Path) -> None:
    """Remove what is too old, and the oldest while all together are too large."""
    if not home.is_dir() or not kept_days():
        return
    found = sorted(home.iterdir(), key=lambda folder: -folder.stat().st_mtime)
    room = MAX_KEPT_BATCH_BYTES
    oldest = time.time() - kept_days() * DAY_SECONDS
    for folder in found:
        stamp = folder.stat().st_mtime
        room -= sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        if room < 0 or stamp < oldest:
            shutil.rmtree(folder, ignore_errors=True)
