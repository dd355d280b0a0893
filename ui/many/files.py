"""Files that a visitor uploads, taken out of archives and put below a folder: no name leads elsewhere."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tted_core import MapFormatError
from tted_core.formats.archive import entry_names, read_entries
from tted_core.limits import MAX_SESSION_BYTES, check_limit


def entries(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, hidden ones left out.

    Raises:
        TTEDError: it can't be read, or is too much.
    """
    names = [name for name in entry_names(content) if not is_hidden(name)]
    total = 0
    for name, inner in zip(names, read_entries(content, names), strict=True):
        total += len(inner)
        check_limit(
            total, MAX_SESSION_BYTES, "bytes (or more) in the unpacked archive", "give fewer maps at a time"
        )
        yield name, inner


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems hide, or that archives of theirs hold besides."""
    return any(
        (part.startswith(".") and part != "..") or part == "__MACOSX" for part in PurePosixPath(name).parts
    )


def write_given(folder: Path, name: str, content: bytes) -> None:
    """Write an uploaded file below a folder.

    Raises:
        MapFormatError: its name leads elsewhere, or is there already.
    """
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0].endswith((":", "/")) or ".." in parts or "\x00" in name:
        raise MapFormatError(
            f"the archive has a file with the name {name!r}, which leads out of it; rename it"
        )
    file = folder.joinpath(*parts)
    if file.exists():
        raise MapFormatError(f"two of the files are called {name!r}; rename one")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
