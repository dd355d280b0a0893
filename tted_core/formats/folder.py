"""A folder of map files (the CMGN data come as one), or several uploads: packed like a zip archive of maps.

The archive's reader then does the rest: one map after the other, each with its file's name as title.
"""

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tted_core.errors import MapFormatError
from tted_core.limits import MAX_BYTES, check_limit


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
            if name in target.namelist():
                raise MapFormatError(f"two of the files are called {name!r}; rename one")
            target.writestr(name, content)
    return archive.getvalue()


def packed_folder(folder: Path) -> bytes:
    """A zip archive of the files that lie in a folder, by name; hidden ones and subfolders stay out.

    Raises:
        MapFormatError: there is no file in it.
        LimitError: more bytes than one input may have.
    """
    paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not paths:
        raise MapFormatError(f"there are no files in the folder {folder.name!r}; name another or a file")
    return packed((path.name, _read(path)) for path in paths)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
