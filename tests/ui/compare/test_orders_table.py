"""The sentence about the three orders."""

import pytest

from ui.compare.orders_table import difference, keeps_most

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
