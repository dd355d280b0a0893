"""What the tables have in common: what is asked, and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.distances.ndd.compression import MAX_SPAN, NDD_MAX
from tted_core.distances.ndd.weights import COMPRESSION

__all__ = ["Asked", "PaperTable", "Row"]

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
