"""The compiled kernels against edist, an independent reference and their own mappings."""

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from edist import ted, uted
from helpers.random_pairs import random_costs, random_pairs, random_tree
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import NumbaError
from scipy.optimize import linear_sum_assignment

from tted_core.solvers.kernels import compiling
from tted_core.solvers.kernels.many import KERNELS, new_mappings, packed, solve_each
from tted_core.solvers.polynomial import solve_constrained, solve_ordered, warm_up
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.tree import TextTree

# edist's Munkres counts reduced costs below 1e-5 as 0, so its matching of children, and with it uted, can be
# too dear by that much per match (seen: 5.7e-7 on 25 nodes).
UTED_ERROR = 1e-5


def constrained_reference(left, right, costs):
    """Zhang's recurrence (1996) in costs, as in his paper, with scipy's assignment."""
    delete = [costs[v, -1] for v in range(len(left))]
    insert = [costs[-1, w] for w in range(len(right))]

    def all_of(tree, prices, node):
        return sum(prices[node : node + tree.sizes[node]])

    @cache
    def forest(v, w):
        below_v, below_w = left.children[v], right.children[w]
        gone_v, gone_w = all_of(left, delete, v) - delete[v], all_of(right, insert, w) - insert[w]
        if not below_v or not below_w:
            return gone_v + gone_w
        size = len(below_v) + len(below_w)
        table = np.full((size, size), 1e9)
        for a, k in enumerate(below_v):
            table[a, len(below_w) + a] = all_of(left, delete, k)
            for b, m in enumerate(below_w):
                table[a, b] = tree(k, m)
        for b, m in enumerate(below_w):
            table[len(below_v) + b, b] = all_of(right, insert, m)
        table[len(below_v) :, len(below_w) :] = 0.0
        options = [table[linear_sum_assignment(table)].sum()]
        options += [forest(k, w) + gone_v - all_of(left, delete, k) + delete[k] for k in below_v]
        options += [forest(v, m) + gone_w - all_of(right, insert, m) + insert[m] for m in below_w]
        return min(options)

    @cache
    def tree(v, w):
        all_v, all_w = all_of(left, delete, v), all_of(right, insert, w)
        options = [costs[v, w] + forest(v, w)]
        options += [tree(k, w) + all_v - all_of(left, delete, k) for k in left.children[v]]
        options += [tree(v, m) + all_w - all_of(right, insert, m) for m in right.children[w]]
        if not left.children[v] or not right.children[w]:
            options.append(all_v + all_w)
        return min(options)

    return tree(0, 0)


def no_dearer_than_apart(costs):
    """The costs of an edit distance: a pair is never dearer than both of its nodes alone."""
    capped = costs.copy()
    capped[:-1, :-1] = np.minimum(costs[:-1, :-1], costs[:-1, -1:] + costs[-1:, :-1])
    return capped


def test_ordered_equals_edist_on_random_trees():
    for left, right, costs in random_pairs(1, 2000, 24):
        solution = solve_ordered(left, right, costs)
        check_mapping(left, right, solution.mapping, ordered=True)
        assert solution.proven
        assert solution.upper == mapping_cost(costs, solution.mapping)
        assert solution.upper == pytest.approx(
            ted.ted(*edist_arguments(left, right, costs)), rel=1e-9, abs=1e-9
        )


def test_constrained_equals_edist_on_random_trees():
    for left, right, costs in random_pairs(2, 2000, 24):
        solution = solve_constrained(left, right, costs)
        check_mapping(left, right, solution.mapping)
        assert solution.proven
        assert solution.upper == mapping_cost(costs, solution.mapping)
        expected = uted.uted(*edist_arguments(left, right, no_dearer_than_apart(costs)))
        assert -1e-9 <= expected - solution.upper <= UTED_ERROR * min(len(left), len(right))


def test_constrained_equals_zhangs_recurrence():
    for left, right, costs in random_pairs(3, 150, 14):
        expected = constrained_reference(left, right, no_dearer_than_apart(costs))
        assert solve_constrained(left, right, costs).upper == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("solve", [solve_ordered, solve_constrained])
def test_equal_trees_cost_nothing(solve):
    rng = np.random.default_rng(4)
    tree = random_tree(rng, 40, "any")
    costs = random_costs(rng, tree, tree, "any") + 0.1
    np.fill_diagonal(costs, 0.0)
    solution = solve(tree, tree, costs)
    assert solution.upper == 0.0
    assert solution.mapping == tuple((node, node) for node in range(40))


