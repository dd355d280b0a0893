"""The commands that measure texts and maps against people: agree, compress and paraphrases."""

import json

import pytest
from helpers.command import LEFT, refused
from helpers.trees import SAMPLES

from tted_core.distances.compression import Compressor, count_words
from tted_core.formats import parse_map, read_map
from tted_core.measures.paraphrases import Draw, qualities, string_family
from tted_core.measures.sentence_lists import read_paraphrases


@pytest.fixture
def model(tiny_masked_folder):
    return ("--masked-model", str(tiny_masked_folder))


def test_compress_prints_the_map_of_key_phrases(tted, model, masked_model):
    options = ("--max-span", "2", "--max-ndd", "1.5", "--rounds", "2")
    tree = read_map(LEFT).tree
    expected = Compressor(masked_model, 2).compress_map(tree, 1.5, 2)
    words, words_left = count_words(tree), count_words(expected)
    assert words_left < words
    status, out, err = tted("compress", LEFT, *model, *options)
    assert (status, parse_map(out).tree) == (0, expected)
    assert f"{words_left} of {words} words are left" in err
    content = json.loads(tted("compress", LEFT, *model, *options, "--json")[1])
    assert content["labels"] == list(expected.labels)
    assert (content["words"], content["words_left"]) == (words, words_left)


def test_compress_takes_a_rate(tted, model, masked_model):
    options = ("--max-span", "2", "--max-ndd", "1e9", "--rate", "0.6")
    expected = Compressor(masked_model, 2).compress_map(read_map(LEFT).tree, 1e9, rate=0.6)
    content = json.loads(tted("compress", LEFT, *model, *options, "--json")[1])
    assert content["labels"] == list(expected.labels)
    assert content["words_left"] / content["words"] <= 0.6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compress", LEFT), "hf download google-bert/bert-base-cased"),
        (("compress", LEFT, "--rounds", "0"), "not a whole number from 1 on"),
        (("compress", LEFT, "--max-ndd", "nan"), "not a number from 0 on"),
    ],
)
def test_bad_arguments_are_one_line_of_error(tted, arguments, message):
    refused(tted(*arguments), message)


KINDS = {"paraphrase_1": 5, "structure_1": 3, "meaning_1": 1}

TOPICS = ("bread", "baikal", "photosynthesis", "urban-heat")


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "judged.csv"
    rows = [
        f"{SAMPLES}/{topic}/base.json,{SAMPLES}/{topic}/{kind}.json,{topic},{human},{human + column}"
        for column, topic in enumerate(TOPICS)
        for kind, human in KINDS.items()
    ]
    file.write_text("\n".join(["left,right,group,human,chrf", *rows]), encoding="utf-8")
    return file


@pytest.mark.thorough
def test_measures_of_maps_and_columns_beside_controls(tted, table, tmp_path):
    out = tmp_path / "agreement.csv"
    arguments = (str(table), "--preset", "published,similarity")
    status, output, err = tted("agree", *arguments, "--csv", str(out))
    assert status == 0, err
    assert "12 pairs, 4 clusters; mean of Kendall's tau-b in 4 groups." in output
    assert "best control without structure" in output
    plain = out.read_bytes()
    assert plain.startswith(b"measure,agreement,low,high,difference")
    assert tted("agree", *arguments, "--csv", str(out), "--excel")[0] == 0
    assert out.read_bytes() == b"\xef\xbb\xbf" + plain
    content = json.loads(tted("agree", *arguments, "--json")[1])
    found = {row["measure"]: row["value"] for row in content["agreements"]}
    assert {"TTED published", "TTED similarity", "text_beginning", "best_match", "rouge_sim", "chrf"} <= set(
        found
    )
    assert found["chrf"] == 1
    assert (content["pairs"], content["groups"], content["left_out"]) == (12, 4, [])


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("left,right,human\na.json,b.json,1", (), "a.json"),
        ("left,right,m\na,b,1", (), "the table needs left, right and human"),
        ("left,right,human\na,b,1", ("--seed", "-3"), "argument --seed: '-3' is not a whole number"),
        ("left,right,human\na,b,1", ("--preset", "best"), "unknown preset 'best'"),
    ],
)
def test_what_cannot_be_held_against_people_is_one_sentence(tted, tmp_path, text, arguments, message):
    (tmp_path / "judged.csv").write_text(text, encoding="utf-8")
    given = (each.format(samples=SAMPLES) for each in arguments)
    status, output, err = tted("agree", str(tmp_path / "judged.csv"), *given)
    assert (status, output) == (2, "")
    assert message in err.strip().split("\n")[-1]


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
