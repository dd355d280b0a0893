"""Batches that pages know: visitors' own, kept on the server for a while, and results in a folder of its owner's.

A visitor's own batch lies in a folder of the cache (TTED_CACHE) under a name that nobody can guess and only the
address of its visitor's page says, as maps do. How long, and how many: ``ui/kept_maps.py``; one that is being
computed never goes. Where none are kept, it lies in a folder that goes with the session.
"""

import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import TTEDError
from tted_core.batch.inputs import Inputs
from tted_core.batch.map_collections import AS_IT_IS, Reading
from tted_core.batch.parts import BUSY, JOB, LOCK, SUMMARY, held, part_files, write_json
from tted_core.batch.results import Results, opened_results
from tted_core.batch.settings import BatchOptions
from tted_core.batch.sources import opened_source
from tted_core.encoders.embedding_cache import default_cache
from tted_core.errors import LimitError, OptionsError, UnknownNameError
from tted_core.formats.folder import Confined
from tted_core.foundations.limits import (
    MAX_KEPT_BATCH_BYTES,
    MAX_KEPT_BATCHES,
    MAX_SESSION_BATCH_BYTES,
    MAX_SESSION_BYTES,
    MAX_SESSION_PAIRS,
    check_limit,
)
from ui.kept_maps import TOKEN, Kept, kept_days, room_made
from ui.many.server_folders import files_below, may_be_opened, offered_folders
from ui.masked_models import offered_masked_models
from ui.options import offered_encoders
from ui.server import serves_beyond

OWN = "own:"
RECORD = "batch.json"
GIVEN = "given"
SIZE = "size"
RESULTS = "results"
MOST_RECENT = 6


@dataclass(frozen=True)
class Batch:
    """A batch, finished or not.

    Attributes:
        place: what the address says of it: ``OWN`` and a token, or the path of a folder.
        folder: where its results are, or will be.
        title: what it is called.
        source: where its pairs come from, as ``opened_source`` takes it; empty if the results don't tell.
        reading: how its maps are read.
        pairs: how many pairs there are; None if only the results could tell.
        options: what is combined; None if the results don't tell, or this server doesn't offer it.
    """

    place: str
    folder: Path
    title: str
    source: dict[str, Path] = field(default_factory=dict)
    reading: Reading = AS_IT_IS
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
    def files(self) -> Confined:
        """The files that it may read."""
        return files_below((*((self.folder.parent,) if self.own else ()), *offered_folders()))

    def inputs(self, files: Confined | None = None, most: int | None = None) -> Inputs:
        """Its pairs.

        Args:
            files: what may be opened, where the session can't be asked.
            most: how many pairs there may be.

        Raises:
            TTEDError: they can't be read, or not by this server's visitors.
        """
        if not self.source:
            raise OptionsError(
                "the results don't say where their maps are; compute them anew with this version of tted"
            )
        return opened_source(self.source, files=files or self.files, reading=self.reading, most=most)


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder for a visitor's own batch, in which what is given is put; removed if that fails.

    Raises:
        LimitError: there is no room for it.
        OptionsError: it can't be made, or nothing can be put there.
    """
    home = _home()
    folder = home / secrets.token_urlsafe(16)
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        _check_room(home)
        (folder / GIVEN).mkdir(parents=True)
        folder.chmod(0o700)
        yield folder
        given = sum(file.stat().st_size for file in (folder / GIVEN).rglob("*") if file.is_file())
        (folder / SIZE).write_text(str(given), encoding="ascii")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise OptionsError(
            f"this server can't keep a batch ({error.strerror}); whoever runs it sees to the folder TTED_CACHE"
        ) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _of_this_session(home).setdefault(folder.name, 0)


def record(folder: Path, title: str, source: dict[str, Path], options: BatchOptions, pairs: int) -> Batch:
    """Write down what a visitor's batch is, so that it can be opened by its place.

    Raises:
        LimitError: this session has begun too many pairs.
        OptionsError: it can't be written.
    """
    own = _of_this_session(folder.parent)
    check_limit(
        sum(own.values()) + pairs,
        MAX_SESSION_PAIRS,
        "pairs in your batches",
        "delete one of them, or give fewer",
    )
    told = {
        "title": title,
        "source": {name: str(path) for name, path in source.items()},
        "options": options.described,
        "pairs": pairs,
    }
    try:
        write_json(told, folder / RECORD)
    except OSError as error:
        raise OptionsError(f"the batch can't be kept ({error.strerror})") from error
    own[folder.name] = pairs
    return batch_at(OWN + folder.name)


def recent() -> list[tuple[Batch, float]]:
    """The last runs, each with when it was touched last: those of this session, or of this machine's only user."""
    home = _home()
    tokens = set(_of_this_session(home))
    if not serves_beyond() and home.is_dir():
        tokens |= {each.name for each in home.iterdir()}
    found = []
    for token in tokens:
        with suppress(UnknownNameError, OSError):
            seen = (home / token).stat().st_mtime
            found.append((_own(token, touch=False), seen))
    return sorted(found, key=lambda each: -each[1])[:MOST_RECENT]


def may_be_deleted(batch: Batch) -> bool:
    """Whether this session has made it; others with its link may look at it alone."""
    return batch.own and batch.folder.parent.name in _of_this_session(_home())


