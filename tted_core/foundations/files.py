"""Files, folders and zip archives of maps, opened anywhere or only in the folders of a page's uploads.

A folder of map files (such as the CMGN data) or several uploads are packed into a zip archive of maps, whose
reader does the rest: one map per file, with the file's name as title.

Entries of zip files (XMind, MindManager) are unpacked in memory only, up to a limit.
"""

import io
import os
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from tted_core.errors import MAX_BYTES, MAX_MAPS, MAX_UNPACKED_BYTES, MapFormatError, check_limit
from tted_core.foundations.messages import list_some, quoted, without_surrogates

LONGEST_NAME = 255  # bytes of a file's name, of common file systems

MAX_ZIP_ENTRIES = 5_000  # maximum entries of one archive

MAX_FOLDER_FILES = 100_000  # maximum files below a folder that is searched for maps

SIGNATURE = b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"
_UNREADABLE = (
    *(KeyError, RuntimeError, NotImplementedError),  # another name inside, a password, an unknown method
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError),
)


def entry_readers(data: bytes) -> dict[str, Callable[[], bytes]]:
    """Name -> function that unpacks it, for each file of an archive except hidden ones.

    The second of one name is "name (2)". The actual size of an entry is limited, whatever the header says.

    Raises:
        MapFormatError: not a complete zip file; each reader, if its entry is damaged or encrypted.
        LimitError: too many entries; each reader, if more bytes come out than allowed.
    """
    archive = _open_archive(data)  # in memory, so it needn't be closed
    found: dict[str, Callable[[], bytes]] = {}
    times: Counter[str] = Counter()
    for info in archive.infolist():
        # zipfile reads the last letter of an entry's name, which may be empty in a damaged file.
        if info.filename and not info.is_dir():
            name = info.filename.replace("\\", "/").lstrip("/").removeprefix("./")
            times[name] += 1
            unique = name if times[name] == 1 else f"{name} ({times[name]})"
            found[unique] = partial(_unpack_entry, archive, info, unique)
    return {name: found[name] for name in sorted(found) if not is_hidden(name)}


def unpack(readers: Mapping[str, Callable[[], bytes]], what: str, advice: str) -> Iterator[tuple[str, bytes]]:
    """Iterate over names and contents of several files, limiting their number and total size.

    Args:
        readers: name -> function that reads the file.
        what: the container, for error messages.
        advice: the way out, for error messages.

    Raises:
        LimitError: too many files, or too many bytes.
    """
    check_limit(len(readers), MAX_MAPS, f"files in the {what.rpartition(' ')[2]}", advice)
    total = 0
    for name, get in readers.items():
        content = get()
        total += len(content)
        check_limit(total, MAX_UNPACKED_BYTES, f"bytes (or more) in the {what}", advice)
        yield name, content


def count_text_bytes(data: bytes) -> int:
    """The bytes of JSON and XML in an archive, by its directory; no entry is read beyond the size given there."""
    return sum(
        entry.file_size
        for entry in _open_archive(data).infolist()
        if entry.filename.endswith((".json", ".xml"))
    )


def _unpack_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    try:
        with archive.open(info) as entry:
            content = entry.read(MAX_UNPACKED_BYTES + 1)
    except _UNREADABLE as error:
        raise MapFormatError(
            f"the entry {quoted(name)} of the archive is damaged or encrypted ({error})"
        ) from error
    check_limit(
        len(content),
        MAX_UNPACKED_BYTES,
        f"bytes (or more) in the unpacked {quoted(name)}",
        "split it into smaller maps",
    )
    return content


def _open_archive(data: bytes) -> zipfile.ZipFile:
    # The central directory is counted before zipfile builds an object for each of its entries.
    check_limit(data.count(_ENTRY), MAX_ZIP_ENTRIES, "entries in the archive", "remove what is not the map")
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, NotImplementedError) as error:
        raise MapFormatError("the file begins like a zip archive but is cut off or damaged") from error


@dataclass(frozen=True)
class Files:
    """Files that may be opened: all of them, or only what is in some folders (``roots``) and not hidden.

    A page unpacks uploads into these folders; a link out of them isn't followed.
    """

    roots: tuple[Path, ...] = ()

    def own(self, path: Path) -> Path:
        """The path itself, if it may be opened and isn't a pipe.

        Raises:
            MapFormatError: it may not.
        """
        real = path.resolve() if self.roots else path
        is_file = not real.exists() or real.is_file() or real.is_dir()
        homes = [root.resolve() for root in self.roots if real.is_relative_to(root.resolve())]
        if self.roots and not (
            is_file and any(not is_hidden(real.relative_to(home).as_posix()) for home in homes)
        ):
            raise MapFormatError("this file may not be opened here: it is outside the folder of the pairs")
        return path

    @contextmanager
    def open(self, path: Path) -> Iterator[IO[bytes]]:
        """Context in which a file is open to be read; errors of its bytes' encoding are caught inside.

        Raises:
            MapFormatError: it may not be opened, or it can't be opened or read, as on a drive that is gone.
        """
        try:
            with self.own(path).open("rb") as file:
                yield file
        except (OSError, ValueError) as error:
            raise self.failure(path, error) from error

    def failure(self, path: str | os.PathLike[str], error: OSError | ValueError) -> MapFormatError:
        """The error for a path that can't be read; where the folder of an upload is, is nobody's business."""
        reason = getattr(error, "strerror", None) or "no file can have this name"
        homes = (root for root in self.roots if Path(path).is_relative_to(root))
        shown = next((str(Path(path).relative_to(home)) for home in homes), str(path))
        return MapFormatError(
            f"{quoted(shown, limit=200)} can't be read ({reason}); check the name and its permissions"
        )


