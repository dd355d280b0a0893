"""The selection, and its changes with the comparison."""

from types import SimpleNamespace

import pytest
import streamlit as st
from helpers.trees import tree_of

from tted_core.script import EditOp, EditScript
from ui.mapping.view import Selection, read_selection, select, settle

MAPS = (tree_of("a(b c)"), tree_of("a(c d)"))


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})


def shown(*pairs, maps=MAPS):
    """A comparison with these operations, as far as a selection looks at it."""
    ops = tuple(EditOp("replace", source, target, 0.0) for source, target in pairs)
    left, right = (SimpleNamespace(tree=tree) for tree in maps)
    return SimpleNamespace(left=left, right=right, script=EditScript(ops))


def test_nothing_is_selected_at_first():
    assert not read_selection()
    assert settle(shown((0, 0))) is None


def test_a_selected_pair_is_found_and_stays():
    comparison = shown((0, 0), (1, 2), (2, None), (None, 1))
    for pair in ((0, 0), (1, 2), (2, None), (None, 1)):
        select(*pair)
        op = settle(comparison)
        assert (op.source, op.target) == pair
        assert read_selection() == Selection(*pair)
        assert read_selection()


@pytest.mark.parametrize(
    ("before", "after"),
    [((1, 2), (1, 1)), ((2, None), (2, 2)), ((None, 1), (1, 1)), ((0, 0), (0, None)), ((None, 0), (None, 0))],
)
def test_with_other_options_the_selection_takes_the_new_partner(before, after):
    settle(shown((0, 0)))
    select(*before)
    settle(shown((1, 1), (2, 2), (0, None), (None, 0)))
    assert read_selection() == Selection(*after)


def test_one_node_of_a_pair_is_enough():
    select(1, None)
    settle(shown((0, 0), (1, 2)))
    assert read_selection() == Selection(1, 2)


def test_other_maps_end_the_selection():
    settle(shown((0, 0)))
    select(0, 0)
    assert settle(shown((0, 0), maps=(MAPS[0], tree_of("a(c e)")))) is None
    assert not read_selection()


def test_a_node_that_is_not_there_is_not_selected():
    select(7, None)
    assert settle(shown((0, 0))) is None
    assert not read_selection()


def test_the_outline_scrolls_even_to_a_node_selected_before():
    select(0, 0)
    select(0, 0)
    assert st.session_state["reveals"] == 2
    select(0, 0, reveal=False)
    settle(shown((0, 0)))
    assert st.session_state["reveals"] == 2
