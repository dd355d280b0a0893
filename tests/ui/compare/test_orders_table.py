"""The three orders: the sentence about them, and the number of sentences that each keeps in the same position."""

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample

from tted_core.solvers import SOLVERS
from ui.compare.tabs import difference, in_position

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
    assert expected in difference(*values)


def test_the_number_of_kept_sentences_depends_on_the_order():
    left, right = sample("coral-reefs/base"), sample("coral-reefs/structure_2")
    kept = {order: in_position(compare(left, right, encoder=hashed, order=order)) for order in SOLVERS}
    assert kept["ordered"] < kept["constrained"]
