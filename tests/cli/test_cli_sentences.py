"""The commands compress and corpus: what they print, and what they refuse."""

import csv
import json

import pytest
from helpers.command import LEFT, RIGHT, refused
from helpers.encoders import hashed

from tted_core.distances.compression import Compressor, count_words
from tted_core.distances.ndd import Weights
from tted_core.formats import parse_map, read_map, read_maps
from tted_core.measures.corpus import Missing, corpus_json, measure_corpus, sentences_csv, sentences_of


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


def test_compress_takes_weights_and_a_rate(tted, model, masked_model):
    options = ("--max-span", "2", "--max-ndd", "1e9", "--mu", "0.5", "--nu", "0.7", "--rate", "0.6")
    weights = Weights(0.5, 0.7, balanced=True)
    expected = Compressor(masked_model, 2, weights).compress_map(read_map(LEFT).tree, 1e9, rate=0.6)
    content = json.loads(tted("compress", LEFT, *model, *options, "--json")[1])
    assert content["labels"] == list(expected.labels)
    assert content["words_left"] / content["words"] <= 0.6


def test_corpus_describes_a_map_and_names_what_is_missing(tted, monkeypatch, tmp_path):
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))  # no Java
    status, out, err = tted("corpus", LEFT, RIGHT)
    assert (status, err) == (0, "")
    assert "grammar          not computed: grammar needs Java 17 or newer" in out
    assert "plausibility     not computed: the masked model 'bert-base-cased' can't be loaded" in out
    assert "hf download google-bert/bert-base-cased" in out
    content = json.loads(tted("corpus", LEFT, RIGHT, "--json")[1])
    assert set(content["missing"]) == {
        "grammar",
        "grammar_reference",
        "plausibility",
        "plausibility_reference",
    }
    assert content["unique"] == 0.0
    assert content["syntactic"]["f1"] == pytest.approx(1.0)


@pytest.mark.thorough
def test_corpus_takes_folders_and_writes_a_table(tted, model, masked_model, tmp_path):
    for name in ("one", "two"):
        (tmp_path / "maps").mkdir(exist_ok=True)
        (tmp_path / "maps" / f"{name}.txt").write_text(
            f"{name} map\n  plants drink water\n", encoding="utf-8"
        )
    folder, table = str(tmp_path / "maps"), tmp_path / "table.csv"
    expected = measure_corpus(
        sentences_of(each.tree for each in read_maps(folder)),
        read_map(RIGHT).tree.labels,
        encoder=hashed,
        masked_model=masked_model,
        grammar=Missing("left out by --language none"),
    )
    status, out, _ = tted(
        "corpus", folder, RIGHT, *model, "--language", "none", "--csv", str(table), "--json"
    )
    assert status == 0
    maps = {"maps": 2, "reference_maps": 1, "test_maps": 0}
    assert json.loads(out) == {**json.loads(json.dumps(corpus_json(expected))), **maps}
    assert table.read_text(encoding="utf-8") == sentences_csv(expected)
    assert len(list(csv.reader(table.open(encoding="utf-8")))) == 5
    text = tted("corpus", folder, RIGHT, "--language", "none", *model, "--test", LEFT)[1]
    assert f"test: {len(read_map(LEFT).tree)} sentences of 1 map" in text
    assert "Unique(n) of the first n: 1.0000 (1)" in text
    text = tted("corpus", folder, RIGHT, "--sheet", "1", "--masked-model", "none")[1]
    assert "2 sentences of 1 map;" in text
    assert "left out by --masked-model none" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compress", LEFT), "hf download google-bert/bert-base-cased"),
        (("compress", LEFT, "--rounds", "0"), "not a whole number from 1 on"),
        (("compress", LEFT, "--max-ndd", "nan"), "not a number from 0 on"),
        (("corpus", LEFT, RIGHT, "--masked-model", "nobody/none"), "hf download nobody/none"),
        (("compress", LEFT, "--mu", "0"), "the weight mu is 0.0"),
        (("corpus", LEFT), "required: reference"),
    ],
)
def test_bad_arguments_are_one_line_of_error(tted, arguments, message):
    refused(tted(*arguments), message)
