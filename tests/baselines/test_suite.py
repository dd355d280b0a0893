"""The authors' suite of 2026: every formula by hand, by depth, and the same from a comparison and from a batch."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import LEFT, RIGHT
from helpers.encoders import hashed, nearer, with_vectors
from helpers.floats import by_arithmetic
from helpers.thorough import sampled
from helpers.trees import random_tree, sample, tree_of

from tted_core import TTED, compare
from tted_core.baselines import SUITE, suite
from tted_core.baselines.suite import EQUIVALENCE, Aligned, of_empty_map
from tted_core.distances.bertscore import load_bertscorer
from tted_core.errors import LimitError, OptionsError
from tted_core.explain.what_if import under_choices
from tted_core.solvers import NO_CHOICES, Solution
from tted_core.tree import TextTree

VECTORS = {
    "": (0, 0),
    "R": (5, 0),
    "A": (3, 4),
    "B": (0, 3),
    "C": (0, 40),
    "a": (3, 4.25),
    "c": (0, 41),
    "E": (4, 0),
}
# A - a is 1/4, C - c is 1, B - c is 38; B and C cost 3 and 40 to delete, E 4 to insert.
# - one level: R stays.
# - two levels: R stays, A becomes a for 1/4, B becomes c for 38, E is inserted for 4: less than A to c and B to a
#   (37.1 and 3.25) and E, or B to E (5) and c (41).
# - whole: R stays, A becomes a, B is deleted for 3, C becomes c for 1, E is inserted.
BASE, OTHER = tree_of("R(A B(C))"), tree_of("R(a c E)")

WITHOUT_MODEL = [name for name in SUITE if name != "linear_bertscore"]

BY_HAND = {
    # unit costs: nothing; B or c, and E; B, C or c, and E
    "structural_tted": (0, 2, 3),
    "cost_insert": (0, 4, 4),
    "cost_delete": (0, 0, 3),
    "cost_structure": (0, 4, 7),
    "cost_replace": (0, 38.25, 1.25),
    "mean_relabel_distance": (None, 38.25 / 2, 1.25 / 2),
    # of the pairs R, A and C, the last one goes from level 3 to level 2
    "mean_depth_difference": (0, 0, 1 / 3),
    # of the three pairs R and A - a are equivalent
    "equivalent_share": (1, 2 / 3, 2 / 3),
}


def by_places(**options):
    how = {"encoder": with_vectors(VECTORS), "distance": "euclidean", "preset": "published"} | options
    return compare(BASE, OTHER, **{"baselines": WITHOUT_MODEL, **how})


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("order", ["ordered", "constrained", "unordered"])
def test_measures_of_the_script_by_hand(name, order):
    reported = by_places(order=order).to_dict()
    expected = [value if value is None else pytest.approx(value) for value in BY_HAND[name]]
    assert reported[f"{name}_at"] == expected
    assert reported[name] == expected[-1]


def test_the_threshold_of_equivalence_counts_its_own_distance_too():
    """With 1, C and c are equivalent: B and E are left to pay for, and all three pairs are equivalent."""
    reported = by_places(equivalence=1).to_dict()
    assert (reported["structural_tted"], reported["equivalent_share"]) == (2, 1)
    reported = by_places(equivalence=0).to_dict()
    assert (reported["structural_tted"], reported["equivalent_share"]) == (4, pytest.approx(1 / 3))


def test_rouge_of_the_maps_as_texts_by_hand():
    """The texts "a b c" and "c a b x": 3 words of 3 and 4, the pair "a b" of 2 and 3, "a b" in order of 3 and 4.

    Of the roots "a b" and "c a" one word of two is common.
    """
    left, right = TextTree(("a b", "c"), (-1, 0)), TextTree(("c a", "b x"), (-1, 0))
    reported = compare(left, right, encoder=hashed, baselines=WITHOUT_MODEL).to_dict()
    for name, at in (
        ("linear_rouge1", (1 / 2, 6 / 7)),
        ("linear_rouge2", (0, 2 / 5)),
        ("linear_rougel", (1 / 2, 4 / 7)),
    ):
        assert reported[f"{name}_at"] == pytest.approx(at, abs=1e-7)


def test_texts_without_a_word():
    empty, words = TextTree(("",), (-1,)), TextTree(("a",), (-1,))
    for left, right, expected in ((empty, empty, 1), (empty, words, 0), (words, empty, 0)):
        reported = compare(left, right, encoder=hashed, baselines=["linear_rouge1"]).to_dict()
        assert reported["linear_rouge1"] == expected


def test_a_missing_model_is_reported():
    result = by_places(baselines=["cost_insert", "linear_bertscore"])
    reported = result.to_dict()
    assert (reported["cost_insert"], reported["linear_bertscore"], reported["linear_bertscore_at"]) == (
        4,
        None,
        [],
    )
    (notice,) = result.notices
    assert notice.startswith("linear_bertscore not computed: the distance bertscore needs word vectors")
    with pytest.raises(OptionsError, match="name an encoder"):
        SUITE["linear_bertscore"].function(Aligned(result.problem, (), "ordered"))


@pytest.mark.thorough
def test_bertscore_is_computed_from_the_texts():
    left, right = sample("photosynthesis/base"), sample("photosynthesis/structure_2")
    reported = compare(left, right, encoder="minilm", baselines=["linear_bertscore"]).to_dict()
    texts = [" ".join(tree.labels) for tree in (left, right)]
    precision, recall = np.ravel(load_bertscorer("minilm").scores(texts[:1], texts[1:]))
    assert reported["linear_bertscore"] == by_arithmetic(2 * precision * recall / (precision + recall))
    assert load_bertscorer("minilm").f1(texts[0], texts[0]) == 1


@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_measures_at_k_equal_those_of_trimmed_maps(order):
    left, right = sample("photosynthesis/base"), sample("photosynthesis/structure_3")
    how = {"encoder": nearer, "preset": "published", "order": order, "baselines": WITHOUT_MODEL}
    whole = compare(left, right, **how).to_dict()
    for k in range(1, 4):
        trimmed = compare(left, right, depth=k, **how).to_dict()
        for name in WITHOUT_MODEL:
            expected = trimmed[name]
            found = whole[f"{name}_at"][min(k, len(whole[f"{name}_at"])) - 1]
            assert found == (None if expected is None else pytest.approx(expected)), (name, k)


@pytest.mark.parametrize("options", sampled([{"gap": 0.5, "power": 2}, {}], 1))
def test_a_batch_gives_the_same(options):
    """No text stands twice in a map: of scripts that cost the same another one may be found, with other pairs."""
    rng = random.Random(7)
    shapes = [[random_tree(rng, rng.randint(1, 9)) for _ in range(2)] for _ in range(20)]
    pairs = [
        [replace(shape, labels=rng.sample("abcdefghijkl", len(shape))) for shape in pair] for pair in shapes
    ]
    method = TTED(nearer, preset="published", **options)
    rows = list(method.compare_many(pairs, baselines=WITHOUT_MODEL, equivalence=0.3))
    for pair, row in zip(pairs, rows, strict=True):
        result = method.compare(*pair, baselines=WITHOUT_MODEL, equivalence=0.3)
        reported = result.to_dict()
        for name in WITHOUT_MODEL:
            assert row[name] == (None if reported[name] is None else pytest.approx(reported[name])), name
            assert f"{name}_rho" not in row
        assert row["signature"] == result.signature
        costs = reported["cost_structure"], reported["cost_replace"]
        assert sum(costs) == pytest.approx(sum(op.cost for op in result.script.ops))


def test_the_signature_states_the_threshold_where_it_counts():
    assert by_places().signature.endswith(f"|eq:{EQUIVALENCE}")
    line = by_places(baselines=["equivalent_share"], equivalence=0.25).signature
    assert line.endswith("|eq:0.25")
    assert "eq:" not in by_places(baselines=["cost_insert", "rouge_sim"]).signature
    (row,) = TTED(hashed).compare_many([(BASE, OTHER)], baselines=["cost_insert"])
    assert "eq:" not in row["signature"]


def test_choices_change_the_measures_of_the_script():
    result = by_places()
    bound = under_choices(result, NO_CHOICES.with_forced((2, None)).with_forced((3, None)))
    reported = bound.to_dict()
    assert reported["cost_delete"] == pytest.approx(43)
    assert reported["structural_tted"] == result.to_dict()["structural_tted"]


def test_an_unproven_bound_is_not_a_value(monkeypatch):
    problem = by_places().problem
    monkeypatch.setattr(suite, "solve", lambda *_, **__: Solution((), 1.0, 2.0))
    with pytest.raises(LimitError, match=r"between 1 and 2.* give more time or choose another order"):
        SUITE["structural_tted"].function(Aligned(problem, (), "unordered", time_limit=1))


def test_measures_of_a_missing_map():
    found = of_empty_map([3, 4])
    assert found.keys() == SUITE.keys()
    assert (found["structural_tted"], found["cost_structure"], found["cost_insert"]) == (2, 7, 0)
    assert (found["linear_rouge1"], found["linear_bertscore"]) == (0, 0)
    assert np.isnan(found["mean_depth_difference"])


def test_the_command(tted):
    how = ("--distance", "levenshtein", "--preset", "published", "--baselines", "structural_tted,cost_insert")
    status, out, _ = tted("compare", LEFT, RIGHT, *how, "--equivalence", "0.9", "--json")
    content = json.loads(out)
    assert (status, content["baselines"]) == (0, {})
    assert len(content["structural_tted_at"]) == len(content["tted_at"])
    assert content["structural_tted"] == content["structural_tted_at"][-1]
    assert content["equivalence"] == 0.9
    assert content["signature"].endswith("|eq:0.9")
    status, out, _ = tted("compare", LEFT, RIGHT, *how)
    assert out.count("structural_tted") == 1
    assert "(by depth: 0.0000 " in out
    status, _, err = tted("compare", LEFT, RIGHT, "--equivalence", "-1")
    assert (status, "the threshold of equivalence is -1" in err) == (2, True)


def test_an_invalid_threshold_is_refused():
    for wrong in (-0.1, "near", float("nan"), float("inf"), None):
        with pytest.raises(OptionsError, match="give a node distance of 0 or more"):
            compare(BASE, OTHER, encoder=with_vectors(VECTORS), equivalence=wrong)
    assert replace(by_places(), suite={}).to_dict().keys().isdisjoint(SUITE)
