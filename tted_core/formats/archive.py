"""Zip files (XMind, MindManager): named entries read into memory, never to disk, and never more than allowed."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from tted_core.errors import MapFormatError
from tted_core.limits import MAX_UNPACKED_BYTES, MAX_ZIP_ENTRIES, check_limit

SIGNATURE = b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"


def entry_names(data: bytes) -> list[str]:
    """The names of an archive's files, without its folders.

    Raises:
        MapFormatError: not a whole zip file.
        LimitError: too many entries.
    """
    with _opened(data) as archive:
        # zipfile asks an entry's name for its last letter, and a damaged one may have none.
        return [info.filename for info in archive.infolist() if info.filename and not info.is_dir()]


def read_entry(data: bytes, name: str) -> bytes:
    """Unpack one entry; its size is what really comes out, whatever the header says.

    Raises:
        MapFormatError: the entry is damaged or encrypted.
        LimitError: more bytes than are read.
    """
    with _opened(data) as archive:
        return _unpacked(archive, name)


def read_entries(data: bytes, names: Iterable[str]) -> Iterator[bytes]:
    """Unpack several entries one by one; the archive is opened once, since that takes time for each entry in it.

    Raises:
        MapFormatError: an entry is damaged or encrypted.
        LimitError: more bytes in one than are read.
    """
    with _opened(data) as archive:
        for name in names:
            yield _unpacked(archive, name)


def entry_readers(data: bytes) -> dict[str, Callable[[], bytes]]:
    """For each file of an archive, by its name, what unpacks it; like ``read_entries``, but in any order.

    Raises:
        MapFormatError: not a whole zip file; each reader, if its entry is damaged or encrypted.
        LimitError: too many entries; each reader, if more bytes come out than are read.
    """
    archive = _opened(data)  # nothing to close: its file is in memory
    return {name: partial(_unpacked, archive, name) for name in entry_names(data)}


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as entry:
            content = entry.read(MAX_UNPACKED_BYTES + 1)
    except KeyError as error:
        raise MapFormatError(f"the archive has no entry {name!r}") from error
    except (RuntimeError, NotImplementedError) as error:  # a password; an unknown method
        raise MapFormatError(f"the entry {name!r} is encrypted or packed in an unknown way") from error
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError) as error:
        raise MapFormatError(f"the entry {name!r} of the archive is damaged ({error})") from error
    check_limit(
        len(content),
        MAX_UNPACKED_BYTES,
        f"bytes (or more) in the unpacked {name!r}",
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
