"""Work for the server's processes: it waits for its visitor's turn, and what several ask for is computed once."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from tted_core.errors import Interrupted
from tted_core.foundations.monitor import Monitor
from ui.processes.sharing import Shared
from ui.processes.turns import Turns
from ui.processes.workers import Workers, pool

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Monitor], Result]
"""Does it under a monitor, which is told how far it is, and asked whether it should stop.

A function of a module with its arguments (``partial``), never one made inside another: it is sent to a process.
"""

LOOK_SECONDS = 0.5
"""So often each visitor who waits in the queue is told of it; a hundred may."""

_SHARED = Shared()


@dataclass(frozen=True)
class Task(Generic[Result]):
    """Some work, and how it is to be done.

    Args:
        work: see ``Work``.
        visitor: who takes turns with the others.
        long: whether it may take many minutes.
        word_models: whether to do it in a process that keeps models of words loaded.
        beforehand: what to do before a seat is taken, which is mostly waiting for another process.
        shared: the key by which other visitors ask for the same, and whether a result is one for them.
    """

    work: Work[Result]
    visitor: Hashable
    long: bool = False
    word_models: bool = False
    beforehand: Work[object] | None = None
    shared: tuple[Hashable, Callable[[Result], bool]] | None = None


@dataclass(frozen=True)
class Caller:
    """Whoever waits for the result of a task.

    Args:
        monitor: is told how far it is, and asked whether it should stop.
        begin: is called once the work begins, after all waiting.
        is_unwanted: whether nobody wants a result any more, so that the work may be killed.
    """

    monitor: Monitor
    begin: Callable[[], None]
    is_unwanted: Callable[[], bool]


def any_result(_result: object) -> bool:
    """Of a shared task: whatever comes out will do for the others."""
    return True


def carry_out(task: Task[Result], caller: Caller) -> Result:
    """What the work returns: in one of this server's processes, or in this one where there are none.

    Raises:
        TTEDError: what it raises; ``Interrupted`` if it was stopped before there was a result, ``ToolError`` if
            its process died.
    """
    workers = pool(word_models=task.word_models)
    if workers is None:
        caller.begin()
        return task.work(caller.monitor)
    compute = partial(_computed, task, caller, workers)
    if task.shared is None:
        return compute()
    key, will_do = task.shared
    monitor = caller.monitor
    return _SHARED.result(
        key,
        compute,
        will_do=lambda result: will_do(result) and not monitor.stopped,  # else it may be a part
        should_stop=lambda: monitor.stopped,
    )


def _computed(task: Task[Result], caller: Caller, workers: Workers) -> Result:
    """What the work returns, once it is the visitor's turn."""
    if task.beforehand is not None:
        task.beforehand(caller.monitor)
    with _seat(task, caller.monitor, workers.turns):
        caller.begin()
        with workers.one() as worker:
            return worker.run(task.work, caller.monitor, caller.is_unwanted)


@contextmanager
def _seat(task: Task[Result], monitor: Monitor, turns: Turns) -> Iterator[None]:
    """Wait until it is the visitor's turn."""
    ticket = turns.ask(task.visitor, long=task.long)
    try:
        while not ticket.wait(LOOK_SECONDS):
            if monitor.stopped:
                raise Interrupted("stopped before its turn came; start it again")
            before = turns.before(ticket)
            monitor.stage(f"Waiting: {before} before you" if before else "Waiting: you are next")
        monitor.stage("Starting")
        yield
    finally:
        turns.leave(ticket)
