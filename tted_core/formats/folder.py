"""Files, folders and zip archives of maps, opened anywhere or only below the folders that a server allows.

A folder of map files (such as the CMGN data) or several uploads are packed into a zip archive of maps, whose
reader does the rest: one map per file, with the file's name as title.

Entries of zip files (XMind, MindManager) are unpacked in memory only, up to a limit.
"""

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from tted_core.errors import MapFormatError
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_BYTES, MAX_MAPS, MAX_UNPACKED_BYTES, check_limit
from tted_core.words.splitting import without_surrogates

LONGEST_NAME = 255
"""Bytes of a file's name, of common file systems."""

MAX_ZIP_ENTRIES = 5_000
"""Maximum entries of one archive."""

SIGNATURE = b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"


def entry_names(data: bytes) -> list[str]:
    """The names of an archive's files, without folders.

    Raises:
        MapFormatError: not a complete zip file.
        LimitError: too many entries.
    """
    with _opened(data) as archive:
        # zipfile reads the last letter of an entry's name, which may be empty in a damaged file.
        return [info.filename for info in archive.infolist() if info.filename and not info.is_dir()]


def read_entry(data: bytes, name: str) -> bytes:
    """Unpack one entry; its actual size is limited, whatever the header says.

    Raises:
        MapFormatError: the entry is damaged or encrypted.
        LimitError: more bytes than allowed.
    """
    with _opened(data) as archive:
        return _unpacked(archive, name)


def entry_readers(data: bytes) -> dict[str, Callable[[], bytes]]:
    """Name -> function that unpacks it, for each file of an archive except hidden ones.

    Raises:
        MapFormatError: not a complete zip file; each reader, if its entry is damaged or encrypted.
        LimitError: too many entries; each reader, if more bytes come out than allowed.
    """
    archive = _opened(data)  # in memory, so it needn't be closed
    names = sorted(name for name in entry_names(data) if not is_hidden(name))
    return {name: partial(_unpacked, archive, name) for name in names}


def unpacked(
    readers: Mapping[str, Callable[[], bytes]], what: str, advice: str
) -> Iterator[tuple[str, bytes]]:
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


def unpacked_texts(data: bytes) -> int:
    """The bytes of JSON and XML in an archive, by its directory; no entry is read beyond the size given there."""
    entries = _opened(data).infolist()
    return sum(entry.file_size for entry in entries if entry.filename.endswith((".json", ".xml")))


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as entry:
            content = entry.read(MAX_UNPACKED_BYTES + 1)
    except KeyError as error:
        raise MapFormatError(f"the archive has no entry {quoted(name)}") from error
    except (RuntimeError, NotImplementedError) as error:  # a password; an unknown method
        raise MapFormatError(f"the entry {quoted(name)} is encrypted or packed in an unknown way") from error
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError) as error:
        raise MapFormatError(f"the entry {quoted(name)} of the archive is damaged ({error})") from error
    check_limit(
        len(content),
        MAX_UNPACKED_BYTES,
        f"bytes (or more) in the unpacked {quoted(name)}",
        "split it into smaller maps",
    )
    return content


def _opened(data: bytes) -> zipfile.ZipFile:
    # The central directory is counted before zipfile builds an object for each of its entries.
    check_limit(data.count(_ENTRY), MAX_ZIP_ENTRIES, "entries in the archive", "remove what is not the map")
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, NotImplementedError) as error:
        raise MapFormatError("the file begins like a zip archive but is cut off or damaged") from error


REFUSED = "this file may not be opened here: it is outside the folder of the pairs"


class Entry(NamedTuple):
    """An entry of a folder; a link that isn't followed counts as a file, which can't be opened."""

    path: Path
    is_dir: bool
    is_file: bool


