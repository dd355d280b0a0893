"""A cache for functions called by several threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


def once_each(most: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Compute each result of a function once, and keep the ``most`` recently used ones.

    Threads that need the same result wait for the first of them; others don't wait. Errors aren't cached. As with
    ``functools.cache``, ``cache_clear`` empties the cache.
    """

    def decorated(make: Callable[Given, Made]) -> Callable[Given, Made]:
        kept: OrderedDict[Hashable, Future[Made]] = OrderedDict()
        lock = threading.Lock()

        @wraps(make)
        def made(*given: Given.args, **named: Given.kwargs) -> Made:
            key = given, tuple(sorted(named.items()))
            with lock:
                is_first = key not in kept
                answer = kept.setdefault(key, Future())
                kept.move_to_end(key)
                if len(kept) > most:
                    kept.popitem(last=False)
            if is_first:
                try:
                    answer.set_result(make(*given, **named))
                except BaseException as error:  # noqa: BLE001 - raised by the last line in all waiting threads
                    answer.set_exception(error)
                    with lock:
                        kept.pop(key, None)
            return answer.result()

        made.cache_clear = kept.clear  # type: ignore[attr-defined]
        return made

    return decorated
