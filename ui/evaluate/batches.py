"""Uploads of a session and their batches, in folders that are deleted once nobody can open them any more."""

import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from threading import Lock

import streamlit as st
from cachetools import TTLCache
from streamlit.typing import UploadedFile

from tted_core import TTEDError
from tted_core.batch.pairs import Inputs, open_source
from tted_core.batch.plans import COLLECTIONS, table_in
from tted_core.batch.results import SUMMARY, Results, open_results, part_files
from tted_core.batch.table import BatchOptions
from tted_core.errors import MapFormatError, Message, OptionsError, check_limit
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.foundations.child import run_in_child
from tted_core.foundations.files import LONGEST_NAME, Files, entry_readers, read_bytes
from tted_core.foundations.messages import quoted, without_surrogates
from ui.map_source import SECONDS_AT_ONCE
from ui.model_choice import list_encoders

_MAX_SESSION_BYTES = 100_000_000  # bytes of all files that are uploaded for one batch, unpacked

# The name of loose files' document, and of each in the folder that ``put_loose_maps_in_folders`` makes.
DOCUMENT = "one document"

UPLOAD = "evaluate-files"  # the session key of the current upload
MOST = 6  # most batches of a session; a new one replaces the oldest

# Seconds for which the server holds a batch after its beginning, to be opened again by its key.
HELD_SECONDS = 7_200

MAX_HELD_BYTES = 1_000_000_000  # bytes of the files of all batches that are held; the oldest give way

# Make a folder that Python deletes when the object is no longer used.
temporary_folder = partial(tempfile.TemporaryDirectory, prefix="tted-", ignore_cleanup_errors=True)


@dataclass(frozen=True)
class Upload:
    """Files of a user, unpacked.

    Attributes:
        ids: those of the files, by which the same ones are known again.
        home: the folder of the files.
        title: what they are called.
    """

    ids: tuple[str, ...]
    home: tempfile.TemporaryDirectory[str]
    title: str

    @property
    def folder(self) -> Path:
        """The path of the files."""
        return Path(self.home.name)


@dataclass(frozen=True)
class Batch:
    """A batch, finished or not.

    Attributes:
        upload: its maps, or its results with or without the maps.
        folder: its results, so far.
        source: where its pairs come from, as ``open_source`` takes it; empty if its maps aren't there.
        options: how its pairs are compared; None if uploaded results name options that aren't known.
        pairs: the number of pairs; None if only the results have it.
        home: the folder of results that were computed here.
        key: opens the batch in other sessions while the server holds it.
    """

    upload: Upload
    folder: Path
    source: Mapping[str, Path]
    options: BatchOptions | None
    pairs: int | None = None
    home: tempfile.TemporaryDirectory[str] | None = None
    key: str = field(default_factory=partial(secrets.token_urlsafe, 12))

    @property
    def can_go_on(self) -> bool:
        """True if the rest can be computed here: the maps are there, and the models are offered."""
        return (
            bool(self.source)
            and self.options is not None
            and {each.encoder for each in self.options.methods} <= {*list_encoders()}
        )

    @property
    def results(self) -> Results:
        """Its rows so far."""
        return results_in(self.folder)

    @property
    def has_systems(self) -> bool:
        """True if there are rows, and they name systems."""
        return bool(part_files(self.folder)) and "system" in self.results.table

    def inputs(self, most: int | None = None) -> Inputs:
        """Its pairs, ``most`` of them at most."""
        if not self.source:
            raise OptionsError(
                "the maps of these results aren't here; upload a zip of both, in folders as before"
            )
        reading = self.options.reading if self.options else DEFAULT_READING
        return open_source(self.source, files=Files((self.upload.folder,)), reading=reading, most=most)


def batches() -> dict[str, Batch]:
    """The batches of this session by their keys, the newest last."""
    found: dict[str, Batch] = st.session_state.setdefault("batches", {})
    return found


def add(batch: Batch) -> None:
    """Keep a batch as the newest of this session, and hold it for others that know its key."""
    found = batches()
    found.pop(batch.key, None)
    found[batch.key] = batch
    with _HOLDING:
        _HELD[batch.key] = batch
        for oldest in list(found)[:-MOST]:
            _HELD.pop(oldest, None)
            del found[oldest]


def find_batch(key: str) -> Batch:
    """The batch with this key.

    Raises:
        OptionsError: the server doesn't hold it.
    """
    with _HOLDING:
        batch = _HELD.get(key)
    if batch is None:
        raise OptionsError("the server no longer has these results")
    return batch


_HELD: TTLCache[str, Batch] = TTLCache(
    MAX_HELD_BYTES,
    HELD_SECONDS,
    getsizeof=lambda batch: sum(file.stat().st_size for file in batch.upload.folder.rglob("*")),
)
_HOLDING = Lock()


