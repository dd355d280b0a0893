"""The check of what could be otherwise: it ends by itself, and says how far it came."""

import dataclasses

import pytest
from helpers.encoders import sentence_encoder
from streamlit.testing.v1 import AppTest

from tted_core import TextTree, compare
from tted_core.explain.doubt import doubts
from tted_core.foundations.monitor import UNWATCHED
from ui.compare import receipt


@pytest.mark.parametrize(("seconds", "is_complete"), [(-1.0, False), (3600.0, True)])
def test_a_check_ends_after_its_time(monkeypatch, seconds, is_complete):
    monkeypatch.setattr(receipt, "CHECK_SECONDS", seconds)
    trees = (TextTree((root, "same", "other"), (-1, 0, 0)) for root in ("one", "two"))
    result = compare(*trees, encoder=sentence_encoder())
    found = receipt._check(result, UNWATCHED)
    assert found.complete is is_complete
    assert found.operations == len(result.script.ops)
    assert bool(found.prices) is is_complete


def one_alone(result, _monitor):
    """A check that has time for one operation only."""
    found = doubts(result)
    return dataclasses.replace(found, prices=dict(list(found.prices.items())[:1]))


def test_a_stopped_check_shows_its_progress(monkeypatch):
    monkeypatch.setattr(receipt, "_check", one_alone)
    monkeypatch.setattr(receipt, "AT_ONCE", 0)

    def program():
        from helpers.encoders import sentence_encoder

        from tted_core import TextTree, compare
        from ui.compare import receipt

        trees = (TextTree((root, "same", "other"), (-1, 0, 0)) for root in ("one", "two"))
        receipt._alternatives(compare(*trees, encoder=sentence_encoder(), preset="proofreading"))

    app = AppTest.from_function(program, default_timeout=60).run()
    app.button[0].click().run()
    assert not app.exception
    assert "Only 1 of 4 operations were checked" in app.markdown[0].value
    assert not app.button
