"""Solving under choices: entries that a mapping must have, and entries that it must not have.

Solvers don't handle choices; they get modified costs. A solver may assume that replacing costs at most deleting
plus inserting (Zhang's recursion does), so an excluded pair gets exactly the cost of deleting and inserting its
two nodes; if the solver uses it, the two are deleted and inserted. This is exact, without large numbers that
would swamp the small differences that decide.

A forced pair excludes all pairs that are incompatible with it. If the rules of an order concern two pairs at a
time (ordered, unordered), the forced pair can be added to any mapping of the remaining pairs, and it costs
nothing until the mapping is costed again. The rule of "constrained" concerns three, so there deleting or
inserting both nodes gets a prohibitive, finite cost; so does the gap of a node that must not be deleted or
inserted, in every order.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import ChoiceError
from tted_core.solvers.solution import EditProblem, Mapping, Solution, mapping_cost
from tted_core.solvers.structure import (
    Entry,
    Pair,
    entry_in_words,
    node_in_words,
    obstacle,
    obstacle_in_words,
    relations,
)
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Choices:
    """Entries that the mapping must have, and entries that it must not have, in the order of their choice."""

    forced: tuple[Entry, ...] = ()
    forbidden: tuple[Entry, ...] = ()

    def __len__(self) -> int:
        return len(self.forced) + len(self.forbidden)

    @property
    def parts(self) -> dict[str, str]:
        """The choices as parts of a signature; "-" is the gap.

        >>> Choices(forced=((0, 1), (2, None))).parts
        {'forced': '0~1,2~-'}
        """
        parts = {}
        for name, entries in (("forced", self.forced), ("forbidden", self.forbidden)):
            if entries:
                nodes = (("-" if node is None else str(node) for node in entry) for entry in entries)
                parts[name] = ",".join(map("~".join, nodes))
        return parts

    def with_forced(self, *entries: Entry) -> "Choices":
        """These choices with further forced entries."""
        return Choices(tuple(dict.fromkeys((*self.forced, *entries))), self.forbidden)

    def with_forbidden(self, *entries: Entry) -> "Choices":
        """These choices with further forbidden entries."""
        return Choices(self.forced, tuple(dict.fromkeys((*self.forbidden, *entries))))

    def without(self, entry: Entry) -> "Choices":
        """These choices without those about one entry."""
        return Choices(
            tuple(each for each in self.forced if each != entry),
            tuple(each for each in self.forbidden if each != entry),
        )

    def within(self, kept_left: tuple[int, ...], kept_right: tuple[int, ...]) -> "Choices":
        """The choices for trimmed trees: those whose nodes are all kept, renumbered."""
        positions = [
            {None: None, **{node: index for index, node in enumerate(kept)}}
            for kept in (kept_left, kept_right)
        ]

        def renumber(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(
                (positions[0][v], positions[1][w])
                for v, w in entries
                if v in positions[0] and w in positions[1]
            )

        return Choices(renumber(self.forced), renumber(self.forbidden))

    def are_kept_by(self, mapping: Mapping) -> bool:
        """Return True if the mapping has all forced and no forbidden entries."""
        return set(self.forced) <= set(mapping) and not set(self.forbidden) & set(mapping)


NO_CHOICES = Choices()


def restrict_costs(
    choices: Choices, problem: EditProblem, order: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The costs for the solver, (n+1, m+1), after a check of the choices; and the excluded pairs, (n, m)."""
    left, right, costs = problem.left, problem.right, problem.weights
    out = np.zeros((len(left), len(right)), dtype=np.bool_)
    check_choices(choices, order, left, right)
    changed = costs.copy()
    # Twice the largest cost of a mapping, so that rounding of sums can't matter.
    prohibitive = 2.0 * float(costs[:-1].max(axis=1).sum() + costs[-1].sum()) or 1.0
    for v, w in choices.forbidden:
        if v is None or w is None:
            changed[-1 if v is None else v, -1 if w is None else w] = prohibitive
        else:
            out[v, w] = True
    for v, w in choices.forced:
        if v is None:
            out[:, w] = True
        elif w is None:
            out[v] = True
        else:
            here, there = (
                relations(tree, node, ordered=order == "ordered") for tree, node in ((left, v), (right, w))
            )
            out |= here[:, None] != there[None]
            if order == "constrained":
                changed[v, -1] = changed[-1, w] = prohibitive
            else:
                changed[v, w] = 0.0
    rows, columns = np.nonzero(out)
    changed[rows, columns] = changed[rows, -1] + changed[-1, columns]
    return changed, out


