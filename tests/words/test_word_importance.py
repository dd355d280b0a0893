"""Word importance: which words there are, and what leaving each out does to a score."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.errors import LimitError
from tted_core.words.importance import MAX_IMPORTANCE_WORDS, without, word_importance, words


def shared_words(pairs):
    """Number of words of the first text that the second lacks, plus the reverse: easy to compute by hand."""
    return [len(set(a.split()) ^ set(b.split())) for a, b in pairs]


def test_by_hand():
    result = word_importance("corals build reefs", "corals make reefs", shared_words)
    assert result.score == 2
    assert [word.change for word in result.first] == [1, -1, 1]
    assert [word.change for word in result.second] == [1, -1, 1]
    assert [(word.start, word.end) for word in result.first] == [(0, 6), (7, 12), (13, 18)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("Light, and “heat”.", ["Light,", "and", "“heat”."]),
        ("a – b ... c", ["a", "b", "c"]),
        ("Кораллы растут", ["Кораллы", "растут"]),
        ("珊瑚 reef", ["珊", "瑚", "reef"]),
        ("don't re-use 3.5", ["don't", "re-use", "3.5"]),
        ("<img src=x onerror=hit()>", ["<img", "src=x", "onerror=hit()>"]),
        ("cafe\u0301 nai\u0308ve", ["cafe\u0301", "nai\u0308ve"]),
    ],
)
def test_words(text, expected):
    assert [text[start:end] for start, end in words(text)] == expected


@given(st.text())
def test_words_are_disjoint_and_the_rest_keeps_the_others(text):
    spans = words(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    for start, end in spans:
        rest = without(text, start, end)
        assert "".join(rest.split()) == "".join((text[:start] + text[end:]).split())
        assert len(rest) <= len(text) - (end - start)


def test_two_words_are_never_glued_together():
    assert without("a b c", 2, 3) == "a c"
    assert without("b c", 0, 1) == "c"
    assert without("a b", 2, 3) == "a"
    assert without("a", 0, 1) == ""


def test_too_many_words_are_refused_before_any_is_scored():
    def score(pairs):
        pytest.fail("scored")

    with pytest.raises(LimitError, match=f"{MAX_IMPORTANCE_WORDS + 1:,} words in the two texts"):
        word_importance("a " * MAX_IMPORTANCE_WORDS, "b", score)
