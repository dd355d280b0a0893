"""What an exercise is."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from tted_core.solvers import Mapping
from tted_core.tree import TextTree

DECIMALS = 2
"""So many are asked for; who gives more must have them right."""

NOISE = 1e-9


Answer: TypeAlias = float | frozenset[int]
"""A number, or the positions of the options that were chosen."""


@dataclass(frozen=True)
class Grid:
    """A table to look at: headings, and texts of the cells, row by row."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Exercise:
    """A question with its answer.

    Attributes:
        question: Markdown.
        answer: a number, or the positions of the right options.
        explanation: how to find it (Markdown).
        options: what can be chosen; none if a number is asked for.
        many: whether more than one option may be right.
        trees: drawn above the question.
        grid: shown below the trees.
        mappings: between the two trees, one drawn for each option.
        numbered: whether the nodes' numbers in postorder are drawn, because a text names one.
    """

    question: str
    answer: Answer
    explanation: str
    options: tuple[str, ...] = ()
    many: bool = False
    trees: tuple[TextTree, ...] = ()
    grid: Grid | None = None
    mappings: tuple[Mapping, ...] = ()
    numbered: bool = False

    def is_right(self, given: Answer) -> bool:
        """Whether this is the answer, a number in any correct rounding: of 0.125 both 0.12 and 0.13."""
        if isinstance(self.answer, frozenset) or isinstance(given, frozenset):
            return given == self.answer
        if not math.isfinite(given):
            return False
        exponent = Decimal(repr(float(given))).normalize().as_tuple().exponent
        decimals = max(DECIMALS, -int(exponent))
        return abs(given - self.answer) <= 0.5 * 10.0**-decimals + NOISE

    def written(self, given: Answer) -> str:
        """An answer as a person would write it."""
        if isinstance(given, frozenset):
            return ", ".join(self.options[position] for position in sorted(given))
        return f"{given:.4g}"

    @property
    def solution(self) -> str:
        """The right answer as a person would write it."""
        return self.written(self.answer)
