"""Results kept for the next request, bounded by the bytes that they take."""

import pickle
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

MOST_BYTES = 256_000_000
"""About 12 comparisons of maps with 1,900 nodes, or thousands of small ones."""


def bytes_of(result: object) -> int:
    """The size of a result: its arrays, which aren't copied for it, and the rest pickled."""
    arrays: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(result, protocol=5, buffer_callback=arrays.append)
    return len(rest) + sum(each.raw().nbytes for each in arrays)


class KeptResults:
    """The results that were used last, by their keys; safe with threads."""

    def __init__(self) -> None:
        """Nothing is kept."""
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0

    def __getitem__(self, key: Hashable) -> Any:
        """The result of a key, which becomes the one that was used last.

        Raises:
            KeyError: none is kept.
        """
        with self._lock:
            self._results.move_to_end(key)
            return self._results[key][0]

    def __setitem__(self, key: Hashable, result: object) -> None:
        """Keep a result; those that were used longest ago give way."""
        size = bytes_of(result)
        with self._lock:
            self.size += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = result, size
            while self.size > MOST_BYTES:
                self.size -= self._results.popitem(last=False)[1][1]

    def drop(self, key: Hashable) -> None:
        """Forget the result of a key, if there is one."""
        with self._lock:
            self.size -= self._results.pop(key, (None, 0))[1]
