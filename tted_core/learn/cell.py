"""An entry of a table that is the least of several ways to it."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

SAME = 1e-9
"""Two sums of the same costs differ by less: by the order in which they were added up."""


class Way(Protocol):
    """What a way comes to."""

    @property
    def value(self) -> float:
        """A sum of costs."""


AnyWay = TypeVar("AnyWay", bound=Way)


@dataclass(frozen=True)
class Minimum(Generic[AnyWay]):
    """One entry of a table and where it comes from."""

    row: int
    column: int
    candidates: tuple[AnyWay, ...]
    value: float

    @property
    def best(self) -> tuple[int, ...]:
        """Which candidates reach the minimum; the first of them is the winner."""
        return tuple(place for place, each in enumerate(self.candidates) if self.is_reached_by(each))

    @property
    def winner(self) -> AnyWay:
        """The first candidate that reaches the minimum."""
        return self.candidates[self.best[0]]

    def is_reached_by(self, way: AnyWay) -> bool:
        """Whether none is cheaper."""
        return way.value - self.value <= SAME
