"""Results that several visitors ask for, computed once, by whoever comes first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from tted_core.errors import Interrupted

Result = TypeVar("Result")

LOOK_SECONDS = 0.5
KEPT = 64
"""Results kept of those that were asked for last: comparisons of a link or of samples, what Learn shows."""


class Shared:
    """Results by their keys; safe with threads."""

    def __init__(self) -> None:
        """None yet."""
        self._results: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def result(
        self,
        key: Hashable,
        compute: Callable[[], Result],
        *,
        will_do: Callable[[Result], bool],
        should_stop: Callable[[], bool],
    ) -> Result:
        """The result for this key, computed here or awaited from whoever computes it already.

        Args:
            key: equal keys have equal results.
            compute: computes it; what it raises is raised for those who wait as well, unless it was stopped.
            will_do: whether a result is one for others; else they compute their own.
            should_stop: whether to wait no longer.

        Raises:
            Interrupted: stopped while somebody else computed it.
        """
        with self._lock:
            others = self._results.get(key)
            mine = self._results.setdefault(key, Future())
            self._results.move_to_end(key)
        if others is not None:
            return self._awaited(others, compute, should_stop)
        try:
            result = compute()
        except BaseException as error:
            if isinstance(error, Interrupted):
                self._leave(key, mine)
            else:
                self._drop(key)
                mine.set_exception(error)
            raise
        if will_do(result):
            mine.set_result(result)
        else:
            self._leave(key, mine)
        with self._lock:
            done = [each for each, answer in self._results.items() if answer.done()]
            for each in done[:-KEPT]:
                del self._results[each]
        return result

    def _awaited(
        self, answer: Future[Any], compute: Callable[[], Result], should_stop: Callable[[], bool]
    ) -> Result:
        while not wait([answer], LOOK_SECONDS).done:
            if should_stop():
                raise Interrupted("stopped before there was a result; start it again")
        if answer.cancelled():
            return compute()
        result: Result = answer.result()
        return result

    def _leave(self, key: Hashable, mine: Future[Any]) -> None:
        """Have those who wait compute their own."""
        self._drop(key)
        mine.cancel()
        mine.set_running_or_notify_cancel()  # ``wait`` sees no cancelled future before

    def _drop(self, key: Hashable) -> None:
        with self._lock:
            del self._results[key]
