"""Words of a sentence, and sentences without some of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.words.splitting import Sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It isn't  a long-term plan.", ["It", "isn't", "a", "long-term", "plan", "."]),
        ("don’t (3,5 %)", ["don’t", "(", "3", ",", "5", "%", ")"]),
        ("Слёзы—café", ["Слёзы", "—", "café"]),
        ("调价 10月ไทย", ["调", "价", "10", "月", "ไ", "ท", "ย"]),
        ("a--b 'quoted'", ["a", "-", "-", "b", "'", "quoted", "'"]),
        (" \n\t", []),
    ],
)
def test_words(text, words):
    sentence = Sentence.of(text)
    assert [word.text for word in sentence.words] == words
    assert all(text[word.start : word.end] == word.text for word in sentence.words)


def test_spoken_words():
    assert Sentence.of("Reefs: a HOME, 3 times!").spoken == ("reefs", "a", "home", "3", "times")
    assert Sentence.of("—").spoken == ()


@pytest.mark.parametrize(
    ("text", "removed", "left"),
    [
        ("The limit on rural roads, sadly, is low.", [2, 3, 4], "The limit, sadly, is low."),
        ("The limit", [0], "limit"),
        ("foo(bar)", [1, 3], "foo bar"),
        ("调价周期", [1, 2], "调期"),
        ("a b", [0, 1], ""),
        ("a b", [], "a b"),
    ],
)
def test_without(text, removed, left):
    assert Sentence.of(text).without(removed).text == left


@given(st.text("ab .'-(价", max_size=12), st.sets(st.integers(0, 11)))
def test_remaining_words_know_their_positions(text, removed):
    sentence = Sentence.of(text)
    shorter = sentence.without(removed)
    left = [word.text for at, word in enumerate(sentence.words) if at not in removed]
    assert [word.text for word in shorter.words] == left
    assert [shorter.text[word.start : word.end] for word in shorter.words] == left
