"""Words of a text: without some of them, differences between two texts, and lone surrogates."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.distances.bertscore import load_bertscorer
from tted_core.distances.ndd import TokenizedText
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import MaskedSpan
from tted_core.notices import encoder_notices
from tted_core.report.wording import find_changes


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
    sentence = TokenizedText.of(text)
    assert [word.text for word in sentence.words] == words
    assert all(text[word.start : word.end] == word.text for word in sentence.words)


def test_spoken_words():
    assert TokenizedText.of("Reefs: a HOME, 3 times!").spoken == ("reefs", "a", "home", "3", "times")
    assert TokenizedText.of("—").spoken == ()


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
    assert TokenizedText.of(text).without(removed).text == left


@given(st.text("ab .'-(价", max_size=12), st.sets(st.integers(0, 11)))
def test_remaining_words_know_their_positions(text, removed):
    sentence = TokenizedText.of(text)
    shorter = sentence.without(removed)
    left = [word.text for at, word in enumerate(sentence.words) if at not in removed]
    assert [word.text for word in shorter.words] == left
    assert [shorter.text[word.start : word.end] for word in shorter.words] == left


def marked(left, right, before="[", behind="]"):
    """Both texts with their changes in brackets."""
    sides = [left, right]
    for side, spans in enumerate(find_changes(left, right)):
        for start, end in reversed(spans):
            text = sides[side]
            sides[side] = f"{text[:start]}{before}{text[start:end]}{behind}{text[end:]}"
    return tuple(sides)


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
def test_changes_are_apart_and_the_rest_of_both_texts_is_equal(left, right):
    sides = find_changes(left, right)
    for text, spans in zip((left, right), sides, strict=True):
        assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
        assert all(text[end:start].strip() for (_, end), (start, _) in pairwise(spans))
    kept = [re.sub(r"(?s)\[\[.*?]]|\s", "", text) for text in marked(left, right, "[[", "]]")]
    assert kept[0] == kept[1]


def test_long_texts_take_no_time():
    words = [f"w{number % 700}" for number in range(2000)]
    assert find_changes(" ".join(words), " ".join(words[1:])) == (((0, 2),), ())


LONE, READ_AS = "rain \ud800", "rain \ufffd"


def test_an_encoder_reads_them(minilm):
    vectors = embed(minilm, [LONE, READ_AS])
    assert np.array_equal(vectors[LONE], vectors[READ_AS])
    assert minilm.word_pieces([LONE]) == minilm.word_pieces([READ_AS])
    assert minilm.count_tokens(["\ud83c\udf31"]) == minilm.count_tokens(["\N{SEEDLING}"])
    pieces = replace(minilm, max_tokens=12, count_tokens=lambda texts: [3 * len(text) + 2 for text in texts])
    (notice,) = encoder_notices(pieces, ["\ud800" * 4], "none")  # a letter may have three pieces, one a byte
    assert notice.startswith("1 of 1 texts are longer")


def test_bertscore_reads_them():
    scorer = load_bertscorer("minilm", device="cpu")
    lone, read_as = (
        scorer.scores([text], ["a reef"], idf=scorer.idf_weights([text])) for text in (LONE, READ_AS)
    )
    assert np.array_equal(lone.f1, read_as.f1)
    assert scorer.count_pieces(LONE) == scorer.count_pieces(READ_AS)


def test_a_masked_model_reads_them(masked_model):
    assert masked_model.perplexity(LONE) == masked_model.perplexity(READ_AS)
    assert masked_model.first_pieces(LONE) == masked_model.first_pieces(READ_AS)
    (lone,), (read_as,) = (
        [*masked_model.distributions([MaskedSpan(text, 0, 4)])] for text in (LONE, READ_AS)
    )
    assert np.array_equal(lone, read_as)


def test_the_command_line_takes_and_prints_them(tted):
    """A byte of an argument that is no UTF-8 is a lone surrogate in Python."""
    status, out, _ = tted("text", "rain \udcff", "rain", "--measures", "cosine,bertscore", "--json")
    assert (status, json.loads(out)["first"]) == (0, "rain \udcff")
