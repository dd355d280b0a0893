"""Long work in threads of the server: queued fairly, shared between users who request the same, and stoppable.

Long computations (compiled kernels, PyTorch) release Python's lock, so that pages are drawn meanwhile. Stopping
is cooperative: work checks its monitor.
"""

import math
import os
import pickle
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from cachetools import LRUCache

from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.monitor import Monitor, fraction

_Result = TypeVar("_Result")
# A function that reports its progress to a monitor and ends when the monitor says so.
Work: TypeAlias = Callable[[Monitor], _Result]

SEATS = max(2, os.cpu_count() or 1)  # number of jobs that run at a time; more would only share the cores

# Processor time that a job may take beside full seats; most need less, and others begin again on a seat.
TRIAL_SECONDS = 1.0

MOST_TRIAL_SECONDS = 8.0  # the longest time of such a trial, for work that waits for a child process, say

# A trial leaves room for the next one after this time, even if its work doesn't look at its monitor for long.
_ROOM_SECONDS = 1.0

_HALF_SECONDS = 10.0  # the time after which half of what a user has had no longer counts

# Of a thread whose work takes long, on Linux: short work, other people's texts and pages come first.
_NICENESS = 5

_LOOK_SECONDS = 0.5  # seconds between two updates of the position in the queue
AWAY_SECONDS = 20.0  # a user whose connection is lost for less may come back (a tunnel, a closed laptop)
MOST_BYTES = 256_000_000  # about 12 comparisons of maps with 1,900 nodes, or thousands of small ones


def max_seconds() -> float:
    """Time limit of any work, from TTED_MAX_SECONDS; infinite if that isn't set.

    Raises:
        OptionsError: it isn't a number above 0.
    """
    given = os.environ.get("TTED_MAX_SECONDS", "").strip() or "inf"
    with suppress(ValueError):
        if (seconds := float(given)) > 0:
            return seconds
    raise OptionsError(f"TTED_MAX_SECONDS is {given!r}; give the most seconds that any work may take")


class User:
    """The user of one session: when the connection was lost, and how long their jobs ran lately."""

    left = math.inf
    _spent, _spent_at = 0.0, 0.0

    def leave(self) -> None:
        """Note that the connection is lost: the tab may be closed."""
        self.left = time.monotonic()

    def has_left(self) -> bool:
        """Return True if the connection has been lost for longer than ``AWAY_SECONDS``."""
        return time.monotonic() - self.left > AWAY_SECONDS

    def recent_seconds(self) -> float:
        """Seconds that their jobs ran lately."""
        return self._spent * math.exp2((self._spent_at - time.monotonic()) / _HALF_SECONDS)

    def spend(self, seconds: float) -> None:
        """Note that a job ran for so long."""
        self._spent, self._spent_at = self.recent_seconds() + seconds, time.monotonic()


# The user for whom the current thread works.
WORKING_FOR: ContextVar[User | None] = ContextVar("working_for", default=None)


class Job(Future[_Result]):
    """The result that one user waits for.

    Attributes:
        stage: what is being done, in words.
        share: the part of it that is done, 0 to 1.
        was_cut: it was stopped after ``max_seconds``, the server's time limit.
    """

    stage, share, was_cut = "Starting", 0.0, False
    _stopped = False

    def __init__(self, user: User) -> None:
        super().__init__()
        self.user = user

    def stop(self) -> None:
        """End with the best result so far; without one if other users wait for the same result."""
        self._stopped = True

    @property
    def is_unwanted(self) -> bool:
        """True if the user has stopped it or left, or if Python ends."""
        return self._stopped or self.user.has_left() or not threading.main_thread().is_alive()


