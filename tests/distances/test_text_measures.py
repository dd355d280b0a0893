"""Measures of two texts, by hand or against what they are made of."""

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from rouge_score.rouge_scorer import RougeScorer

from tted_core.distances import DISTANCES, Models
from tted_core.distances.text_measures import TEXT_MEASURES, text_scores
from tted_core.errors import EncoderError

FIRST, SECOND = "Corals build large reefs", "corals build reefs and islands"


def no_model(_name):
    raise EncoderError("there is no model")


MODELS = Models(sentence_encoder())

QUICK = {name: each for name, each in TEXT_MEASURES.items() if not name.startswith("bertscore")}


def test_measures_without_a_model_work_when_models_are_missing():
    scores = text_scores(FIRST, SECOND, Models("", no_model, no_model))
    missing = {name for name, score in scores.items() if isinstance(score, EncoderError)}
    assert missing == {"cosine", "euclidean", "manhattan", "bertscore"}
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
