"""Measures of two texts, by hand or against what they are made of, and their quality Q on paraphrases."""

import json

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder, with_vectors
from helpers.monitors import STOPPED
from helpers.trees import sample
from rouge_score.rouge_scorer import RougeScorer

from tted_core.distances import DISTANCES, Models
from tted_core.errors import EncoderError, Interrupted, LimitError, MapFormatError
from tted_core.measures.paraphrases import Draw, SimilarityFamily, encoder_family, qualities, string_family
from tted_core.measures.sentence_lists import MAX_STUDY_BYTES, ParaphrasePair, read_paraphrases
from tted_core.measures.texts import TEXT_MEASURES, text_scores

FIRST, SECOND = "Corals build large reefs", "corals build reefs and islands"


def no_model(_name):
    raise EncoderError("there is no model")


MODELS = Models(sentence_encoder())

QUICK = {name: each for name, each in TEXT_MEASURES.items() if not name.startswith(("bertscore", "ndd"))}


def test_measures_without_a_model_work_when_models_are_missing():
    scores = text_scores(FIRST, SECOND, Models("", "", no_model, no_model, no_model))
    missing = {name for name, score in scores.items() if isinstance(score, EncoderError)}
    assert missing == {name for name, measure in TEXT_MEASURES.items() if measure.model != "none"}
    assert set(scores) == set(TEXT_MEASURES)


