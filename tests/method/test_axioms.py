"""Properties that make TTED a distance between text trees, for any gap and power; gap and power by hand."""

import itertools
import math

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.thorough import sampled
from helpers.trees import tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core import compare
from tted_core.arithmetic import check_gap, check_power, gap_text, total
from tted_core.comparison import search
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.errors import OptionsError
from tted_core.method import Method
from tted_core.solvers import SOLVERS, EditProblem
from tted_core.tree import TextTree

TOLERANCE = 1e-9

VECTORS = [name for name, each in DISTANCES.items() if each.reads == "encoder"]

BLENDS = [name for name, context in CONTEXTS.items() if context.blend is not None]
# One word for a choice of options: "cosine-ordered-none". Each distance, order and context is in one of them.
CHOICES = {
    "-".join(values): dict(zip(("distance", "order", "context"), values, strict=True))
    for values in (
        *itertools.product(["cosine"], SOLVERS, ["none"]),
        *itertools.product(VECTORS, ["constrained"], ["ancestors"]),
        *itertools.product(["euclidean"], ["constrained"], ["parent", *BLENDS]),
        *itertools.product(["cosine"], ["ordered"], BLENDS),
    )
}

each_choice = pytest.mark.parametrize("choice", sampled(CHOICES, 4))

each_order = pytest.mark.parametrize("order", SOLVERS)


def float32(texts):
    """Unit vectors in float32, as models give them."""
    vectors = hashed(texts).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def same(left, right, order):
    """Return True if two trees are equal, up to the order of siblings unless it counts."""

    def key(tree, node):
        below = [key(tree, child) for child in tree.children[node]]
        return tree.labels[node], *(below if order == "ordered" else sorted(below))

    return key(left, 0) == key(right, 0)


def result(left, right, choice, encoder=hashed):
    return compare(left, right, encoder=encoder, **CHOICES[choice])


def metric_costs(left, right):
    """Distances between points on a line, which stand for the texts; the gap is a point too."""
    left, right = (
        np.array([ord(text) if text else 100 for text in (*tree.labels, "")]) for tree in (left, right)
    )
    return np.abs(left[:, None] - right[None, :]).astype(float)


@each_order
@given(first=trees(6), second=trees(6), third=trees(6))
def test_with_costs_that_are_a_metric_each_order_gives_a_metric(order, first, second, third):
    """Whole numbers, which add up exactly; the text "d" is as near to no text as can be, and so costs nothing."""

    def apart(left, right):
        return SOLVERS[order](left, right, metric_costs(left, right)).upper

    assert apart(first, first) == 0.0
    assert apart(first, second) == apart(second, first)
    assert apart(first, third) <= apart(first, second) + apart(second, third)
    plain = {text for tree in (first, second) for text in tree.labels} <= set("abce")
    assert not plain or (apart(first, second) == 0.0) == same(first, second, order)


@each_choice
@pytest.mark.parametrize("encoder", [hashed, float32])
@given(tree=trees(max_nodes=9))
def test_a_tree_is_exactly_0_from_itself(choice, encoder, tree):
    comparison = result(tree, tree, choice, encoder)
    scores = (comparison.tted, comparison.lower_bound, comparison.normalized, comparison.steinhaus)
    assert scores == (0.0, 0.0, 0.0, 0.0)
    assert comparison.avg_tted == 0.0
    assert set(comparison.tted_at) == {0.0}
    assert {op.cost for op in comparison.script.ops} == {0.0}


@each_choice
@given(first=trees(6, alphabet="abcde"), second=trees(6, alphabet="abcde"), third=trees(6))
def test_different_trees_have_a_positive_symmetric_distance_without_shorter_ways(
    choice, first, second, third
):
    there, back = result(first, second, choice), result(second, first, choice)
    on, direct = result(second, third, choice), result(first, third, choice)
    for score in ("tted", "steinhaus", "normalized"):
        assert getattr(there, score) == pytest.approx(getattr(back, score), abs=TOLERANCE)
    assert there.tted_at == pytest.approx(back.tted_at, abs=TOLERANCE)
    for score in ("tted", "steinhaus"):
        assert getattr(direct, score) <= getattr(there, score) + getattr(on, score) + TOLERANCE
        assert getattr(there, score) > 0.0 or same(first, second, CHOICES[choice]["order"])
    assert max(there.steinhaus, there.normalized) <= 1.0 + TOLERANCE
    deleted, inserted = there.costs[:-1, -1].sum(), there.costs[-1, :-1].sum()
    assert abs(deleted - inserted) - TOLERANCE <= there.tted <= deleted + inserted + TOLERANCE


@each_order
def test_nodes_without_text_cost_nothing(order):
    """The one way in which different trees can be 0 apart: the empty string is what the gap is encoded as."""
    left, right = TextTree(("a", "b"), (-1, 0)), TextTree(("", "a", "", "b"), (-1, 0, 1, 2))
    assert compare(left, right, encoder=hashed, order=order).tted == 0.0


