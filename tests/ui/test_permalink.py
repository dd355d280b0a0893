"""Links to the Compare page: what they carry, and what becomes of wrong ones."""

import dataclasses
import json
import os
import time
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from helpers.encoders import sentence_encoder
from helpers.pages import paste, upload
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core import CONTEXTS, SOLVERS, Choices
from tted_core.distances import distances_at_hand
from ui import cache, kept_maps, permalink
from ui.compare.compare_link import compare_link
from ui.options import Options

CHOSEN = {
    "left": "photosynthesis/base.md",
    "right": "photosynthesis/structure_2.json",
    "order": "unordered",
    "context": "ancestors",
    "distance": "manhattan",
    "depth": "3",
    "time_limit": "25",
}

WRONG = {
    "order": "sideways",
    "context": "<script>alert(1)</script>",
    "encoder": "some/path",
    "distance": "",
    "depth": "-1",
    "time_limit": "nan",
    "left_format": "pdf",
    "left_roots": "many",
}


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cache, "load_encoder", lambda name: sentence_encoder(name=name))
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


def opened(**address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(address)
    return app.run()


def address(app: AppTest) -> dict[str, str]:
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


def copied(app: AppTest) -> dict[str, str]:
    """What the link to copy says."""
    return {name: texts[0] for name, texts in parse_qs(urlsplit(app.code[-1].value).query).items()}


def test_every_option_has_a_parameter():
    assert {field.name for field in dataclasses.fields(Options)} <= {each.name for each in compare_link()}


def test_an_untouched_page_has_no_address_but_a_link_that_says_all(fresh):
    app = opened()
    assert address(app) == {}
    assert copied(app) == {
        "left": "coral-reefs/base.json",
        "right": "coral-reefs/demo.json",
        "order": "constrained",
        "context": "none",
        "encoder": "minilm",
        "distance": "cosine",
        "masked_model": "bert-base-cased",
        "gap": "=0.8",
        "power": "8",
        "left_roots": "join",
        "right_roots": "join",
        "time_limit": "10",
        "view": "outline",
        "layout": "rows",
    }


def test_a_link_opens_what_it_says(fresh):
    app = opened(**CHOSEN)
    assert not app.exception
    assert not app.warning
    assert address(app) == CHOSEN
    assert app.expander[0].label.startswith("**Left map**: photosynthesis/base\\.md")
    for name in ("order:unordered", "dist:manhattan", "ctx:ancestors", "k:3"):
        assert name in app.code[0].value
    assert app.radio(key="preset").value is None
    again = opened(**copied(app))
    assert again.code[0].value == app.code[0].value
    assert address(again) == CHOSEN


def test_a_link_with_a_presets_options_names_the_preset(fresh):
    assert opened(gap="0", power="1").radio(key="preset").value == "published"
    assert opened(gap="=0.80").radio(key="preset").value == "recommended"
    other = opened(gap="0.5", power="2.5")
    assert other.radio(key="preset").value is None
    assert "gap:0.5|p:2.5" in other.code[0].value
    refused = opened(gap="-1")
    assert "The link says gap=" in refused.warning[0].value
    assert "gap:=0.8|" in refused.code[0].value


@pytest.mark.parametrize("name", ["order", "context", "distance"])
def test_every_value_of_an_option_can_be_linked_to(fresh, name):
    for value in {"order": SOLVERS, "context": CONTEXTS, "distance": distances_at_hand()}[name]:
        (parameter,) = (each for each in compare_link() if each.name == name)
        assert parameter.write(parameter.read(value)) == value


def test_a_wrong_value_gets_one_sentence_and_the_default(fresh):
    app = opened(**WRONG)
    assert not app.exception
    assert not app.error
    shown = [warning.value.replace("\\", "") for warning in app.warning]
    for name, text in WRONG.items():
        (sentence,) = (each for each in shown if each.startswith(f"The link says {name}={text}: "))
        assert sentence.endswith("is used instead.")
    assert len(shown) == len(WRONG)
    assert address(app) == {}
    app.run()
    assert len(app.warning) == len(WRONG), "they stay until something is changed"
    app.selectbox(key="order").set_value("ordered").run()
    assert not app.warning
    assert "order:ordered|" in app.code[0].value
    assert "dist:cosine|ctx:none|gap:=0.8|p:8|k:all" in app.code[0].value


def test_the_address_follows_the_widgets_and_leaves_strangers_alone(fresh):
    app = opened(utm_source="mail")
    app.selectbox(key="order").set_value("ordered").run()
    app.selectbox(key="right-file").set_value("paraphrase_1.json").run()
    assert address(app) == {
        "utm_source": "mail",
        "order": "ordered",
        "right": "coral-reefs/paraphrase_1.json",
    }
    app.selectbox(key="order").set_value("constrained").run()
    assert "order" not in address(app)


def test_going_back_in_the_browser_goes_back_on_the_page(fresh, monkeypatch):
    monkeypatch.setattr(permalink, "IN_FLIGHT_SECONDS", -1.0)
    app = opened(order="ordered")
    app.selectbox(key="order").set_value("unordered").run()
    app.query_params["order"] = "ordered"
    app.run()
    assert app.selectbox(key="order").value == "ordered"
    app.query_params.clear()
    app.run()
    assert app.selectbox(key="order").value == "constrained"


def test_an_address_that_is_late_undoes_nothing(fresh):
    app = opened(order="ordered")
    app.selectbox(key="order").set_value("unordered").run()
    app.query_params["order"] = "ordered"
    app.run()
    assert app.selectbox(key="order").value == "unordered"
    assert address(app) == {"order": "unordered"}


def test_a_reload_keeps_a_pasted_map_and_its_link_opens_it_without_telling_it(fresh):
    app = paste(opened(), "Secret\n  plan")
    assert "Secret" not in str(address(app))
    assert list(address(app)) == ["left"]
    assert copied(app)["left"] == address(app)["left"]
    assert any("can open them; nobody else" in each.value for each in app.caption)
    for reloaded in (opened(**address(app)), opened(**copied(app))):
        assert reloaded.text_area(key="left-text").value == "Secret\n  plan"
        assert reloaded.code[0].value == app.code[0].value
        assert address(reloaded) == address(app)
        assert not reloaded.warning


BROKEN = '{"Root": [}'


def test_a_reload_keeps_what_could_not_be_read(fresh):
    app = paste(opened(), BROKEN)
    reloaded = opened(**address(app))
    assert reloaded.text_area(key="left-text").value == BROKEN
    assert reloaded.error[0].value == app.error[0].value


def test_a_reload_keeps_uploaded_maps_and_how_they_are_read(fresh):
    maps = [
        (f"{name}.json", json.dumps({name: {}, "other": {}}).encode(), "application/json") for name in "ab"
    ]
    app = opened()
    upload(app, *maps)
    app.selectbox(key="left-sheet").set_value(2).run()
    app.selectbox(key="left-roots").set_value("first").run()
    reloaded = opened(**address(app))
    assert reloaded.selectbox(key="left-sheet").value == 2
    assert reloaded.selectbox(key="left-roots").value == "first"
    assert reloaded.code[0].value == app.code[0].value
    assert any("Still here: 2 files" in each.value for each in reloaded.caption)
    again = opened(**address(reloaded))
    assert address(again) == address(app)
    upload(again, ("c.txt", b"Root\n  leaf", "text/plain"))
    assert again.expander[0].label == "**Left map**: c\\.txt · 2 nodes, depth 2"


def test_an_empty_side_is_empty_after_a_reload(fresh):
    app = opened()
    app.session_state["right-source"] = "Upload"
    app.run()
    assert address(app) == {"right": "upload"}
    reloaded = opened(**address(app))
    assert not reloaded.code
    assert not reloaded.warning
    assert reloaded.expander[1].label == "**Right map**: no file yet"


@pytest.mark.parametrize(
    "told", ["../../etc/passwd", "photosynthesis/", "own", "own:", f"own:{'A' * 22}", "own:../maps/secret"]
)
def test_a_link_to_a_map_that_is_not_here_shows_no_other(fresh, told):
    app = opened(left=told)
    (warning,) = app.warning
    assert warning.value.replace("\\", "").startswith(f"The link says left={told}: ")
    assert "the left side stays empty" in warning.value
    assert not app.code, "nothing is compared"
    assert not app.error
    assert app.expander[0].label == "**Left map**: pasted text"
    assert app.expander[1].label.startswith("**Right map**: coral")


def test_a_map_is_kept_until_nobody_has_opened_it_for_days(fresh, cache_folder, monkeypatch):
    app = paste(opened(), "My\n  own")
    (file,) = (cache_folder / "maps").iterdir()
    assert file.stat().st_mode & 0o077 == 0, "for this server's user alone"
    six, eight = (time.time() - days * 86_400 for days in (6, 8))
    os.utime(file, (six, six))
    assert opened(**address(app)).text_area(key="left-text").value == "My\n  own"
    assert file.stat().st_mtime > six + 86_400, "its age begins anew"
    os.utime(file, (eight, eight))
    gone = opened(**address(app))
    assert "isn't kept here any more" in gone.warning[0].value
    assert not gone.code
    paste(gone, "Another\n  map")
    assert not file.exists()
    monkeypatch.setattr(kept_maps, "MAX_KEPT_BYTES", 60)
    paste(gone, "One more\n  map, which has no room beside the other")
    assert len(list((cache_folder / "maps").iterdir())) < 2


def test_a_server_that_keeps_no_maps_says_so_and_offers_the_replay_file(fresh, cache_folder, monkeypatch):
    monkeypatch.setenv("TTED_KEPT_DAYS", "0")
    app = paste(opened(), "My\n  own")
    assert not (cache_folder / "maps").exists()
    assert address(app) == {"left": "own"}
    assert [code.value.startswith("TTED|") for code in app.code] == [True], "the signature, and no link"
    assert any("The replay file above does" in each.value for each in app.markdown)
    assert "the server doesn't keep" in opened(**address(app)).warning[0].value.replace("\\", "")


def test_a_wrong_number_of_days_is_one_sentence(fresh, monkeypatch):
    monkeypatch.setenv("TTED_KEPT_DAYS", "soon")
    app = paste(opened(), "My\n  own")
    assert [error.value for error in app.error] == [
        "TTED\\_KEPT\\_DAYS is a number of days from 0 to 36,500, not soon"
    ]


CHOSEN_PAIRS = Choices(((3, 4), (None, 2)), ((5, 6), (7, None)))


def test_the_link_carries_choices(fresh):
    app = opened()
    app.session_state["choices"] = CHOSEN_PAIRS
    app.run()
    assert address(app) == {"choices": "force3.4_force.2_forbid5.6_forbid7."}
    reloaded = opened(**address(app))
    assert reloaded.session_state["choices"] == CHOSEN_PAIRS
    assert reloaded.code[0].value == app.code[0].value
    assert copied(reloaded)["choices"] == address(app)["choices"]
    reloaded.number_input(key="depth").set_value(2).run()
    assert address(reloaded) == {"depth": "2"}, "they are another depth's"
    reloaded.number_input(key="depth").set_value(None).run()
    assert address(reloaded) == address(app)


@pytest.mark.parametrize("told", ["force3", "force.", "sideways3.4", "force1.2_", "force1.2_forbid", "1.2"])
def test_wrong_choices_are_told_and_not_made(fresh, told):
    app = opened(choices=told)
    if told == "force1.2_":
        assert app.session_state["choices"] == Choices(((1, 2),))
    else:
        assert "no pairs of nodes such as" in app.warning[0].value
        assert not app.session_state["choices"]


def test_choices_of_nodes_that_are_not_there_are_told(fresh):
    app = opened(choices="force900.1")
    assert not app.exception
    assert "names node 900" in app.error[0].value
    assert app.button(key="clear-Forced-(900, 1)")


def test_what_was_chosen_is_still_there_after_a_look_at_another_page(fresh):
    app = opened(order="ordered")
    app.session_state["left-source"] = "Paste"
    app.run()
    app.text_area(key="left-text").set_value("My\n  own").run()
    app.query_params.clear()
    app.switch_page("pages/Method.py").run()
    app.switch_page("app.py").run()
    assert app.selectbox(key="order").value == "ordered"
    assert app.text_area(key="left-text").value == "My\n  own"
    assert address(app)["left"].startswith("own:")
    assert address(app)["order"] == "ordered"


def test_a_part_of_what_a_page_knew_is_not_taken_for_all_of_it(fresh):
    """Who clicks fast comes back while the browser still says what one of the widgets was."""
    app = opened(left="photosynthesis/base.md")
    app.query_params.clear()
    app.switch_page("pages/Method.py").run()
    app.session_state["left-source"] = "Sample"
    app.switch_page("app.py").run()
    assert not app.exception
    assert address(app)["left"] == "photosynthesis/base.md"