class _Task(Generic[_Result]):
    """Work, and all jobs that wait for its result."""

    begun, stopped = math.inf, False
    on_trial, was_tried, trial_ended = False, False, False
    thread, processor_begun = 0, 0.0

    def __init__(
        self, work: Work[_Result], job: Job[_Result], *, long: bool, lock: threading.Condition
    ) -> None:
        self.work, self.long, self.user, self.jobs = work, long, job.user, [job]
        self.monitor = Monitor(self._report, self._should_stop)
        self._limit, self._lock = max_seconds(), lock

    def _report(self, stage: str, done: float, total: float) -> None:
        for job in tuple(self.jobs):
            job.stage, job.share = stage, fraction(done, total)

    def _should_stop(self) -> bool:
        """True once the time is over or no job wants the work; a single unwanted job ends without a result."""
        with self._lock:
            if time.monotonic() - self.begun > self._limit:
                self.stopped = True
                for job in self.jobs:
                    job.was_cut = True
            unwanted = [job for job in self.jobs if job.is_unwanted]
            self.stopped |= len(unwanted) == len(self.jobs)
            for job in () if self.stopped else unwanted:
                self.jobs.remove(job)
                job.set_exception(Interrupted("stopped before there was a result; start it again"))
            used = time.thread_time() - self.processor_begun if threading.get_ident() == self.thread else 0.0
            too_long = used > TRIAL_SECONDS or time.monotonic() - self.begun > MOST_TRIAL_SECONDS
            self.trial_ended |= self.on_trial and too_long
            return self.stopped or self.trial_ended

    def begin(self, *, on_trial: bool) -> None:
        """Begin the work in this thread."""
        if (
            self.was_tried and not on_trial and sys.platform == "linux"
        ):  # it takes long; its thread is its own
            thread = threading.get_native_id()
            niceness = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, niceness + _NICENESS)
        self.on_trial, self.was_tried = on_trial, on_trial
        self.thread, self.processor_begun = threading.get_ident(), time.thread_time()
        self.begun = time.monotonic()
        self.monitor.stage("Starting")


def bytes_of(result: object) -> int:
    """The size of a result, pickled, without copying its arrays."""
    arrays: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(result, protocol=5, buffer_callback=arrays.append)
    return len(rest) + sum(each.raw().nbytes for each in arrays)


