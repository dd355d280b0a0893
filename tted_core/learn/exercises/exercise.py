"""An exercise: its question, its answer, and what is drawn beside them."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from tted_core.learn.mappings import pairs_of
from tted_core.solvers import Mapping
from tted_core.tree import TextTree

DECIMALS = 2
"""So many are asked for; who gives more must have them right."""

NOISE = 1e-9

NOTHING = "∅"
"""The heading of a table's row or column that stands for nothing."""

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
        question: Markdown with strong and emphasized words.
        answer: a number, or the positions of the right options.
        explanation: how to find it (Markdown).
        options: what can be chosen; none if a number is asked for.
        many: whether more than one option may be right.
        trees: drawn above the question.
        grid: shown below the trees.
        mappings: between the two trees, one drawn for each option, or a single one.
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

    @property
    def is_choice_of_mappings(self) -> bool:
        """Whether each option is one of the mappings."""
        return bool(self.mappings) and len(self.mappings) == len(self.options)

    def mapping_in_words(self, mapping: Mapping) -> str:
        """The pairs of a mapping for those who don't see it, say "A with A, C with F"."""
        left, right = self.trees
        return ", ".join(f"{left.labels[v]} with {right.labels[w]}" for v, w in pairs_of(mapping))


def marked_runs(markdown: str) -> Iterator[tuple[str, str]]:
    """The runs of a question's Markdown, each with "strong", "emph" or "" for how it is set."""
    for part in re.split(r"(\*\*[^*]+\*\*|\*[^*]+\*)", markdown):
        stars = len(part) - len(part.lstrip("*"))
        if part:
            yield (part.strip("*") if stars else part, ("", "emph", "strong")[stars])
