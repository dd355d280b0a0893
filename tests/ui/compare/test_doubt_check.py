"""The check of what could be otherwise: it ends by itself, and says how far it came."""

import pytest
from helpers.encoders import sentence_encoder

from tted_core import TextTree, compare
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
