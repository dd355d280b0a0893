"""Progress reports and cancellation of long work, by its caller or by a time limit."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from tted_core.errors import Interrupted, OptionsError

_Item = TypeVar("_Item")
# Called with the stage in words, the number of finished steps, and their total.
ReportProgress: TypeAlias = Callable[[str, float, float], None]


@dataclass(eq=False)
class Monitor:
    """Receives the progress of long work and decides if it goes on.

    Work calls ``stage`` and ``advance``, and often ``check``, which raises ``Interrupted`` when it should stop.
    Work that can return a partial result reads ``stopped`` instead.

    >>> monitor = Monitor(lambda stage, done, total: print(f"{stage}: {done} of {total}"))
    >>> monitor.stage("Reading maps")
    Reading maps: 0.0 of 1.0
    >>> monitor.advance(3, 12)
    Reading maps: 3 of 12
    """

    report: ReportProgress = lambda _stage, _done, _total: None
    should_stop: Callable[[], bool] = lambda: False
    _stage: str = field(default="", init=False)

    def stage(self, name: str, share: float = 0.0) -> None:
        """Begin a stage, or report the share of it that is done, 0 to 1."""
        self._stage = name
        self.report(name, share, 1.0)

    def advance(self, done: float, total: float) -> None:
        """Report the number of finished steps of the stage; for a search, the lower and the upper bound."""
        self.report(self._stage, done, total)

    @property
    def stopped(self) -> bool:
        """True if the work should stop."""
        return self.should_stop()

    def check(self, message: str = "stopped before there was a result; run it again") -> None:
        """Raise ``Interrupted`` if the work should stop."""
        if self.stopped:
            raise Interrupted(message)

    def over(self, items: Sequence[_Item], stage: str) -> Iterator[_Item]:
        """Iterate over items as a stage, with a check before each."""
        for number, item in enumerate(items):
            self.check()
            self.stage(stage, number / len(items))
            yield item

    def with_report(self, report: ReportProgress) -> "Monitor":
        """A monitor that stops with this one and reports to another function."""
        return Monitor(report, self.should_stop)

    def part(self, number: int, count: int) -> "Monitor":
        """A monitor for part ``number`` of ``count`` equal parts."""
        return self.with_report(
            lambda name, done, total: self.stage(name, (number + fraction(done, total)) / count)
        )


UNWATCHED = Monitor()  # reports nothing and never stops


def check_monitor(given: Monitor | None) -> Monitor:
    """Validate a caller's monitor; ``UNWATCHED`` for None."""
    if given is not None and not isinstance(given, Monitor):
        raise OptionsError(
            f"the monitor is of the type {type(given).__name__}; give Monitor(report, should_stop)"
        )
    return given or UNWATCHED


def fraction(done: float, total: float) -> float:
    """The part that is done, from 0 to 1."""
    return min(max(done / total, 0.0), 1.0) if total else 1.0


def with_rates(report: ReportProgress) -> ReportProgress:
    """Report each stage as it begins, and later reports with rate and remaining time."""
    stage, start = "", 0.0

    def report_with_rate(name: str, done: float, total: float) -> None:
        nonlocal stage, start
        now = time.monotonic()
        if name != stage:
            stage, start = name, now
        report(so_far(name, done, total, now - start) if done else name, done, total)

    return report_with_rate


def so_far(stage: str, done: float, total: float, seconds: float) -> str:
    """A stage's progress after so many seconds, with its rate and the remaining time.

    >>> so_far("Reading maps", 20, 100, 4.0)
    'Reading maps: 20 of 100, 5 a second, 16 s left'
    """
    rate = done / max(seconds, 1e-9)
    shown = f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"
    line = f"{stage}: {done:,} of {total:,}, {shown} a second"
    if done < total and rate > 0:
        line += f", {_spoken((total - done) / rate)} left"
    return line


def _spoken(seconds: float) -> str:
    """Format seconds for people.

    >>> _spoken(42), _spoken(754), _spoken(9000)
    ('42 s', '12:34 min', '2:30 h')
    """
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"
