"""Many pairs in one call: the same mappings' costs as pair by pair, whatever the trees and costs."""

import pytest
from helpers.random_pairs import random_pairs

from tted_core.solvers import SOLVERS, check_mapping, mapping_cost
from tted_core.solvers.kernels.many import (
    CONSTRAINED,
    ORDERED,
    pack_problems,
    solve_pairs,
)
from tted_core.solvers.solution import mapping_from_partners
from tted_core.solvers.unordered.many import solve_pairs_unordered


def in_one_call(order, triples):
    """Distance and mapping of each."""
    found = solve_pairs(order, pack_problems(triples))
    for number, (_, right, _) in enumerate(triples):
        partners = found.partners[found.starts[number] : found.starts[number + 1]]
        yield found.distances[number], mapping_from_partners(partners, len(right))


@pytest.mark.parametrize(("order", "name"), [(ORDERED, "ordered"), (CONSTRAINED, "constrained")])
def test_many_pairs_give_the_results_of_single_ones(order, name):
    triples = list(random_pairs(seed=4, count=400, largest=14))
    for (left, right, costs), (distance, mapping) in zip(triples, in_one_call(order, triples), strict=True):
        alone = SOLVERS[name](left, right, costs)
        assert distance == pytest.approx(alone.upper, abs=1e-12)
        assert mapping == alone.mapping
        check_mapping(left, right, mapping, ordered=order == ORDERED)
        assert distance == pytest.approx(mapping_cost(costs, mapping), abs=1e-9)


@pytest.mark.thorough
def test_proven_results_are_the_unordered_distance_and_others_are_never_below_it():
    triples = list(random_pairs(seed=5, count=300, largest=12))
    found, proven = solve_pairs_unordered(pack_problems(triples))
    assert proven.mean() > 0.95
    for number, (left, right, costs) in enumerate(triples):
        partners = found.partners[found.starts[number] : found.starts[number + 1]]
        mapping = mapping_from_partners(partners, len(right))
        check_mapping(left, right, mapping)
        distance = found.distances[number]
        assert distance == pytest.approx(mapping_cost(costs, mapping), abs=1e-9)
        exact = SOLVERS["unordered"](left, right, costs).upper
        assert distance >= exact - 1e-9
        if proven[number]:
            assert distance == pytest.approx(exact, abs=1e-8)