def delete(batch: Batch) -> None:
    """Delete a batch that this session has made.

    Raises:
        OptionsError: it is being computed.
    """
    if may_be_deleted(batch) and not _removed(batch.folder.parent):
        raise OptionsError("this batch is being computed; stop it first")


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
    with held(folder / LOCK, BUSY):
        _touch(folder)
        yield
        _touch(folder)


def _touch(folder: Path) -> None:
    """Let its age begin anew; a folder of somebody else's needs none."""
    with suppress(OSError):
        os.utime(folder)


@st.cache_resource(max_entries=4, show_spinner="Reading the results")
def _opened(folder: Path, *stamp: int) -> Results:  # noqa: ARG001 - it tells new results from old ones
    return opened_results(folder)


def _own(token: str, *, touch: bool = True) -> Batch:
    days = kept_days()
    gone = "that batch isn't kept here any more"
    gone += f" (this server keeps them for {days:g} days after the last visit)" if days else ""
    folder = _home() / token
    file = folder / RECORD
    if not TOKEN.fullmatch(token) or not file.is_file():
        raise UnknownNameError(gone)
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if touch:
            _touch(folder)
        options = BatchOptions.of_described(told["options"])
        return Batch(
            OWN + token,
            folder / RESULTS,
            str(told["title"]),
            {name: Path(path) for name, path in told["source"].items()},
            options.reading,
            int(told["pairs"]),
            options,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnknownNameError(gone) from error


def _of_owner(folder: Path) -> Batch:
    if not folder.is_absolute() or not may_be_opened(offered_folders(), folder):
        raise UnknownNameError("this server offers no such folder to its visitors")
    try:
        job = opened_job(folder, files_below(offered_folders()))
    except (OSError, ValueError, TTEDError) as error:
        raise UnknownNameError(f"the folder {folder.name} holds no results that can be read") from error
    source = job.get("inputs")
    source = source if isinstance(source, dict) else {}
    options = job.get("options")
    read = options if isinstance(options, dict) else {}
    reading = Reading(**{each.name: read[each.name] for each in fields(Reading) if each.name in read})
    paths = {name: Path(path) for name, path in source.items() if isinstance(path, str)}
    return Batch(str(folder), folder, folder.name, paths, reading, options=_offered(options))


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


def opened_job(folder: Path, files: Confined) -> dict[str, Any]:
    """The description of a run that the command wrote; empty if it is missing.

    Raises:
        MapFormatError: it may not be opened.
        OSError: it can't be opened.
        ValueError: it isn't JSON.
    """
    try:
        with files.open(folder / JOB) as file:
            told = json.loads(file.read())
    except FileNotFoundError:
        return {}
    return told if isinstance(told, dict) else {}


def _home() -> Path:
    cache = default_cache()
    return cache.file.parent / "batches" if cache and kept_days() else _of_session()


@st.cache_resource(scope="session", on_release=lambda folder: shutil.rmtree(folder, ignore_errors=True))
def _of_session() -> Path:
    return Path(tempfile.mkdtemp(prefix="tted-"))


def _check_room(home: Path) -> None:
    """Refuse a further upload where the session has its share already, or the server no room for it.

    Raises:
        LimitError: there is no room.
    """
    own = _of_this_session(home)
    check_limit(
        sum(_size(home / token) for token in own) + MAX_SESSION_BYTES,
        MAX_SESSION_BATCH_BYTES,
        "bytes of your batches and a further one",
        "download what you need and delete one of them",
    )
    if not kept_days():
        return
    tally = room_made(
        _all_kept(home),
        MAX_SESSION_BYTES,
        most=MAX_KEPT_BATCHES,
        most_bytes=MAX_KEPT_BATCH_BYTES,
        remove=_removed,
    )
    if not tally.has_room(MAX_SESSION_BYTES):
        raise LimitError(
            "this server has no room for a further batch now, as the ones of today's visitors are kept; come back "
            "tomorrow, or use the command tted batch"
        )


def _all_kept(home: Path) -> Iterator[Kept]:
    for folder in home.iterdir():
        with suppress(FileNotFoundError):  # another process has removed it
            yield Kept(folder, folder.stat().st_mtime, _size(folder))


def _of_this_session(home: Path) -> dict[str, int]:
    """The batches that this session has made and that are still there: token -> pairs."""
    own: dict[str, int] = st.session_state.setdefault("own-batches", {})
    for token in [token for token in own if not (home / token).is_dir()]:
        del own[token]
    return own


def _size(folder: Path) -> int:
    """The bytes of a batch: of what was given, written down when all of it was there, and of its results."""
    try:
        given = int((folder / SIZE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        given = MAX_SESSION_BYTES  # so much may come
    with suppress(OSError), os.scandir(folder / RESULTS) as found:
        given += sum(each.stat().st_size for each in found)
    return given


def _removed(folder: Path) -> bool:
    """Remove a batch unless a run holds it; tells whether it is gone."""
    gone = folder.with_name(f".{folder.name}-gone")
    try:
        with held(folder / LOCK, BUSY):
            folder.rename(gone)  # at once: nobody finds half of it
    except (TTEDError, OSError):
        return False
    shutil.rmtree(gone, ignore_errors=True)
    return True
