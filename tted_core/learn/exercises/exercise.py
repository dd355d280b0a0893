"""What an exercise is."""

from dataclasses import dataclass

from tted_core.solvers import Mapping
from tted_core.tree import TextTree

TOLERANCE = 0.005
"""How far a number may be off: two decimals will do."""


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
    """

    question: str
    answer: float | frozenset[int]
    explanation: str
    options: tuple[str, ...] = ()
    many: bool = False
    trees: tuple[TextTree, ...] = ()
    grid: Grid | None = None
    mappings: tuple[Mapping, ...] = ()

    def is_right(self, given: float | frozenset[int]) -> bool:
        """Whether this is the answer."""
        if isinstance(self.answer, frozenset) or isinstance(given, frozenset):
            return given == self.answer
        return abs(given - self.answer) <= TOLERANCE

    @property
    def solution(self) -> str:
        """The answer as a person would write it."""
        if isinstance(self.answer, frozenset):
            return ", ".join(self.options[position] for position in sorted(self.answer))
        return f"{self.answer:.4g}"
