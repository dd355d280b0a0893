"""The sentence about the three orders."""

import pytest

from ui.compare.orders_table import difference

CASES = [
    ((2.0, 2.0, 2.0), "All three agree"),
    ((3.0, 2.0, 2.0), "Keeping the order of siblings costs 1.0000 more than need be. Only"),
    ((2.0, 3.5, 2.0), "Keeping branches apart costs 1.5000 more than need be. Only"),
    (
        (6.0, 4.0, 2.0),
        "order of siblings costs 4.0000 more than need be; keeping branches apart costs 2.0000 more",
    ),
]


@pytest.mark.parametrize(("values", "expected"), CASES)
def test_the_difference_in_words(values, expected):
    ordered, constrained, unordered = values
    text = difference({"ordered": ordered, "constrained": constrained, "unordered": unordered})
    assert expected in text
