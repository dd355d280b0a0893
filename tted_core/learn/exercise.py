"""An exercise: its question, its answer, and its drawings.

Most are about small random trees of letters and variants of them.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from string import ascii_uppercase
from typing import TypeAlias

from tted_core.learn.mappings import list_pairs, violation
from tted_core.solvers import Mapping
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree

# Decimals of an answer; if more are given, they must be right.
DECIMALS = 2

NOISE = 1e-9

# The heading of a table's row or column that stands for nothing.
NOTHING = "∅"

# A number, or the indices of the chosen options.
ExerciseAnswer: TypeAlias = float | frozenset[int]


@dataclass(frozen=True)
class Exercise:
    """A question with its answer.

    Attributes:
        question: Markdown with strong and emphasized words.
        answer: a number, or the indices of the right options.
        explanation: the way to the answer (Markdown).
        options: the options to choose from; none if the answer is a number.
        many: True if more than one option may be right.
        trees: drawn above the question.
        grid: a table below the trees, by row; its first row and column are headings.
        mappings: between the two trees: one per option, or a single one.
        numbered: True to draw postorder numbers because a text refers to them.
    """

    question: str
    answer: ExerciseAnswer
    explanation: str
    options: tuple[str, ...] = ()
    many: bool = False
    trees: tuple[TextTree, ...] = ()
    grid: tuple[tuple[str, ...], ...] = ()
    mappings: tuple[Mapping, ...] = ()
    numbered: bool = False

    def is_right(self, given: ExerciseAnswer) -> bool:
        """Check an answer, accepting a number in any correct rounding: of 0.125 both 0.12 and 0.13."""
        if isinstance(self.answer, frozenset) or isinstance(given, frozenset):
            return given == self.answer
        if not math.isfinite(given):
            return False
        exponent = Decimal(repr(float(given))).normalize().as_tuple().exponent
        decimals = max(DECIMALS, -int(exponent))
        return abs(given - self.answer) <= 0.5 * 10.0**-decimals + NOISE

    @property
    def solution(self) -> str:
        """The right answer as a person would write it."""
        if isinstance(self.answer, frozenset):
            return ", ".join(self.options[position] for position in sorted(self.answer))
        return f"{self.answer:.4g}"

    @property
    def is_choice_of_mappings(self) -> bool:
        """True if each option is one of the mappings."""
        return bool(self.mappings) and len(self.mappings) == len(self.options)

    def mapping_in_words(self, mapping: Mapping) -> str:
        """The pairs of a mapping as text for screen readers, such as "A with A, C with F"."""
        left, right = self.trees
        return ", ".join(f"{left.labels[v]} with {right.labels[w]}" for v, w in list_pairs(mapping))


def split_marks(markdown: str) -> Iterator[tuple[str, str]]:
    """The runs of a question's Markdown, each with its style: "strong", "emph" or ""."""
    for part in re.split(r"(\*\*[^*]+\*\*|\*[^*]+\*)", markdown):
        stars = len(part) - len(part.lstrip("*"))
        if part:
            yield (part.strip("*") if stars else part, ("", "emph", "strong")[stars])


def random_tree(rng: Random, size: int) -> TextTree:
    """A tree of this size (3 or more) with at least two leaves, lettered in preorder."""
    while True:
        parents = [-1]
        path = [0]
        for node in range(1, size):
            del path[rng.randint(1, len(path)) :]
            parents.append(path[-1])
            path.append(node)
        if len(set(parents)) < size:
            return TextTree(tuple(ascii_uppercase[:size]), tuple(parents))


def random_pair(rng: Random, size: int) -> tuple[TextTree, TextTree]:
    """A tree and a variant of it: a letter changed, a node removed, and a node added."""
    left = random_tree(rng, size)
    labels, children = list(left.labels), [list(below) for below in left.children]
    new = iter(ascii_uppercase[size:])
    gone, renamed = rng.sample(range(1, size), 2)
    labels[renamed] = next(new)
    above = children[left.parents[gone]]
    position = above.index(gone)
    above[position : position + 1] = children[gone]  # they move up
    kept = [node for node in range(size) if node != gone]
    host = rng.choice(kept)
    labels.append(next(new))
    children.append([])
    children[host].insert(rng.randint(0, len(children[host])), size)
    kept.append(size)
    at = {node: index for index, node in enumerate(kept)}
    below = [[at[child] for child in children[node]] for node in kept]
    return left, TextTree.from_children([labels[node] for node in kept], below)


def random_mapping(rng: Random, left: TextTree, right: TextTree, order: str) -> list[Pair]:
    """Pairs that form a mapping of this order, collected at random."""
    candidates = [(v, w) for v in range(len(left)) for w in range(len(right))]
    rng.shuffle(candidates)
    pairs: list[Pair] = []
    for pair in candidates[: rng.randint(len(left), 3 * len(left))]:
        if violation(order, left, right, [*pairs, pair]) is None:
            pairs.append(pair)
    return sorted(pairs)
