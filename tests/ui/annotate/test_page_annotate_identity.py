"""Visitors without a browser who try to write as another reviewer, by whatever a page has ever taken."""

from contextlib import ExitStack

import pytest
from helpers.paths import ROOT
from helpers.trees import tree_of
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.server import served
from benchmarks.session import Session
from tted_core.annotate.reviews import Judgement, export_json, open_store
from tted_core.annotate.reviews.people import People
from ui.annotate.people import LINK

pytestmark = pytest.mark.thorough

TREE = tree_of("a(b c)")
TABS = ("review", "settle", "study")


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A review that Anna has begun, and a file in which she says otherwise."""
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "reviews.sqlite"))
    monkeypatch.setenv("TTED_CACHE", str(tmp_path))
    store = open_store()
    store.save(store.open_task("reefs", TREE, TREE), Judgement("Anna", 1, 1, "accept"))
    store.save(store.find_task("reefs", TREE, TREE), Judgement("Cem", 1, 1, "reject"))
    return store


def name_in(field):
    """Whoever settles must not have judged the pair."""
    return "Lea" if field.endswith("-adjudicator") else "Anna"


def as_anna(session, tab):
    """Say to be Anna to a page that checks no names; all its widgets, by their kinds."""
    widgets = {}
    session.run(page="Annotate", query=f"tab={tab}")
    for _ in range(3):  # a name brings further widgets, and the choice of a review more
        for each in session.widgets():
            widgets[each.id] = type(each).__name__
            if each.id.endswith(("-reviewer", "-adjudicator")):
                session.set_state(WidgetState(id=each.id, string_value=name_in(each.id)))
            elif each.id.endswith("-review-place"):
                session.set_state(WidgetState(id=each.id, string_array_value={"data": ["Of no study"]}))
        session.run(query=f"tab={tab}")
    return widgets


def everything(widgets):
    """All fields say Anna or what she is to say, and all buttons are pressed at once."""
    values = {
        "Button": {"trigger_value": True},
        "TextArea": {"string_value": "Anna's own words"},
        "Checkbox": {"bool_value": True},
        "ButtonGroup": {"string_array_value": {"data": ["Of no study"]}},
    }
    texts = [name for name, kind in widgets.items() if kind == "TextInput"]
    return [
        *(WidgetState(id=name, **values[kind]) for name, kind in widgets.items() if kind in values),
        *(WidgetState(id=name, string_value=name_in(name)) for name in texts),
    ]


def test_a_second_reviewer_cannot_write_as_the_first_by_any_request(store):
    team, task = People(store.engine), store.find_task("reefs", TREE, TREE)
    forged = export_json(store).replace('"accept"', '"reject"').encode()
    with served(ROOT) as (address, _), ExitStack() as stack:
        before = {tab: stack.enter_context(Session(address)) for tab in TABS}
        widgets = {}
        for tab, session in before.items():
            widgets |= as_anna(session, tab)
        keys = {name.split("-", 2)[2] for name in widgets}
        assert keys >= {"reviewer", "adjudicator", "decide-reject", "verdict-good", "reviews-file"}
        assert any(key.startswith("settle-") and key.endswith("-0-1") for key in keys)
        uploader = next(name for name in widgets if name.endswith("-reviews-file"))
        team.new_link("Anna")
        team.add("Ben")
        token = team.new_link("Ben")
        history, people = store.history(task), team.all()

        # Pages that were drawn while names were typed: they have all the buttons, and write nothing any more.
        for tab, session in before.items():
            session.upload(uploader, ("reviews.json", forged))
            for _ in range(2):
                session.run(*everything(widgets), query=f"tab={tab}")
                assert session.failures == []
        assert store.history(task) == history

        # Ben's own pages, which are told of every widget that there ever was: his link writes as Ben alone.
        for tab in TABS:
            with Session(address) as ben:
                ben.run(page="Annotate", query=f"tab={tab}&person={token}")
                assert token not in ben.query
                ben.upload(uploader, ("reviews.json", forged))
                for _ in range(3):
                    ben.run(*everything(widgets), query=f"tab={tab}&reviewer=Anna")
                    assert ben.failures == []
        after = [each for some in store.tasks() for each in store.history(store.task(some.number))]
        assert {each.person for each in after} == {"Anna", "Ben", "Cem"}
        assert tuple(each for each in after if each.person != "Ben") == history
        assert {each.role for each in after} == {"reviewer"}

        # A name is no token, and neither is what the database holds of one.
        with store.engine.connect() as connection:
            hashes = connection.exec_driver_sql("SELECT token_hash FROM people").scalars().all()
        for wrong in ("Anna", *filter(None, hashes)):
            with Session(address) as stranger:
                stranger.run(page="Annotate", query=f"tab=review&person={wrong}")
                stranger.run(*everything(widgets), query="tab=review&reviewer=Anna")
                # What the session keeps under these names is no widget's.
                made_up = [
                    WidgetState(id=name, string_value=wrong) for name in ("signed-in", "reviewer", LINK)
                ]
                stranger.run(*made_up, query="tab=review")
        assert [each for some in store.tasks() for each in store.history(store.task(some.number))] == after
        assert team.all() == people
