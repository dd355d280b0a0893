"""A user's own maps are taken over from Compare to Annotate."""

import pytest
import streamlit as st

from ui import sides
from ui.annotate.checks import MAP
from ui.sides import LEFT, RIGHT, bring_own

OWN = {
    "left-source": "Paste",
    "left-text": "Bees\n  Honey",
    "right-source": "Paste",
    "right-text": "Bees\n  Wax",
}


@pytest.fixture
def session(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def test_a_user_without_own_maps_sees_a_sample(session):
    assert bring_own(MAP)
    assert not sides.has_own(MAP)


def test_annotate_checks_the_right_map_of_compare(session):
    session.update(OWN)
    assert not bring_own(MAP)
    assert session[MAP.state("text")] == OWN["right-text"]
    session[RIGHT.state("text")] = "another"
    assert not bring_own(MAP)
    assert session[MAP.state("text")] == OWN["right-text"], "what is there stays"


def test_annotate_checks_the_left_map_if_only_that_is_the_users_own(session):
    session.update({"left-source": "Paste", "left-text": "Bees"})
    assert not bring_own(MAP)
    assert session[MAP.state("text")] == session[LEFT.state("text")]


def test_a_chosen_sample_stays(session):
    session.update({**OWN, MAP.state("chosen"): True})
    assert bring_own(MAP)
    assert not sides.has_own(MAP)
