"""Long work in threads of the server: by turns of the visitors, once for all who ask the same, and stopped.

What takes its time gives up Python's lock (compiled kernels, PyTorch), so that pages are drawn meanwhile. Stopping
is cooperative: work looks at its monitor.
"""

import itertools
import math
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Generic, TypeAlias, TypeVar

from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.monitor import Monitor, share

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Monitor], Result]
"""Does it under a monitor, which is told how far it is, and asked whether it should stop."""

SEATS = max(2, os.cpu_count() or 1)
"""So many works at a time; more would only share the cores."""

LOOK_SECONDS = 0.5
"""So often who waits for a seat is told how many come first."""

AWAY_SECONDS = 20.0
"""A visitor whose connection is gone for less may come back to what was under way (a tunnel, a laptop's lid)."""

KEPT = 64
"""Results kept of those that were asked for last: comparisons of a link or of samples, intervals of results."""


def max_seconds() -> float:
    """TTED_MAX_SECONDS: after so long any work is stopped, whatever its visitor asked for; without it, never.

    Raises:
        OptionsError: it is no number above 0.
    """
    asked = os.environ.get("TTED_MAX_SECONDS", "").strip()
    try:
        seconds = float(asked or "inf")
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise OptionsError(f"TTED_MAX_SECONDS is {asked!r}; give the most seconds that any work may take")
    return seconds


class Visitor:
    """The one whose session it is."""

    def __init__(self) -> None:
        """There, for now."""
        self._left = math.inf

    def leave(self) -> None:
        """The connection is gone: the tab was closed, perhaps."""
        self._left = time.monotonic()

    def come_back(self) -> None:
        """The page runs, so there is somebody."""
        self._left = math.inf

    def has_left(self) -> bool:
        """Whether the connection has been gone for longer than one waits."""
        return time.monotonic() - self._left > AWAY_SECONDS


class Job(Future[Result]):
    """What one visitor waits for: a future that tells how far its work is, and that can be stopped.

    Attributes:
        number: tells it from all others.
        stage: what is being done, in words.
        share: how much of it is done, 0 to 1.
        was_cut: whether it was stopped because the server gives no work more than ``max_seconds``.
    """

    numbers = itertools.count(1)

    def __init__(self, visitor: Visitor) -> None:
        """Nobody works on it yet."""
        super().__init__()
        self.number = next(self.numbers)
        self.stage, self.share = "Starting", 0.0
        self.was_cut = False
        self.visitor = visitor
        self._stopped = False

    def stop(self) -> None:
        """Ask it to end with the best result so far."""
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
        self.begun = math.inf
        self.stopped = False
        self.monitor = Monitor(self._tell, self._should_stop)
        self._lock = lock
        self._limit = max_seconds()

    def _tell(self, stage: str, done: float, total: float) -> None:
        for job in tuple(self.jobs):
            job.stage, job.share = stage, share(done, total)

    def _should_stop(self) -> bool:
        """Whether nobody wants it any more; who alone has stopped it gets no result, and the others go on."""
        with self._lock:
            if time.monotonic() - self.begun > self._limit:
                self.stopped = True
                for job in self.jobs:
                    job.was_cut = True
            unwanted = [job for job in self.jobs if job.is_unwanted]
            if len(unwanted) == len(self.jobs):
                self.stopped = True
                return True
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
        self._served: dict[Visitor, int] = {}
        """How many seats each visitor has had who has work here."""
        self._shared: dict[Hashable, _Task[Any]] = {}
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
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
            keeps: whether a result will do for those who come later.

        Raises:
            OptionsError: TTED_MAX_SECONDS is no number above 0.
        """
        job: Job[Result] = Job(visitor)
        task = _Task(work, job, self._changed, long=long)
        with self._changed:
            if key in self._kept:
                self._kept.move_to_end(key)
                job.set_result(self._kept[key])
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

    def _run(
        self, task: _Task[Result], before: Work[object] | None, key: Hashable, keeps: Callable[[Result], bool]
    ) -> None:
        try:
            if before is not None:
                before(task.monitor)
            with self._seat(task):
                result = task.work(task.monitor)
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            for job in self._over(task, key):
                job.set_exception(error)
            return
        with self._changed:
            if key is not None and not task.stopped and keeps(result):
                self._kept[key] = result
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        for job in self._over(task, key):
            job.set_result(result)

    def _over(self, task: _Task[Result], key: Hashable) -> list[Job[Result]]:
        """Those who wait for a task that is over; nobody joins them any more."""
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
            self._served.setdefault(task.visitor, min(self._served.values(), default=0))
        try:
            while (before := self._before(task)) is not None:
                task.monitor.check("stopped before its turn came; start it again")
                task.monitor.stage(f"Waiting: {before} before you" if before else "Waiting: you are next")
            task.begun = time.monotonic()
            task.monitor.stage("Starting")
            yield
        finally:
            with self._changed:
                (self._seated if task in self._seated else self._waiting).remove(task)
                here = {each.visitor for each in (*self._waiting, *self._seated)}
                self._served = {each: count for each, count in self._served.items() if each in here}
                self._changed.notify_all()

    def _before(self, task: _Task[Any]) -> int | None:
        """How many come before a task, after waiting a moment; None once it has a seat."""
        with self._changed:
            long = sum(each.long for each in self._seated)
            may_sit = [each for each in self._order() if not each.long or long < max(1, self._seats - 1)]
            if len(self._seated) < self._seats and may_sit and may_sit[0] is task:
                self._waiting.remove(task)
                self._seated.append(task)
                self._served[task.visitor] += 1
                self._changed.notify_all()
                return None
            self._changed.wait(LOOK_SECONDS)
            return self._order().index(task)

    def _order(self) -> list[_Task[Any]]:
        """Those that wait, by turns: from each visitor one goes first, then from each the second, and so on."""
        rounds, places = dict(self._served), []
        for task in self._waiting:
            places.append(rounds[task.visitor])
            rounds[task.visitor] += 1
        return [task for _, task in sorted(zip(places, self._waiting, strict=True), key=lambda each: each[0])]


EXECUTOR = Executor()
"""This server's."""
