"""Distances of vectors, of strings and of texts against their definitions, and under TTED."""

from difflib import SequenceMatcher

import numpy as np
import pytest
from helpers.encoders import counting, hashed
from helpers.floats import by_arithmetic
from helpers.references import by_all_mappings
from helpers.trees import tree_of, trees
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from tted_core import compare
from tted_core.distances import DISTANCES, formulas
from tted_core.distances.formulas import cosine, euclidean, levenshtein, manhattan, sequence_matcher
from tted_core.errors import EncoderError, LimitError, OptionsError
from tted_core.foundations.monitor import UNWATCHED
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree

DEFINITIONS = {
    "cosine": lambda a, b: np.sqrt(max(0, 1 - a @ b / np.sqrt((a @ a) * (b @ b)))),
    "euclidean": lambda a, b: np.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True))),
    "manhattan": lambda a, b: sum(abs(x - y) for x, y in zip(a, b, strict=True)),
}
# The empty set of vectors is left out: a tree has at least one node.
VECTORS = arrays(np.float64, st.tuples(st.integers(1, 4), st.just(5)), elements=st.floats(0.1, 10))

OF_VECTORS = {name: each.function for name, each in DISTANCES.items() if each.reads == "encoder"}

each_distance = pytest.mark.parametrize("name", OF_VECTORS)


def test_every_distance_has_a_definition():
    assert set(OF_VECTORS) == set(DEFINITIONS)


@each_distance
@given(left=VECTORS, right=VECTORS)
def test_agrees_with_its_definition(name, left, right):
    expected = [[DEFINITIONS[name](a, b) for b in right] for a in left]
    # The textbook sqrt(1 - cos) of nearly equal vectors is itself good to 1e-8 only.
    assert OF_VECTORS[name](left, right) == pytest.approx(np.array(expected), abs=3e-8)


