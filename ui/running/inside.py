"""What runs in a worker process: it takes one piece of work after another, and speaks with the server.

Messages are pickles over standard input and output, each with its length before it. The models are the server's:
what a worker asks of them is done there (``in_server``), so that none of the processes loads torch.
"""

import itertools
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, Any, TypeVar

from tted_core.monitor import Monitor, share

Result = TypeVar("Result")

TELL_SECONDS = 0.05
"""Progress is told no more often than this."""

_worker: "_Worker | None" = None


def in_worker() -> bool:
    """Whether this is a worker process."""
    return _worker is not None


def in_server(function: Callable[..., Result], *arguments: Any) -> Result:
    """What a function of a module returns in the server's process; of this one if it is the server's.

    Raises:
        TTEDError: whatever the function raises there.
    """
    if _worker is None:
        return function(*arguments)
    result: Result = _worker.ask(function, arguments)
    return result


def write(stream: IO[bytes], *message: Any) -> None:
    """Send a message.

    Raises:
        OSError: nobody reads.
        TypeError, AttributeError, pickle.PicklingError: it can't be sent.
    """
    content = pickle.dumps(message)
    stream.write(len(content).to_bytes(8, "big") + content)
    stream.flush()


def read(stream: IO[bytes]) -> bytes:
    """The next message, still pickled.

    Raises:
        EOFError: there will be none.
    """
    header = stream.read(8)
    size = int.from_bytes(header, "big")
    content = stream.read(size) if len(header) == 8 else b""
    if len(header) < 8 or len(content) < size:
        raise EOFError
    return content


class _Worker:
    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no message
        self._work: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._stop = threading.Event()
        self._told = 0.0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Sort what comes in; once the server is gone, this process ends, whatever it is at."""
        try:
            while True:
                kind, *content = pickle.loads(read(sys.stdin.buffer))  # noqa: S301 - from the server that started it
                if kind == "stop":
                    self._stop.set()
                elif kind == "work":
                    self._stop.clear()
                    self._work.put(content[0])
                else:
                    self._answers.put((kind, content[0]))
        finally:
            os._exit(1)

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        write(self._out, "asked", function, arguments)
        kind, answer = self._answers.get()
        if kind == "raised":
            raise answer
        return answer

    def serve(self) -> None:
        """Work, piece after piece. The solvers for large maps get ready beside it, once the first is done."""
        for done in itertools.count():
            if done == 1:
                threading.Thread(target=_warm_up, daemon=True).start()
            work = self._work.get()
            try:
                kind, outcome = "done", work(Monitor(self._tell, self._stop.is_set))
            except Exception as error:  # noqa: BLE001 - raised again where the page asks for the result
                kind, outcome = "raised", _with_its_traceback(error)
            # Whoever has loaded a model that the server hasn't is too large to be kept.
            stays = "torch" not in sys.modules
            try:
                write(self._out, kind, outcome, stays)
            except (TypeError, AttributeError, pickle.PicklingError) as error:
                write(self._out, "raised", _with_its_traceback(error), stays)

    def _tell(self, stage: str, done: float, total: float) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_SECONDS:
            self._told = now
            write(self._out, "told", stage, share(done, total))


def _with_its_traceback(error: Exception) -> Exception:
    """An error loses its traceback on the way; the server's log shall have it."""
    error.add_note("".join(traceback.format_exception(error)))
    return error


def _warm_up() -> None:
    from tted_core.warm_up import warm_up_in_background

    warm_up_in_background()


def serve() -> None:
    """Be a worker process, until the server ends."""
    global _worker  # noqa: PLW0603 - this process is one
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is meant for the server, and it tells
    _worker = _Worker()
    from streamlit.logger import set_log_level

    set_log_level("ERROR")  # it warns that there is no page here

    _worker.serve()
