"""Words of a text, differences between two texts, and lone surrogates."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.embedding import embed
from tted_core.notices import encoder_notices
from tted_core.report.wording import find_changes
from tted_core.words.splitting import split_words


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
    found = split_words(text)
    assert [word.text for word in found] == words
    assert all(text[word.start : word.end] == word.text for word in found)


def test_spoken_words():
    words = split_words("Reefs: a HOME, 3 times — 价")
    assert [word.text for word in words if word.is_spoken] == ["Reefs", "a", "HOME", "3", "times", "价"]


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
    assert np.array_equal(lone, read_as)
    assert scorer.count_pieces(LONE) == scorer.count_pieces(READ_AS)


def test_the_command_line_takes_and_prints_them(tted, tmp_path):
    """A byte of an argument that is no UTF-8 is a lone surrogate in Python."""
    file = tmp_path / "rain \udcff.json"
    status, _, error = tted("compare", str(file), str(file))
    assert (status, r"rain \udcff.json" in error) == (2, True)
    file.write_text(r'{"rain \udcff": {}}', encoding="utf-8")
    status, out, _ = tted("compare", str(file), str(file), "--distance", "bertscore", "--json")
    assert (status, json.loads(out)["left"]["labels"]) == (0, ["rain \ufffd"])
