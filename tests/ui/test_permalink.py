"""Links to the Compare page: what they carry, and what becomes of wrong ones."""

import dataclasses
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core import CONTEXTS, SOLVERS
from tted_core.distances import distances_at_hand
from ui import cache, permalink
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
    "left": "../../etc/passwd",
    "right": "photosynthesis/",
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
    assert opened(context="map", distance="euclidean").radio(key="preset").value == "Recommended"


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
    assert "dist:cosine|ctx:none|k:all" in app.code[0].value


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


def test_a_pasted_map_stays_out_of_the_link(fresh):
    app = opened()
    app.session_state["left-source"] = "Paste"
    app.run()
    app.text_area(key="left-text").set_value("Secret\n  plan").run()
    assert address(app) == {}
    assert "left" not in copied(app)
    assert any("travel in a replay file" in each.value for each in app.caption)


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
    assert address(app) == {"order": "ordered"}
