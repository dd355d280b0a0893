"""What a component sets is acted on once, even if the first try was interrupted by another click."""

from types import SimpleNamespace

import pytest

from ui import component
from ui.compare import why
from ui.mapping import outline, selection


@pytest.fixture
def session(monkeypatch):
    state = {}
    for module in (component, selection, why):
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


def test_a_choice_in_the_box_is_taken_once_and_an_old_one_never(session):
    why.take_choice()
    assert not selection.selected()
    session["why-op-0"] = (2, 3)
    why.take_choice()
    assert selection.selected() == selection.Selection(2, 3)
    session["why-box"] = why._Box(1, (5, None))  # something else was selected elsewhere
    selection.select(5, None)
    session["why-op-0"] = None  # and the browser still tells of the box before
    why.take_choice()
    assert selection.selected() == selection.Selection(5, None)
    session["why-op-1"] = "a line of maps that are gone"
    why.take_choice()
    assert selection.selected() == selection.Selection(5, None)
