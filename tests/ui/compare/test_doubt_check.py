"""The check of what could be otherwise: it ends by itself, and says how far it came."""

import pytest
from helpers.encoders import sentence_encoder

from tted_core import TextTree, compare
from ui.compare import doubt


@pytest.mark.parametrize(("seconds", "is_complete"), [(-1.0, False), (3600.0, True)])
def test_a_check_ends_after_its_time(monkeypatch, seconds, is_complete):
    monkeypatch.setattr(doubt, "CHECK_SECONDS", seconds)
    trees = (TextTree((root, "same", "other"), (-1, 0, 0)) for root in ("one", "two"))
    result = compare(*trees, encoder=sentence_encoder())
    found = doubt._check(result, lambda _stage, _share: None, lambda: False)
    assert found.complete is is_complete
    assert found.operations == len(result.script.ops)
    assert bool(found.prices) is is_complete
