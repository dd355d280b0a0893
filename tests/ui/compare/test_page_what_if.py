"""A pair on the Compare page: its reasons, the price of alternatives, its certainty and its costs."""

import pytest
from helpers.encoders import sentence_encoder
from helpers.pages import html, metric, open_tab, opened, option, shown, shown_operations

from tted_core import compare, read_map
from tted_core.explain.what_if import under_choices
from tted_core.report.readings import read_sentences
from tted_core.solvers import Choices
from ui.mapping.view import Selection
from ui.samples import FOLDER

CORAL = FOLDER / "coral-reefs"


@pytest.fixture
def app(hashed_models):
    """The opening comparison under the published preset, whose costs are simply added up."""
    return opened(gap="0", power="1")


@pytest.fixture(scope="module")
def free():
    encoder = sentence_encoder(name="minilm")
    return compare(read_map(CORAL / "base.json"), read_map(CORAL / "demo.json"), encoder=encoder)


def choose(app, kind, number=0):
    """Select an operation of this kind: the one with this number in the script."""
    _, last, _ = app.session_state["last-answers"][-1]
    op = [each for each in last.script.ops if each.op == kind][number]
    app.session_state["selected"] = Selection(op.source, op.target)
    app.run()
    assert not app.exception


def keys(app):
    return {button.key: button for button in app.button if button.key}


def paste(app, side, text):
    app.text_area(key=f"{side}-text").set_value(text).run()


def test_forbidding_a_pair_costs_its_price_until_it_is_cleared(app, free):
    assert metric(app, "TTED ↓") == f"{free.tted:.4f}"
    choose(app, "replace")
    op = next(op for op in free.script.ops if op.op == "replace")
    chosen = under_choices(free, Choices(forbidden=((op.source, op.target),)))
    price = chosen.tted - free.tted
    assert price > 0
    button = keys(app)["why-forbid"]
    assert button.label == f"Don't pair these: {price:.4f} more"
    app.session_state["reading"] = "sentences"
    button.click().run()
    assert metric(app, "TTED ↓") == f"{chosen.tted:.4f}"
    assert "With 1 of your choices" in shown(app)
    assert f"{free.tted:.4f} → **{chosen.tted:.4f}** (**+{price:.4f}**)" in shown(app)
    assert app.session_state["reading"] == "script"
    assert any(each.value == chosen.signature for each in app.code)
    assert f"choices=forbid{op.source}.{op.target}&" in app.code[-1].value
    assert any("Forbidden: " in each.help for each in app.markdown if each.help)
    keys(app)["undo-choice"].click().run()
    assert metric(app, "TTED ↓") == f"{free.tted:.4f}"
    assert "Constrained" not in shown(app)
    assert "choices=" not in app.code[-1].value


def test_forcing_a_nearer_node_costs_its_price_and_choices_add_up(app, free):
    choose(app, "replace")
    op = next(op for op in free.script.ops if op.op == "replace")
    name, button = next((key, each) for key, each in keys(app).items() if key.startswith("why-force-"))
    pair = op.source, int(name.removeprefix("why-force-0-"))
    chosen = under_choices(free, Choices(forced=(pair,)))
    assert button.label == f"Pair with this: {chosen.tted - free.tted:.4f} more"
    button.click().run()
    assert metric(app, "TTED ↓") == f"{chosen.tted:.4f}"
    assert "why-clear" in keys(app), "the forced pair is selected"
    (forced,) = (each for each in shown_operations(app) if "forced by you" in each["notes"])
    assert (forced["source"], forced["target"]) == pair
    choose(app, "match", 1)
    keys(app)["why-forbid"].click().run()
    assert "With 2 of your choices" in shown(app)
    keys(app)["undo-choice"].click().run()
    assert "With 1 of your choices" in shown(app)
    app.selectbox(key="right-sample").set_value(
        "coral-reefs/paraphrase_1.json"
    ).run()  # other maps end the choices
    assert not app.exception
    assert "Constrained" not in shown(app)


@pytest.mark.thorough
def test_choices_that_contradict_each_other_get_one_sentence_and_constrain_nothing(app):
    paste(app, "left", "r\n  a\n  b")
    paste(app, "right", "r\n  c\n  d")
    app.session_state["choices"] = Choices(forced=((1, 2), (2, 1)))
    app.run()
    assert "With 2 of your choices" in shown(app)
    option(app, "order").set_value("ordered").run()
    (error,) = app.error
    assert "the order of branches must be kept" in error.value
    assert "Constrained" not in shown(app)
    app.session_state["choices"] = Choices(forced=((1, 2),))
    choose(app, "replace", 1)  # its nearest nodes include the one that is taken by force
    assert "can't be paired beside your choices" in shown(app)


@pytest.mark.thorough
def test_choices_of_nodes_that_are_not_there_can_be_cleared(app, free):
    app.session_state["choices"] = Choices(forced=((99, 1), (1, 1), (1, 1)), forbidden=((None, None),))
    app.run()
    assert not app.exception
    assert "a choice names node 99" in shown(app)
    keys(app)["clear-choices"].click().run()
    assert not app.exception
    assert not app.error
    assert metric(app, "TTED ↓") == f"{free.tted:.4f}"


def test_the_receipt_sums_to_the_distance(app, free):
    open_tab(app, "more", "Cost receipt")
    costly = sum(op.cost > 0 for op in free.script.ops)
    assert f"<summary>{costly} operations with a cost" in html(app)
    assert f"<td>{free.tted:.4f}</td></tr></tfoot>" in html(app)
    app.session_state["reading"] = "sentences"
    app.run()
    changed = [line for line in read_sentences(free.explain()).lines if line.amount]
    assert f"<summary>{len(changed)} sentences with a cost" in html(app)
    assert f"<td>{free.tted:.4f}</td></tr></tfoot>" in html(app)
