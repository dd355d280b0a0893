"""Long work watched: how far it is, and whether it should stop, because of its caller or of a time limit."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from tted_core.errors import Interrupted, OptionsError

Item = TypeVar("Item")
Tell: TypeAlias = Callable[[str, float, float], None]
"""Called with the stage in words, the steps of it that are done, and how many there are."""


class Monitor:
    """What long work is handed to tell how far it is, and to ask whether to go on.

    Work calls ``stage`` and ``advance``, and often ``check``, which raises ``Interrupted`` once it should
    stop. Work that can give a part of its result looks at ``stopped`` instead.

    >>> monitor = Monitor(lambda stage, done, total: print(f"{stage}: {done} of {total}"))
    >>> monitor.stage("Reading maps")
    Reading maps: 0.0 of 1.0
    >>> monitor.advance(3, 12)
    Reading maps: 3 of 12
    """

    def __init__(
        self,
        tell: Tell = lambda _stage, _done, _total: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Watch by these two; without them nobody is told, and nothing stops."""
        self.tell = tell
        self.should_stop = should_stop
        self._stage = ""

    def stage(self, name: str, share: float = 0.0) -> None:
        """Begin a stage, or say which share of it is done, 0 to 1."""
        self._stage = name
        self.tell(name, share, 1.0)

    def advance(self, done: float, total: float) -> None:
        """Say how many steps of the stage are done; of a search, the lower and the upper bound."""
        self.tell(self._stage, done, total)

    @property
    def stopped(self) -> bool:
        """Whether the work should stop."""
        return self.should_stop()

    def check(self, message: str = "stopped before there was a result; run it again") -> None:
        """Go on, or give up."""
        if self.stopped:
            raise Interrupted(message)

    def over(self, items: Sequence[Item], stage: str) -> Iterator[Item]:
        """The items one by one as a stage, with a check before each."""
        for number, item in enumerate(items):
            self.check()
            self.stage(stage, number / len(items))
            yield item

    def telling(self, tell: Tell) -> "Monitor":
        """A monitor that stops with this one, and tells otherwise."""
        return Monitor(tell, self.should_stop)

    def part(self, number: int, count: int, stage: str | None = None) -> "Monitor":
        """A monitor for part ``number`` of ``count`` equal ones; its stages have this name, or each its own."""
        return self.telling(
            lambda name, done, total: self.stage(stage or name, (number + share(done, total)) / count)
        )


UNWATCHED = Monitor()
"""Tells nobody, and never stops."""


def checked_monitor(given: Monitor | None) -> Monitor:
    """The monitor that a caller gave; ``UNWATCHED`` for None."""
    if given is not None and not isinstance(given, Monitor):
        raise OptionsError(
            f"the monitor is of the type {type(given).__name__}; give Monitor(tell, should_stop)"
        )
    return given or UNWATCHED


def share(done: float, total: float) -> float:
    """The share that is done, from 0 to 1."""
    return min(max(done / total, 0.0), 1.0) if total else 1.0


def with_rates(tell: Tell) -> Tell:
    """Tell the beginning of each stage, and then its rate and the time that is left as well."""
    stage, start = "", 0.0

    def told(name: str, done: float, total: float) -> None:
        nonlocal stage, start
        now = time.monotonic()
        if name != stage:
            stage, start = name, now
        tell(so_far(name, done, total, now - start) if done else name, done, total)

    return told


def so_far(stage: str, done: float, total: float, seconds: float) -> str:
    """How far a stage is after so many seconds, how fast it goes, and how long it will take.

    >>> so_far("Reading maps", 20, 100, 4.0)
    'Reading maps: 20 of 100, 5 a second, 16 s left'
    """
    rate = done / max(seconds, 1e-9)
    line = f"{stage}: {done:,} of {total:,}, {rate:,.3g} a second"
    if done < total and rate > 0:
        line += f", {_spoken((total - done) / rate)} left"
    return line


def _spoken(seconds: float) -> str:
    """Seconds as people read them.

    >>> _spoken(42), _spoken(754), _spoken(9000)
    ('42 s', '12:34 min', '2:30 h')
    """
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"
