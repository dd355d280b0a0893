"""A cache of results, limited by their size in bytes."""

import pickle
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

MOST_BYTES = 256_000_000
"""About 12 comparisons of maps with 1,900 nodes, or thousands of small ones."""


def bytes_of(result: object) -> int:
    """The size of a result, pickled, without copying its arrays."""
    arrays: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(result, protocol=5, buffer_callback=arrays.append)
    return len(rest) + sum(each.raw().nbytes for each in arrays)


class KeptResults:
    """The most recently used results by key. Thread-safe."""

    def __init__(self) -> None:
        """Make an empty cache."""
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0

    def __getitem__(self, key: Hashable) -> Any:
        """The result of a key, which becomes the most recently used.

        Raises:
            KeyError: there is none.
        """
        with self._lock:
            self._results.move_to_end(key)
            return self._results[key][0]

    def __setitem__(self, key: Hashable, result: object) -> None:
        """Keep a result; drop the least recently used ones if there are too many bytes."""
        size = bytes_of(result)
        with self._lock:
            self.size += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = result, size
            while self.size > MOST_BYTES:
                self.size -= self._results.popitem(last=False)[1][1]

    def drop(self, key: Hashable) -> None:
        """Drop the result of a key, if there is one."""
        with self._lock:
            self.size -= self._results.pop(key, (None, 0))[1]
