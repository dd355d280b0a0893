"""The status of each sentence, against edits of known truth and texts that stand in both maps."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from helpers.encoders import by_words, hashed
from helpers.outcomes import check_outcomes
from helpers.trees import SAMPLES, sample, trees
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
