"""Long work in threads of the server: done by turns, once for all who request the same, and stopped.

What takes long gives up Python's lock (compiled kernels, PyTorch), so that pages are drawn meanwhile. Stopping is
cooperative: work looks at its monitor.
"""

import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeAlias, TypeVar

from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.monitor import Monitor, share
from ui.kept_results import KeptResults

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Monitor], Result]
"""A function that reports its progress to a monitor and ends when the monitor says so."""

SEATS = max(2, os.cpu_count() or 1)
"""Number of works at a time; more would only share the cores."""

LOOK_SECONDS = 0.5
"""How often a waiting work updates how many come first."""

AWAY_SECONDS = 20.0
"""A user whose connection is gone for less may come back (a tunnel, a laptop's lid)."""


def max_seconds() -> float:
    """TTED_MAX_SECONDS, after which any work is stopped; infinite without it.

    Raises:
        OptionsError: it is no number above 0.
    """
    given = os.environ.get("TTED_MAX_SECONDS", "").strip()
    try:
        seconds = float(given or "inf")
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise OptionsError(f"TTED_MAX_SECONDS is {given!r}; give the most seconds that any work may take")
    return seconds


class Visitor:
    """The user of one session."""

    def __init__(self) -> None:
        """Connected."""
        self.last_seat = 0.0
        self._left = math.inf

    def leave(self) -> None:
        """Note that the connection is gone: the tab was closed, perhaps."""
        self._left = time.monotonic()

    def come_back(self) -> None:
        """Note that the page runs."""
        self._left = math.inf

    def has_left(self) -> bool:
        """Return True if the connection has been gone for longer than ``AWAY_SECONDS``."""
        return time.monotonic() - self._left > AWAY_SECONDS


class Job(Future[Result]):
    """A future of one visitor.

    Attributes:
        stage: what is being done, in words.
        share: how much of it is done, 0 to 1.
        was_cut: whether it was stopped because the server gives no work more than ``max_seconds``.
    """

    def __init__(self, visitor: Visitor) -> None:
        """Nobody works on it yet."""
        super().__init__()
        self.stage, self.share, self.was_cut = "Starting", 0.0, False
        self.visitor = visitor
        self._stopped = False

    def stop(self) -> None:
        """End with the best result so far; where others wait for the same, without one."""
        self._stopped = True

    @property
    def is_unwanted(self) -> bool:
        """Whether its visitor has stopped it, or has left, or Python ends."""
        return self._stopped or self.visitor.has_left() or not threading.main_thread().is_alive()


class _Task(Generic[Result]):
    """Some work, and all jobs that wait for it."""

    def __init__(
        self, work: Work[Result], job: Job[Result], lock: threading.Condition, *, long: bool
    ) -> None:
        self.work, self.long = work, long
        self.jobs = [job]
        self.visitor = job.visitor
        self.begun, self._limit = math.inf, max_seconds()
        self.stopped = False
        self.monitor = Monitor(self._tell, self._should_stop)
        self._lock = lock

    def _tell(self, stage: str, done: float, total: float) -> None:
        for job in tuple(self.jobs):
            job.stage, job.share = stage, share(done, total)

    def _should_stop(self) -> bool:
        """Whether the time is over or nobody wants it; whoever alone has stopped it gets no result."""
        with self._lock:
            if time.monotonic() - self.begun > self._limit:
                self.stopped = True
                for job in self.jobs:
                    job.was_cut = True
            unwanted = [job for job in self.jobs if job.is_unwanted]
            if len(unwanted) == len(self.jobs):
                self.stopped = True
            elif not self.stopped:
                for job in unwanted:
                    self.jobs.remove(job)
                    job.set_exception(Interrupted("stopped before there was a result; start it again"))
            return self.stopped


