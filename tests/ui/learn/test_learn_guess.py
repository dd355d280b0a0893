"""Guesses against the truth: what a mapping costs, and how a guess is judged."""

import numpy as np
import pytest
from helpers.random_pairs import random_pairs
from helpers.references import allowed, by_all_mappings
from helpers.trees import tree_of

from tted_core.errors import UnknownNameError
from tted_core.learn.mappings import judge, pairs_of
from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import SOLVERS
from ui.learn.guess import closeness, told

LEFT, RIGHT = tree_of("a(b(c d) e)"), tree_of("a(c d e)")
COSTS = unit_costs(LEFT, RIGHT)


@pytest.mark.parametrize("order", SOLVERS)
def test_the_optimal_mapping_has_no_excess_and_others_do(order):
    for left, right, costs in random_pairs(seed=86, count=40, largest=5):
        if np.any(costs[:-1, :-1] > costs[:-1, -1:] + costs[-1:, :-1]):
            continue  # no metric: constrained solvers take one for granted
        optimum = judge(order, left, right, costs, []).optimum
        assert optimum.upper == pytest.approx(by_all_mappings(order, left, right, costs))
        best = judge(order, left, right, costs, pairs_of(optimum.mapping))
        assert best.excess == pytest.approx(0, abs=1e-9)
        assert best.violation is None
        nothing = judge(order, left, right, costs, [])
        assert nothing.cost == pytest.approx(costs[:-1, -1].sum() + costs[-1, :-1].sum())
        assert nothing.excess >= -1e-9


def test_the_verdict_in_words():
    right = judge("ordered", LEFT, RIGHT, COSTS, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert "Your 4 pairs cost **1.000**" in told(right, LEFT, RIGHT, 4)
    assert "well done" in told(right, LEFT, RIGHT, 4)
    dearer = judge("constrained", LEFT, RIGHT, COSTS, [(0, 0)])
    assert f"you pay **{dearer.excess:.3f}** more than need be" in told(dearer, LEFT, RIGHT, 1)
    broken = judge("constrained", LEFT, RIGHT, COSTS, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert not allowed("constrained", LEFT, RIGHT, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert "they are no constrained mapping" in told(broken, LEFT, RIGHT, 4)
    assert "separate branches must stay separate" in told(broken, LEFT, RIGHT, 4)


def test_users_texts_are_no_markup():
    left, right = tree_of("*a*(:red[b])"), tree_of("*a*(:red[b])")
    broken = judge("constrained", left, right, unit_costs(left, right), [(0, 1), (1, 0)])
    assert r"\:red\[b\]" in told(broken, left, right, 2)


@pytest.mark.parametrize(
    ("guess", "truth", "said"),
    [(0.5, 0.51, "bull's eye"), (0.5, 0.45, "0.050 too high: close."), (0.1, 0.45, "0.350 too low.")],
)
def test_how_close_a_guess_is(guess, truth, said):
    assert said in closeness(guess, truth)


def test_an_unknown_order():
    with pytest.raises(UnknownNameError):
        judge("alphabetical", LEFT, RIGHT, COSTS, [])