@each_order
@given(tree=trees(alphabet="abcde"), data=st.data())
def test_a_further_leaf_costs_what_its_insertion_costs(order, tree, data):
    """Requirement 2 of the paper; with the context "none" only."""
    parent = data.draw(st.integers(0, len(tree) - 1))
    labels, children = [*tree.labels, "new"], [list(below) for below in tree.children]
    children[parent].insert(data.draw(st.integers(0, len(children[parent]))), len(tree))
    larger = TextTree.from_children(labels, [*children, []])
    cost = DISTANCES["cosine"].function(hashed(["new"]), hashed([""]))[0, 0]
    for left, right, op in ((tree, larger, "insert"), (larger, tree, "delete")):
        comparison = compare(left, right, encoder=hashed, order=order)
        assert comparison.tted == pytest.approx(cost, abs=TOLERANCE)
        assert (comparison.script.count(op), comparison.script.count("match")) == (1, len(tree))


@pytest.mark.parametrize("context", BLENDS)
@given(left=trees(alphabet="abcde"))
def test_blends_ignore_the_order_of_siblings(context, left):
    mirrored = TextTree.from_children(left.labels, [below[::-1] for below in left.children])
    assert compare(left, mirrored, encoder=float32, context=context).tted == 0.0


@given(left=trees(), right=trees())
def test_sibling_order_matters_to_the_ordered_distance_only(left, right):
    def mirrored(tree):
        return TextTree.from_children(tree.labels, [below[::-1] for below in tree.children])

    for order in SOLVERS:
        one, both = (
            compare(left, mirrored(right), encoder=hashed, order=order).tted,
            compare(mirrored(left), right, encoder=hashed, order=order).tted,
        )
        assert one == pytest.approx(both, abs=TOLERANCE)
        if order != "ordered":
            assert one == pytest.approx(compare(left, right, encoder=hashed, order=order).tted, abs=TOLERANCE)
            assert compare(left, mirrored(left), encoder=hashed, order=order).tted == 0.0


CLOSE = 1e-7

LABELS = "abcd"

EMPTY = 4


@st.composite
def metrics(draw, whole=False):
    """(5, 5) distances of four labels and the empty string: shortest ways through random lengths."""
    lengths = st.integers(1, 9) if whole else st.floats(0.05, 4.0)
    distances = np.zeros((5, 5))
    for one, other in itertools.combinations(range(5), 2):
        distances[one, other] = distances[other, one] = draw(lengths)
    for on in range(5):
        distances = np.minimum(distances, distances[:, [on]] + distances[[on]])
    return distances


def costs_of(left, right, metric):
    rows, columns = ([*(LABELS.index(label) for label in tree.labels), EMPTY] for tree in (left, right))
    return metric[np.ix_(rows, columns)]


def priced(left, right, metric, *, gap=0.0, power=1.0):
    return EditProblem(left, right, costs_of(left, right, metric)).under(gap, power)


GAPS = st.one_of(st.floats(0.0, 3.0), st.floats(0.05, 3.0).map(lambda number: f"={number}"))

THREE = st.tuples(*[trees(4, alphabet=LABELS)] * 3)

POWERS = st.sampled_from([1.0, 1.5, 2.0, 3.0, 8.0])


@each_order
@given(three=THREE, metric=metrics(), gap=GAPS, power=POWERS)
def test_every_gap_and_power_gives_metrics(order, three, metric, gap, power):
    first, second, third = three

    def apart(left, right):
        problem = priced(left, right, metric, gap=gap, power=power)
        found = search(problem, order).upper
        return np.array([found, problem.normalizations(found)["steinhaus"]])

    there, on, direct = apart(first, second), apart(second, third), apart(first, third)
    assert (direct <= (there + on) * (1 + CLOSE)).all()
    assert apart(second, first) == pytest.approx(there, rel=CLOSE)
    assert apart(first, first).tolist() == [0.0, 0.0]
    assert 0.0 <= direct[1] <= 1.0
    if order == "ordered":
        assert (there[0] == 0.0) == (first == second)


@pytest.mark.parametrize("order", ["constrained", "unordered"])
@pytest.mark.parametrize(("power", "pairs"), [(1.0, {(1, 1), (2, 2)}), (8.0, {(1, 2), (2, 1)})])
def test_two_middling_pairs_can_be_cheaper_than_an_unchanged_sentence_and_a_bad_pair(order, power, pairs):
    """The second leaf is unchanged. By adding up it stays, the triangle inequality allows nothing cheaper."""
    costs = np.full((4, 4), 0.8)
    costs[:-1, :-1] = [[0, 1, 1], [1, 0.828, 0.772], [1, 0.736, 0]]
    problem = EditProblem(tree_of("r(a b)"), tree_of("r(c b)"), costs, power=power)
    solution = search(problem, order)
    assert {pair for pair in solution.mapping if None not in pair} - {(0, 0)} == pairs


