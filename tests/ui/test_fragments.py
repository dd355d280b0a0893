"""Fragments of a page: clicks are neither lost nor answered with old results."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.paths import ROOT

from tools.server import served
from tools.session import Session


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    kept = {"TTED_CACHE": str(folder), "TTED_DECISIONS": str(folder / "decisions.sqlite")}
    with served(ROOT, environment=kept) as (found, _):
        yield found


@pytest.fixture
def user(address: str) -> Iterator[Session]:
    with Session(address) as session:
        session.run()
        session.set("more", string_value="Download and cite")
        session.run(of="more")
        assert not session.failures
        yield session


def pick(session: Session, node: int, count: int) -> None:
    session.set("outline", json_value=json.dumps({"picked": [node, None, "script", "outline", count]}))


def explained(session: Session) -> str:
    """The sentences in the panel."""
    return " ".join(each.html.body for each in session.shown("html") if "overflow-wrap" in each.html.body)


def outline(session: Session) -> dict[str, Any]:
    (found,) = session.shown("bidi_component")
    content: dict[str, Any] = json.loads(found.bidi_component.json)
    return content


def signature(session: Session) -> str:
    return next(each.code.code_text for each in session.shown("code"))


@pytest.mark.thorough
def test_a_click_during_a_run_of_the_page_gets_the_new_result(user):
    before = signature(user)
    user.set("order", string_value="ordered")
    user.send(of="order")
    pick(user, 2, 1)
    user.send(of="outline")
    user.receive()
    user.receive()
    assert not user.failures
    assert "Each polyp builds a hard cup" in explained(user)
    assert signature(user) == before.replace("constrained", "ordered")
