"""Zhang's recursion, step by step: its values against the solver and slow references."""

import random

import numpy as np
import pytest
from helpers.random_pairs import random_pairs
from helpers.references import check_and_cost

from tted_core.foundations.limits import MAX_NODES_TRACED
from tted_core.learn.stepper import constrained
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree

PAIRS = tuple(
    (left, right, np.minimum(costs, costs[:, -1:] + costs[-1:]))  # no pair costs more than both gaps
    for left, right, costs in random_pairs(seed=91, count=200, largest=MAX_NODES_TRACED)
)


def subtree(tree: TextTree, top: int) -> TextTree:
    size = tree.sizes[top]
    parents = (-1, *(parent - top for parent in tree.parents[top + 1 : top + size]))
    return TextTree(tree.labels[top : top + size], parents)


@pytest.mark.thorough
def test_zhangs_recursion_on_200_random_pairs():
    """The distance and its mapping; and T of two subtrees, which is a distance too."""
    rng = random.Random(91)
    for left, right, costs in PAIRS:
        run = constrained.trace(left, right, costs)
        solved = SOLVERS["constrained"](left, right, costs).upper
        assert run.distance == pytest.approx(solved, abs=1e-9)
        assert check_and_cost("constrained", left, right, run.mapping, costs) == pytest.approx(
            solved, abs=1e-9
        )
        v, w = rng.randrange(len(left)), rng.randrange(len(right))
        parts = subtree(left, v), subtree(right, w)
        rows, columns = ([*range(top, top + len(part)), -1] for top, part in zip((v, w), parts, strict=True))
        entry = run.trees[run.left.preorder.index(v), run.right.preorder.index(w)]
        assert entry == pytest.approx(
            SOLVERS["constrained"](*parts, costs[np.ix_(rows, columns)]).upper, abs=1e-9
        )


def test_an_entry_is_the_least_of_its_ways():
    for left, right, costs in PAIRS[:60]:
        run = constrained.trace(left, right, costs)
        for cell in run.cells:
            assert not cell.ways or cell.value == min(way.value for way in cell.ways)
            for way in cell.ways:
                signs = (1, 1, -1) if way.line in {"left", "right"} else (1,) * len(way.terms)
                assert [term.sign for term in way.terms] == list(signs)
                for term in way.terms:
                    if term.position and term.name.startswith("T"):
                        assert term.value == run.trees[term.position[1:]]