def apply_choices(
    found: Solution, choices: Choices, problem: EditProblem, order: str, out: NDArray[np.bool_]
) -> Solution:
    """The mapping found with the restricted costs, without excluded pairs, at the problem's costs."""
    joined = _pairs(choices.forced) if order != "constrained" else ()
    missing = tuple(pair for pair in joined if pair not in found.mapping)
    mapping = tuple(_keep_pairs(found.mapping, out, missing))
    if not choices.are_kept_by(mapping):
        entry = next(each for each in choices.forbidden if each in mapping)
        what = entry_in_words(entry, problem.left, problem.right)
        if not found.proven:
            raise ChoiceError(
                f"no mapping without {what} was found in time; allow more time, or clear this choice"
            )
        raise ChoiceError(
            f"{what} can't be avoided: no node is left that it could be paired with; clear one of your choices"
        )
    upper = mapping_cost(problem.weights, mapping)
    lower = found.lower + math.fsum(problem.weights[pair] for pair in joined)
    return Solution(mapping, upper if found.proven else min(upper, lower), upper)


def check_choices(choices: Choices, order: str, left: TextTree, right: TextTree) -> None:
    """Check that the choices are compatible."""
    for v, w in (*choices.forced, *choices.forbidden):
        for node, tree, side in ((v, left, "left"), (w, right, "right")):
            if node is not None and not 0 <= node < len(tree):
                raise ChoiceError(f"a choice names node {node}, but the {side} map has {len(tree)} nodes")
        if v is None and w is None:
            raise ChoiceError("a choice has no node; give a pair, or one node and None")
    for entry in choices.forced:
        if entry in choices.forbidden:
            raise ChoiceError(
                f"{entry_in_words(entry, left, right)} is both forced and forbidden; clear one of the two"
            )
    _check_each_node_once(choices.forced, left, right)
    pairs = _pairs(choices.forced)
    for count, pair in enumerate(pairs):
        found = obstacle(left, right, order, pair, pairs[:count])
        if found:
            raise ChoiceError(
                f"you can't have {entry_in_words(pair, left, right)} in the order {order}: "
                f"{obstacle_in_words(found, pair, left, right)}; clear one of these choices"
            )


def _check_each_node_once(forced: tuple[Entry, ...], left: TextTree, right: TextTree) -> None:
    for side, tree in enumerate((left, right)):
        seen: dict[int, Entry] = {}
        for entry in forced:
            node = entry[side]
            if node is not None and seen.setdefault(node, entry) != entry:
                raise ChoiceError(
                    f"{node_in_words(tree, node)} can't have {entry_in_words(seen[node], left, right)} and "
                    f"{entry_in_words(entry, left, right)}; clear one of these choices"
                )


def _pairs(entries: tuple[Entry, ...]) -> tuple[Pair, ...]:
    return tuple((v, w) for v, w in entries if v is not None and w is not None)


def _keep_pairs(mapping: Mapping, out: NDArray[np.bool_], joined: tuple[Entry, ...]) -> Iterator[Entry]:
    """The mapping without excluded pairs; ``joined`` pairs replace deletions and insertions."""
    lefts, rights = {v for v, _ in joined}, {w for _, w in joined}
    for v, w in mapping:
        if v is not None and w is not None and not out[v, w]:
            yield v, w
            continue
        if v is not None and v not in lefts:
            yield v, None
        if w is not None and w not in rights:
            yield None, w
    yield from joined