@pytest.mark.parametrize("solve", [solve_ordered, solve_constrained])
def test_single_nodes_take_the_cheaper_way(solve):
    leaf = TextTree(("",), (-1,))
    assert solve(leaf, leaf, np.array([[3.0, 1.0], [1.0, 0.0]])).mapping == ((0, None), (None, 0))
    assert solve(leaf, leaf, np.array([[1.0, 1.0], [1.0, 0.0]])).mapping == ((0, 0),)


@pytest.mark.parametrize("size", [(300, 300), (300, 250), (40, 300)])
def test_wide_stars_match_like_scipy(size):
    rng = np.random.default_rng(5)
    left, right = (TextTree(("",) * (leaves + 1), (-1,) + (0,) * leaves) for leaves in size)
    costs = random_costs(rng, left, right, "any")
    gains = costs[1:-1, -1:] + costs[-1:, 1:-1] - costs[1:-1, 1:-1]
    best = gains[linear_sum_assignment(np.maximum(gains, 0.0), maximize=True)].clip(0.0).sum()
    roots = costs[0, 0] - costs[0, -1] - costs[-1, 0]
    expected = costs[:-1, -1].sum() + costs[-1, :-1].sum() - best + roots
    assert solve_constrained(left, right, costs).upper <= expected + 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_both_are_symmetric(seed, size_left, size_right):
    rng = np.random.default_rng(seed)
    left, right = random_tree(rng, size_left, "any"), random_tree(rng, size_right, "deep")
    costs = random_costs(rng, left, right, "metric")
    for solve in (solve_ordered, solve_constrained):
        there, back = solve(left, right, costs).upper, solve(right, left, costs.T).upper
        assert there == pytest.approx(back, rel=1e-9, abs=1e-9)


def run_python(code, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_few_small_pairs_need_no_compiler():
    code = """
import sys
import numpy as np
from tted_core.batch import rows  # imports all kernels
from tted_core.foundations.monitor import Monitor
from tted_core.compare import search
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.tree import TextTree
def solve(leaves):
    tree = TextTree(("",) * (leaves + 1), (-1,) + (0,) * leaves)
    problem = EditProblem(tree, tree, np.ones((leaves + 2, leaves + 2)))
    for order in ("ordered", "constrained"):
        search(problem, order, monitor=Monitor(lambda stage, *_: told.append(stage)))
told = []
for _ in range(int(sys.argv[1])):
    solve(int(sys.argv[2]))
print("numba" in sys.modules, len(told))
"""
    few, many, large = (run_python(code, times, leaves) for times, leaves in ((3, 40), (6, 40), (1, 70)))
    assert few.split() == ["False", "0"]
    assert [each.split()[0] for each in (many, large)] == ["True", "True"]


@pytest.mark.parametrize("order", KERNELS)
def test_interpreted_and_compiled_give_the_same_to_the_last_bit(order):
    for left, right, costs in random_pairs(6, 400, 16):
        problem = packed([(left, right, costs)])
        interpreted, machine = new_mappings(problem), new_mappings(problem)
        solve_each.interpreted(KERNELS[order], problem, interpreted)
        solve_each(KERNELS[order], problem, machine)
        assert interpreted.distances.tobytes() == machine.distances.tobytes()
        assert interpreted.partners.tolist() == machine.partners.tolist()


def test_a_kernel_is_interpreted_until_that_is_much_work_or_its_machine_code_is_there(monkeypatch):
    monkeypatch.setattr(compiling, "INTERPRETED_AT_ONCE", 10)
    monkeypatch.setattr(compiling, "INTERPRETED", 25)
    plus_one = compiling.compiled(lambda number: number + 1)
    assert [plus_one.is_interpreted(pairs) for pairs in (10, 11)] == [True, False]
    assert [plus_one.suited(pairs)(1) for pairs in (10, 10, 5)] == [2, 2, 2]
    assert [plus_one.is_interpreted(pairs) for pairs in (0, 1)] == [True, False]
    assert plus_one.suited(1) is plus_one
    plus_one(1)
    assert not plus_one.is_interpreted(0)


def test_a_kernel_that_counts_no_references_makes_no_array():
    tail = compiling.borrowing(lambda values: values[1:].sum())
    values = np.arange(3.0)
    held = sys.getrefcount(values)
    assert (tail(values), sys.getrefcount(values)) == (3.0, held)
    with pytest.raises(NumbaError, match="NRT required"):
        compiling.borrowing(lambda values: values.copy().sum())(values)


def test_warm_up_can_be_repeated():
    warm_up()
    warm_up()
