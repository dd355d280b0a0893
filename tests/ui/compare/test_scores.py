"""The answer in words."""

import pytest
from helpers.encoders import hashed
from helpers.published import compare

from tted_core import TextTree
from ui.compare.scores import sentence

BASE = TextTree(("root", "a", "b"), (-1, 0, 1))

CASES = {
    "equal": (BASE, "none", "the same"),
    "reworded": (TextTree(("root", "x", "b"), (-1, 0, 1)), "none", "**3 of 3 nodes** stay (1 reworded)"),
    "other context": (
        TextTree(("root", "x", "b"), (-1, 0, 1)),
        "ancestors",
        "(1 reworded, 1 in another context)",
    ),
    "deleted": (TextTree(("root", "a"), (-1, 0)), "none", "**2 of 3 nodes** stay and **1** is deleted"),
    "inserted": (
        TextTree(("root", "a", "b", "c", "d"), (-1, 0, 1, 0, 0)),
        "none",
        "**3 of 3 nodes** stay and **2** are inserted",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_sentence_counts_what_the_script_does(name):
    right, context, expected = CASES[name]
    assert expected in sentence(compare(BASE, right, encoder=hashed, context=context))


def test_many_small_changes_do_not_make_nothing_of_the_distance():
    left, right = (
        TextTree(tuple(f"{side} {node}" for node in range(150)), (-1, *[0] * 149)) for side in ("old", "new")
    )
    assert "makes **less than 1%** of the distance" in sentence(compare(left, right, encoder=hashed))
