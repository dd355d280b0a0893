"""The decorator that compiles a kernel, and where its machine code is kept.

numba's own on-disk cache looks only at the file that defines a function: after a change to a compiled helper
in another file it would go on using the old code, silently. The cache therefore lies in a folder named after
a digest of every kernel's source. The folder stands beside the source where that is writable, otherwise in the
user's cache folder; with neither, the kernels are compiled anew in each process. A folder that the
environment variable NUMBA_CACHE_DIR names comes first, as numba documents it.

Processes that need a kernel at once take turns, by a database for each kernel that one of them locks: the first
compiles, the others load its code. Without turns each would compile, and numba, which saves an entry by reading
the kernel's index, choosing a free file name and writing both, could run the code of one signature for another.
"""

import hashlib
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ParamSpec, TypeVar, cast

import numba

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

config: Any = numba.config  # its settings come from the environment at run time: no type checker sees them
_njit: Any = numba.njit  # nor does its type name the option _nrt, "count references", which numba itself uses
_SOLVERS = Path(__file__).resolve().parent.parent
_TURN_SECONDS = 60.0


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile ``function`` on its first call, or load it from the cache."""
    return _compile(function, set())


def borrowing(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Like :func:`compiled`, for a function that makes and returns no array: it counts no references.

    A function that counts does so, atomically, for each array of each named tuple that it is given: for the small
    functions of :mod:`..unordered` that was two thirds of the time on 25 nodes. numba refuses to compile one that
    makes an array.
    """
    return _compile(function, set(), counts=False)


def vectorised(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Like :func:`compiled`, free to reorder a maximum over finite numbers, which then uses SIMD instructions.

    Each single operation is rounded as ever, so maxima come out the same.
    """
    return _compile(function, {"nnan", "ninf", "nsz", "reassoc"}, counts=False)


def _compile(
    function: Callable[Parameters, Result], fastmath: set[str], *, counts: bool = True
) -> Callable[Parameters, Result]:
    folder = cache_folder()
    before = config.CACHE_DIR
    config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        kernel = _njit(
            cache=folder is not None,
            nogil=True,
            error_model="numpy",
            fastmath=fastmath or False,
            _nrt=counts,
        )(function)
    finally:
        config.CACHE_DIR = before
    if folder is not None:
        _compile_in_turn(kernel, folder / f"{function.__module__}.{function.__qualname__}.turn")
    return cast("Callable[Parameters, Result]", kernel)


def _compile_in_turn(kernel: Any, file: Path) -> None:
    """Let one process at a time compile or load this kernel; who has waited too long compiles and keeps nothing.

    A kernel waits only for those that it calls, and threads wait for numba's own lock first: never in a circle.
    """
    compile_alone = kernel.compile

    def compile_in_turn(signature: object) -> object:
        with numba.core.compiler_lock.global_compiler_lock, turn(file) as is_ours:
            if not is_ours:
                kernel._cache.disable()  # noqa: SLF001 - numba has no public place for it
            return compile_alone(signature)

    kernel.compile = compile_in_turn


@contextmanager
def turn(file: Path, seconds: float = _TURN_SECONDS) -> Iterator[bool]:
    """Whether no other process has this file's turn, after waiting for it so long at most."""
    with ExitStack() as stack:
        is_ours = False
        with suppress(sqlite3.OperationalError):
            database = stack.enter_context(
                closing(sqlite3.connect(file, timeout=seconds, isolation_level=None))
            )
            database.execute("BEGIN EXCLUSIVE")
            is_ours = True
        yield is_ours


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
            if b"@compiled" in source or b"@borrowing" in source:
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
