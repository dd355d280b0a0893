"""What runs in a worker process: its work, what it tells and asks the server, what it prepares by itself."""

import ctypes
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

from tted_core.foundations.monitor import Monitor, share
from tted_core.solvers.kernels import is_compiled

Result = TypeVar("Result")

TELL_SECONDS = 0.05
"""Progress is told no more often than this."""

PREPARED_AFTER_SECONDS = 0.5
"""So long after its first work a process gets ready what others will need."""

_WITHOUT_A_PAGE = ("caching.cache_data_api", "scriptrunner_utils.script_run_context")
"""Modules of Streamlit that warn where there is none."""


def give_back_memory() -> None:
    """Have glibc give back to the system what nobody uses; with threads that come and go it would keep it."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


class _Server:
    """The server as its worker sees it, at the other end of the pipe."""

    def __init__(self, pipe: Connection, keeps_models: bool, prepare: Callable[[], None] | None) -> None:
        self.keeps_models, self.prepare = keeps_models, prepare
        self.stopped = 0
        """The number of the last work that should stop."""
        self._pipe = pipe
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._told = 0.0
        self._found_machine_code = is_compiled()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Sort what comes in; once the server is gone, this process ends, whatever it is at."""
        try:
            while True:
                kind, content = self._pipe.recv()
                if kind == "stop":
                    self.stopped = content
                else:
                    self._answers.put((kind, content))
        finally:
            os._exit(1)

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self._pipe.send(("asked", function, arguments))
        kind, answer = self._answers.get()
        if kind == "raised":
            raise answer
        return answer

    def tell(self, stage: str, done: float, total: float) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_SECONDS:
            self._told = now
            self._pipe.send(("told", stage, share(done, total)))

    def say_it_is_over(self) -> None:
        """Say, too, whether this process may be kept: not with a model that is none of its business.

        Nor with what compiling has left in it (0.3 GB), once there is machine code for the next one to load.
        """
        is_small = "torch" not in sys.modules and is_compiled() == self._found_machine_code
        self._pipe.send(("over", self.keeps_models or is_small))


_server: _Server | None = None


def in_worker() -> bool:
    """Whether this is a worker process."""
    return _server is not None


def in_server(function: Callable[..., Result], *arguments: Any) -> Result:
    """What a function of a module returns in the server's process; of this one if it is the server's.

    Raises:
        TTEDError: whatever the function raises there.
    """
    if _server is None:
        return function(*arguments)
    result: Result = _server.ask(function, arguments)
    return result


def begin(pipe: Connection, keeps_models: bool, prepare: Callable[[], None] | None) -> None:
    """Make this process a worker, with its end of the pipe; the rest as ``Worker`` takes it."""
    global _server  # noqa: PLW0603 - this process is one
    from joblib.externals.loky import process_executor

    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl+C in a terminal is meant for the server, which ends this
    _server = _Server(pipe, keeps_models, prepare)
    # A process that has grown would leave, and its pool start another, for which the server has no pipe.
    process_executor._MAX_MEMORY_LEAK_SIZE = sys.maxsize  # noqa: SLF001 - it has no option
    for name in _WITHOUT_A_PAGE:
        logging.getLogger(f"streamlit.runtime.{name}").disabled = True


def worked(number: int, work: Callable[[Monitor], Result]) -> Result:
    """What the work returns, the process's so many-th.

    Raises:
        TTEDError: whatever it raises.
    """
    assert _server is not None
    server = _server
    try:
        return work(Monitor(server.tell, lambda: server.stopped == number))
    except BaseException as error:
        _forget_locals(error)
        raise
    finally:
        if number == 1 and server.prepare:
            # First the result goes its way.
            preparing = threading.Timer(PREPARED_AFTER_SECONDS, server.prepare)
            preparing.daemon = True
            preparing.start()
        give_back_memory()
        server.say_it_is_over()


def _forget_locals(error: BaseException) -> None:
    """Let go of what the functions that an error went through had at hand; its text and its lines stay.

    loky keeps a work's error until the next one, and with it thousands of vectors of a work that was stopped.
    """
    each: BaseException | None = error
    while each is not None:
        traceback.clear_frames(each.__traceback__)
        each = each.__cause__ or each.__context__


def warm_up_solvers() -> None:
    """Get the solvers for large maps ready; a process of its own compiles them, which takes 0.3 GB."""
    from tted_core.warm_up import warm_up_in_background

    warm_up_in_background()


def warm_up_for_texts() -> None:
    """And what tells languages: most that is asked here is about texts."""
    from tted_core.words.languages import languages_of

    warm_up_solvers()
    languages_of(["Озеро"])
