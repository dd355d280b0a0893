"""Nodes, entries and mappings as the step player writes them."""

from collections.abc import Iterable, Sequence

from tted_core.learn.mappings import DECIMALS
from tted_core.learn.zhang_shasha import Numbering
from tted_core.printable import shortened

LABEL = 28
"""Characters of a label within a sentence."""

NOTHING = "nothing"
"""What node 0 is called."""


NEAR = 1e-6
"""What adding up, and a solver's prices in single precision, may change of a number."""


def number(value: float) -> str:
    """A cost as it is written in the tables: whole ones without decimals, others with three."""
    return str(round(value)) if abs(value - round(value)) <= NEAR else f"{value:.{DECIMALS}f}"


def named(side: Numbering, node: int) -> str:
    """A node by its number and its text."""
    return f"{node} ({shortened(side.labels[node], LABEL)})" if side.labels[node] else f"{node} (no text)"


def at(table: str, row: int, column: int) -> str:
    """An entry of a table: ``T(2, nothing)``."""
    return f"{table}({row or NOTHING}, {column or NOTHING})"


def listed(texts: Sequence[str]) -> str:
    """The texts with commas, and "and" before the last."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def marks_of(
    left: Numbering, right: Numbering, entries: Iterable[tuple[int | None, int | None]]
) -> list[tuple[str, int, int]]:
    """Entries of a mapping in postorder as the player marks them: what becomes of the nodes, and 0 for no node."""
    marks = []
    for source, target in entries:
        if source and target:
            same = left.labels[source] == right.labels[target]
            marks.append(("match" if same else "replace", source, target))
        else:
            marks.append(("delete" if source else "insert", source or 0, target or 0))
    return marks
