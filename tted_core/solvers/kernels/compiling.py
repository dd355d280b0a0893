"""A decorator that compiles kernels, and the cache of their machine code.

Importing numba and loading machine code takes longer than Python needs for a few small maps. So numba is
imported at the first call of a kernel, and a caller that knows the amount of work may have a kernel interpreted.

numba caches machine code on disk, but checks only the file that defines a function: after a change to a compiled
helper in another file it would silently go on with the old code. So its folder is named after a digest of all
kernels' source. The folder is below the one that the environment variable NUMBA_CACHE_DIR names, or below the
user's cache. If it is damaged, full or read-only, kernels are compiled anew in each process, with a warning.
"""

import hashlib
import logging
import os
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

# The arrays that kernels take.
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

Parameters = ParamSpec("Parameters")
_Result = TypeVar("_Result")

# Pairs of nodes that may be interpreted in one call, and in total, while no machine code is in memory: 0.2 s,
# compared with 0.4 s for numba and the code. The worst trees for "ordered" (zigzags) take 0.3 s in one call.
INTERPRETED_AT_ONCE = 4_000
INTERPRETED = 20_000

_logger = logging.getLogger(__name__)


class Kernel(Generic[Parameters, _Result]):
    """A function that is compiled at its first call, or loaded from the cache."""

    def __init__(self, function: Callable[Parameters, _Result], **options: object) -> None:
        self._function = function
        self._options = options
        self._dispatcher: Any = None
        self._interpreted = 0
        update_wrapper(self, function)
        _kernels.append(self)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> _Result:
        """Run the machine code."""
        try:
            return cast("_Result", self.dispatcher(*args, **kwargs))
        except Exception as error:  # a damaged cache raises any exception
            if _trouble or isinstance(error, _numba().core.errors.NumbaError):
                raise
            _keep_nothing(error)
            return cast("_Result", self.dispatcher(*args, **kwargs))

    def for_size(self, pairs: int) -> Callable[Parameters, _Result]:
        """The function that is faster for so many pairs of nodes: the compiled or the interpreted one."""
        if not self.is_interpreted(pairs):
            return self
        self._interpreted += pairs
        return np.errstate(all="ignore")(self.interpreted)  # as machine code doesn't warn

    def is_interpreted(self, pairs: int) -> bool:
        """Return True if there is so little work that Python interprets it."""
        return not self.is_loaded and pairs <= min(INTERPRETED_AT_ONCE, INTERPRETED - self._interpreted)

    @property
    def is_loaded(self) -> bool:
        """True if there is machine code in memory."""
        return self._dispatcher is not None and bool(self._dispatcher.overloads)

    @cached_property
    def interpreted(self) -> Callable[Parameters, _Result]:
        """The function as Python runs it, with the kernels that it calls.

        Single operations are rounded alike; numpy's sums, products and powers of arrays may differ.
        """
        known = self._function.__globals__
        called = {name: known[name] for name in self._function.__code__.co_names if name in known}
        inner = {name: each.interpreted for name, each in called.items() if isinstance(each, Kernel)}
        return FunctionType(self._function.__code__, known | inner)

    @property
    def dispatcher(self) -> Any:
        """The function compiled by numba."""
        if self._dispatcher is None:
            with (
                _numba().core.compiler_lock.global_compiler_lock
            ):  # numba's settings are shared by all threads
                self._dispatcher = self._dispatcher or self._new_dispatcher()
        return self._dispatcher

    def _new_dispatcher(self) -> Any:
        numba = _numba()
        options = {"nogil": True, "error_model": "numpy", **self._options}
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder())
        try:
            return numba.njit(cache=not _trouble, **options)(self._function)
        finally:
            numba.config.CACHE_DIR = before

    def forget(self) -> None:
        """Compile again at the next call."""
        self._dispatcher = None


_kernels: list[Kernel[..., Any]] = []
_trouble: list[Exception] = []  # the reason why machine code isn't kept on disk any more; empty while it is


def _keep_nothing(error: Exception) -> None:
    """Go on without the cache in this process."""
    _trouble.append(error)
    _logger.warning(
        "machine code of the solvers can't be cached in %s (%s) and is compiled anew in each process, which takes "
        "up to half a minute: remove the folder, or name another with NUMBA_CACHE_DIR",
        cache_folder(),
        " ".join(str(error).split())[:200] or type(error).__name__,
    )
    for kernel in _kernels:
        kernel.forget()


def compile_kernel(function: Callable[Parameters, _Result]) -> Kernel[Parameters, _Result]:
    """Compile ``function`` at its first call, or load it from the cache."""
    return Kernel(function, _nrt=True)


def borrowing(function: Callable[Parameters, _Result]) -> Kernel[Parameters, _Result]:
    """Compile like :func:`compile_kernel`, without reference counts: for functions that create no arrays.

    Otherwise references are counted atomically for each array of each named tuple argument: for the functions of
    :mod:`..unordered` that was two thirds of the time on 25 nodes. numba refuses to compile such a function if it
    creates an array.
    """
    return Kernel(function, _nrt=False)


def inlining(function: Callable[Parameters, _Result]) -> Kernel[Parameters, _Result]:
    """Compile like :func:`borrowing`, as part of each caller: for small functions in loops.

    Otherwise each array of a named tuple is passed as seven arguments.
    """
    return Kernel(function, _nrt=False, forceinline=True)


def vectorise(function: Callable[Parameters, _Result]) -> Kernel[Parameters, _Result]:
    """Compile like :func:`compile_kernel`, free to reorder a maximum over finite numbers, for SIMD instructions.

    Each single operation is rounded as usual, so maxima are the same.
    """
    return Kernel(function, _nrt=False, fastmath={"nnan", "ninf", "nsz", "reassoc"})


@cache
def _numba() -> Any:
    """Import numba and register that a kernel called by another one is to be compiled too.

    The type is Any: numba's settings come from the environment at run time, and the type of njit lacks the option
    _nrt, "count references", which numba itself uses.
    """
    import numba
    from numba.extending import typeof_impl

    typeof_impl.register(Kernel, lambda kernel, context: typeof_impl(kernel.dispatcher, context))
    return numba


@cache
def cache_folder() -> Path:
    """The folder for the machine code of this version."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("tted", appauthor=False)
    digest = hashlib.sha256()
    for package in ("kernels", "unordered"):
        for path in sorted((Path(__file__).resolve().parent.parent / package).glob("*.py")):
            digest.update(path.read_bytes())
    return Path(folder) / f"kernels-{digest.hexdigest()[:12]}"
