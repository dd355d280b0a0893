"""How surely a measure tells systems apart: by hand and by scipy, and under every setting."""

import itertools
from functools import partial

import numpy as np
import pytest
from helpers.batch import batch_options
from helpers.encoders import hashed, sentence_encoder
from helpers.trees import tree_of
from scipy import stats

from tted_core import MindMap
from tted_core.foundations.stats import holm, paired_t_test
from tted_core.method import Method
from tted_core.systems import SystemScores, measure_systems
from tted_core.systems.reliability import (
    VARIED,
    in_words,
    measure_reliability,
    reliabilities,
    reliability_lines,
    varied,
)


def scores_of(values, systems, lower=("m",)):
    items = tuple(f"d{number}" for number in range(values.shape[1]))
    return SystemScores(items, tuple(systems), {"m": values}, frozenset(lower))


def test_pairs_and_effects_are_those_of_scipy():
    values = np.random.default_rng(4).normal(size=(4, 20)) + np.c_[[0.0, 0.1, 0.8, 1.6]]
    (row,) = reliabilities(scores_of(values, "abcd"), "some setting")
    pairs = list(itertools.combinations(range(4), 2))
    p = holm([stats.ttest_rel(values[a], values[b]).pvalue for a, b in pairs])
    differences = [values[a] - values[b] for a, b in pairs]
    effects = [abs(each.mean() / each.std(ddof=1)) for each in differences]
    assert (row.setting, row.measure, row.documents, row.pairs) == ("some setting", "m", 20, 6)
    assert row.apart == sum(each < 0.05 for each in p)
    assert 0 < row.apart < 6
    assert row.effects == pytest.approx(np.percentile(effects, (25, 50, 75)))
    assert row.means == pytest.approx((values.mean(axis=1).min(), values.mean(axis=1).max()))


def test_halves_agree_on_clear_differences_and_not_on_noise():
    noise = np.random.default_rng(5).normal(size=(5, 30))
    clear = scores_of(noise / 100 + np.c_[np.arange(5)], "abcde")
    (sure,) = reliabilities(clear)
    assert [sure.tau, *sure.tau95] == pytest.approx([1.0] * 3)
    assert sure.apart == sure.pairs == 10
    (unsure,) = reliabilities(scores_of(noise, "abcde"))
    assert abs(unsure.tau) < 0.5
    assert unsure.tau95[0] < unsure.tau < unsure.tau95[1]
    assert unsure.apart == 0


def test_the_paired_t_test_where_nothing_varies():
    assert paired_t_test(np.array([1.0])) is None
    assert paired_t_test(np.zeros(5)) == 1.0
    assert paired_t_test(np.full(5, 0.25)) == 0.0


def test_controls_are_no_systems_but_are_named_where_they_win():
    values = np.array([[0.6, 0.7], [0.8, 0.9], [0.7, 0.8], [1.0, 1.0]])
    (row,) = reliabilities(scores_of(values, ("a", "b", "(root)", "(flat)")))
    assert (row.pairs, row.beating) == (1, ("(root)",))
    (row,) = reliabilities(scores_of(values, ("a", "b", "(root)", "(flat)"), lower=()))
    assert row.beating == ("(root)", "(flat)")


def test_one_document_tells_nothing():
    (row,) = reliabilities(scores_of(np.array([[0.1], [0.2]]), "ab"))
    assert (row.documents, row.apart, row.tau, row.effects) == (1, 0, None, None)
    assert "0 of 1" in "\n".join(reliability_lines([row]))


def test_every_setting_is_there_once():
    assert len(varied(Method.of("published"))) == len(VARIED)
    other = Method(gap=0.5, power=1.0, order="ordered")
    assert [in_words(each) for each in varied(other)][-1] == "ordered, gap 0.5, power 1"
    assert {each.context for each in varied(Method(context="parent"))} == {"parent"}


@pytest.mark.thorough
def test_under_each_setting_the_scores_are_those_of_measure_systems():
    trees = {"d": "a(b(c d) e)", "e": "x(y(z))", "f": "a(b c)"}
    made = {"s": ("a(b c)", "x(z)", "a(b)"), "t": ("a(e)", "x(y)", "c(a)")}
    references = [[(name, partial(MindMap, tree_of(text), "tree")) for name, text in trees.items()]]
    systems = {
        system: [
            (name, partial(MindMap, tree_of(text), "tree")) for name, text in zip(trees, texts, strict=True)
        ]
        for system, texts in made.items()
    }
    load = {"load": lambda _name: sentence_encoder(encode=hashed)}
    options = batch_options(baselines=("rouge_bag",))
    rows, scores = measure_reliability(references, systems, options, **load)
    method = options.methods[0]
    assert [row.setting for row in rows if row.measure == "tted"] == [
        in_words(each) for each in varied(method)
    ]
    assert [(row.setting, row.measure) for row in rows if row.measure == "rouge_bag"] == [("", "rouge_bag")]
    direct = measure_systems(references, systems, options, **load).scores
    for name, values in direct.measures.items():
        np.testing.assert_array_equal(scores.measures[name], values)
    (row,) = (row for row in rows if (row.setting, row.measure) == (in_words(method), "tted"))
    assert row == next(each for each in reliabilities(direct, in_words(method)) if each.measure == "tted")
