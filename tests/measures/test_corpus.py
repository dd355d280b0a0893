"""Properties of a set of sentences, each number by hand; new sentences and words; the grammar check."""

import csv
import io
import math
import sys

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.floats import by_a_model

from tted_core.errors import LimitError, MapFormatError, MissingExtraError, ToolError
from tted_core.foundations.monitor import UNWATCHED
from tted_core.measures.corpus import (
    Missing,
    corpus_json,
    load_grammar_check,
    measure_corpus,
    sentences_csv,
    sentences_of,
)
from tted_core.measures.sentence_sets import SetSimilarity
from tted_core.tree import TextTree

# Three generated and three reference sentences, and the directions of their embeddings in degrees.
GENERATED = ("Reefs need light.", "reefs need  LIGHT", "Fish live near warm reefs")

REFERENCE = ("Corals need light", "Fish live in reefs.", "The sea is cold!")

DEGREES = dict(zip((*GENERATED, *REFERENCE), (0, 30, 90, 0, 60, 180), strict=True))

ENCODER = with_vectors(
    {text: (math.cos(math.radians(a)), math.sin(math.radians(a))) for text, a in DEGREES.items()}
)

ERRORS = dict(zip((*GENERATED, *REFERENCE), (0, 1, 2, 0, 0, 1), strict=True))

NO_MODEL, NO_GRAMMAR = Missing("no model"), Missing("no Java")


def count_errors(sentences, monitor):
    assert not monitor.stopped
    return [ERRORS[sentence] for sentence in sentences]


def measured(generated, reference=REFERENCE, encoder=hashed, **how):
    """Without a masked model and a grammar check, unless given."""
    missing = {"masked_model": NO_MODEL, "grammar": NO_GRAMMAR}
    return measure_corpus(generated, reference, encoder=encoder, **{**missing, **how})


@pytest.fixture
def six():
    return measured(GENERATED, encoder=ENCODER, grammar=count_errors)


def test_unique_by_hand(six):
    """The first two are the same in lower case and without punctuation, so only the third is unique."""
    assert [sentence.unique for sentence in six.sentences] == [False, False, True]
    assert six.unique == pytest.approx(1 / 3)


def test_a_sentence_of_the_reference_is_not_unique():
    six = measure_corpus(
        ["fish LIVE in reefs"], REFERENCE, encoder=hashed, masked_model=NO_MODEL, grammar=NO_GRAMMAR
    )
    assert six.unique == 0.0


def test_new_vocabulary_by_hand(six):
    assert six.new_words == ("near", "warm")


def test_a_test_set_is_compared_in_meaning_and_described(six):
    """Meaning: at 0, 30 and 90 degrees against 60 and 180. Wording and words: against the reference."""
    test = REFERENCE[1:]
    found = measured(GENERATED, REFERENCE[:1], test=test, encoder=ENCODER, grammar=count_errors)
    cos30 = math.sqrt(3) / 2
    assert found.semantic.best == pytest.approx([1 / 2, cos30, cos30])
    assert found.semantic.covered == pytest.approx([cos30, 0], abs=1e-12)
    assert found.sentences[0].semantic[1] == test[0]
    assert found.syntactic.best == pytest.approx([3 / 4, 3 / 4, 1 / 2])
    assert found.new_words == ("fish", "live", "near", "reefs", "warm")
    assert list(found.sets) == ["reference", "test", "generated"]
    assert set(found.sets["reference"]) == {"grammar", "semantic precision", "semantic recall", "semantic f1"}
    assert found.sets["reference"]["semantic precision"] == pytest.approx(1 / 2)
    numbers = found.sets["test"]
    assert (numbers["unique"], numbers["new words"]) == (1.0, 8.0)
    assert numbers["grammar"] == pytest.approx(1 / 8)
    assert numbers["syntactic precision"] == pytest.approx(1 / 2)
    assert found.sets["generated"]["semantic recall"] == found.semantic.recall
    assert list(six.sets) == ["reference", "generated"]


def test_grammar_by_hand(six):
    """0 errors in 3 words, 1 in 3, 2 in 5; in the reference 0 in 3, 0 in 4, 1 in 4."""
    assert six.grammar == pytest.approx((0 + 1 / 3 + 2 / 5) / 3)
    assert six.grammar_reference == pytest.approx((0 + 0 + 1 / 4) / 3)
    assert [sentence.grammar_errors for sentence in six.sentences] == [0, 1, 2]


def test_plausibility_is_the_mean_perplexity(masked_model):
    six = measured(GENERATED, encoder=ENCODER, masked_model=masked_model)
    each = [masked_model.perplexity(text) for text in GENERATED]
    assert [sentence.perplexity for sentence in six.sentences] == by_a_model(each)
    assert six.plausibility == pytest.approx(sum(each) / 3)
    assert six.plausibility_reference == pytest.approx(
        np.mean([masked_model.perplexity(t) for t in REFERENCE])
    )
    assert six.grammar == six.grammar_reference == NO_GRAMMAR


def test_semantic_similarity_by_hand(six):
    """At 0, 30 and 90 degrees against 0, 60 and 180: nearest are 0, 30 and 30 degrees away, back 0, 30 and 90."""
    cos30 = math.sqrt(3) / 2
    precision, recall = (1 + 2 * cos30) / 3, (1 + cos30 + 0) / 3
    assert six.semantic.best == pytest.approx([1, cos30, cos30])
    assert six.semantic.covered == pytest.approx([1, cos30, 0], abs=1e-12)
    assert six.semantic.precision == pytest.approx(precision)
    assert six.semantic.recall == pytest.approx(recall)
    assert six.semantic.f1 == pytest.approx(2 * precision * recall / (precision + recall))
    assert [REFERENCE.index(sentence.semantic[1]) for sentence in six.sentences] == [0, 0, 1]


