"""Worker processes for long work, so that it neither holds the server up nor outlives what it is for.

Each is a pool of one process by loky (it comes with joblib). Unlike the pools of the standard library, it does not
run the program's main file again, in Streamlit the running page. One process a pool, since a pool gives up
all its processes once one of them is killed. Beside the pool's own queues a pipe carries what is said during the
work: how far it is, that it should stop, and what is asked of the server, as vectors of sentences are.
"""

import functools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from typing import Any, TypeVar

from tted_core.errors import Interrupted, OptionsError, ToolError
from tted_core.foundations.monitor import Monitor
from ui.processes.inside import begin, warm_up_for_texts, warm_up_solvers, worked
from ui.processes.turns import Turns

Result = TypeVar("Result")

LOOK_SECONDS = 0.1
GRACE_SECONDS = 1.0
"""For work whose result nobody wants: so long it may take to stop by itself."""

LOADING_GRACE_SECONDS = 10.0
"""The same where a model may just be loading: killed, the process would have to load its models again."""

ANSWER_SECONDS = 20.0
"""An idle process that takes longer to answer is taken for dead, as is one whose pipe is closed for so long."""

_ENVIRONMENT = {
    "PYTHONSAFEPATH": "1",  # no module of the folder that the server was started in
    "OMP_WAIT_POLICY": "PASSIVE",  # threads that wait for others sleep: pages are drawn on these cores too
}


class Worker:
    """One process of the server's. It works for one caller at a time, and ends with the server."""

    def __init__(self, *, keeps_models: bool = False, prepare: Callable[[], None] | None = None) -> None:
        """Have a process started beside what follows.

        Args:
            keeps_models: whether it is one that loads models; any other that has is too large to be kept.
            prepare: what it does by itself after its first work.

        Raises:
            ToolError: it can't be.
        """
        from joblib.externals.loky import ProcessPoolExecutor

        self.is_free = True
        self._grace = LOADING_GRACE_SECONDS if keeps_models else GRACE_SECONDS
        self._work = 0
        self._pipe, self._other_end = Pipe()
        try:
            self._pool = ProcessPoolExecutor(
                1,
                initializer=begin,
                initargs=(self._other_end, keeps_models, prepare),
                env=_ENVIRONMENT,
            )
            self.process_id = self._pool.submit(os.getpid)
        except OSError as error:
            self.end()
            raise ToolError(
                f"no process can be started for this work ({error.strerror}); try again, or ask the server's "
                "administrator"
            ) from error

    @property
    def is_alive(self) -> bool:
        """Whether it answers; a pool learns of its process's end a little later than the system."""
        try:
            self._pool.submit(os.getpid).result(ANSWER_SECONDS)
        except (OSError, RuntimeError):  # loky's broken pools, and no answer
            return False
        return True

    def run(
        self, work: Callable[[Monitor], Result], monitor: Monitor, is_unwanted: Callable[[], bool]
    ) -> Result:
        """Let it work; it is killed if it goes on for long though nobody wants the result.

        Raises:
            TTEDError: what the work raises; ``ToolError`` if the process dies, ``Interrupted`` if it is killed.
        """
        self.is_free = False
        self._work += 1
        self._heard_at = time.monotonic()
        self._gone_at = float("inf")
        result = self._pool.submit(worked, self._work, work)
        stopping = is_over = False
        unwanted_at = float("inf")
        while not is_over:
            was_done = result.done()  # before it is listened to: what it said by then can still be heard
            if not stopping and monitor.stopped:
                stopping = True
                self._say("stop", self._work)
            if is_unwanted():
                unwanted_at = min(unwanted_at, time.monotonic())
                if time.monotonic() - unwanted_at > self._grace:
                    self.end()
                    raise Interrupted("stopped before there was a result; start it again")
            if self.process_id.done():
                self._other_end.close()  # the process has its own, which tells if it dies
            kind, *content = self._heard()
            if kind == "told":
                monitor.stage(*content)
            elif kind == "asked":
                self._answer(*content)
            elif kind == "over":
                (self.is_free,) = content
                is_over = True
            else:
                is_over = was_done  # it could not say so
        while not wait([result], LOOK_SECONDS).done:
            self._heard()  # it may die while it sends the result
        outcome: Result = self._outcome(result)
        return outcome

    def end(self) -> None:
        """Kill it."""
        if hasattr(self, "_pool"):
            self._pool.shutdown(kill_workers=True)
        self._pipe.close()
        self._other_end.close()

    def _heard(self) -> tuple[Any, ...]:
        """What the process says next, if it says something soon."""
        try:
            message: tuple[Any, ...] = self._pipe.recv() if self._pipe.poll(LOOK_SECONDS) else ("nothing",)
            self._heard_at = time.monotonic()
        except (EOFError, OSError):  # it has died, as its pool tells soon
            self._gone_at = min(self._gone_at, time.monotonic())
            if time.monotonic() - self._gone_at > GRACE_SECONDS:
                _end_of_file(self._pool._result_queue._writer)  # noqa: SLF001 - loky has no public way
            if time.monotonic() - self._heard_at > ANSWER_SECONDS:
                self.end()
                raise _ended_early() from None
            time.sleep(LOOK_SECONDS)
            return ("nothing",)
        return message

    def _outcome(self, result: Any) -> Any:
        from joblib.externals.loky import BrokenProcessPool

        try:
            return result.result()
        except BrokenProcessPool as error:
            status = re.search(r"\w+\(-?\d+\)", str(error))
            raise _ended_early(status[0] if status else "no status") from error

    def _answer(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            answer = ("answer", function(*arguments))
        except Exception as error:  # noqa: BLE001 - raised again where it was asked
            answer = ("raised", error)
        self._say(*answer)

    def _say(self, *message: Any) -> None:
        with suppress(OSError):  # it has died, as its pool tells
            self._pipe.send(message)


def _ended_early(status: str = "no status") -> ToolError:
    return ToolError(
        f"the process that worked on this ended unexpectedly ({status}), perhaps because memory ran out; try "
        "again with smaller maps"
    )


class Workers:
    """So many processes at most, started when they are needed and kept until the server ends.

    Of those that keep models, which are large, only one is kept while it has nothing to do.
    """

    def __init__(
        self, count: int, *, keeps_models: bool = False, prepare: Callable[[], None] | None = None
    ) -> None:
        """None yet; ``keeps_models`` and ``prepare`` as ``Worker`` takes them."""
        self.turns = Turns(count)
        self._keeps_models, self._prepare = keeps_models, prepare
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._end_with_server, daemon=True).start()

    def start(self) -> None:
        """Start one if there is none, so that the first work need not wait for it."""
        if not (self._idle or self._busy):
            with self.one():
                pass

    @contextmanager
    def one(self) -> Iterator[Worker]:
        """One that is idle, for whoever has a seat.

        Raises:
            ToolError: none can be started.
        """
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is not None and not worker.is_alive:  # it died while it had nothing to do, or is stuck
            worker.end()
            worker = None
        worker = worker or Worker(keeps_models=self._keeps_models, prepare=self._prepare)
        self._busy.append(worker)
        try:
            yield worker
        finally:
            self._busy.remove(worker)
            with self._lock:
                is_kept = worker.is_free and not (self._keeps_models and self._idle)
                if is_kept:
                    self._idle.append(worker)
            if not is_kept:
                worker.end()

    def _end_with_server(self) -> None:
        """Kill them once the main thread has ended; else Python waits for their work before it ends too."""
        threading.main_thread().join()
        for worker in (*self._idle, *self._busy):
            worker.end()


