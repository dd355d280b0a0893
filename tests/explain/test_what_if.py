"""Prices of forced and forbidden pairs, the comparison under choices, and what is in doubt."""

import math

import pytest
from helpers.encoders import hashed, with_vectors
from helpers.random_pairs import random_pairs
from helpers.references import by_all_mappings
from helpers.trees import sample, tree_of

from tted_core import TextTree, compare
from tted_core.errors import ChoiceError
from tted_core.explain.what_if import NOT_UNIQUE, add_notes, doubts, find_nearest, price_of, under_choices
from tted_core.solvers import SOLVERS, Choices

each_order = pytest.mark.parametrize("order", SOLVERS)


def comparison(order="constrained", **options):
    return compare(
        sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed, order=order, **options
    )


def small_comparisons(order, count, seed):
    """Random small trees with a metric between their nodes; labels are all different."""
    for left, right, _ in random_pairs(seed, count, 5):
        trees = [
            TextTree(tuple(f"{side}{node}" for node in range(len(tree))), tree.parents)
            for side, tree in (("a", left), ("b", right))
        ]
        yield compare(*trees, encoder=hashed, order=order, distance="euclidean")


@each_order
def test_each_price_is_that_of_trying_all_mappings(order):
    for result in small_comparisons(order, 12, seed=5):
        left, right, costs = result.left.tree, result.right.tree, result.costs
        found = doubts(result)
        assert found.complete
        for (v, w), price in found.prices.items():
            without = by_all_mappings(
                order,
                left,
                right,
                costs,
                lambda pairs, v=v, w=w: (
                    (v, w) not in pairs
                    if v is not None and w is not None
                    else any(pair[0] == v or pair[1] == w for pair in pairs)
                ),
            )
            if price is None:
                assert math.isinf(without)
            else:
                assert price.proven
                assert price.at_most == pytest.approx(without - result.tted, abs=1e-7)
        for v in range(len(left)):
            for candidate in find_nearest(result, source=v):
                pair = (v, candidate.node)
                forced = by_all_mappings(order, left, right, costs, lambda pairs, pair=pair: pair in pairs)
                price = price_of(result, result.choices.with_forced(pair))
                assert price.at_most == pytest.approx(forced - result.tted, abs=1e-7)
                assert price.at_most >= 0


@each_order
def test_a_comparison_under_choices_is_a_fresh_solve_that_keeps_them(order):
    free = comparison(order)
    pairs = [(op.source, op.target) for op in free.script.ops]
    kept = free
    for choices in (Choices(forbidden=tuple(pairs[1:3])), Choices(forced=((2, 3),)), Choices()):
        kept = under_choices(kept, choices)
        ops = {(op.source, op.target) for op in kept.script.ops}
        assert set(choices.forced) <= ops
        assert not set(choices.forbidden) & ops
        assert kept.tted == pytest.approx(kept.script.cost, abs=1e-9)
        assert kept.tted_at[-1] == kept.tted
        assert kept.tted >= free.tted - 1e-9
        assert kept.choices == choices
    assert kept == free  # cleared: as if nothing had been


def test_the_price_is_what_the_total_grows_by():
    free = comparison()
    pair = next((op.source, op.target) for op in free.script.ops if op.op == "replace")
    price = price_of(free, free.choices.with_forbidden(pair))
    assert price.at_most == under_choices(free, Choices(forbidden=(pair,))).tted - free.tted
    assert price.at_most > 0
    then = under_choices(free, Choices(forbidden=(pair,)))
    assert price_of(then, then.choices.with_forbidden(pair)).at_most == 0
    with pytest.raises(ChoiceError, match="both forced and forbidden"):
        price_of(then, then.choices.with_forced(pair))


def test_the_signature_says_what_was_chosen():
    free = comparison("unordered", time_limit=10)
    choices = Choices(((2, 3),), ((1, None), (4, 4)))
    chosen = under_choices(free, choices)
    assert chosen.signature == free.signature + "|forced:2~3|forbidden:1~-,4~4"
    assert under_choices(chosen, Choices()).signature == free.signature


