"""Compiled kernels against edist and their own mappings, and their machine code on disk."""

import subprocess
import sys

import numpy as np
import pytest
from edist import ted, uted
from helpers.paths import ROOT
from helpers.random_pairs import random_costs, random_pairs
from scipy.optimize import linear_sum_assignment

from tted_core.solvers.kernels.many import KERNELS, new_mappings, pack_problems, solve_each
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.tree import TextTree

# edist's Munkres counts reduced costs below 1e-5 as 0, so its matching of children, and with it uted, can be
# too dear by that much per match (seen: 5.7e-7 on 25 nodes).
UTED_ERROR = 1e-5


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


@pytest.mark.parametrize("order", KERNELS)
def test_interpreted_and_compiled_give_the_same_to_the_last_bit(order):
    for left, right, costs in random_pairs(6, 400, 16):
        problem = pack_problems([(left, right, costs)])
        interpreted, machine = new_mappings(problem), new_mappings(problem)
        solve_each.interpreted(KERNELS[order], problem, interpreted)
        solve_each(KERNELS[order], problem, machine)
        assert interpreted.distances.tobytes() == machine.distances.tobytes()
        assert interpreted.partners.tolist() == machine.partners.tolist()


PROGRAM = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from toy_kernel import plus_two
print(*plus_two(np.array([1.0])), sum(plus_two.dispatcher.stats.cache_hits.values()))
"""

TOY = """
from tted_core.solvers.kernels.compiling import compile_kernel

@compile_kernel
def plus_one(values):
    return values + 1.0

@compile_kernel
def plus_two(values):
    return plus_one(plus_one(values))
"""


@pytest.fixture
def computed(tmp_path):
    """Run the program: what it printed, and its warnings."""
    (tmp_path / "toy_kernel.py").write_text(TOY)

    def run():
        environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT), "PATH": ""}
        command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return ended.stdout.split(), ended.stderr.splitlines()

    return run


def test_machine_code_is_loaded_by_the_next_process(computed):
    assert computed() == (["3.0", "0"], [])
    assert computed() == (["3.0", "1"], [])


@pytest.mark.thorough
@pytest.mark.parametrize(("ending", "content"), [(".nbi", b"garbage"), (".nbc", b""), (".nbc", None)])
def test_damaged_machine_code_is_reported_once_and_not_used(computed, tmp_path, ending, content):
    computed()
    for file in (tmp_path / "cache").rglob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:-20] if content is None else content)
    (numbers, warnings) = computed()
    assert numbers == ["3.0", "0"]
    assert len(warnings) == 1
    assert "remove the folder, or name another with NUMBA_CACHE_DIR" in warnings[0]


@pytest.mark.thorough
def test_an_unwritable_cache_folder_is_ignored(computed, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert computed()[0][0] == "3.0"
