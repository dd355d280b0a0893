"""Behaviour of a real server that AppTest lacks: uploads, and runs of fragments alone."""

import json

import pytest

from tools.session import Session
from ui.errors import FAULT

pytestmark = pytest.mark.thorough


def test_an_upload_survives_a_quick_change_of_tabs(server):
    with Session(server) as user:
        user.run(page="Annotate")
        uploader = user.widget("check-upload-0")
        assert user.upload(uploader, ("map.txt", b"Root\n  leaf\n")) == [204]
        for tab in ("Decide", "Check maps"):
            user.set("annotate", string_value=tab)
            user.run()
        faults = [each.alert.body for each in user.shown("alert") if each.alert.body.startswith(FAULT[:20])]
        assert user.failures + faults == []
        assert any("Indented text · 2 nodes" in getattr(each, "label", "") for each in user.widgets())


def test_an_upload_survives_a_lost_connection(server):
    with Session(server) as user:
        user.run(page="Evaluate")
        files = (("map.txt", b"Root\n  one\n"), ("map.md", b"# Root\n## two\n"))
        assert user.upload(user.widget("evaluate-upload"), *files) == [204, 204]
        for _ in range(2):
            user.run()
            labels = [getattr(each, "label", "") for each in user.widgets()]
            assert [user.failures, "Compare 1 pair" in labels] == [[], True]
            user.reconnect()


def signature(session: Session) -> str:
    return next(each.code.code_text for each in session.shown("code"))


def test_a_click_during_a_run_of_the_page_gets_the_new_result(server):
    """The explanation is in a fragment, which a click alone would run again with the old comparison."""
    with Session(server) as user:
        user.run()
        user.set("more", string_value="Download and cite")
        user.run(of="more")
        before = signature(user)
        user.set("order", string_value="ordered")
        user.send(of="order")
        user.set("outline", json_value=json.dumps({"picked": [2, None, "script", "outline", 1]}))
        user.send(of="outline")
        user.receive()
        user.receive()
        assert not user.failures
        assert any("Each polyp builds a hard cup" in each.html.body for each in user.shown("html"))
        assert signature(user) == before.replace("constrained", "ordered")
