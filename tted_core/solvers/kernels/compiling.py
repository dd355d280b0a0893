"""The decorator that compiles a kernel, and where its machine code is kept.

Importing numba and loading the code takes longer than Python itself needs for a few small maps. So numba is
imported at the first call of a kernel, and a caller who knows how much work there is may have it interpreted.

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
from functools import cache, cached_property, update_wrapper
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

INTERPRETED_AT_ONCE = 4_000
INTERPRETED = 20_000
"""Pairs of nodes that are interpreted in one call, and in all, while the machine code is not in memory: 0.2 s,
where numba and the code take 0.4 s. The worst trees for "ordered" (zigzags) take 0.3 s in one call."""

_SOLVERS = Path(__file__).resolve().parent.parent
_TURN_SECONDS = 60.0


class Kernel(Generic[Parameters, Result]):
    """A function that is compiled on its first call, or loaded from the cache."""

    def __init__(self, function: Callable[Parameters, Result], **options: object) -> None:
        self._function = function
        self._options = options
        self._dispatcher: Any = None
        self._interpreted = 0
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run the machine code."""
        return cast("Result", self.dispatcher(*args, **kwargs))

    def suited(self, pairs: int) -> Callable[Parameters, Result]:
        """What comes to the result sooner, for work on so many pairs of nodes: this, or its interpreted form."""
        if not self.is_interpreted(pairs):
            return self
        self._interpreted += pairs
        return np.errstate(all="ignore")(self.interpreted)  # machine code doesn't warn either

    def is_interpreted(self, pairs: int) -> bool:
        """Whether so little work is left to Python."""
        is_loaded = self._dispatcher is not None and self._dispatcher.overloads
        return not is_loaded and pairs <= min(INTERPRETED_AT_ONCE, INTERPRETED - self._interpreted)

    @cached_property
    def interpreted(self) -> Callable[Parameters, Result]:
        """The function as Python runs it, with the kernels that it calls.

        Single operations are rounded alike; numpy's sums, products and powers of arrays may not be.
        """
        known = self._function.__globals__
        called = {name: known[name] for name in self._function.__code__.co_names if name in known}
        inner = {name: each.interpreted for name, each in called.items() if isinstance(each, Kernel)}
        return FunctionType(self._function.__code__, known | inner)

    @property
    def dispatcher(self) -> Any:
        """What numba makes of the function."""
        if self._dispatcher is None:
            with (
                _numba().core.compiler_lock.global_compiler_lock
            ):  # numba's settings are those of all threads
                self._dispatcher = self._dispatcher or self._new_dispatcher()
        return self._dispatcher

    def _new_dispatcher(self) -> Any:
        numba, folder, function = _numba(), cache_folder(), self._function
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder or "")
        try:
            kernel = numba.njit(cache=folder is not None, nogil=True, error_model="numpy", **self._options)(
                function
            )
        finally:
            numba.config.CACHE_DIR = before
        if folder is not None:
            _compile_in_turn(kernel, folder / f"{function.__module__}.{function.__qualname__}.turn")
        return kernel


def compiled(function: Callable[Parameters, Result]) -> Kernel[Parameters, Result]:
    """Compile ``function`` on its first call, or load it from the cache."""
    return Kernel(function, _nrt=True)


def borrowing(function: Callable[Parameters, Result]) -> Kernel[Parameters, Result]:
    """Like :func:`compiled`, for a function that makes and returns no array: it counts no references.

    A function that counts does so, atomically, for each array of each named tuple that it is given: for the small
    functions of :mod:`..unordered` that was two thirds of the time on 25 nodes. numba refuses to compile one that
    makes an array.
    """
    return Kernel(function, _nrt=False)


def vectorised(function: Callable[Parameters, Result]) -> Kernel[Parameters, Result]:
    """Like :func:`compiled`, free to reorder a maximum over finite numbers, which then uses SIMD instructions.

    Each single operation is rounded as ever, so maxima come out the same.
    """
    return Kernel(function, _nrt=False, fastmath={"nnan", "ninf", "nsz", "reassoc"})


@cache
def _numba() -> Any:
    """numba, which knows that a kernel called by another one is to be compiled too.

    Of any type: its settings come from the environment at run time, and that of njit doesn't name the option
    _nrt, "count references", which numba itself uses.
    """
    import numba
    from numba.extending import typeof_impl

    typeof_impl.register(Kernel, lambda kernel, context: typeof_impl(kernel.dispatcher, context))
    return numba


def _compile_in_turn(kernel: Any, file: Path) -> None:
    """Let one process at a time compile or load this kernel; who has waited too long compiles and keeps nothing.

    A kernel waits only for those that it calls, and threads wait for numba's own lock first: never in a circle.
    """
    compile_alone = kernel.compile

    def compile_in_turn(signature: object) -> object:
        with _numba().core.compiler_lock.global_compiler_lock, turn(file) as is_ours:
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
    digest = hashlib.sha256(version("numba").encode("ascii"))
    for folder in ("kernels", "unordered"):
        for path in sorted((_SOLVERS / folder).glob("*.py")):
            source = path.read_bytes()
            if b"@compiled" in source or b"@borrowing" in source:
                digest.update(source)
    return digest.hexdigest()[:12]


def _candidates() -> Iterator[Path]:
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named)
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
