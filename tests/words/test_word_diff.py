"""Differences word by word, for reading."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.words.splitting import word_diff


def marked(left, right):
    """Both texts with their changed pieces in brackets."""
    return tuple(
        "".join(f"[{part.text}]" if part.changed else part.text for part in side)
        for side in word_diff(left, right)
    )


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (
            "Algae feed the polyps",
            "Algae nourish the polyps",
            ("Algae [feed] the polyps", "Algae [nourish] the polyps"),
        ),
        ("It is warm water", "It is very warm water", ("It is warm water", "It is [very] warm water")),
        ("The old and grey reef dies", "The reef dies", ("The [old and grey] reef dies", "The reef dies")),
        ("One, two three.", "One two three!", ("One[,] two three[.]", "One two three[!]")),
        ("Corals can't move", "Corals can move today", ("Corals [can't] move", "Corals [can] move [today]")),
        ("珊瑚需要光", "珊瑚需要水", ("珊瑚需要[光]", "珊瑚需要[水]")),
        ("Кораллы любят свет", "Кораллы любят тень", ("Кораллы любят [свет]", "Кораллы любят [тень]")),
        ("sun 👩‍🔬 sea", "sun 👩 sea", ("sun [👩‍🔬] sea", "sun [👩] sea")),
        ("one two three", "four two five", ("[one two three]", "[four two five]")),  # 2 of 6 words stay
        ("one two", "one three", ("one [two]", "one [three]")),  # exactly half of them
        ("", "new", ("", "[new]")),
        ("…", "?!", ("[…]", "[?!]")),
        ("same", "same", ("same", "same")),
    ],
)
def test_changed_words(left, right, expected):
    assert marked(left, right) == expected


texts = st.text(st.sampled_from("ab c,.珊'- \n👩‍\u202e\u0301"), max_size=14)


@given(texts, texts)
def test_the_pieces_form_the_text_and_unchanged_ones_are_equal(left, right):
    sides = word_diff(left, right)
    for text, parts in zip((left, right), sides, strict=True):
        assert "".join(part.text for part in parts) == text
        assert all(part.text for part in parts)
        assert all(one.changed != other.changed for one, other in pairwise(parts))
    kept = ["".join(part.text for part in parts if not part.changed) for parts in sides]
    assert "".join(kept[0].split()) == "".join(kept[1].split())


def test_long_texts_take_no_time():
    words = [f"w{number % 700}" for number in range(2000)]
    parts, _ = word_diff(" ".join(words), " ".join(words[1:]))
    assert [part.changed for part in parts] == [True, False]