@pytest.mark.parametrize("rows", [1, 2, 3, 26, pytest.param(300, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("columns", [1, 2, 31, 250])
@pytest.mark.parametrize("dimension", [1, 2, 9, 384])
def test_the_same_as_scipy_gives(rows, columns, dimension):
    """For small maps and large ones, which are computed differently."""
    rng = np.random.default_rng([rows, columns, dimension])
    left, right = rng.standard_normal((rows, dimension)), rng.standard_normal((columns, dimension)) * 1e3
    assert euclidean(left, right) == by_arithmetic(cdist(left, right, "euclidean"))
    assert manhattan(left, right) == by_arithmetic(cdist(left, right, "cityblock"))
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right)]
    assert cosine(left, right) == by_arithmetic(cdist(*unit, "euclidean") / np.sqrt(2))


@each_distance
@pytest.mark.parametrize("dimension", [1, 3, 17, 384, 768])
def test_equal_vectors_are_at_distance_0_at_any_position(name, dimension):
    rng = np.random.default_rng(dimension)
    vectors = rng.standard_normal((40, dimension)).astype(np.float32).astype(np.float64)
    for size in (1, 2, 7, 40):
        assert np.diagonal(OF_VECTORS[name](vectors[:size], vectors)).tolist() == [0.0] * size
        assert OF_VECTORS[name](vectors[::-1], vectors[:size])[-1, 0] == 0.0


@each_distance
@given(vectors=VECTORS)
def test_is_symmetric_and_keeps_the_triangle_inequality(name, vectors):
    distances = OF_VECTORS[name](vectors, vectors)
    assert np.array_equal(distances, distances.T)
    detours = distances[:, :, None] + distances[None, :, :]
    assert (distances[:, None, :] <= detours + 1e-12).all()


@pytest.mark.parametrize("zero", [0, 1])
def test_a_zero_vector_has_no_cosine(zero):
    sides = [np.ones((2, 3)), np.ones((2, 3))]
    sides[zero][1] = 0
    with pytest.raises(EncoderError, match=r"zero vector .*choose the distance euclidean or manhattan"):
        cosine(*sides)
    assert np.isfinite(euclidean(*sides)).all()


FUNCTIONS = {name: each.function for name, each in DISTANCES.items() if each.reads == "none"}
# Few letters, so that texts have something in common.
TEXTS = st.text("ab ", max_size=7)

each_of_strings = pytest.mark.parametrize("name", FUNCTIONS)


def edits(x, y):
    """The recursion of Wagner and Fischer (1974), row by row."""
    row = list(range(len(y) + 1))
    for i, a in enumerate(x, start=1):
        above, row = row, [i]
        for j, b in enumerate(y, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


REFERENCES = {
    "levenshtein": lambda x, y: edits(x, y) / max(len(x), len(y), 1),
    "sequence-matcher": lambda x, y: 1 - SequenceMatcher(None, x, y, autojunk=False).ratio(),
}


def apart(name, x, y):
    return float(FUNCTIONS[name]([x], [y], UNWATCHED)[0, 0])


@each_of_strings
@given(left=st.lists(TEXTS, min_size=1, max_size=4), right=st.lists(TEXTS, min_size=1, max_size=4))
def test_a_distance_of_strings_agrees_with_its_definition(name, left, right):
    distances = FUNCTIONS[name](left, right, UNWATCHED)
    assert distances.dtype == np.float64
    expected = [[REFERENCES[name](x, y) for y in right] for x in left]
    assert distances == pytest.approx(np.array(expected), abs=1e-12)


@each_of_strings
def test_the_empty_text_is_1_from_every_other_and_equal_texts_are_at_0(name):
    texts = ["a", "a b", "Байкал", "🌳 x", "e\u0301"]
    distances = FUNCTIONS[name]([*texts, ""], [*texts, ""])
    assert distances[:-1, -1].tolist() == distances[-1, :-1].tolist() == [1.0] * len(texts)
    assert np.diagonal(distances).tolist() == [0.0] * (len(texts) + 1)
    assert ((distances >= 0) & (distances <= 1)).all()


def test_frequent_letters_of_long_texts_count_too():
    """difflib's rule of thumb for long texts would leave nothing of these."""
    text = "ab" * 150
    assert SequenceMatcher(None, f"c{text}", f"d{text}").ratio() == 0
    assert apart("sequence-matcher", f"c{text}", f"d{text}") == pytest.approx(1 / 301)


@pytest.mark.parametrize(
    ("function", "limit"),
    [(levenshtein, "MAX_EDIT_CELLS"), (sequence_matcher, "MAX_SEQUENCE_MATCHER_CELLS")],
)
def test_too_much_is_refused_before_it_takes_long(function, limit, monkeypatch):
    assert getattr(formulas, limit) > 10**8
    monkeypatch.setattr(formulas, limit, 20)
    assert function(["abcd"], ["abcde"]).shape == (1, 1)
    with pytest.raises(LimitError, match=r"24 pairs of characters.* the limit is 20; "):
        function(["abcd"], ["abc", "def"])


OF_TEXTS = [name for name, distance in DISTANCES.items() if distance.reads != "encoder"]

WITHOUT_ENCODER = [name for name in OF_TEXTS if DISTANCES[name].reads == "none"]


def between(name, left, right):
    """The distances of texts."""
    return DISTANCES[name].load().between(left, right)[:-1, :-1]


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_it_compares_maps_without_an_encoder(name, order):
    encoder, requested = counting()
    left, right = tree_of("root(alpha beta)"), tree_of("root(alpha beta gamma)")
    result = compare(left, right, encoder=encoder, distance=name, order=order)
    assert requested == []
    assert result.tted == pytest.approx(between(name, [""], ["gamma"])[0, 0])
    assert result.method.model == "none"
    assert "|enc:none@none|" in result.signature


@pytest.mark.parametrize("name", OF_TEXTS)
def test_a_notice_explains_a_distance_that_is_not_a_metric(name):
    result = compare(tree_of("a"), tree_of("b"), encoder="minilm", distance=name)
    distance = DISTANCES[name]
    assert [
        f"the distance {name} is not a metric, so TTED and the Steinhaus score with it are not metrics"
        in each
        for each in result.notices
    ] == ([] if distance.metric else [True])
    assert distance.symmetric or "symmetry and the triangle inequality can break" in result.notices[0]


def sentences(tree):
    """Texts of a few letters, so that the triangle inequality breaks now and then."""
    return TextTree(tuple(f"{label} b a"[: 1 + ord(label) % 5] for label in tree.labels), tree.parents)


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", ["levenshtein", "sequence-matcher"])
@settings(max_examples=15)
@given(left=trees(alphabet="abcdef", max_nodes=4), right=trees(alphabet="abcdef", max_nodes=4))
def test_the_cheapest_mapping_is_found_though_the_costs_are_no_metric(name, order, left, right):
    left, right = sentences(left), sentences(right)
    result = compare(left, right, distance=name, order=order)
    assert result.proven
    assert result.tted == pytest.approx(by_all_mappings(order, left, right, result.costs))


def test_bertscore_takes_the_encoder_that_is_chosen(minilm):
    left, right = tree_of("reefs(fish_swim)"), tree_of("reefs(fish_sleep)")
    by_name = compare(left, right, distance="bertscore")
    by_encoder = compare(left, right, distance="bertscore", encoder=minilm)
    assert by_name.tted == by_encoder.tted > 0
    assert by_name.method.model == "minilm"
    assert "|enc:minilm@53aa5117/layer6|dist:bertscore|" in by_name.signature
    assert by_encoder.signature == by_name.signature
    weighted = compare(left, right, distance="bertscore-idf")
    assert weighted.tted != by_name.tted


def test_bertscore_refuses_an_encoder_without_word_vectors():
    with pytest.raises(OptionsError, match=r"bertscore needs word vectors, .* name an encoder"):
        compare(tree_of("a"), tree_of("b"), distance="bertscore", encoder=hashed)


def test_bertscore_reports_foreign_scripts_and_truncated_texts():
    left = TextTree(("Озеро Байкал", "long " * 600), (-1, 0))
    notices = compare(left, tree_of("a"), distance="bertscore").notices
    assert len(notices) == 2
    assert "1 of 4 texts are longer than the 512 word pieces that minilm reads for BERTScore" in notices[1]
    notices = compare(tree_of("Байкал"), tree_of("озеро"), distance="bertscore").notices
    assert "the encoder minilm was trained on English only" in notices[1]
