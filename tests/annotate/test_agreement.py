"""Agreement of annotators: alpha, medoids and layouts by hand and against krippendorff; and its command."""

import json
import random

import krippendorff
import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.monitors import STOPPED
from helpers.trees import SAMPLES, random_tree, tree_of
from hypothesis import given
from hypothesis import strategies as st

from tted_core import compare, read_map
from tted_core.annotate.agreement import krippendorff_alpha, measure_annotators, medoids
from tted_core.distances import Models
from tted_core.errors import Interrupted, LimitError, MapFormatError
from tted_core.figures.distances import dendrogram
from tted_core.formats import MindMap
from tted_core.method import Method

# Two documents (0, 1) with two maps each. Distances: 1 and 2 within them; 3, 4, 5, 6 between.
BY_HAND = np.array([[0, 1, 3, 4], [1, 0, 5, 6], [3, 5, 0, 2], [4, 6, 2, 0]], dtype=float)


def documents(*trees_of_each, names="abcdefgh"):
    return {
        (f"document {number}", name): MindMap(tree, "tree")
        for number, trees in enumerate(trees_of_each)
        for name, tree in zip(names, trees, strict=False)
    }


def random_documents(*sizes: int, seed: int = 7):
    rng = random.Random(seed)
    return documents(*([random_tree(rng, rng.randint(2, 7)) for _ in range(size)] for size in sizes))


def test_alpha_is_the_value_calculated_by_hand():
    """D_o = (1 + 2) / 2; D_e = (1 + 2 + 3 + 4 + 5 + 6) / 6 = 3.5; squared: 2.5 and 91 / 6."""
    alpha = krippendorff_alpha(BY_HAND, [0, 0, 1, 1])
    assert (alpha.observed, alpha.expected) == (1.5, 3.5)
    assert alpha.value == pytest.approx(1 - 1.5 / 3.5)
    squared = krippendorff_alpha(BY_HAND**2, [0, 0, 1, 1])
    assert squared.value == pytest.approx(1 - 2.5 / (91 / 6))


def test_units_of_other_sizes_weigh_by_their_values_and_single_values_do_not_count():
    """Unit 0 has three values (mean distance 2), unit 1 two (4), unit 2 one: D_o = (3 * 2 + 2 * 4) / 5 = 2.8."""
    distances = np.full((6, 6), 10.0)
    distances[:3, :3] = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    distances[3:5, 3:5] = [[0, 4], [4, 0]]
    np.fill_diagonal(distances, 0)
    alpha = krippendorff_alpha(distances, [0, 0, 0, 1, 1, 2])
    assert alpha.observed == pytest.approx(2.8)
    assert alpha.expected == pytest.approx((6 + 4 + 6 * 10) / 10)
    assert (alpha.documents, alpha.maps) == (2, 5)


@given(st.lists(st.lists(st.integers(0, 9), min_size=0, max_size=5), min_size=2, max_size=6))
def test_alpha_of_numbers_is_that_of_the_package_krippendorff(rows):
    values = [value for row in rows for value in row]
    units = [number for number, row in enumerate(rows) for _ in row]
    distances = np.abs(np.subtract.outer(values, values)).astype(float).reshape(len(values), len(values))
    alpha = krippendorff_alpha(distances**2, units)
    pairable = [row for row in rows if len(row) > 1]
    if len(pairable) < 2 or len({value for row in pairable for value in row}) < 2:
        assert alpha.value is None
        return
    counts = [[row.count(value) for value in range(10)] for row in rows]
    used = [value for value in range(10) if any(row[value] for row in counts)]
    expected = krippendorff.alpha(
        value_counts=np.array(counts)[:, used], value_domain=used, level_of_measurement="interval"
    )
    assert alpha.value == pytest.approx(expected, abs=1e-9)
    assert alpha.low <= alpha.high


@pytest.mark.parametrize("units", [[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 2]])
def test_alpha_needs_two_documents_with_two_maps(units):
    alpha = krippendorff_alpha(BY_HAND, units)
    assert (alpha.value, alpha.low, alpha.high) == (None, None, None)


def test_equal_maps_leave_alpha_undefined_and_equal_documents_make_it_one():
    assert krippendorff_alpha(np.zeros((4, 4)), [0, 0, 1, 1]).value is None
    apart = np.kron(1 - np.eye(2), np.ones((2, 2)))
    alpha = krippendorff_alpha(apart, [0, 0, 1, 1])
    assert (alpha.value, alpha.low, alpha.high) == (1, 1, 1)


def test_the_interval_is_seeded_and_that_of_a_slow_bootstrap():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(30, 2)) + np.repeat(rng.normal(size=(10, 2)) * 3, 3, axis=0)
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    units = np.repeat(np.arange(10), 3)
    alpha = krippendorff_alpha(distances, units.tolist())
    assert krippendorff_alpha(distances, units.tolist()) == alpha
    means = [distances[np.ix_(units == unit, units == unit)].sum() / 6 for unit in range(10)]
    slow = sorted(1 - np.mean(rng.choice(means, 10)) / alpha.expected for _ in range(4000))
    assert (alpha.low, alpha.high) == pytest.approx((slow[100], slow[3900]), abs=0.02)
    assert alpha.low < alpha.value < alpha.high