def test_values_are_those_of_their_sources():
    scores = text_scores(FIRST, SECOND, MODELS, QUICK)
    vectors = hashed([FIRST, SECOND])
    for name, each in DISTANCES.items():
        if each.reads != "encoder":
            continue
        assert scores[name]["distance"] == pytest.approx(each.function(vectors[:1], vectors[1:])[0, 0])
    assert scores["cosine"]["cosine"] == pytest.approx(
        vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])
    )
    package = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(FIRST, SECOND)
    expected = [package[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")]
    assert list(scores["rouge"].values()) == pytest.approx([*expected, sum(expected) / 3])


@pytest.mark.parametrize("name", QUICK)
def test_equal_texts_have_the_best_score(name):
    measure = TEXT_MEASURES[name]
    (score,) = text_scores(FIRST, FIRST, MODELS, {name: measure}).values()
    assert score[measure.main] == (0.0 if measure.kind == "distance" else 1.0)


def test_the_command_prints_every_measure(tted):
    status, out, err = tted("text", FIRST, SECOND, "--json")
    assert status == 0
    content = json.loads(out)
    assert set(content["measures"]) == set(TEXT_MEASURES)
    scores = text_scores(FIRST, SECOND, MODELS, QUICK)
    for name, score in scores.items():
        assert content["measures"][name]["values"] == pytest.approx(score)
    assert "give --masked-model bert-base-cased" in content["measures"]["ndd"]["error"]
    assert content["measures"]["bertscore"]["values"]["F1"] > 0.5
    assert err == ""


def test_the_command_explains_the_chosen_measures(tted):
    status, out, _ = tted("text", "kitten", "sitting", "--measures", "levenshtein,ndd")
    assert status == 0
    first, reading, missing = out.splitlines()
    assert first.split() == ["levenshtein", "distance", "0.4286"]
    assert reading.strip() == TEXT_MEASURES["levenshtein"].reading
    assert missing.startswith("ndd                 not computed: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "--measures", "bleu"], "unknown measure 'bleu'; choose one of: cosine, euclidean,"),
        (["a", "b", "--measures", "none"], "--measures takes at least one of: cosine"),
        (["a", "b", "--measures", "ndd"], "it needs a masked language model"),
        (["a" * 10_001, "b"], "10,001 characters in a text"),
        (["a"], "the following arguments are required: B"),
    ],
)
def test_invalid_arguments_are_refused(tted, arguments, message):
    status, out, err = tted("text", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")


PAIRS = [ParaphrasePair("a", "A"), ParaphrasePair("b", "B"), ParaphrasePair("a", "Aa")]
SIMILARITIES = {
    "a": {"A": 0.7, "b": 0.2, "B": 0.4, "Aa": 0.1},
    "b": {"a": 0.2, "A": 0.3, "B": 0.8, "Aa": 0.9},
}


def family():
    def similarity(known, left, right):
        return np.array([[SIMILARITIES[one][other] for other in right] for one in left])

    return SimilarityFamily(tuple, {"by hand": similarity})


def test_q_by_hand():
    (found,) = qualities(PAIRS, {"any": family}).values()
    # The others of a are b and B: not its further paraphrase Aa. Those of b are a, A and Aa.
    expected = [0.7 - (0.2 + 0.4) / 2, 0.8 - (0.2 + 0.3 + 0.9) / 3, 0.1 - (0.2 + 0.4) / 2]
    assert found.q == pytest.approx(expected)
    assert found.mean == pytest.approx(sum(expected) / 3)
    assert found.variance == pytest.approx(sum((q - found.mean) ** 2 for q in expected) / 3)
    assert found.below_zero == 1
    assert found.first == pytest.approx(1 / 3)  # A is nearest to a; Aa is nearer to b than B is
    assert found.comparisons == 10


def test_a_failing_measure_is_named_without_affecting_others():
    def refuse(known, left, right):
        raise LimitError("too much")

    def missing():
        raise EncoderError("no such model")

    strict = SimilarityFamily(lambda texts: None, {"slow": refuse, **family().similarities})
    found = qualities(PAIRS, {"far away": missing, "here": lambda: strict})
    assert list(found) == ["far away", "slow", "by hand"]
    assert (str(found["far away"]), str(found["slow"])) == ("no such model", "too much")
    assert found["by hand"].mean

    with pytest.raises(Interrupted):
        qualities(PAIRS, {"here": family}, STOPPED)


def test_string_distances_recognise_literal_paraphrases_in_both_languages():
    for topic in ("photosynthesis", "baikal"):
        maps = (sample(f"{topic}/{name}").labels for name in ("base", "paraphrase_1"))
        pairs = [ParaphrasePair(one, other) for one, other in zip(*maps, strict=True) if one != other]
        found = qualities(pairs, {"strings": string_family})
        assert list(found) == [name for name, each in DISTANCES.items() if each.reads == "none"]
        for name, row in found.items():
            assert row.mean > 0.25, (topic, name)
            assert min(row.q) <= row.mean <= max(row.q)


def test_the_similarities_of_vectors():
    """x = (3, 4), y = (4, 3), and the empty text at (1, 0)."""
    vectors = {"x": (3.0, 4.0), "y": (4.0, 3.0), "": (1.0, 0.0)}
    made = encoder_family("two", with_vectors(vectors))
    known = made.prepare(["x", "y"])
    found = {name: similarity(known, ["x"], ["x", "y"]) for name, similarity in made.similarities.items()}
    assert found["two cosine"] == pytest.approx(np.array([[1.0, 24 / 25]]))
    r, to_empty = np.sqrt(2), np.sqrt(4 + 16) + np.sqrt(9 + 9)
    assert found["two euclidean"] == pytest.approx(np.array([[1.0, 1 - 2 * r / (to_empty + r)]]))
    assert found["two manhattan"] == pytest.approx(np.array([[1.0, 1 - 2 * 2 / (6 + 6 + 2)]]))


@pytest.mark.parametrize(
    "text",
    [
        "a reef,A reef\nsand,the sand\n",
        "a reef\tA reef\n\nsand\tthe sand",
        "reference;paraphrase\na reef;A reef\nsand;the  sand\n",
        'Paraphrase,note,REFERENCE\r\nA reef,"1, 2",a reef\r\nthe sand,,sand\r\n',
        "\ufeffa reef,A reef\nsand,the sand",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lists_that_are_read(text, encoding):
    expected = [ParaphrasePair("a reef", "A reef"), ParaphrasePair("sand", "the sand")]
    assert read_paraphrases(text.encode(encoding)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no other sentences to compare with; give at least two different references"),
        ("reference,paraphrase\n", "no other sentences"),
        ("a,b\n", "no other sentences"),
        ("a,b\na,c\n", "no other sentences"),
        ("just text\nand more", "line 1: 1 field instead of 2; "),
        ("a,b\n\nc\n", "line 3: 1 field instead of 2"),
        (
            "a,b\nc,d,e\n",
            "line 2: 3 fields instead of 2; put a sentence that contains the delimiter in quotation",
        ),
        ("a,b\n ,d\n", "line 2: the reference is empty"),
        ("a,b\nc,\n", "line 2: the paraphrase is empty"),
        ("a,b\nc, c \n", "line 2: the paraphrase is the reference itself"),
        ('a,b\n"c,d\n', "line 2: the table can't be read as CSV"),
        ("a,b\n\x00\x01\x02\x03\x04\udcff", "this is a binary file"),
    ],
)
def test_lists_that_are_refused(text, message):
    with pytest.raises(MapFormatError) as error:
        read_paraphrases(text.encode(errors="surrogateescape"))
    assert message in str(error.value)


def test_lists_that_are_too_large():
    with pytest.raises(
        LimitError, match=r"10,001 characters in a sentence.*shorten the paraphrase in line 2"
    ):
        read_paraphrases(f"a,b\nc,{'d' * 10_001}\n".encode())
    with pytest.raises(LimitError, match="bytes of paraphrases"):
        read_paraphrases(b"a" * (MAX_STUDY_BYTES + 1))


KOZIEV = """звоните в любое время
в любое время звоните


новый, не использовался
не использовался, новый


все есть, все работает
все есть,  все работает
все работает, все есть
есть все, работает все

одна
"""


def test_groups_of_paraphrases_are_read():
    """The format of ParaphraseDetection of NLP_Datasets: of each group the first two different sentences."""
    expected = [
        ParaphrasePair("звоните в любое время", "в любое время звоните"),
        ParaphrasePair("новый, не использовался", "не использовался, новый"),
        ParaphrasePair("все есть, все работает", "все работает, все есть"),
    ]
    assert read_paraphrases(KOZIEV.encode()) == expected
    assert read_paraphrases(KOZIEV.replace("\n", "\r\n").encode("utf-16")) == expected


@pytest.mark.parametrize(
    "text", ["a,b\n\nc,d\n", "a,b\nc,d\n\ne,f\n", "reference,paraphrase\na,b\n\nc,d\ne,f\n"]
)
def test_a_table_with_empty_lines_stays_a_table(text):
    pairs = [tuple(line.split(",")) for line in text.split() if line != "reference,paraphrase"]
    assert read_paraphrases(text.encode()) == [ParaphrasePair(*pair) for pair in pairs]


def test_groups_that_are_refused():
    with pytest.raises(MapFormatError, match="no other sentences to compare with"):
        read_paraphrases(b"a\nb\n\nc\n")
    with pytest.raises(MapFormatError, match="line 3: 1 field instead of 2"):
        read_paraphrases(b"a,b\n\nc\n")
    with pytest.raises(LimitError, match=r"10,001 characters in a sentence.*in line 2"):
        read_paraphrases(f"a\n{'b' * 10_001}\n\nc\nd\n".encode())


def draws(pairs, draw):
    """Calls of a measure when sentences are drawn."""
    requested = []

    def similarity(known, left, right):
        requested.append((*left, tuple(right)))
        return np.arange(len(right), 0.0, -1.0)[None]

    (found,) = qualities(
        pairs, {"any": lambda: SimilarityFamily(tuple, {"one": similarity})}, draw=draw
    ).values()
    return requested, found


def test_the_papers_protocol_draws_sentences_for_each_reference():
    pairs = [ParaphrasePair(f"r{number}", f"p{number}") for number in range(40)] + [
        ParaphrasePair("r0", "p0b")
    ]
    requested, found = draws(pairs, Draw(references=30, sentences=20))
    assert len(requested) == len(set(requested)) == 30
    for reference, sentences in requested:
        assert ParaphrasePair(reference, sentences[0]) in pairs
        assert len(set(sentences)) == 20
        own = {reference, "p0", "p0b"} if reference == "r0" else {reference, f"p{reference[1:]}"}
        assert not own & set(sentences[1:])
    assert found.q == pytest.approx([20 - sum(range(1, 20)) / 19] * 30)
    assert (found.first, found.comparisons) == (1.0, 600)
    assert draws(pairs, Draw(references=30, sentences=20))[0] == requested
    assert draws(pairs, Draw(references=30, sentences=20, seed=1))[0] != requested
    few, _ = draws(pairs[:3], Draw())
    assert [len(sentences) for _, sentences in few] == [5, 5, 5]


def test_levenshtein_does_not_fail_as_published():
    """Koroteev 2020 has 0.0115 for a distance that he calls normalised; the usual one gives far more."""
    found = qualities(read_paraphrases(KOZIEV.encode()), {"strings": string_family})
    assert found["levenshtein"].mean > 0.0115 * 10
