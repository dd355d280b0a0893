"""Links to the Compare page: their parameters, and wrong values."""

import pytest
from helpers.pages import address, copied, opened, option, paste, press, unfold
from helpers.thorough import sampled
from streamlit.testing.v1 import AppTest

from tted_core.method import OPTIONS
from tted_core.solvers import Choices
from ui.compare.link import compare_link

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
}


def test_every_option_has_a_parameter():
    assert OPTIONS.keys() <= {each.name for each in compare_link()}


def test_an_unchanged_page_has_an_empty_address_and_a_complete_link(hashed_models):
    app = opened()
    assert address(app) == {}
    assert copied(app) == {
        "left": "coral-reefs/base.json",
        "right": "coral-reefs/demo.json",
        "order": "constrained",
        "context": "none",
        "encoder": "minilm",
        "distance": "cosine",
        "gap": "0",
        "power": "1",
        "time_limit": "10",
        "reading": "script",
        "view": "outline",
    }


def test_a_link_sets_all_inputs(hashed_models):
    app = opened(**CHOSEN)
    assert not app.exception
    assert not app.warning
    assert address(app) == CHOSEN
    assert app.expander[0].label.startswith("**Left map**: photosynthesis/base\\.md")
    for name in ("order:unordered", "dist:manhattan", "ctx:ancestors", "k:3"):
        assert name in app.code[0].value
    assert option(app, "preset").value is None
    again = opened(**copied(app))
    assert again.code[0].value == app.code[0].value
    assert address(again) == CHOSEN


def test_a_link_with_a_presets_options_names_the_preset(hashed_models):
    assert option(opened(gap="0", power="1"), "preset").value == "published"
    assert option(opened(gap="=0.80", power="8"), "preset").value == "proofreading"
    other = opened(gap="0.5", power="2.5")
    assert option(other, "preset").value is None
    assert "gap:0.5|p:2.5" in other.code[0].value
    refused = opened(gap="-1")
    assert "The link has gap=" in refused.warning[0].value
    assert "|ctx:none|gap:0|p:1|k:all" in refused.code[0].value


def test_a_wrong_value_gets_one_sentence_and_the_default(hashed_models):
    app = opened(**WRONG)
    assert not app.exception
    assert not app.error
    shown = [warning.value.replace("\\", "") for warning in app.warning]
    for name, text in WRONG.items():
        (sentence,) = (each for each in shown if each.startswith(f"The link has {name}={text}: "))
        assert sentence.endswith("is used instead.")
    assert len(shown) == len(WRONG)
    assert address(app) == {}
    app.run()
    assert len(app.warning) == len(WRONG), "they stay until something is changed"
    option(app, "order").set_value("ordered").run()
    assert not app.warning
    assert "order:ordered|" in app.code[0].value
    assert "dist:cosine|ctx:none|gap:0|p:1|k:all" in app.code[0].value


def read_link(part, text):
    """A page that reads a link with this text for each parameter of a page."""
    import streamlit as st

    from ui.annotate import ANNOTATE_TABS
    from ui.compare.link import compare_link
    from ui.evaluate import EVALUATE_TABS
    from ui.learn import LEARN_PARTS
    from ui.permalink import permalink

    pages = {
        "annotate": ANNOTATE_TABS,
        "evaluate": EVALUATE_TABS,
        "learn": LEARN_PARTS,
    }
    parts = pages.get(part, {}).values()
    parameters = [each for tab in parts for each in tab.parameters] or compare_link()
    st.query_params.update(dict.fromkeys((each.name for each in parameters), text))
    with permalink(part, parameters):
        pass


@pytest.mark.parametrize("part", ["evaluate", "annotate", "learn", "compare"])
def test_thousands_of_letters_in_a_link_get_one_short_sentence(part):
    for text in ("a" * 5_000, "9" * 5_000, f"own:{'a' * 5_000}", f"force{'9' * 5_000}"):
        app = AppTest.from_function(read_link, default_timeout=300, args=(part, text)).run()
        assert not app.exception
        assert app.warning
        assert all(len(each.value) < 450 for each in app.warning)


def test_the_address_follows_the_widgets_and_keeps_unknown_parameters(hashed_models):
    app = opened(utm_source="mail")
    option(app, "order").set_value("ordered").run()
    app.selectbox(key="right-sample").set_value("coral-reefs/paraphrase_1.json").run()
    assert address(app) == {
        "utm_source": "mail",
        "order": "ordered",
        "right": "coral-reefs/paraphrase_1.json",
    }
    option(app, "order").set_value("constrained").run()
    assert "order" not in address(app)


def test_an_address_is_taken_over_once_the_browser_shows_it(hashed_models):
    """Until then, a run may have begun before the browser had the last one."""
    app = opened(order="ordered")
    option(app, "order").set_value("unordered").run()
    app.query_params["order"] = "ordered"
    app.run()
    assert option(app, "order").value == "unordered"
    app.query_params["order"] = "unordered"
    app.run()
    app.query_params["order"] = "ordered"
    app.run()
    assert option(app, "order").value == "ordered"


def test_going_back_from_a_new_comparison_brings_maps_that_are_too_large_for_a_link(hashed_models):
    app = opened()
    text = "Root\n" + "\n".join(f"  {number}{'x' * 900}" for number in range(150))
    for side in ("left", "right"):
        paste(app, f"{text}\n  {side}", side)
    before = dict(address(app))
    assert [each.partition(":")[0] for each in before.values()] == ["large", "large"]
    press(app, "other-maps")
    assert app.expander[0].label == "**Example**: base.json"
    app.run()  # the browser has the address
    app.query_params.update(before)
    app.run()
    for side in ("left", "right"):
        assert unfold(app, side).text_area(key=f"{side}-text").value == f"{text}\n  {side}"


CHOSEN_PAIRS = Choices(((3, 4), (None, 2)), ((5, 6), (7, None)))


def test_the_link_carries_choices(hashed_models):
    app = opened()
    app.session_state["choices"] = CHOSEN_PAIRS
    app.run()
    assert address(app) == {"choices": "force3.4_force.2_forbid5.6_forbid7."}
    reloaded = opened(**address(app))
    assert reloaded.session_state["choices"] == CHOSEN_PAIRS
    assert reloaded.code[0].value == app.code[0].value
    assert copied(reloaded)["choices"] == address(app)["choices"]
    option(reloaded, "depth").set_value(2).run()
    assert address(reloaded) == {"depth": "2"}, "they are another depth's"


@pytest.mark.parametrize(
    "choices_text", sampled(["force3", "force.", "sideways3.4", "force1.2_", "force1.2_forbid", "1.2"], 2)
)
def test_wrong_choices_are_reported_and_not_applied(hashed_models, choices_text):
    app = opened(choices=choices_text)
    if choices_text == "force1.2_":
        assert app.session_state["choices"] == Choices(((1, 2),))
    else:
        assert "no pairs of nodes such as" in app.warning[0].value
        assert not app.session_state["choices"]
