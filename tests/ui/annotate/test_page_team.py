"""The page for people: a lead adds them, gives roles and copies links, without a shell."""

from urllib.parse import parse_qs, urlsplit

import pytest
from helpers.annotate_page import button, opened, quick_page, studied, texts

from tted_core.annotate.reviews import open_store
from tted_core.annotate.reviews.people import People, hashed
from ui.annotate import team


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("TTED_OPEN", raising=False)
    monkeypatch.setattr(team, "serves_beyond", list)
    yield from quick_page(monkeypatch)


def token_in(app) -> str:
    (link,) = (each.value for each in app.code)
    assert urlsplit(link).path == "/Annotate"
    return parse_qs(urlsplit(link).query)["person"][0]


def people() -> People:
    return People(open_store().engine)


def test_a_first_lead_checks_names_adds_people_and_is_still_let_in():
    studied("Anna")
    app = opened("People")
    assert any("reviewer=Anna" in link for each in app.dataframe for link in each.value.get("Link", ()))
    app.text_input(key="team-first").set_value(" ")
    button(app, "Check names").click().run()
    assert "your name is empty" in app.error[0].value
    app.text_input(key="team-first").set_value("Lea")
    button(app, "Check names").click().run()
    assert people().of_token(hashed(token_in(app))).role == "lead"
    assert "Signed in as **Lea**, lead." in texts(app)
    app.text_area(key="team-names").set_value("Anna\nBen")
    button(app, "Add").click().run()
    assert [each.linked for each in people().all()] == [True, True, True]
    assert len(app.code) == 2
    assert app.text_area(key="team-names").value == ""
    button(app, "New link").click().run()
    assert people().of_token(hashed(token_in(app))).name == "Anna"
    app.selectbox(key="team-role-Anna").set_value("reader").run()
    button(app, "Change the role").click().run()
    assert people().named("Anna").role == "reader"
    app.selectbox(key="team-person").set_value("Ben").run()
    button(app, "Remove from the team").click().run()
    assert [each.name for each in people().all()] == ["Anna", "Lea"]


def test_nobody_on_an_open_server_makes_themselves_the_lead(monkeypatch):
    monkeypatch.setenv("TTED_OPEN", "1")
    app = opened("People")
    assert "whoever runs it makes the first lead" in texts(app)
    assert not any("Check names" in each.label for each in app.button)


def test_a_lead_cannot_lock_themselves_out():
    lea = people().add("Lea", "lead")
    token = people().new_link(lea.name)
    app = opened("People", {"person": token})
    app.selectbox(key="team-role-Lea").set_value("reviewer").run()
    button(app, "Change the role").click().run()
    assert "another lead" in app.error[0].value
    button(app, "Remove from the team").click().run()
    assert "another lead" in app.error[0].value
    assert people().named("Lea").role == "lead"


def test_a_reviewer_by_link_sees_the_mappings_to_judge_and_no_tab():
    studied("Anna")
    token = people().new_link("Anna")
    app = opened(None, {"tab": "people", "person": token})
    assert "**Pair 1 of" in texts(app)
    assert not app.tabs
    assert not app.sidebar.radio  # no presets, no options
