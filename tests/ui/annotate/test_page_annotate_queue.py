"""The queue of mappings to review: a map that was changed since is another mapping, whatever it is called."""

import unicodedata

import pytest
from streamlit.testing.v1 import AppTest

from tted_core import parse_map
from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import Judgement, open_store
from ui.annotate import queue

MAPS = {"anna": "Tides\n  moon\n  sun", "ben": "Tides\n  moon\n  wind", "cleo": "Tides\n  moon"}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch):
    """Open the queue with maps of one document; no map is compared."""

    def page():
        from tted_core.annotate.reviews import open_store
        from ui.annotate.queue import chosen_task
        from ui.errors import show_errors

        with show_errors():
            store = open_store()
            task = chosen_task(store, "Zoë")
            # As with the first judgement: looking at a mapping puts nothing into the database.
            store.open_task(task.document, task.left, task.right, task.left_name, task.right_name)

    def opened(maps: dict[str, str], document: str = "Zoë's tides") -> AppTest:
        read = {name: parse_map(text) for name, text in maps.items()}
        monkeypatch.setattr(queue, "collection_input", lambda: (AnnotatedDocument(document, read),))
        app = AppTest.from_function(page, default_timeout=60).run()
        assert not app.exception
        return app

    return opened


def judge(*decisions: str) -> None:
    """Zoë judges the first pairs of the first task, and finds it good."""
    store = open_store()
    task = store.task(store.tasks()[0].number)
    for node, decision in enumerate(decisions):
        store.save(task, Judgement("Zoë", node, node, decision))
    store.save(task, Judgement("Zoë", None, None, "good"))


def test_a_changed_map_has_no_progress_and_is_where_one_goes_on(opened):
    opened(MAPS)
    judge("accept", "accept", "reject")
    app = opened(MAPS)
    box = app.selectbox[1]
    assert (box.label, box.value) == ("Mapping (1 of 2 have your verdict)", 1)
    box.set_value(0).run()
    assert app.caption[0].value == "You have: ✓ good, 3 pairs judged."
    app = opened(MAPS | {"ben": "Tides\n  moon\n  rain"})
    box = app.selectbox[1]
    assert (box.label, box.value) == ("Mapping (0 of 2 have your verdict)", 0)
    assert app.caption[0].value == "You have: not begun."
    box.set_value(1).run()
    (button,) = app.button
    button.click().run()
    assert app.selectbox[1].value == 0


def test_a_name_in_another_spelling_of_unicode_keeps_its_progress(opened):
    opened(MAPS)
    judge("accept")
    app = opened(MAPS, unicodedata.normalize("NFD", "Zoë's tides"))
    assert app.selectbox[1].label == "Mapping (1 of 2 have your verdict)"


def test_a_name_that_is_too_long_is_told_when_it_is_opened(opened):
    (error,) = opened(MAPS, "x" * 201).error
    assert "201 characters in the document's name" in error.value
