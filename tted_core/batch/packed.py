"""Many texts in two arrays: a million short ones fill 30 MB, where Python's objects fill 100."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """n texts, any characters, lone surrogates too.

    Attributes:
        letters: the UTF-8 of all, one after the other.
        starts: (n + 1,) where each begins, and where the last one ends.
    """

    letters: NDArray[np.uint8] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        """These texts."""
        packing = Packing()
        for text in texts:
            packing.add(text)
        return packing.packed()

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Texts": ...
    def __getitem__(self, place: int | slice) -> "str | Texts":
        """One text, or some that follow one another, which share the arrays."""
        if not isinstance(place, slice):
            place = range(len(self))[place]
            return self._between(int(self.starts[place]), int(self.starts[place + 1]))
        first, end, step = place.indices(len(self))
        if step != 1:
            raise ValueError("texts are taken one after the other")
        starts = self.starts[first : max(first, end) + 1]
        return Texts(self.letters[starts[0] : starts[-1]], starts - starts[0])

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in self.starts[1:].tolist():
            yield self._between(start, end)
            start = end

    def _between(self, start: int, end: int) -> str:
        return self.letters[start:end].tobytes().decode("utf-8", "surrogatepass")


class Packing:
    """Texts that are added one by one."""

    def __init__(self) -> None:
        self._letters, self._starts = bytearray(), array("q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, text: str) -> None:
        """Append a text."""
        self._letters += text.encode("utf-8", "surrogatepass")
        self._starts.append(len(self._letters))

    def fill(self, count: int) -> None:
        """Append empty texts until there are so many."""
        self._starts.extend([len(self._letters)] * (count - len(self)))

    def packed(self) -> Texts:
        """All of them."""
        return Texts(
            np.frombuffer(self._letters, dtype=np.uint8), np.frombuffer(self._starts, dtype=np.int64)
        )