class Executor:
    """The seats, the queue before them, and the results that are shared; safe with threads."""

    def __init__(self, seats: int = SEATS) -> None:
        """Nothing waits."""
        self._seats = seats
        self._waiting: list[_Task[Any]] = []
        self._seated: list[_Task[Any]] = []
        self._shared: dict[Hashable, _Task[Any]] = {}
        self._kept = KeptResults()
        self._changed = threading.Condition(threading.RLock())

    def submit(
        self,
        work: Work[Result],
        visitor: Visitor,
        *,
        long: bool = False,
        before: Work[object] | None = None,
        key: Hashable = None,
        keeps: Callable[[Result], bool] = lambda _result: True,
    ) -> Job[Result]:
        """Begin some work, or wait for the same one that is under way.

        Args:
            work: see ``Work``.
            visitor: who wants it; it is stopped once this one has left.
            long: whether it may take many minutes; it never takes the last seat.
            before: what is done before a seat is taken, such as waiting for vectors.
            key: equal keys have equal results, which all visitors share; None shares none.
            keeps: whether a result is good enough for other visitors.

        Raises:
            OptionsError: TTED_MAX_SECONDS is no number above 0.
        """
        job: Job[Result] = Job(visitor)
        task = _Task(work, job, self._changed, long=long)
        with self._changed:
            for kept_for in (None, visitor):
                with suppress(KeyError):
                    job.set_result(self._kept[key, kept_for])
                    return job
            others = self._shared.get(key)
            if others is not None and not others.stopped:
                others.jobs.append(job)
                return job
            if key is not None:
                self._shared[key] = task
        # No daemon: PyTorch aborts if its thread is ended under it, so that Python has to wait for it.
        threading.Thread(target=self._run, args=(task, before, key, keeps)).start()
        return job

    def forget(self, key: Hashable, visitor: Visitor) -> None:
        """Drop the result that is kept for a key."""
        for kept_for in (None, visitor):
            self._kept.drop((key, kept_for))

    def _run(
        self, task: _Task[Result], before: Work[object] | None, key: Hashable, keeps: Callable[[Result], bool]
    ) -> None:
        try:
            if before is not None:
                before(task.monitor)
            with self._seat(task):
                result = task.work(task.monitor)
            if key is not None and not task.stopped:
                self._kept[key, None if keeps(result) else task.visitor] = result
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            for job in self._over(task, key):
                job.set_exception(error)
        else:
            for job in self._over(task, key):
                job.set_result(result)

    def _over(self, task: _Task[Result], key: Hashable) -> list[Job[Result]]:
        """The jobs of a task that is over; none joins them any more."""
        with self._changed:
            if self._shared.get(key) is task:
                del self._shared[key]
            jobs, task.jobs = task.jobs, []
        return jobs

    @contextmanager
    def _seat(self, task: _Task[Any]) -> Iterator[None]:
        """Wait until it is the task's turn."""
        with self._changed:
            self._waiting.append(task)
            try:
                while not self._may_begin(task):
                    task.monitor.check("stopped before its turn came; start it again")
                    before = self._order().index(task)
                    task.monitor.stage(f"Waiting: {before} before you" if before else "Waiting: you are next")
                    self._changed.wait(LOOK_SECONDS)
            finally:
                self._waiting.remove(task)
                self._changed.notify_all()
            self._seated.append(task)
        task.begun = task.visitor.last_seat = time.monotonic()
        try:
            task.monitor.stage("Starting")
            yield
        finally:
            with self._changed:
                self._seated.remove(task)
                self._changed.notify_all()

    def _may_begin(self, task: _Task[Any]) -> bool:
        long = sum(each.long for each in self._seated)
        may_sit = [each for each in self._order() if not each.long or long < max(1, self._seats - 1)]
        return len(self._seated) < self._seats and may_sit[:1] == [task]

    def _order(self) -> list[_Task[Any]]:
        """The waiting tasks by turns: one of each visitor, then the second of each; who sat longest ago first."""
        rounds, turns = Counter(each.visitor for each in self._seated), []
        for task in self._waiting:
            turns.append((rounds[task.visitor], task.visitor.last_seat))
            rounds[task.visitor] += 1
        return [task for _, task in sorted(zip(turns, self._waiting, strict=True), key=lambda each: each[0])]


EXECUTOR = Executor()
"""This server's."""