ANYWHERE = Files()


def read_bytes(path: str | os.PathLike[str], files: Files = ANYWHERE) -> bytes:
    """The content of a file, or of a folder of files as an archive.

    Args:
        path: the file or folder.
        files: opens it.

    Raises:
        MapFormatError: no such file, no permission, or it may not be opened.
        LimitError: it is too large.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise MapFormatError(
            f"{path!r:.40} is not a path of a file or folder; parse_map(content) reads a text or a file's bytes"
        )
    if os.path.isdir(path):  # noqa: PTH112 - is False for what no path can be
        return pack_folder(Path(path), files)
    with files.open(Path(path)) as file:
        content = file.read(MAX_BYTES + 1)
        size = max(len(content), os.fstat(file.fileno()).st_size)
    check_limit(size, MAX_BYTES, f"bytes in {quoted(Path(path).name)}", "split it into smaller maps")
    return content


def files_in(folder: Path, files: Files = ANYWHERE) -> dict[str, Callable[[], bytes]]:
    """Relative path -> function that reads it, for each file below a folder except hidden ones.

    Linked folders are not entered.

    Raises:
        MapFormatError: it is the root of all files, or may not or can't be read.
        LimitError: there are too many files.
    """

    def fail(error: OSError) -> None:
        raise files.failure(error.filename, error) from error

    if folder.resolve() == Path(folder.resolve().anchor):
        raise MapFormatError(
            f"{folder} is the root of all files, not a folder of maps; name a folder in it or a file"
        )
    paths: list[Path] = []
    for top, folders, names in os.walk(files.own(folder), onerror=fail):
        folders[:] = [name for name in folders if not is_hidden(name)]
        paths += [path for name in names if not is_hidden(name) and (path := Path(top, name)).is_file()]
        check_limit(
            len(paths), MAX_FOLDER_FILES, f"files (or more) in {folder}", "name the folder of the maps"
        )
    return {path.relative_to(folder).as_posix(): partial(read_bytes, path, files) for path in sorted(paths)}


def pack_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip archive of these named contents.

    Raises:
        MapFormatError: two have the same name.
        LimitError: more bytes than one input may have.
    """
    total = 0
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files:
            total += len(content)
            check_limit(total, MAX_BYTES, "bytes (or more) in the files", "give fewer files at a time")
            # Without a date: equal files, equal bytes.
            entry = zipfile.ZipInfo(without_surrogates(name)[-LONGEST_NAME:])
            if entry.filename in target.namelist():
                raise MapFormatError(f"two of the files are called {quoted(name)}; rename one")
            target.writestr(entry, content)
    return archive.getvalue()


def is_hidden(name: str) -> bool:
    """Return True for hidden files and files in hidden folders, including those that systems add to archives.

    >>> is_hidden("vault/.obsidian/app.json"), is_hidden("../reef.md")
    (True, False)
    """
    parts = [part for part in PurePosixPath(name).parts if part != ".."]
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def is_readme(name: str) -> bool:
    """Return True for a README, which describes the files beside it and isn't a map.

    >>> is_readme("README.md"), is_readme("readme-reefs.md")
    (True, False)
    """
    return PurePosixPath(name).name.partition(".")[0].upper() in {"README", "LICENSE", "LICENCE", "COPYING"}


def pack_folder(folder: Path, files: Files = ANYWHERE) -> bytes:
    """A zip archive of a folder's files, by name, without hidden ones and subfolders.

    Raises:
        MapFormatError: it has no file except a README, is the root of all files, or may not or can't be read.
        LimitError: more files, or more bytes, than one input may have.
    """
    readers = {name: read for name, read in files_in(folder, files).items() if "/" not in name}
    check_limit(len(readers), MAX_MAPS, f"files in {folder}", "name a file, or a folder with fewer")
    if all(map(is_readme, readers)):
        below = sorted(each.name for each in folder.iterdir() if each.is_dir() and not is_hidden(each.name))
        which = f"one of its folders ({list_some(below, 3)})" if below else "another"
        raise MapFormatError(
            f"there are no files in the folder {folder.name!r} itself; name {which} or a file"
        )
    return pack_files((name, read()) for name, read in readers.items())