def test_syntactic_similarity_by_hand(six):
    """Edits of words and the longer length, to each reference sentence:

    reefs need light          1 of 3, 4 of 4, 4 of 4    SynSim 3/4, 1/2, 1/2   (twice)
    fish live near warm reefs 5 of 5, 2 of 5, 5 of 5    SynSim 1/2, 5/7, 1/2
    """
    precision, recall = (3 / 4 + 3 / 4 + 5 / 7) / 3, (3 / 4 + 5 / 7 + 1 / 2) / 3
    assert six.syntactic.best == pytest.approx([3 / 4, 3 / 4, 5 / 7])
    assert six.syntactic.precision == pytest.approx(precision)
    assert six.syntactic.recall == pytest.approx(recall)
    assert six.syntactic.f1 == pytest.approx(2 * precision * recall / (precision + recall))
    assert [sentence.edit_share[0] for sentence in six.sentences] == pytest.approx([1 / 3, 1 / 3, 2 / 5])
    assert [REFERENCE.index(sentence.edit_share[1]) for sentence in six.sentences] == [0, 0, 1]


def similarity(precision, recall):
    return SetSimilarity(np.array([precision]), np.array([0]), np.array([recall]))


def test_f1_of_nothing_in_common_is_0():
    assert similarity(0.0, 0.0).f1 == similarity(-0.5, 0.25).f1 == 0.0


def test_the_json_says_what_is_missing_and_why(six):
    content = corpus_json(six)
    assert content["plausibility"] is None
    assert content["missing"] == {"plausibility": "no model", "plausibility_reference": "no model"}
    assert content["grammar"] == six.grammar
    assert content["new_words"] == ["near", "warm"]
    assert content["semantic"]["recall"] == six.semantic.recall
    assert (content["sentences"], content["reference_sentences"]) == (3, 3)


def test_the_csv_has_a_line_for_each_sentence():
    generated = ["=1+1", "Reefs, and fish"]
    six = measured(generated)
    rows = list(csv.DictReader(io.StringIO(sentences_csv(six))))
    assert [row["sentence"] for row in rows] == ["'=1+1", "Reefs, and fish"]
    assert [float(row["semantic_similarity"]) for row in rows] == six.semantic.best.tolist()
    assert {row["perplexity"] for row in rows} == {row["grammar_errors"] for row in rows} == {""}


def test_sentences_of_maps_leave_out_empty_nodes():
    trees = [TextTree(("a", "", " \n"), (-1, 0, 0)), TextTree(("a", "b"), (-1, 0))]
    assert sentences_of(trees) == ("a", "a", "b")


@pytest.mark.parametrize(
    ("generated", "reference", "name"), [((), ("a",), "generated"), (("a",), (), "reference")]
)
def test_a_set_without_sentences_is_refused(generated, reference, name):
    with pytest.raises(MapFormatError, match=f"the {name} maps have no sentences"):
        measured(generated, reference)


def test_too_many_sentences_are_refused(monkeypatch):
    monkeypatch.setattr("tted_core.measures.corpus.MAX_CORPUS_SENTENCES", 2)
    with pytest.raises(LimitError, match="3 reference sentences, but the limit is 2"):
        measured(["a"])


def test_punctuation_inside_a_word_does_not_count():
    """Both sentences are the same in the paper's sense, and neither has a word that the reference lacks."""
    found = measured(["It isn't long-term.", "it isnt longterm"], ["Isnt it?", "A long-term plan"])
    assert found.unique == 0.0
    assert found.new_words == ()


def test_punctuation_is_dropped_before_words_are_split():
    """As the paper does: a full stop or comma inside a number or an abbreviation makes no two words of it."""
    found = measured(["U.S. $77,000, or $1.5", "us 77000 or 15"], ["The U.S. — 77 000"])
    assert found.unique == 0.0
    assert found.new_words == ("15", "77000", "or")


@pytest.fixture
def language_tool(monkeypatch, tmp_path):
    """A folder for LanguageTool, a Java of version 17, and a fake tool instead of LanguageTool."""
    from language_tool_python import download_lt

    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    monkeypatch.setattr(download_lt, "which", lambda _name: "java")
    monkeypatch.setattr(download_lt.subprocess, "check_output", lambda *_, **__: 'openjdk version "17.0.1"')
    (tmp_path / f"LanguageTool-{download_lt.LTP_DOWNLOAD_VERSION}").mkdir()
    used = []

    class Tool:
        def __init__(self, language):
            used.append(language)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            used.append("closed")

        def check(self, text):
            return [word for word in text.split() if word == "is" * 2]

    monkeypatch.setattr("language_tool_python.LanguageTool", Tool)
    return used


def test_errors_are_counted_and_the_tool_is_closed(language_tool):
    check = load_grammar_check("en-GB")
    assert language_tool == []
    assert check(["all is well", "it isis wrong isis"], UNWATCHED) == [0, 2]
    assert language_tool == ["en-GB", "closed"]


def test_without_java(language_tool, monkeypatch):
    monkeypatch.setattr("language_tool_python.download_lt.which", lambda _name: None)
    with pytest.raises(ToolError, match=r"grammar needs Java 17 or newer on this machine \(No java install"):
        load_grammar_check()


def test_without_language_tool_nothing_is_fetched(language_tool, monkeypatch, tmp_path):
    monkeypatch.setenv("LTP_PATH", str(tmp_path / "none"))
    with pytest.raises(
        ToolError, match=r"LanguageTool, which is not on this machine; fetch it once .*download\(\)"
    ):
        load_grammar_check()
    assert language_tool == []


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "language_tool_python", None)
    with pytest.raises(MissingExtraError, match="pip install language_tool_python"):
        load_grammar_check()
