"""The decorator that compiles a kernel, and where its machine code is kept.

Importing numba and loading the code takes longer than Python itself needs for a few small maps. So numba is
imported at the first call of a kernel, and a caller who knows how much work there is may have it interpreted.

numba keeps the machine code on disk. Its cache looks only at the file that defines a function: after a change to a
compiled helper in another file it would go on using the old code, silently. So it is given a folder named after a
digest of every kernel's source, in the one that the environment variable NUMBA_CACHE_DIR names, or in the user's
cache. Where that is damaged, full or can't be written, kernels are compiled anew in each process, with a warning.
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

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

INTERPRETED_AT_ONCE = 4_000
INTERPRETED = 20_000
"""Pairs of nodes that are interpreted in one call, and in all, while the machine code is not in memory: 0.2 s,
where numba and the code take 0.4 s. The worst trees for "ordered" (zigzags) take 0.3 s in one call."""

logger = logging.getLogger(__name__)


class Kernel(Generic[Parameters, Result]):
    """A function that is compiled on its first call, or loaded from the cache."""

    def __init__(self, function: Callable[Parameters, Result], **options: object) -> None:
        self._function = function
        self._options = options
        self._dispatcher: Any = None
        self._interpreted = 0
        update_wrapper(self, function)
        _kernels.append(self)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run the machine code."""
        try:
            return cast("Result", self.dispatcher(*args, **kwargs))
        except Exception as error:  # a damaged cache raises what it likes
            if _trouble or isinstance(error, _numba().core.errors.NumbaError):
                raise
            _keep_nothing(error)
            return cast("Result", self.dispatcher(*args, **kwargs))

    def suited(self, pairs: int) -> Callable[Parameters, Result]:
        """What comes to the result sooner, for work on so many pairs of nodes: this, or its interpreted form."""
        if not self.is_interpreted(pairs):
            return self
        self._interpreted += pairs
        return np.errstate(all="ignore")(self.interpreted)  # machine code doesn't warn either

    def is_interpreted(self, pairs: int) -> bool:
        """Whether so little work is left to Python."""
        return not self.is_loaded and pairs <= min(INTERPRETED_AT_ONCE, INTERPRETED - self._interpreted)

    @property
    def is_loaded(self) -> bool:
        """Whether there is machine code in memory."""
        return self._dispatcher is not None and bool(self._dispatcher.overloads)

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
        numba = _numba()
        options = {"nogil": True, "error_model": "numpy", **self._options}
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder())
        try:
            return numba.njit(cache=not _trouble, **options)(self._function)
        finally:
            numba.config.CACHE_DIR = before

    def forget(self) -> None:
        """Compile anew at the next call."""
        self._dispatcher = None


_kernels: list[Kernel[..., Any]] = []
_trouble: list[Exception] = []
"""Why machine code isn't kept on disk any more; empty while it is."""


def _keep_nothing(error: Exception) -> None:
    """Do without the cache from now on, in this process."""
    _trouble.append(error)
    logger.warning(
        "machine code of the solvers can't be kept in %s (%s) and is compiled anew in each process, which takes "
        "up to half a minute: remove the folder, or name another with NUMBA_CACHE_DIR",
        cache_folder(),
        " ".join(str(error).split())[:200] or type(error).__name__,
    )
    for kernel in _kernels:
        kernel.forget()


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


@cache
def cache_folder() -> Path:
    """Where numba keeps the machine code of this version."""
    place = os.environ.get("NUMBA_CACHE_DIR")
    if not place:
        from platformdirs import user_cache_dir

        place = user_cache_dir("tted", appauthor=False)
    digest = hashlib.sha256()
    for folder in ("kernels", "unordered"):
        for path in sorted((Path(__file__).resolve().parent.parent / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return Path(place) / f"kernels-{digest.hexdigest()[:12]}"