class Files:
    """Files that the user of this program may open; links are followed."""

    follows_links = True

    def own(self, path: Path) -> Path:
        """The path itself, if it may be opened.

        Raises:
            MapFormatError: it may not.
        """
        return path

    def allows(self, path: Path) -> bool:  # noqa: ARG002 - the system decides
        """Return True if the path may be opened."""
        return True

    def open(self, path: Path) -> IO[bytes]:
        """Open a file to read.

        Raises:
            MapFormatError: it may not be opened.
            OSError: it can't be opened.
        """
        return self.own(path).open("rb")

    def is_dir(self, path: Path) -> bool:
        """Return True if the path is a folder."""
        return path.is_dir()

    def entries(self, folder: Path) -> list[Entry]:
        """The files and folders in a folder, by name.

        Raises:
            MapFormatError: it may not be opened.
            OSError: it can't be read.
        """
        with os.scandir(self.own(folder)) as found:
            return sorted(
                Entry(folder / each.name, each.is_dir(), each.is_file())
                if self.follows_links or not each.is_symlink()
                else Entry(folder / each.name, is_dir=False, is_file=True)
                for each in found
            )

    def below(self, folder: Path) -> list[Path]:
        """All files below a folder, by path; linked folders are not entered.

        Raises:
            OSError: it can't be read.
        """
        files: list[Path] = []
        folders = [folder]
        while folders:
            for entry in self.entries(folders.pop()):
                if entry.is_file:
                    files.append(entry.path)
                elif entry.is_dir and not entry.path.is_symlink():
                    folders.append(entry.path)
        return sorted(files)


@dataclass(frozen=True)
class Confined(Files):
    """Files below some folders only; links aren't followed, and any other path is refused.

    A page unpacks uploads into these folders, and nothing else is written there.
    """

    roots: tuple[Path, ...]
    follows_links = False

    def own(self, path: Path) -> Path:
        """The path itself, if it may be opened and isn't a pipe or reached through a link.

        Raises:
            MapFormatError: it may not.
        """
        inside = Path(os.path.normpath(path))
        unlinked = "\0" not in str(path) and any(
            inside.is_relative_to(root) and inside.resolve() == root.resolve() / inside.relative_to(root)
            for root in self.roots
        )
        is_other = unlinked and inside.exists() and not (inside.is_file() or inside.is_dir())
        if not unlinked or is_other or not self.allows(path):
            raise MapFormatError(REFUSED)
        return inside

    def allows(self, path: Path) -> bool:
        """Return True if the path is below an allowed folder; a link there still may not be opened."""
        inside = Path(os.path.normpath(path))
        return any(
            inside.is_relative_to(root) and not is_hidden(inside.relative_to(root).as_posix())
            for root in self.roots
        )

    def is_dir(self, path: Path) -> bool:
        """Return True if the path is a folder that may be opened."""
        try:
            return self.own(path).is_dir()
        except MapFormatError:
            return False


ANYWHERE = Files()


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
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
            entry = zipfile.ZipInfo(
                without_surrogates(name)[-LONGEST_NAME:]
            )  # no date: equal files, equal bytes
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


def packed_folder(folder: Path, files: Files = ANYWHERE) -> bytes:
    """A zip archive of a folder's files, by name, without hidden ones and subfolders.

    Raises:
        MapFormatError: the folder has no file except a README, or a file may not be opened.
        LimitError: more bytes than one input may have.
        OSError: it can't be read.
    """
    entries = files.entries(folder)
    paths = [each.path for each in entries if each.is_file and not each.path.name.startswith(".")]
    if all(is_readme(path.name) for path in paths):
        below = [each.path.name for each in entries if each.is_dir and not each.path.name.startswith(".")]
        if not paths and not below:
            raise MapFormatError(f"there are no files in the folder {folder.name!r}; name another or a file")
        named = (
            f"one of its folders ({', '.join(below[:3])}{', ...' if len(below) > 3 else ''}) "
            if below
            else "another "
        )
        raise MapFormatError(f"there are no maps in the folder {folder.name!r} itself; name {named}or a file")
    return packed((path.name, _read(path, files)) for path in paths)


def _read(path: Path, files: Files) -> bytes:
    with files.open(path) as file:
        return file.read(MAX_BYTES + 1)
