"""The three orders: the sentence about them, and the one that keeps more sentences in place."""

import threading
from functools import partial

import pytest
from helpers.compare_page import asked, opened
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample, tree_of

from tted_core.explain import alternatives
from tted_core.explain.alternatives import in_place, in_place_by_order
from tted_core.solvers import SOLVERS
from ui import running
from ui.compare import orders_table
from ui.compare.orders_table import difference, keeps_most

__all__ = ["asked"]  # a fixture

CASES = [
    ((2.0, 2.0, 2.0), "All three agree"),
    ((3.0, 2.0, 2.0), "Keeping the order of siblings adds 1.0000. Only"),
    ((2.0, 3.5, 2.0), "Keeping branches apart adds 1.5000. Only"),
    (
        (6.0, 4.0, 2.0),
        "order of siblings adds 4.0000; keeping branches apart adds 2.0000",
    ),
]


@pytest.mark.parametrize(("values", "expected"), CASES)
def test_the_difference_in_words(values, expected):
    ordered, constrained, unordered = values
    text = difference({"ordered": ordered, "constrained": constrained, "unordered": unordered})
    assert expected in text


def test_an_order_is_offered_only_if_it_keeps_more_sentences_in_place():
    assert keeps_most({"ordered": 9, "constrained": 7, "unordered": 9}, "constrained") == "ordered"
    assert keeps_most({"ordered": 7, "constrained": 7, "unordered": 7}, "unordered") is None
    assert keeps_most({"ordered": 6, "constrained": 7, "unordered": 7}, "unordered") is None


def test_orders_keep_as_many_sentences_in_place_as_their_comparisons():
    left, right = sample("coral-reefs/base"), sample("coral-reefs/structure_2")
    each = {order: compare(left, right, encoder=hashed, order=order) for order in SOLVERS}
    kept = {order: in_place(result) for order, result in each.items()}
    assert kept["ordered"] < kept["constrained"]
    assert all(in_place_by_order(result) == kept for result in each.values())


def test_orders_that_take_long_are_not_tried(monkeypatch):
    monkeypatch.setattr(alternatives, "ENTRIES", 8)
    result = compare(tree_of("a(b c)"), tree_of("a(c b)"), encoder=hashed)
    assert in_place_by_order(result) == {"constrained": in_place(result)}


@pytest.mark.thorough
def test_the_answer_offers_the_order_that_keeps_more_sentences_in_place(asked, monkeypatch):
    monkeypatch.setattr(orders_table, "SECONDS", 60.0)
    monkeypatch.setattr(orders_table, "is_compiled", lambda: False)
    app = opened(left="coral-reefs/base.json", right="coral-reefs/structure_2.json", order="ordered")
    assert app.metric
    assert not [button for button in app.button if button.key == "use-order"], "nobody waits for a compiler"
    monkeypatch.setattr(orders_table, "is_compiled", lambda: True)
    app.run()
    assert any(
        "**constrained** distance keeps 10 sentences in place, this one 3" in each.value
        for each in app.markdown
    )
    app.button(key="use-order").click().run()
    assert app.selectbox(key="order").value == "constrained"
    assert not [button for button in app.button if button.key == "use-order"]


def test_an_answer_does_not_wait_for_other_orders(monkeypatch):
    slots = {}
    monkeypatch.setattr(running, "_slots", lambda: slots)
    monkeypatch.setattr(running, "_visitor", running.Visitor)
    go_on = threading.Event()
    found = partial(running.found_meanwhile, "slot", "key", lambda _monitor: go_on.wait(60))
    assert found(seconds=0) is None
    go_on.set()
    assert found(seconds=60) is True
