"""Worker processes for long work, so that it neither holds the server up nor outlives what it is for.

Why no executor of the standard library: it begins a process by running the program's main file again, which in
Streamlit is the page that runs, and gives up all its processes once one of them is killed.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from tted_core.errors import Interrupted, ToolError
from tted_core.monitor import Monitor
from ui.running.inside import read, write
from ui.running.turns import Turns

Result = TypeVar("Result")

LOOK_SECONDS = 0.1
GRACE_SECONDS = 1.0
"""For work whose result nobody wants: so long it may take to stop by itself."""

COMMAND = (sys.executable, "-P", "-c", "from ui.running.inside import serve; serve()")


class Worker:
    """One process. It works for one caller at a time."""

    def __init__(self) -> None:
        """Start it.

        Raises:
            ToolError: it does not start.
        """
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            self.process = subprocess.Popen(  # noqa: S603 - always the same command
                COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        except OSError as error:
            raise ToolError(
                f"no process can be started for this work ({error.strerror}); try again, or tell whoever runs "
                "this server"
            ) from error
        self.is_free = True
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def run(
        self,
        work: Callable[[Monitor], Result],
        monitor: Monitor,
        is_unwanted: Callable[[], bool],
    ) -> Result:
        """Let it work; it is killed if it goes on for long though nobody wants the result.

        Raises:
            TTEDError: what the work raises; ``ToolError`` if the process dies, ``Interrupted`` if it is killed.
        """
        self.is_free = False
        self._send("work", work)
        stopping = False
        unwanted_at: float | None = None
        while True:
            if not stopping and monitor.stopped:
                stopping = True
                self._send("stop")
            if is_unwanted():
                unwanted_at = unwanted_at or time.monotonic()
                if time.monotonic() - unwanted_at > GRACE_SECONDS:
                    self.end()
                    raise Interrupted("stopped before there was a result; start it again")
            try:
                message = self._messages.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            if message is None:
                self.end()
                raise ToolError(
                    "the process that worked on this has ended before its time (status "
                    f"{self.process.returncode}), perhaps for want of memory; start it again with less"
                )
            kind, *content = pickle.loads(message)  # noqa: S301 - from a process of this program
            if kind == "told":
                monitor.stage(*content)
            elif kind == "asked":
                self._answer(*content)
            else:
                outcome, self.is_free = content
                if kind == "raised":
                    raise outcome
                result: Result = outcome
                return result

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent will not be
                stream.close()  # type: ignore[union-attr]

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(EOFError, OSError):
            while True:
                self._messages.put(read(self.process.stdout))
        self._messages.put(None)

    def _answer(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            answer = ("answer", function(*arguments))
        except Exception as error:  # noqa: BLE001 - raised again where it was asked
            answer = ("raised", error)
        self._send(*answer)

    def _send(self, *message: Any) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it has died, as the end of its messages tells
            write(self.process.stdin, *message)


class Workers:
    """So many processes at most, started when they are needed and kept."""

    def __init__(self, count: int) -> None:
        """None yet."""
        self.turns = Turns(count)
        self._idle: list[Worker] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start one, so that the first work need not wait for it."""
        with self.one():
            pass

    @contextmanager
    def one(self) -> Iterator[Worker]:
        """One that is idle, for whoever has a seat.

        Raises:
            ToolError: none can be started.
        """
        with self._lock:
            worker = self._idle.pop() if self._idle else Worker()
        if worker.process.poll() is not None:  # it died while it had nothing to do
            worker.end()
            worker = Worker()
        try:
            yield worker
        finally:
            if worker.is_free:
                with self._lock:
                    self._idle.append(worker)
            else:
                worker.end()
