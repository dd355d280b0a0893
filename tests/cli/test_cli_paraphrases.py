"""The command paraphrases: what it prints, and what it refuses."""

import json

import pytest
from helpers.command import refused

from tted_core.measures.paraphrases import Draw, qualities, string_family
from tted_core.measures.sentence_lists import read_paraphrases

GROUPS = "\n\n".join(f"word {n} is first\nfirst is word {n}\nis first word {n}" for n in range(12))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "groups.txt"
    path.write_text(GROUPS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "draw"),
    [
        ((), Draw()),
        (("--references", "5", "--against", "4", "--seed", "3"), Draw(5, 4, 3)),
        (("--all",), None),
    ],
)
def test_it_judges_as_the_library(tted, file, options, draw):
    expected = qualities(read_paraphrases(GROUPS.encode()), {"strings": string_family}, draw=draw)
    status, out, err = tted("paraphrases", file, "--encoders", "none", *options, "--json")
    assert (status, err) == (0, "")
    content = json.loads(out)
    assert content["pairs"] == 12
    for name, row in content["measures"].items():
        assert (row["mean"], row["comparisons"]) == (expected[name].mean, expected[name].comparisons)
    text = tted("paraphrases", file, "--encoders", "none", *options)[1].splitlines()
    assert text[1].split()[:2] == ["levenshtein", f"{expected['levenshtein'].mean:.4f}"]
    assert text[-1].startswith(f"{len(expected['levenshtein'].q)} of 12 sentences with a paraphrase")


def test_a_model_that_cannot_be_had_is_named_and_the_others_stand(tted, file):
    status, out, _ = tted("paraphrases", file, "--encoder", "somebody/none")
    assert status == 0
    assert "somebody/none BERTScore not computed: " in out
    assert "hf download somebody/none" in out
    assert out.splitlines()[1].startswith("levenshtein")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--against", "1"), "not a whole number from 2 on"),
        (("--seed", "-1"), "argument --seed: '-1' is not a whole number from 0 on"),
    ],
)
def test_bad_options_are_one_line(tted, file, arguments, message):
    refused(tted("paraphrases", file, *arguments), message)


def test_a_file_that_cannot_be_read_is_named(tted, tmp_path):
    assert "'nowhere' can't be read" in tted("paraphrases", "nowhere")[2]
    (tmp_path / "one.txt").write_text("a\nb\n", encoding="utf-8")
    assert "one.txt: line 1: 1 field instead of 2" in tted("paraphrases", str(tmp_path / "one.txt"))[2]