class Executor:
    """Seats for running work, a queue for them, and shared results. Thread-safe.

    If all seats are taken, waiting jobs are on trial beside them for a second, ``trials`` at a time: so short work
    doesn't wait for the end of long work, which isn't known to be long before.
    """

    def __init__(self, seats: int = SEATS, trials: int = 1) -> None:
        """Make an executor that runs ``seats`` tasks at a time, and ``trials`` beside them on trial."""
        self._seats, self._trials = seats, trials
        self._waiting: list[_Task[Any]] = []
        self._seated: list[_Task[Any]] = []
        self._shared: dict[Hashable, _Task[Any]] = {}
        self._kept: LRUCache[Hashable, Any] = LRUCache(MOST_BYTES, getsizeof=bytes_of)
        self._changed = threading.Condition(threading.RLock())

    def submit(
        self,
        work: Work[_Result],
        user: User,
        *,
        long: bool = False,
        before: Work[object] | None = None,
        key: Hashable = None,
        keeps: Callable[[_Result], bool] = lambda _result: True,
    ) -> Job[_Result]:
        """Begin some work, or wait for the same work if it is under way.

        Args:
            work: see ``Work``.
            user: it is stopped once this user has left.
            long: it may take many minutes, and never takes the last seat.
            before: run before a seat is taken; waits for vectors, for example.
            key: equal keys have equal results, which all users share; None shares none.
            keeps: True for a result that other users may get.

        Raises:
            OptionsError: TTED_MAX_SECONDS isn't a number above 0.
        """
        job: Job[_Result] = Job(user)
        task = _Task(work, job, long=long, lock=self._changed)
        with self._changed:
            for kept_for in (None, user):
                if (key, kept_for) in self._kept:
                    job.set_result(self._kept[key, kept_for])
                    return job
            others = self._shared.get(key)
            if others is not None and not others.stopped:
                others.jobs.append(job)
                return job
            if key is not None:
                self._shared[key] = task
        # No daemon: PyTorch aborts if its thread is killed, so Python has to wait for it.
        threading.Thread(target=self._run, args=(task, before, key, keeps)).start()
        return job

    def forget(self, key: Hashable, user: User) -> None:
        """Drop the cached result of a key."""
        with self._changed:
            for kept_for in (None, user):
                self._kept.pop((key, kept_for), None)

    def _run(
        self,
        task: _Task[_Result],
        before: Work[object] | None,
        key: Hashable,
        keeps: Callable[[_Result], bool],
    ) -> None:
        WORKING_FOR.set(task.user)
        try:
            if before is not None:
                before(task.monitor)
            result = self._result(task)
            if key is not None and not task.stopped:
                with self._changed, suppress(ValueError):  # larger than all that is kept
                    self._kept[key, None if keeps(result) else task.user] = result
        except BaseException as error:  # noqa: BLE001 - raised again where the result is read
            outcome: Callable[[Job[_Result]], None] = partial(Job.set_exception, exception=error)
        else:
            outcome = partial(Job.set_result, result=result)
        with self._changed:  # no more jobs join it
            if self._shared.get(key) is task:
                del self._shared[key]
            jobs, task.jobs = task.jobs, []
        for job in jobs:
            outcome(job)

    def _result(self, task: _Task[_Result]) -> _Result:
        """Work on a seat, or on trial and then from the beginning on a seat."""
        with self._seat(task):
            try:
                result = task.work(task.monitor)
            except Interrupted:
                if not task.trial_ended or task.stopped:
                    raise
            else:
                if not task.trial_ended or task.stopped:
                    return result
        task.trial_ended = False
        return self._result(task)

    @contextmanager
    def _seat(self, task: _Task[Any]) -> Iterator[None]:
        """Hold a seat inside, or be on trial; wait for it first."""
        with self._changed:
            self._waiting.append(task)
            try:
                while not (has_seat := self._has_seat(task)) and not self._may_try(task):
                    task.monitor.check("stopped before its turn came; start it again")
                    before = self._order().index(task)
                    task.monitor.stage(f"Waiting: {before} before you" if before else "Waiting: you are next")
                    self._changed.wait(_LOOK_SECONDS)
            finally:
                self._waiting.remove(task)
                self._changed.notify_all()
            self._seated.append(task)
            task.begin(on_trial=not has_seat)
        try:
            yield
        finally:
            with self._changed:
                self._seated.remove(task)
                task.user.spend(time.monotonic() - task.begun)
                task.on_trial = False
                self._changed.notify_all()

    def _has_seat(self, task: _Task[Any]) -> bool:
        """Return True if a seat is free, and it is this task's turn."""
        seated = [each for each in self._seated if not each.on_trial]
        long = sum(each.long for each in seated)
        may_sit = [each for each in self._order() if not each.long or long < max(1, self._seats - 1)]
        return len(seated) < self._seats and may_sit[:1] == [task]

    def _may_try(self, task: _Task[Any]) -> bool:
        """Return True if there is room for one more on trial, and it is this task's turn."""
        untried = [each for each in self._order() if not (each.long or each.was_tried)]
        ages = [
            time.monotonic() - each.begun for each in self._seated if each.on_trial and not each.trial_ended
        ]
        young = sum(age < _ROOM_SECONDS for age in ages)
        return young < self._trials and len(ages) < 2 * self._trials and untried[:1] == [task]

    def _order(self) -> list[_Task[Any]]:
        """The waiting tasks: each user's first, then the second; who has had least comes first."""
        rounds, turns = Counter(each.user for each in self._seated), []
        for task in self._waiting:
            turns.append((rounds[task.user], task.user.recent_seconds()))
            rounds[task.user] += 1
        return [task for _, task in sorted(zip(turns, self._waiting, strict=True), key=lambda each: each[0])]


# The executor of this server. Of two jobs on trial, a long one doesn't hold up a short one.
EXECUTOR = Executor(trials=2)
