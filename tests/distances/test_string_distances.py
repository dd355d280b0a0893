"""Distances between strings against slow, obvious references; that none is a metric."""

from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.distances import DISTANCES, strings
from tted_core.distances.strings import levenshtein, sequence_matcher
from tted_core.errors import LimitError
from tted_core.foundations.monitor import UNWATCHED

FUNCTIONS = {name: each.function for name, each in DISTANCES.items() if each.reads == "none"}
# Few letters, so that texts have something in common.
TEXTS = st.text("ab ", max_size=7)

each_distance = pytest.mark.parametrize("name", FUNCTIONS)


def edits(x, y):
    """The recursion of Wagner and Fischer (1974), row by row."""
    row = list(range(len(y) + 1))
    for i, a in enumerate(x, start=1):
        above, row = row, [i]
        for j, b in enumerate(y, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


REFERENCES = {
    "levenshtein": lambda x, y: edits(x, y) / max(len(x), len(y), 1),
    "sequence-matcher": lambda x, y: 1 - SequenceMatcher(None, x, y, autojunk=False).ratio(),
}


def apart(name, x, y):
    return float(FUNCTIONS[name]([x], [y], UNWATCHED)[0, 0])


@each_distance
@given(left=st.lists(TEXTS, min_size=1, max_size=4), right=st.lists(TEXTS, min_size=1, max_size=4))
def test_agrees_with_its_definition(name, left, right):
    distances = FUNCTIONS[name](left, right, UNWATCHED)
    assert distances.dtype == np.float64
    expected = [[REFERENCES[name](x, y) for y in right] for x in left]
    assert distances == pytest.approx(np.array(expected), abs=1e-12)


@each_distance
def test_the_empty_text_is_1_from_every_other_and_equal_texts_are_at_0(name):
    texts = ["a", "a b", "Байкал", "🌳 x", "e\u0301"]
    distances = FUNCTIONS[name]([*texts, ""], [*texts, ""])
    assert distances[:-1, -1].tolist() == distances[-1, :-1].tolist() == [1.0] * len(texts)
    assert np.diagonal(distances).tolist() == [0.0] * (len(texts) + 1)
    assert ((distances >= 0) & (distances <= 1)).all()


def test_frequent_letters_of_long_texts_count_too():
    """difflib's rule of thumb for long texts would leave nothing of these."""
    text = "ab" * 150
    assert SequenceMatcher(None, f"c{text}", f"d{text}").ratio() == 0
    assert apart("sequence-matcher", f"c{text}", f"d{text}") == pytest.approx(1 / 301)


@pytest.mark.parametrize(
    ("function", "limit"),
    [(levenshtein, "MAX_EDIT_CELLS"), (sequence_matcher, "MAX_SEQUENCE_MATCHER_CELLS")],
)
def test_too_much_is_refused_before_it_takes_long(function, limit, monkeypatch):
    assert getattr(strings, limit) > 10**8
    monkeypatch.setattr(strings, limit, 20)
    assert function(["abcd"], ["abcde"]).shape == (1, 1)
    with pytest.raises(LimitError, match=r"24 pairs of characters.* the limit is 20; "):
        function(["abcd"], ["abc", "def"])
