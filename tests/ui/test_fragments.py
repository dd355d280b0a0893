"""Parts of a page that run on their own: a click there is neither lost nor answered with what was before."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.paths import ROOT
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tools.server import served
from tools.session import Session


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    kept = {"TTED_CACHE": str(folder), "TTED_DECISIONS": str(folder / "decisions.sqlite")}
    with served(ROOT, environment=kept) as (found, _):
        yield found


@pytest.fixture
def visitor(address: str) -> Iterator[Session]:
    with Session(address) as session:
        session.run()
        session.set("more", string_value="Download and cite")
        session.run(of="more")
        assert not session.failures
        yield session


def pressed(session: Session, key: str) -> WidgetState:
    return WidgetState(id=session.widget(key), trigger_value=True)


def pick(session: Session, node: int, count: int) -> None:
    session.set("outline", json_value=json.dumps({"picked": [node, None, count]}))


def explained(session: Session) -> str:
    """The nodes that the panel tells of."""
    return " ".join(each.html.body for each in session.shown("html") if "<b>Left " in each.html.body)


def outline(session: Session) -> dict[str, Any]:
    (found,) = session.shown("bidi_component")
    content: dict[str, Any] = json.loads(found.bidi_component.json)
    return content


def signature(session: Session) -> str:
    return next(each.code.code_text for each in session.shown("code"))


def link(session: Session) -> str:
    return list(session.shown("code"))[-1].code.code_text


@pytest.mark.thorough
def test_a_click_on_a_node_runs_the_mapping_alone(visitor):
    above = next(visitor.shown("metric"))
    pick(visitor, 3, 1)
    visitor.run(of="outline")
    assert "<b>Left 3</b>" in explained(visitor)
    assert outline(visitor)["selected"][0] == 3
    assert next(visitor.shown("metric")) is above  # not drawn again
    pick(visitor, 4, 2)
    visitor.run(of="outline")
    assert "<b>Left 4</b>" in explained(visitor)
    assert "<b>Left 3</b>" not in explained(visitor)


@pytest.mark.thorough
def test_a_click_that_comes_while_the_page_runs_is_answered_with_what_is_new(visitor):
    before = signature(visitor)
    visitor.set("order", string_value="ordered")
    visitor.send(of="order")
    pick(visitor, 2, 1)
    visitor.send(of="outline")
    visitor.receive()
    visitor.receive()
    assert not visitor.failures
    assert "<b>Left 2</b>" in explained(visitor)
    assert signature(visitor) == before.replace("constrained", "ordered")


@pytest.mark.thorough
def test_a_choice_made_in_the_panel_changes_the_whole_page_and_its_link(visitor):
    free = next(visitor.shown("metric")).metric.body
    assert "choices=" not in link(visitor)
    changed = next(
        op["source"] for op in outline(visitor)["rows"]["ops"] if op["kind"] in {"reworded", "replaced"}
    )
    pick(visitor, changed, 1)
    visitor.run(of="outline")
    visitor.click("why-forbid")
    assert next(visitor.shown("metric")).metric.body != free
    assert f"choices=forbid{changed}." in link(visitor)
    visitor.click("why-clear-all")
    assert next(visitor.shown("metric")).metric.body == free
    assert "choices=" not in link(visitor)


@pytest.mark.thorough
def test_the_link_says_how_the_mapping_is_shown(visitor):
    assert "view=outline" in link(visitor)
    visitor.set("view", string_array_value=StringArray(data=["Graph"]))
    visitor.run(of="view")
    assert "view=graph" in link(visitor)