def test_every_matrix_is_symmetric_and_holds_the_distances_of_compare():
    every = random_documents(4)
    (document,) = measure_annotators(every, models=Models(hashed)).documents
    assert np.array_equal(document.distances, document.distances.T)
    assert not document.distances.diagonal().any()
    for first, left in enumerate(document.maps.values()):
        for second, right in enumerate(document.maps.values()):
            result = compare(left, right, encoder=hashed).normalized
            assert document.distances[first, second] == pytest.approx(result, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_medoid_is_the_one_of_brute_force(seed):
    (document,) = measure_annotators(random_documents(6, seed=seed), models=Models(hashed)).documents
    sums = {
        name: sum(compare(mine, other, encoder=hashed).normalized for other in document.maps.values())
        for name, mine in document.maps.items()
    }
    assert document.medoids == [name for name, value in sums.items() if value <= min(sums.values()) + 1e-9]


def test_maps_that_share_the_smallest_sum_are_all_medoids():
    assert medoids(np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]], dtype=float)) == (1,)
    assert medoids(np.array([[0, 1], [1, 0]], dtype=float)) == (0, 1)


def test_alpha_of_documents_is_alpha_of_their_distances():
    every = random_documents(3, 1, 2, 4)
    result = measure_annotators(every, models=Models(hashed))
    maps = [each for (document, _), each in every.items() if document != "document 1"]
    distances = np.array([[compare(a, b, encoder=hashed).normalized for b in maps] for a in maps])
    expected = krippendorff_alpha(distances, [0, 0, 0, 1, 1, 2, 2, 2, 2])
    assert result.alpha.value == pytest.approx(expected.value, abs=1e-12)
    assert result.notices == ("documents with one map only are left out: document 1",)


def test_languages_of_several_documents_are_named_once_each():
    every = {
        (topic, name): read_map(SAMPLES / topic / f"{variant}.json")
        for topic in ("tea", "olive-oil", "bread")
        for name, variant in (("anna", "base"), ("ben", "paraphrase_1"))
    }
    notices = measure_annotators(every, models=Models(sentence_encoder(english_only=True))).notices
    assert [notice.partition(",")[0] for notice in notices] == [
        "2 maps: the texts are in Spanish", "2 maps: the texts are in Chinese",
    ]  # fmt: skip


def test_costs_are_added_up_unless_it_is_said_otherwise():
    """Alpha is a ratio of means, and under the power 8 one wrong sentence sets two maps as far apart as ten."""
    every = random_documents(2, 3)
    plain = measure_annotators(every, models=Models(hashed))
    assert plain.alpha == measure_annotators(every, models=Models(hashed)).alpha
    weighed = measure_annotators(every, Method(gap="=0.8", power=8.0), Models(hashed))
    assert weighed.alpha != plain.alpha
    parts = [dict(part.split(":", 1) for part in each.signature.split("|")[1:]) for each in (plain, weighed)]
    assert [(each["gap"], each["p"]) for each in parts] == [("0", "1"), ("=0.8", "8")]
    assert parts[0]["in"] == parts[1]["in"]
    assert parts[0]["docs"] == "2,3"
    assert {"score", "of", "seed", "order", "enc", "dist", "ctx", "k", "v"} <= set(parts[0])


def test_what_cannot_be_measured_is_refused_before_any_work():
    def refuse(_texts):
        raise AssertionError

    leaf = tree_of("a")
    with pytest.raises(MapFormatError, match="two maps or more"):
        measure_annotators(documents([leaf], [leaf]), models=Models(refuse))
    many = {(str(number % 40), str(number)): MindMap(leaf, "tree") for number in range(220)}
    with pytest.raises(LimitError, match="220 maps"):
        measure_annotators(many, models=Models(refuse))
    with pytest.raises(Interrupted):
        measure_annotators(random_documents(2), models=Models(hashed), monitor=STOPPED)


def test_a_dendrogram_joins_the_nearest_first():
    """Points at 0, 10, 1, 12: 0 and 1 join at 1, 10 and 12 at 2, both pairs at the mean of 10, 12, 9, 11."""
    points = np.array([0, 10, 1, 12], dtype=float)
    leaves, lines = dendrogram(np.abs(np.subtract.outer(points, points)))
    order = [points[leaf] for leaf in leaves]
    assert order in ([0, 1, 10, 12], [12, 10, 1, 0])
    bars = sorted((y0, x0, x1) for x0, y0, x1, y1 in lines if y0 == y1)
    assert [height for height, _, _ in bars] == [1, 2, 10.5]
    assert bars[2][1:] == (0.5, 2.5)
    assert dendrogram(np.zeros((1, 1))) == ([0], [])


def test_the_command_prints_and_dumps(tted, tmp_path):
    for document in ("tides", "tables"):
        for annotator in ("anna", "ben"):
            file = tmp_path / document / f"{annotator}.txt"
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{document}\n  one\n  {annotator}\n", encoding="utf-8")
    (tmp_path / "tides" / "broken.json").write_text('{"a": ', encoding="utf-8")
    status, out, err = tted("annotators", str(tmp_path))
    assert status == 0
    assert "Krippendorff's alpha" in out
    assert "medoid: anna, ben" in out
    assert "tides/broken.json: can't be read: line 1" in err
    err_of_all = err
    content = json.loads(tted("annotators", str(tmp_path), "--json")[1])
    assert [each["name"] for each in content["documents"]] == ["tables", "tides"]
    assert content["alpha"]["documents"] == 2
    assert (content["options"]["gap"], content["options"]["power"]) == (0.0, 1.0)
    assert content["signature"].startswith("ALPHA|score:normalized|of:plain|seed:0|")
    assert "|gap:=0.8|p:8|" in tted("annotators", str(tmp_path), "--preset", "proofreading")[1]
    status, out, _ = tted("annotators", str(tmp_path / "tides"))
    assert "alpha is undefined" in out
    assert json.loads(tted("annotators", str(tmp_path / "tides"), "--json")[1])["alpha"]["value"] is None
    assert tted("annotators", str(tmp_path / "none"))[0] == 2
    assert "annotators: anna, ben" in err_of_all
    assert "annotators: tables, tides" in tted("annotators", str(tmp_path), "--swap")[2]
