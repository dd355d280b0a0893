"""Behaviour of a real server that AppTest lacks: files made on request, duplicate keys."""

import pytest
from helpers.paths import ROOT

from tools.server import served
from tools.session import Session
from ui.errors import FAULT

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def address():
    with served(ROOT) as (address, _):
        yield address


def button(session, label):
    return next(each for each in session.widgets() if getattr(each, "label", "") == label)


def test_an_upload_survives_a_quick_change_of_tabs(address):
    with Session(address) as user:
        user.run(page="Annotate")
        uploader = user.widget("check-upload-0")
        assert user.upload(uploader, ("map.txt", b"Root\n  leaf\n")) == [204]
        for tab in ("Decide", "Check maps"):
            user.set("annotate", string_value=tab)
            user.run()
        faults = [each.alert.body for each in user.shown("alert") if each.alert.body.startswith(FAULT[:20])]
        assert user.failures + faults == []
        assert any("Indented text · 2 nodes" in getattr(each, "label", "") for each in user.widgets())


def test_an_upload_survives_a_lost_connection(address):
    with Session(address) as user:
        user.run(page="Evaluate")
        files = (("map.txt", b"Root\n  one\n"), ("map.md", b"# Root\n## two\n"))
        assert user.upload(user.widget("evaluate-upload"), *files) == [204, 204]
        for _ in range(2):
            user.run()
            labels = [getattr(each, "label", "") for each in user.widgets()]
            assert [user.failures, "Compare 1 pair" in labels] == [[], True]
            user.reconnect()
