"""The status of each sentence, against edits of known truth and texts that stand in both maps."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from helpers.encoders import by_words, hashed
from helpers.outcomes import check_outcomes
from helpers.trees import SAMPLES, sample, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

import tted_core
from benchmarks.edits import EDITS, edit_tree
from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.matching.bounds import CALIBRATED, OF_MEDIAN, NearBounds
from tted_core.matching.match import match
from tted_core.method import PRESETS
from tted_core.sentences import SentenceCosts

EDITS_MADE = 200
ENOUGH = 0.98
MAPS = {path.parent.name: sample(f"{path.parent.name}/base") for path in sorted(SAMPLES.glob("*/base.json"))}


def known_edits(count):
    """(left, right, what became of each left and each right node) of edits and rewordings of the samples."""
    rng = Random("correspondence")
    while count:
        name = rng.choice(
            [name for name in EDITS if name != "exchange"]
        )  # parents and children: by hand below
        left = MAPS[rng.choice([topic for topic, tree in MAPS.items() if len(tree) < 30])]
        texts = MAPS[rng.choice([topic for topic, tree in MAPS.items() if tree != left])].labels
        found = edit_tree(left, name, rng.choice([1, 2]), seed=str(rng.random()), texts=texts)
        labels, node = list(found.tree.labels), rng.choice(list(found.truth.values()))
        labels[node] = labels[node].replace(" the ", " those ", 1)
        if found.tree != left:
            count -= 1
            right = TextTree(tuple(labels), found.tree.parents)
            yield left, right, expected(left, right, found.truth)


def expected(left, right, truth):
    """The word for each node by the truth, once and again without those that the first look takes for moved."""
    back = {w: v for v, w in truth.items()}

    def above(tree, node, kept):
        return next((each for each in up(tree, node) if each in kept), -1)

    def stays(v, kept):
        after = above(right, truth[v], {truth[each] for each in kept})
        return above(left, v, kept) == back.get(after, -1)

    first = {v for v in truth if stays(v, set(truth))}
    kept = set(first)
    tops = {}
    for v in sorted(truth):
        parent = above(left, v, set(truth))
        tops[v] = tops[parent] if v in first and parent >= 0 else v
    along = Counter(tops.values())
    for v in sorted(set(truth) - first, key=lambda v: (-along[v], v)):
        if stays(v, kept):
            kept.add(v)
    words = {}
    for v in sorted(truth):
        moved = v not in kept or (v in first and words.get(above(left, v, set(truth))) == "moved")
        words[v] = "moved" if moved else "same" if left.labels[v] == right.labels[truth[v]] else "reworded"
    return (
        [words.get(v, "missing") for v in range(len(left))],
        [words[back[w]] if w in back else "extra" for w in range(len(right))],
    )


def up(tree, node):
    while (node := tree.parents[node]) >= 0:
        yield node


@pytest.mark.parametrize(
    ("preset", "count"),
    [
        ("published", 30),
        *(pytest.param(name, EDITS_MADE, marks=pytest.mark.thorough) for name in PRESETS),
    ],
)
def test_edits_of_known_truth_get_the_right_words(preset, count):
    right_words, nodes, wrong = 0, 0, Counter()
    for left, right, words in known_edits(count):
        found = explain(tted_core.compare(left, right, encoder=by_words, preset=preset)).matching.records
        for side, position in enumerate(("source", "target")):
            said = {getattr(each, position): each.status for each in found}
            for node, word in enumerate(words[side]):
                nodes += 1
                right_words += said[node] == word
                wrong[word, said[node]] += said[node] != word
    assert right_words >= ENOUGH * nodes, (right_words / nodes, wrong)


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(), right=trees())
def test_a_text_of_both_maps_is_never_without_its_other_end(order, left, right):
    result = compare(left, right, encoder=hashed, order=order)
    check_outcomes(explain(result).matching, left, right)


@given(left=trees(), right=trees(), numbers=st.randoms(use_true_random=False), ordered=st.booleans())
def test_whatever_the_script_pairs_and_the_costs_say(left, right, numbers, ordered):
    """Also where a script from elsewhere pairs nodes at random."""
    targets = [*range(len(right)), *[-1] * len(left)]
    numbers.shuffle(targets)
    costs = np.array([[numbers.random() for _ in right.labels] for _ in left.labels])
    bounds = NearBounds(0.4, 0.1, "by hand")
    found = match(left, right, SentenceCosts(costs), targets[: len(left)], ordered=ordered, bounds=bounds)
    check_outcomes(found, left, right)


@given(trees())
def test_a_map_is_the_same_as_itself(tree):
    result = compare(tree, tree, encoder=hashed)
    found = explain(result).matching
    assert [(each.source, each.target, each.status) for each in found.records] == [
        (node, node, "same") for node in range(len(tree))
    ]
    assert found.shares(result.costs) == pytest.approx((1.0, 1.0))


# left, right, order: the words that aren't "same", for the left nodes and for what is extra
CASES = {
    "a heading goes, its nodes stay": ("r(a(b c) d)", "r(b c d)", "constrained", {"a": "missing"}),
    "a heading comes, its nodes stay": ("r(b c d)", "r(a(b c) d)", "constrained", {"a": "extra"}),
    "the root goes below another": ("r(a b)", "n(r(a b))", "constrained", {"n": "extra"}),
    "a branch moves": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) a(b c)))",
        "constrained",
        dict.fromkeys("abc", "moved"),
    ),
    "the head of a branch changes": (
        "r(p(x y) q)",
        "r(s(x y) q)",
        "constrained",
        {"p": "reworded"},
    ),
    "one child is too little evidence for another head": (
        "r(p(x) q)",
        "r(s(x) q)",
        "constrained",
        {"p": "missing", "s": "extra"},
    ),
    "the head of a branch changes, and most children are others": (
        "r(p(x y u v) q)",
        "r(s(x y w z) q)",
        "constrained",
        {"p": "reworded", "u": "missing", "v": "missing", "w": "extra", "z": "extra"},
    ),
    "children leave a node that stays": (
        "r(p(a b c d) q(z))",
        "r(p(d) q(z a b c))",
        "constrained",
        dict.fromkeys("abc", "moved"),
    ),
    "children rise beside their heading": (
        "r(p(a b) q)",
        "r(p a b q)",
        "constrained",
        dict.fromkeys("ab", "moved"),
    ),
    "children stay while their heading moves": (
        "r(p(a b) q(z))",
        "r(a b q(z p))",
        "constrained",
        {"p": "moved"},
    ),
    "a chain becomes flat": ("r(a(b(c(d))))", "r(a b c d)", "constrained", dict.fromkeys("bcd", "moved")),
    "parent and child swap, their other children stay": (
        "r(p(c x y m) q)",
        "r(c(p(n) x y) q m)",
        "constrained",
        {**dict.fromkeys("pcm", "moved"), "n": "extra"},
    ),
    "parent and child swap": ("r(p(c) q)", "r(c(p) q)", "constrained", dict.fromkeys("pc", "moved")),
    "the title above the root goes, and children rise": (
        "t(r(p(x y z)))",
        "r(p x y z)",
        "constrained",
        {"t": "missing", **dict.fromkeys("xyz", "moved")},
    ),
    "a title comes above the root, and a branch sinks": (
        "r(p(x y) q(z))",
        "t(r(p(x y q(z))))",
        "constrained",
        {"t": "extra", **dict.fromkeys("qz", "moved")},
    ),
    "the head of a branch changes, which gets another child": (
        "r(p(x y) q)",
        "r(s(x y w) q)",
        "constrained",
        {"p": "reworded", "w": "extra"},
    ),
    "the first branch becomes the root": (
        "z(a(x) b(y) c)",
        "a(x b(y) c)",
        "constrained",
        {"z": "missing", "a": "moved", "x": "moved"},
    ),
    "the root goes below a new one with some of its branches": (
        "r(s(t) a b c d)",
        "n(r(s(t)) a b c d)",
        "constrained",
        {**dict.fromkeys("rst", "moved"), "n": "extra"},
    ),
    "the root goes below a new one without its branches": (
        "r(a b c d e)",
        "n(r a b c d e)",
        "constrained",
        {"r": "moved", "n": "extra"},
    ),
    "two nodes swap positions": (
        "a(b x y(u v))",
        "b(a x y(u v))",
        "constrained",
        dict.fromkeys("ab", "moved"),
    ),
    "siblings in another order, where that counts": ("r(a b c d)", "r(b c d a)", "ordered", {"a": "moved"}),
    "siblings in another order, where it doesn't": ("r(a b c d)", "r(b c d a)", "constrained", {}),
    "the old root becomes a leaf": (
        "n(r(a b) c)",
        "r(a b n c)",
        "constrained",
        dict.fromkeys("nrab", "moved"),
    ),
    "one of two equal leaves goes": ("r(p(x) q(x))", "r(p q(x))", "constrained", {"x": "missing"}),
}


# Names of the cases with a branch that moved -> the nodes that moved along with its head.
ALONG = {
    "a branch moves": {"b", "c"},
    "the root goes below a new one with some of its branches": {"s", "t"},
    "the old root becomes a leaf": {"a", "b"},
    "the first branch becomes the root": {"x"},
    "a title comes above the root, and a branch sinks": {"z"},
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name):
    left, right, order, words = CASES[name]
    result = compare(tree_of(left), tree_of(right), encoder=hashed, order=order)
    labels = result.left.tree.labels, result.right.tree.labels
    found = explain(result).matching.records
    assert {
        labels[0][each.source] if each.source is not None else labels[1][each.target]: each.status
        for each in found
        if each.status != "same"
    } == words
    heads = {each.source for each in found if each.head == each.source is not None}
    moved = {node for node, word in words.items() if word == "moved"}
    assert {labels[0][node] for node in heads} == moved - ALONG.get(name, set())


@pytest.mark.parametrize(
    ("left", "right", "costs", "words"),
    [
        ("r(a b)", "r(a c)", {"bc": 0.6}, {"b": "missing", "c": "extra"}),
        ("r(a b d)", "r(a c)", {"bc": 0.0, "dc": 0.0}, {"b": "missing", "c": "extra", "d": "missing"}),
        ("r(a b)", "r(h(a c))", {"bc": 0.4}, {"h": "extra", "b": "reworded"}),
        ("r(a b)", "r(h(c) a)", {"bc": 0.4}, {"h": "extra", "b": "reworded"}),
        ("r(p(q(x y)) a)", "r(s(x y) a)", {"ps": 0.1}, {"p": "reworded", "q": "missing"}),
        ("r(b d)", "r(c e)", {"bc": 0.4, "de": 0.2, "be": 0.41}, {"b": "reworded", "d": "reworded"}),
        (
            "r(b d)",
            "r(c e)",
            {"bc": 0.4, "de": 0.1, "be": 0.2},
            {"b": "missing", "c": "extra", "d": "reworded"},
        ),
    ],
    ids=[
        "too far",
        "the model can't tell texts apart",
        "heading above siblings",
        "heading above others",
        "a heading above took the children over",
        "rival is taken",
        "taken rival is nearer",
    ],
)
def test_words_by_position_and_cost(left, right, costs, words):
    one, other = map(tree_of, (left, right))
    nodes = np.array([[costs.get(v + w, float(v != w)) for w in other.labels] for v in one.labels])
    bounds = NearBounds(in_place=0.5, elsewhere=0.3, source="")
    partners = [-1] * len(one.labels)
    found = match(one, other, SentenceCosts(nodes), partners, ordered=False, bounds=bounds)
    assert {
        other.labels[each.target] if each.source is None else one.labels[each.source]: each.status
        for each in found.records
        if each.status != "same"
    } == words


def test_labels_with_a_word_that_no_sibling_has_are_reworded():
    pairs = {
        "Weaker judge": "Weaker model",
        "Minimization": "Minimizing a DFA",
        "Reinigung": "Endreinigung",
        "模型缓存区": "模型缓存目录",
        "LocalStore": "Store (local)",
        "Single sign-on": "SSO",
    }
    gone, new = ["Week 5: Monday", "Week 6"], ["Week 5: Friday", "Week 7"]
    left = TextTree(("Plan", *pairs, *gone), (-1, *[0] * (len(pairs) + 2)))
    right = TextTree(("Plan", *pairs.values(), *new), (-1, *[0] * (len(pairs) + 2)))
    far = SentenceCosts(np.where(np.equal.outer(left.labels, right.labels), 0.0, 1.0))
    bounds = NearBounds(in_place=0.5, elsewhere=0.3, source="")
    found = match(left, right, far, [-1] * len(left), ordered=False, bounds=bounds)
    said = {left.labels[each.source]: each.target for each in found.records if each.status == "reworded"}
    assert {label: right.labels[node] for label, node in said.items()} == pairs
    assert (found.counts["missing"], found.counts["extra"]) == (2, 2)


def test_the_script_may_pair_what_does_not_correspond():
    """One cheap pair of unrelated sentences keeps the equal ones apart; the words are those of the equal ones."""
    costs = np.full((2, 2), 1.0)
    costs[1, 0] = 0.0
    sides = TextTree(("x", "a"), (-1, 0)), TextTree(("a", "y"), (-1, 0))
    bounds = NearBounds(0.5, 0.5, "by hand")
    found = match(*sides, SentenceCosts(costs), [0, 1], ordered=False, bounds=bounds).records
    assert [(each.source, each.target, each.status) for each in found] == [
        (0, None, "missing"),
        (1, 0, "same"),
        (None, 1, "extra"),
    ]


def shuffled(tree, rng):
    """(the tree with the children of each node in another order, old index -> new index)."""
    order, parents, stack = [], [], [(0, -1)]
    while stack:
        node, parent = stack.pop()
        order.append(node)
        parents.append(parent)
        below = list(tree.children[node])
        rng.shuffle(below)
        stack += [(child, len(order) - 1) for child in below]
    return TextTree(tuple(tree.labels[node] for node in order), tuple(parents)), {
        node: position for position, node in enumerate(order)
    }


def distinct(tree, side):
    """The tree with texts of its own but for some that both sides have."""
    return TextTree(
        tuple(f"n{node}" if node % 4 else f"{side}{node}" for node in range(len(tree))), tree.parents
    )


@given(left=trees(), right=trees(), rng=st.randoms(use_true_random=False))
def test_the_order_of_siblings_changes_no_word(left, right, rng):
    """Also of texts that are near, and whatever the script pairs."""
    left, right = distinct(left, "l"), distinct(right, "r")
    names = list(right.labels)
    rng.shuffle(names)
    right = TextTree(tuple(names), right.parents)
    ranks = list(
        range(len(left) * len(right))
    )  # distinct costs: between equally near texts the order decides
    rng.shuffle(ranks)
    costs = np.reshape(ranks, (len(left), len(right))) / len(ranks)
    partners = [*range(len(right)), *[-1] * len(left)]
    rng.shuffle(partners)
    bounds = NearBounds(0.4, 0.2, "by hand")

    def words(one, other, costs, partners):
        found = match(one, other, SentenceCosts(costs), partners, ordered=False, bounds=bounds).records
        return {
            (
                None if each.source is None else one.labels[each.source],
                None if each.target is None else other.labels[each.target],
                each.status,
                None if each.head is None else one.labels[each.head],
            )
            for each in found
        }

    (one, here), (other, there) = shuffled(left, rng), shuffled(right, rng)
    rows, columns = ([*map(back.get, range(len(back)))] for back in (here, there))
    moved_costs = np.empty_like(costs)
    moved_costs[np.ix_(rows, columns)] = costs
    moved_partners = [0] * len(left)
    for v, w in enumerate(partners[: len(left)]):
        moved_partners[here[v]] = there[w] if w >= 0 else -1
    assert words(left, right, costs, partners[: len(left)]) == words(one, other, moved_costs, moved_partners)


def test_bounds_are_stated_with_where_they_come_from():
    left, right = sample("photosynthesis/base"), sample("photosynthesis/paraphrase_1")
    unknown = compare(left, right, encoder=hashed)
    found = explain(unknown).bounds
    median = float(np.median(unknown.costs[:-1, :-1]))
    assert (found.in_place, found.elsewhere) == pytest.approx(tuple(share * median for share in OF_MEDIAN))
    assert "none are calibrated for custom" in found.source
    known = explain(replace(unknown, method=unknown.method.with_model("minilm"))).bounds
    assert (known.in_place, known.elsewhere) == CALIBRATED["minilm", "cosine"]
    russian = TextTree(("Самовар греет воду для чая", "Его ставят на стол"), (-1, 0))
    read = compare(russian, russian, encoder=hashed)
    other = explain(replace(read, method=read.method.with_model("minilm"))).bounds
    assert "none are calibrated for minilm, the languages of these texts" in other.source
    for in_place, elsewhere in (*CALIBRATED.values(), OF_MEDIAN):
        assert 0 < elsewhere <= in_place
