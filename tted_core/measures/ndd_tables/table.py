"""What the tables have in common: what is asked, and what comes out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from tted_core.distances.ndd.compression import MAX_SPAN, NDD_MAX, ShouldStop
from tted_core.distances.ndd.weights import COMPRESSION
from tted_core.errors import Interrupted

__all__ = ["Asked", "PaperTable", "Progress", "Row", "ShouldStop", "told"]

Item = TypeVar("Item")
Progress: TypeAlias = Callable[[str, float], None]
Row: TypeAlias = Mapping[str, str | float | None]


@dataclass(frozen=True)
class Asked:
    """What a table is made with; each takes what concerns it.

    Attributes:
        max_spans: L_max, each with each of ``limits``.
        limits: NDD_max.
        rate: the largest share of words to be left; None deletes all that may go.
        mu: of the weights of compression and, unbalanced, of predicate detection.
        nu: of the weights of compression.
        word: what replaces a word; the paper takes "a" or "that" for English and "el" for Spanish.
        seed: of what is done at random.
    """

    max_spans: tuple[int, ...] = (MAX_SPAN,)
    limits: tuple[float, ...] = (NDD_MAX,)
    rate: float | None = None
    mu: float = COMPRESSION.mu
    nu: float = COMPRESSION.nu
    word: str = "a"
    seed: int = 0


@dataclass(frozen=True)
class PaperTable:
    """Rows with the same columns, None where there is nothing to compute a number from.

    ``notes`` say of what they were made.
    """

    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def told(items: Sequence[Item], what: str, progress: Progress, should_stop: ShouldStop) -> Iterator[Item]:
    """The items one by one; before each, progress is told and ``should_stop`` asked.

    Raises:
        Interrupted: it said yes.
    """
    for number, item in enumerate(items):
        if should_stop():
            raise Interrupted("stopped before the table was complete; run it again")
        progress(f"{what} of {len(items)} sentences", number / len(items))
        yield item