def pool(*, word_models: bool = False) -> Workers | None:
    """This server's worker processes; None if it has none.

    Args:
        word_models: those that keep vectors of words and masked language models loaded. A second one starts only
            when there is more to do while one is at work, since long work never holds up what is short; one stays.

    Raises:
        OptionsError: TTED_WORKERS is no whole number from 0 on.
    """
    pools = _pools()
    return pools and pools[word_models]


def _end_of_file(writer: Any) -> None:
    """Close the writing end of a pool's pipe, whose process died while it sent its result.

    The pool would wait for the rest forever. It closes this end itself as soon as it reads the end of file, at the
    same time perhaps, so the handle is taken from it before.
    """
    handle, writer._handle = writer._handle, None  # noqa: SLF001
    if handle is not None:
        type(writer)(handle, readable=False).close()


def has_workers() -> bool:
    """Whether processes do the long work; otherwise threads of the server do."""
    return worker_count() > 0


def one_at_a_time(make: Callable[..., Result]) -> Callable[..., Result]:
    """A function that remembers what it makes, for threads: two that ask for the same would each make it."""
    locks: dict[tuple[Any, ...], threading.Lock] = {}

    @functools.wraps(make)
    def made(*given: Any) -> Result:
        with locks.setdefault(given, threading.Lock()):
            return make(*given)

    return made


@one_at_a_time
@functools.cache
def _pools() -> tuple[Workers, Workers] | None:
    count = worker_count()
    if not count:
        return None
    word_models = Workers(min(count, 2), keeps_models=True, prepare=warm_up_for_texts)
    return Workers(count, prepare=warm_up_solvers), word_models


def worker_count() -> int:
    """TTED_WORKERS: how many processes there are for long work; with 0 it is done in threads of the server.

    Without it, one less than the machine has cores, and two at least: long work never takes the last one, so that
    nobody's comparison waits for another's grid.

    Raises:
        OptionsError: it is no whole number from 0 on.
    """
    asked = os.environ.get("TTED_WORKERS", "").strip()
    if not asked:
        return max(2, (os.cpu_count() or 1) - 1)
    if not asked.isdecimal():
        raise OptionsError(f"TTED_WORKERS is {asked!r}; give the number of worker processes, 0 for threads")
    return int(asked)