def upload_of(files: Sequence[UploadedFile]) -> Upload | None:
    """The upload of these files, unpacked once; without files the current one."""
    kept: Upload | None = st.session_state.get(UPLOAD)
    ids = tuple(file.file_id for file in files)
    if files and (kept is None or kept.ids != ids):
        st.session_state[UPLOAD] = None
        title = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"
        kept = Upload(ids, temporary_folder(), title)
        put_files(files, kept.folder)
        st.session_state[UPLOAD] = kept
    return kept


def put_files(files: Sequence[UploadedFile], folder: Path) -> None:
    """Write files below a folder, archives unpacked, up to the limit of bytes for one user.

    Raises:
        TTEDError: a name leads elsewhere or comes twice, an archive can't be read, or all are too large.
    """
    total = 0
    for given, content in _contents(files, folder):
        name = without_surrogates(given)
        total += len(content)
        check_limit(
            total,
            _MAX_SESSION_BYTES,
            "bytes (or more) in the unpacked archive",
            "give fewer maps at a time",
        )
        parts = PurePosixPath(name.replace("\\", "/")).parts
        file, shown, problem = folder.joinpath(*parts), quoted(name), ""
        if not parts or parts[0].endswith((":", "/")) or ".." in parts or "\x00" in name:
            problem = f"the archive has a file with the name {shown}, which leads out of it"
        elif max(len(part.encode("utf-8", "replace")) for part in parts) > LONGEST_NAME:
            problem = f"the name {shown} is longer than a file's may be"
        elif file.exists() or any(above.is_file() for above in file.parents):
            problem = f"two files or folders are called {shown} or like the beginning of it"
        if problem:
            raise MapFormatError(f"{problem}; rename it")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        except OSError as error:
            message = f"this server can't store the files ({error.strerror}); contact its administrator"
            raise OptionsError(message) from error


def put_loose_maps_in_folders(folder: Path, files: Files, reading: Reading) -> dict[str, str]:
    """Put each loose file that is a map in a folder of its own, as systems have them, all as maps of one document.

    Nothing is done where there is anything else than loose files and such folders.

    Returns:
        Name -> notice, for each file that can't be read as a map and stays.
    """
    entries = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    loose = [each for each in entries if each.is_file() and each.suffix.lower() not in COLLECTIONS]
    made = [each for each in entries if any(each.glob(f"{DOCUMENT}*"))]
    if len(entries) < 2 or len(loose) + len(made) < len(entries):
        return {}
    stems = Counter(each.stem for each in loose)
    left_out: dict[str, str] = {}
    for each in loose:
        try:
            call = partial(reading.file, read_bytes(each, files), each.name)
            run_in_child(call, "reading the map", "split it into smaller maps", seconds=SECONDS_AT_ONCE)
        except TTEDError as error:
            why = f"{each.name} is left out, as it can't be read as a map: "
            left_out[each.name] = Message(why, error.text)
            continue
        home = each if stems[each.stem] > 1 else each.with_suffix("")
        moved = each.rename(folder / f".{secrets.token_hex(8)}")
        home.mkdir()
        moved.rename(home / f"{DOCUMENT}{each.suffix}")
    return left_out


def _contents(files: Sequence[UploadedFile], folder: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents, loose files first, since a table among them describes the archives.

    An archive holds all, or the maps that a table beside it lists; any other archive is a folder of its own name.
    """
    archives = [file for file in files if file.name.lower().endswith(".zip")]
    for file in files:
        if file not in archives:
            yield file.name, file.getvalue()
    lists_maps = len(archives) == 1 < len(files) and table_in(folder, Files((folder,)))
    for file in archives:
        readers = entry_readers(file.getvalue())
        home, shared = "", ""
        if readers and len(files) > 1 and not lists_maps:
            home = f"{PurePosixPath(file.name).stem}/"
            shared = os.path.commonpath([PurePosixPath(name).parent for name in readers])
        for name, get in readers.items():
            yield home + (name.removeprefix(shared).lstrip("/") if home else name), get()


def read_uploaded_results(upload: Upload) -> Batch | None:
    """The batch whose results are among uploaded files, of the command or of an earlier session.

    Its maps are found if they were uploaded too, by the names of the folders and tables that it was made of.
    """
    files = sorted(upload.folder.rglob("*"))
    folder = next((file.parent for file in files if file.match("part-*.parquet")), None)
    if folder is None:
        return None
    job = results_in(folder).job
    named = {side: PureWindowsPath(str(path)).name for side, path in (job.get("inputs") or {}).items()}
    source = {side: file for side, name in named.items() for file in reversed(files) if file.name == name}
    try:
        options = BatchOptions.of_described(job["options"])
    except (TTEDError, TypeError, ValueError, KeyError):
        options = None
    return Batch(upload, folder, source if len(source) == len(named) else {}, options)


def results_in(folder: Path) -> Results:
    """The results in a folder, so far."""
    return _read_results(folder, len(part_files(folder)), (folder / SUMMARY).exists())


@st.cache_resource(scope="session", max_entries=2, show_spinner="Reading the results")
def _read_results(folder: Path, *stamp: int) -> Results:  # noqa: ARG001 - it distinguishes new results from old ones
    return open_results(folder)