VECTORS = {"": (0, 0), "root": (9, 0), "a": (0, 1), "b": (0, 2), "c": (0, 4), "x": (0, 1.1), "y": (0, 2.2)}


def test_nearest_nodes_come_with_the_cost_of_the_pair():
    left, right = tree_of("root(a(b) c)"), tree_of("root(x y)")
    result = compare(left, right, encoder=with_vectors(VECTORS), distance="euclidean")
    found = find_nearest(result, source=2)
    assert [right.labels[each.node] for each in found] == ["y", "x", "root"]
    assert [each.cost for each in found] == pytest.approx([0.2, 0.9, math.hypot(9, 2)])
    reverse = find_nearest(result, target=1, count=2)
    assert [left.labels[each.node] for each in reverse] == ["a", "b"]


def test_equal_siblings_are_a_coin_flip_and_others_are_not():
    left, right = tree_of("root(a a c)"), tree_of("root(a c)")
    result = compare(left, right, encoder=with_vectors(VECTORS), distance="euclidean")
    found = doubts(result)
    assert {left.labels[v] for v, _ in found.not_unique() if v is not None} == {"a"}
    assert found.prices[0, 0].at_most == pytest.approx(18)
    assert len(found.not_unique()) == 2  # the pair and the deletion
    marked = add_notes(result, found)
    assert {
        (op.source, op.target) for op in marked.script.ops if NOT_UNIQUE in op.notes
    } == found.not_unique()
    assert marked.script.cost == result.tted


def test_notes_leave_the_distance_under_a_power():
    result = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed, power=3.0)
    assert add_notes(result, doubts(result)).script.cost == pytest.approx(result.tted, abs=1e-12)


def test_what_counts_as_close_is_a_share_of_the_total_and_in_large_maps_of_a_node():
    small = comparison()
    assert doubts(small).close == pytest.approx(0.01 * small.tted)
    shape = tuple(max(0, node - 1) if node else -1 for node in range(60))
    left, right = (TextTree(tuple(f"{side}{node}" for node in range(60)), shape) for side in "ab")
    large = compare(left, right, encoder=hashed)
    gaps = [*large.costs[:-1, -1], *large.costs[-1, :-1]]
    found = doubts(large)
    assert found.close == pytest.approx(0.1 * sum(gaps) / len(gaps))
    assert found.close < 0.01 * large.tted


def test_what_was_forced_is_not_in_doubt():
    chosen = under_choices(comparison(), Choices(forced=((2, 3),)))
    found = doubts(chosen)
    assert (2, 3) not in found.prices
    assert found.complete


def test_nothing_else_is_possible_where_every_mapping_does_it():
    result = compare(tree_of("a(b)"), tree_of("x"), encoder=with_vectors({**VECTORS}), distance="euclidean")
    found = doubts(under_choices(result, Choices(forbidden=((1, 0),))))
    assert found.prices[1, None] is None
    assert (1, None) not in found.not_unique()


@each_order
def test_choices_that_only_the_whole_trees_can_keep_leave_their_depth_free(order):
    maps = (
        TextTree(("Reefs", "Corals", "Fish"), (-1, 0, 0)),
        TextTree(("Oceans", "Reefs", "Fish"), (-1, 0, 1)),
    )
    free = compare(*maps, encoder=hashed, order=order)
    choices = Choices(forbidden=((0, 0), (0, None)))  # one level has no other partner for the root
    bound = under_choices(free, choices)
    price = price_of(under_choices(free, Choices(forbidden=((0, 0),))), choices)
    assert choices.are_kept_by(tuple((op.source, op.target) for op in bound.script.ops))
    assert bound.tted >= free.tted
    assert bound.tted == pytest.approx(under_choices(free, Choices(forbidden=((0, 0),))).tted + price.at_most)
    assert bound.tted_at[0] == free.tted_at[0]
    assert "TTED@k for k = 1 is without your choices: so few levels can't keep them" in bound.notices
    assert under_choices(bound, Choices()).notices == free.notices
