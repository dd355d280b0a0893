"""Rows and orders in which two maps are shown side by side."""

import itertools

import pytest
from helpers.encoders import hashed
from hypothesis import given
from hypothesis import strategies as st

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.matching.rows import longest_chain

LEFT = TextTree(("r", "a", "b", "c"), (-1, 0, 1, 0))
RIGHT = TextTree(("r", "c", "a", "b", "new"), (-1, 0, 0, 2, 0))


@pytest.fixture(scope="module")
def comparison():
    return compare(LEFT, RIGHT, encoder=hashed)


def test_siblings_are_shown_where_they_match(comparison):
    view = explain(comparison)
    assert [right.index for _, right in view.rows if right] == [0, 2, 3, 4, 1]
    assert [right.index for left, right in view.rows if left is None] == [4]


def test_an_ordered_comparison_is_shown_as_it_stands():
    ordered = compare(LEFT, RIGHT, encoder=hashed, order="ordered")
    view = explain(ordered)
    assert [right.index for _, right in view.rows if right] == list(range(len(RIGHT)))


@given(st.permutations(range(7)))
def test_the_chain_is_a_longest_one(targets):
    pairs = list(enumerate(targets))
    chain = longest_chain(pairs)
    assert chain == sorted(chain)
    assert [target for _, target in chain] == sorted(target for _, target in chain)
    longest = max(
        len(part)
        for size in range(8)
        for part in itertools.combinations(targets, size)
        if list(part) == sorted(part)
    )
    assert len(chain) == longest
