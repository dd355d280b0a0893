"""What the server settles once: garbage is collected beside the visitors' clicks, and nobody outside is asked."""

import gc
import threading
import time
import tomllib
import weakref

import pytest
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from ui import server


class Link:
    """Something that keeps itself alive."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def frozen():
    """The collector as it was, afterwards."""
    yield
    gc.unfreeze()


def test_no_click_waits_for_the_garbage():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False


class Over(Exception):  # noqa: N818 - the end of the loop
    pass


def test_garbage_is_collected_in_the_background(monkeypatch, frozen):
    """What has come since the last thorough look goes soon, what was there then at the next one."""
    links = [Link()]
    seen = [weakref.ref(links[0])]
    alive = []

    def pause(_seconds):
        if not alive:  # the first link is among what stays
            links.append(Link())
            seen.append(weakref.ref(links[1]))
            links.clear()
        alive.append([each() is not None for each in seen])
        if len(alive) == 3:
            raise Over

    monkeypatch.setattr(server, "THOROUGH", 2)
    monkeypatch.setattr(time, "sleep", pause)
    gc.disable()
    try:
        with pytest.raises(Over):
            server._collect()
    finally:
        gc.enable()
    assert alive == [[True, True], [True, False], [False, False]]


def test_a_page_in_a_test_settles_nothing():
    AppTest.from_file(str(ROOT / "pages" / "Method.py"), default_timeout=60).run()
    assert "garbage" not in [thread.name for thread in threading.enumerate()]
    assert gc.get_freeze_count() == 0
