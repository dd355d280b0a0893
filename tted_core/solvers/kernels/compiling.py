"""The decorator that compiles a kernel, and where its machine code is kept.

numba's own on-disk cache looks only at the file that defines a function: after a change to a compiled helper
in another file it would go on using the old code, silently. The cache therefore lies in a folder named after
a digest of every kernel's source. The folder stands beside the source where that is writable, otherwise in the
user's cache folder; with neither, the kernels are compiled anew in each process. A folder that the
environment variable NUMBA_CACHE_DIR names comes first, as numba documents it. numba writes each entry to a
temporary file and renames it, so several processes may fill the cache at once.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ParamSpec, TypeVar, cast

import numba

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

config: Any = numba.config  # its settings come from the environment at run time: no type checker sees them
_SOLVERS = Path(__file__).resolve().parent.parent


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile ``function`` on its first call, or load it from the cache."""
    return _compile(function, set())


def vectorised(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Like :func:`compiled`, free to reorder a maximum over finite numbers, which then uses SIMD instructions.

    Each single operation is rounded as ever, so maxima come out the same.
    """
    return _compile(function, {"nnan", "ninf", "nsz", "reassoc"})


def _compile(function: Callable[Parameters, Result], fastmath: set[str]) -> Callable[Parameters, Result]:
    folder = cache_folder()
    before = config.CACHE_DIR
    config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        kernel = numba.njit(
            cache=folder is not None, nogil=True, error_model="numpy", fastmath=fastmath or False
        )(function)
    finally:
        config.CACHE_DIR = before
    return cast("Callable[Parameters, Result]", kernel)


@cache
def cache_folder() -> Path | None:
    """The folder of this version's machine code; None if no place is writable."""
    name = f"kernels-{_source_digest()}"
    return next((place / name for place in _candidates() if _is_writable(place / name)), None)


def _source_digest() -> str:
    digest = hashlib.sha256(numba.__version__.encode("ascii"))
    for folder in ("kernels", "unordered"):
        for path in sorted((_SOLVERS / folder).glob("*.py")):
            source = path.read_bytes()
            if b"@compiled" in source:
                digest.update(source)
    return digest.hexdigest()[:12]


def _candidates() -> Iterator[Path]:
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield _SOLVERS / "__pycache__"
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        home = str(Path("~/Library/Caches").expanduser())
    else:
        home = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    if home and not home.startswith("~"):
        yield Path(home) / "tted"


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
