"""Files that the library writes for its caller."""

from pathlib import Path

from tted_core.errors import OptionsError


def ending(file: str | Path) -> str:
    """What the name of a file ends in, without the dot and in lower case."""
    if not isinstance(file, (str, Path)):
        raise OptionsError(f"the name of a file is wanted, not {file!r:.40}")
    return Path(file).suffix.removeprefix(".").lower()


def write_file(file: str | Path, content: bytes) -> None:
    """Write a file, and make the folder that it goes into."""
    path = Path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise OptionsError(f"{str(file)!r} can't be written ({error.strerror}); name another file") from error
