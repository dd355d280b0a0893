"""The reduction from exact cover by 3-sets: the mapping of a choice reaches the bound exactly if it is a cover."""

import itertools
import random

import pytest

from tted_core.learn.exact_cover import INSTANCES, ExactCover
from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import SOLVERS, check_mapping, mapping_cost


def covers(instance: ExactCover) -> bool:
    """By trying all choices."""
    elements = list(range(1, 3 * instance.wanted + 1))
    return any(
        sorted(itertools.chain.from_iterable(chosen)) == elements
        for chosen in itertools.combinations(instance.sets, instance.wanted)
    )


@pytest.mark.parametrize("name", INSTANCES)
def test_a_choice_reaches_the_bound_exactly_if_it_is_a_cover(name):
    instance = INSTANCES[name]
    left, right = instance.trees
    costs = unit_costs(left, right)
    reached = False
    for size in range(len(instance.sets) + 1):
        for chosen in itertools.combinations(range(len(instance.sets)), size):
            mapping = instance.mapping(chosen)
            check_mapping(left, right, mapping)
            cost = mapping_cost(costs, mapping)
            assert cost >= instance.bound
            assert (cost == instance.bound) == instance.is_cover(chosen)
            reached |= cost == instance.bound
    assert reached == covers(instance) == (name == "yes")


def test_the_distance_is_the_bound_exactly_if_there_is_a_cover():
    rng = random.Random(19)
    instances = list(INSTANCES.values())
    for _ in range(4):
        sets = tuple(tuple(sorted(rng.sample(range(1, 7), 3))) for _ in range(3))
        instances.append(ExactCover(2, sets))
    instances.append(ExactCover(2, ((1, 2, 3), (1, 2, 4), (4, 5, 6))))
    outcomes = set()
    for instance in instances:
        left, right = instance.trees
        distance = SOLVERS["unordered"](left, right, unit_costs(left, right)).upper
        assert (distance == instance.bound) == covers(instance)
        outcomes.add(covers(instance))
    assert outcomes == {True, False}