@each_order
@given(left=trees(4, alphabet=LABELS), right=trees(4, alphabet=LABELS), metric=metrics(), power=POWERS)
def test_the_distance_is_the_root_of_the_sum_of_powers_and_no_mapping_is_cheaper(
    order, left, right, metric, power
):
    solution = search(priced(left, right, metric, power=power), order)
    costs = costs_of(left, right, metric)
    picked = [costs[-1 if v is None else v, -1 if w is None else w] for v, w in solution.mapping]
    assert solution.upper == pytest.approx(sum(cost**power for cost in picked) ** (1 / power))
    plain = search(priced(left, right, metric), order)
    other = [costs[-1 if v is None else v, -1 if w is None else w] for v, w in plain.mapping]
    assert solution.upper <= total(other, power) * (1 + CLOSE)
    assert solution.proven


@each_order
def test_one_node_more_costs_its_gap(order):
    """Requirement 2 of the paper, with the distance to the empty string that the gap says."""
    left, right = tree_of("a(b)"), tree_of("a(b(c))")
    encoder = with_vectors({"": [0, 0, 0], "a": [3, 0, 0], "b": [0, 3, 0], "c": [0, 0, 3]})
    for gap, expected in ((0.0, 3.0), (0.5, 3.5), ("=0.25", 0.25)):
        found = compare(left, right, encoder=encoder, distance="euclidean", order=order, gap=gap, power=1)
        assert found.tted == pytest.approx(expected)
        assert [op.op for op in found.script.ops] == ["match", "match", "insert"]
        powered = compare(left, right, encoder=encoder, distance="euclidean", order=order, gap=gap, power=3)
        assert powered.tted <= expected * (1 + CLOSE)


@each_order
def test_with_a_power_many_small_changes_can_be_cheaper_than_one_gap(order):
    """Requirement 2 becomes a bound: on a line, every sentence moves up by one."""
    encoder = with_vectors({"": [0], "a": [1], "b": [2], "c": [3]})
    left, right = tree_of("a(b)"), tree_of("a(b(c))")
    found = compare(left, right, encoder=encoder, distance="euclidean", order=order, gap=0.0, power=3)
    assert [op.op for op in found.script.ops] == ["replace", "replace", "insert"]
    assert found.tted == pytest.approx(3 ** (1 / 3))


def test_normalized_is_steinhaus_where_all_gaps_are_alike():
    found = compare(tree_of("a(b c)"), tree_of("a(d(e f))"), encoder=hashed, gap="=0.7", power=4)
    assert found.normalized == pytest.approx(found.steinhaus)
    weights = [0.7 * 3**0.25, 0.7 * 4**0.25]
    assert found.steinhaus == pytest.approx(2 * found.tted / (sum(weights) + found.tted))


def test_the_signature_names_unpublished_options():
    left, right = tree_of("a(b)"), tree_of("a(c)")
    published = compare(left, right, encoder=hashed, preset="published")
    assert "|ctx:none|gap:0|p:1|k:all|" in published.signature
    found = compare(left, right, encoder=hashed, gap="=.80", power="3.0")
    assert "|ctx:none|gap:=0.8|p:3|k:all|" in found.signature
    assert (found.method.gap, found.method.power) == ("=0.8", 3.0)


@pytest.mark.parametrize(
    "gap", [-0.1, "=0", "=-1", "", "=", "many", math.nan, math.inf, 2e6, "=nan", True, None]
)
def test_invalid_gaps_are_refused(gap):
    with pytest.raises(OptionsError, match="give a number from 0"):
        check_gap(gap)


@pytest.mark.parametrize("power", [0.5, 0, -1, 21, "x", math.nan, math.inf, None, True])
def test_invalid_powers_are_refused(power):
    with pytest.raises(OptionsError, match="give a number from 1 to 20"):
        check_power(power)


def test_gaps_have_one_notation():
    assert [gap_text(check_gap(gap)) for gap in ("0", 0.50, "=0.80", " =1e-3 ")] == [
        "0",
        "0.5",
        "=0.8",
        "=0.001",
    ]


def test_similar_maps_get_a_hint():
    left, near = tree_of("a(b c d e f g h)"), tree_of("a(b c d e f g x)")
    (hint,) = compare(left, near, encoder=hashed).hints
    assert "the preset proofreading detects single wrong sentences more reliably" in hint
    found = compare(left, near, encoder=hashed)
    assert 0 < found.normalized < 0.45
    assert found.to_dict()["notices"] == [*found.notices, hint]
    assert hint not in found.notices
    for other in (
        compare(left, near, encoder=hashed, preset="proofreading"),
        compare(left, near, encoder=hashed, order="ordered"),
        compare(left, left, encoder=hashed),
        compare(left, tree_of("p(q r s t u v w)"), encoder=hashed),
    ):
        assert other.hints == ()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"encoder": "multilingual-e5-small", "gap": "=0.8"}, True),
        ({"encoder": "intfloat/multilingual-e5-small", "gap": "=0.8"}, True),
        ({"encoder": "multilingual-e5-small", "gap": "=0.1"}, False),
        ({"encoder": "multilingual-e5-small", "gap": "=0.8", "distance": "manhattan"}, False),
        ({"encoder": "multilingual-e5-small"}, False),
        ({"encoder": "minilm", "gap": "=0.8", "power": 8}, False),
    ],
)
def test_a_gap_beyond_an_encoders_distances_is_reported(options, expected):
    assert any("leaves two sentences unpaired" in notice for notice in Method(**options).notices) is expected
