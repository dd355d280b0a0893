"""An exercise: its question, its answer, and what is drawn beside them.

Most are about small trees of letters, drawn at random, and variants of them.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from string import ascii_uppercase
from typing import TypeAlias

from tted_core.learn.mappings import TreePair, pair_of, pairs_of, violation
from tted_core.solvers import Mapping
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree

# So many are asked for; who gives more must have them right.
DECIMALS = 2

NOISE = 1e-9

# The heading of a table's row or column that stands for nothing.
NOTHING = "∅"

# A number, or the positions of the options that were chosen.
Answer: TypeAlias = float | frozenset[int]


@dataclass(frozen=True)
class CellTable:
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
    grid: CellTable | None = None
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


def random_tree(rng: Random, size: int) -> TextTree:
    """A tree of this size with at least two leaves, lettered in preorder; size 3 or more."""
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
    """A tree and a variant of it: another letter somewhere, a node that is gone, and one that has come."""
    left = random_tree(rng, size)
    labels, children = list(left.labels), [list(below) for below in left.children]
    new = iter(ascii_uppercase[size:])
    gone, renamed = rng.sample(range(1, size), 2)
    labels[renamed] = next(new)
    parent = left.parents[gone]
    place = children[parent].index(gone)
    children[parent][place : place + 1] = children[gone]
    children[gone] = []
    kept = [node for node in range(size) if node != gone]
    host = rng.choice(kept)
    labels.append(next(new))
    children.append([])
    children[host].insert(rng.randint(0, len(children[host])), size)
    order = [*kept, size]
    at = {node: position for position, node in enumerate(order)}
    right = TextTree.from_children(
        [labels[node] for node in order], [[at[child] for child in children[node]] for node in order]
    )
    return left, right


def random_mapping(rng: Random, left: TextTree, right: TextTree, order: str) -> list[Pair]:
    """Pairs that are a mapping of this order, as many as come together by chance."""
    candidates = [(v, w) for v in range(len(left)) for w in range(len(right))]
    rng.shuffle(candidates)
    pairs: list[Pair] = []
    for pair in candidates[: rng.randint(len(left), 3 * len(left))]:
        if violation(order, left, right, [*pairs, pair]) is None:
            pairs.append(pair)
    return sorted(pairs)


def random_separating_pair(rng: Random) -> TreePair:
    """A tree, and the same without one or two inner nodes and with siblings rearranged: three different distances.

    What is below a node that goes moves up to its parent. About one try in nine succeeds.
    """
    while True:
        left = random_tree(rng, rng.randint(5, 7))
        inner = [node for node in range(1, len(left)) if left.children[node]]
        gone = set(rng.sample(inner, min(len(inner), rng.randint(1, 2))))
        below = [list(children) for children in left.children]
        for node in sorted(gone, reverse=True):  # what goes up from below a node goes on from there
            place = below[left.parents[node]].index(node)
            below[left.parents[node]][place : place + 1] = below[node]
        kept = [node for node in range(len(left)) if node not in gone]
        for node in kept:
            rng.shuffle(below[node])
        at = {node: place for place, node in enumerate(kept)}
        right = TextTree.from_children(
            [left.labels[node] for node in kept], [[at[child] for child in below[node]] for node in kept]
        )
        pair = pair_of(left, right)
        if len(set(pair.distances.values())) == len(pair.distances):
            return pair
