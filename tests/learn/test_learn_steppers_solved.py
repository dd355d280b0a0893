"""Zhang's recursion, step by step: its values against the solver and slow references."""

import numpy as np
from helpers.random_pairs import random_pairs

from tted_core.foundations.limits import MAX_NODES_TRACED
from tted_core.learn.stepper import constrained

PAIRS = tuple(
    (left, right, np.minimum(costs, costs[:, -1:] + costs[-1:]))  # no pair costs more than both gaps
    for left, right, costs in random_pairs(seed=91, count=200, largest=MAX_NODES_TRACED)
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
