"""What a component sets is acted on once, even if the first try was interrupted by another click."""

from types import SimpleNamespace

import pytest

from ui import component, outline, selection


@pytest.fixture
def session(monkeypatch):
    state = {}
    for module in (component, selection):
        monkeypatch.setattr(module, "st", SimpleNamespace(session_state=state))
    return state


def test_a_pick_is_taken_once(session):
    outline.take_pick()
    assert not selection.selected()
    session["outline"] = SimpleNamespace(picked=[2, 3, 1])
    outline.take_pick()
    assert selection.selected() == selection.Selection(2, 3)
    selection.select(5, None)
    outline.take_pick()
    assert selection.selected() == selection.Selection(5, None)
    session["outline"].picked = [None, None, 2]
    outline.take_pick()
    assert not selection.selected()


def test_an_interrupted_pick_is_taken_in_the_next_run(session, monkeypatch):
    session["outline"] = SimpleNamespace(picked=[2, 3, 1])

    def interrupted(*_, **__):
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(outline, "select", interrupted)
        with pytest.raises(InterruptedError):
            outline.take_pick()
    outline.take_pick()
    assert selection.selected() == selection.Selection(2, 3)
