"""ROUGE baselines by hand and against slow versions of their definitions, the columns of papers among them."""

import itertools
import math
import random
import sys

import numpy as np
import pytest
from helpers.published import phrase_tree, published_edges, published_r, star
from helpers.trees import sample, tree_of
from hypothesis import example, given
from hypothesis import strategies as st
from rouge import Rouge
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

from tted_core.baselines import BASELINES, sim, sim_published
from tted_core.baselines.kernel import kernel_score
from tted_core.baselines.sim import breadth_first_edges, rouge_sim
from tted_core.baselines.sim_published import rouge_sim_published
from tted_core.tree import TextTree


def label_scores(baseline, labels):
    return baseline.label_scores([baseline.split(label) for label in labels])


# R = (ROUGE-1 + ROUGE-2 + ROUGE-L) / 3, each an F1
SCORED = [
    ("the cat sat", "the cat sat", 1.0),
    ("the cat sat", "the cat ran", (2 / 3 + 1 / 2 + 2 / 3) / 3),
    ("the cat sat", "sat the cat", (1 + 1 / 2 + 2 / 3) / 3),
    ("the cat sat", "a dog", 0.0),
    ("the cat", "the cat sat on", (2 / 3 + 1 / 2 + 2 / 3) / 3),  # precision 1 and recall 1/2, 1 and 1/3
    ("The CAT, sat!", "the cat sat", 1.0),  # case and punctuation don't count
    ("cat", "cat", 2 / 3),  # one word has no ROUGE-2
    ("Кошка сидит", "кошка бежит", (1 / 2 + 0 + 1 / 2) / 3),
    ("é cafés", "é cafés", 1.0),
    ("知识树", "知识图", (2 / 3 + 1 / 2 + 2 / 3) / 3),  # every sign is a word
    ("木が ある", "木が ない", (2 / 4 + 1 / 3 + 2 / 4) / 3),
    ("", "", 0.0),
    ("...", "...", 0.0),
]


@pytest.mark.parametrize(("label", "other", "expected"), SCORED)
def test_label_scores_by_hand(label, other, expected):
    scores = label_scores(sim, [label, other])
    assert scores[0, 1] == pytest.approx(expected, abs=1e-12)
    assert scores[1, 0] == scores[0, 1]


class OurWords(Tokenizer):
    def tokenize(self, text):
        return sim.split(text)[0]


SCORER = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=OurWords())


def rouge_score_r(label, other):
    return sum(score.fmeasure for score in SCORER.score(label, other).values()) / 3


# Few words, so that many occur twice, here and there, in one sentence or several.
words = st.sampled_from(["a", "b", "c", "d", "A", "b,", "кот", "Кот", "猫"])

gaps = st.sampled_from([" ", " ", " ", ". ", ".", "  ", "\n"])

texts = st.lists(st.tuples(words, gaps).map("".join), max_size=14).map("".join) | st.text(
    "a. \t\u00a0_", max_size=9
)


@given(st.lists(texts, max_size=5))
@example(["", ".", "...", ". .", " ", "a"])
def test_all_pairs_of_labels_score_as_in_the_packages(labels):
    ours, published = label_scores(sim, labels), label_scores(sim_published, labels)
    for (i, label), (j, other) in itertools.product(enumerate(labels), repeat=2):
        assert ours[i, j] == pytest.approx(rouge_score_r(label, other), abs=1e-12)
        assert published[i, j] == published_r(other, label)  # to the last bit


@pytest.mark.parametrize("words", [2, 5, 30])
def test_long_labels_score_as_in_the_packages(words):
    """The vectors of the longest common subsequence outgrow a machine word."""
    rng = random.Random(words)
    labels = [" ".join(rng.choice(["w{}", "w{}", "w{}."]).format(rng.randrange(words)) for _ in range(200))]
    labels += [
        " ".join(rng.choices(labels[0].split(), k=150)),
        " ".join(f"w{rng.randrange(words)}" for _ in "x" * 150),
    ]
    ours, published = label_scores(sim, labels), label_scores(sim_published, labels)
    for (i, label), (j, other) in itertools.product(enumerate(labels), repeat=2):
        assert ours[i, j] == pytest.approx(rouge_score_r(label, other), abs=1e-12)
        assert published[i, j] == published_r(other, label)


def test_a_small_example_by_hand():
    """The edge (the cat sat, a dog) finds (the cat ran, a dog): 11/18 + 1; (.., two birds) finds nothing left."""
    left = star("the cat sat", "a dog", "two birds")
    right = star("the cat ran", "a dog")
    score = rouge_sim(left, right)
    r = (2 / 3 + 1 / 2 + 2 / 3) / 3
    assert score.sim == pytest.approx(r + 1)
    assert (score.sim_left, score.sim_right) == (4.0, 2.0)
    assert score.rho_base == pytest.approx(math.sqrt(4 + 2 - 2 * (r + 1)))


def test_optimal_matching_against_trying_all():
    rng = random.Random(1)
    for _ in range(30):
        left, right = (phrase_tree(rng, rng.randint(2, 6), ("the", "cat", "sat", "ran")) for _ in range(2))
        small, large = sorted((breadth_first_edges(left), breadth_first_edges(right)), key=len)
        first, second = (left, right) if small == breadth_first_edges(left) else (right, left)

        def gain(edge, other, first=first, second=second):
            return sum(
                rouge_score_r(first.labels[a], second.labels[b]) for a, b in zip(edge, other, strict=True)
            )

        totals = [
            sum(itertools.starmap(gain, zip(small, chosen, strict=True)))
            for chosen in itertools.permutations(large, len(small))
        ]
        assert rouge_sim(left, right).sim == pytest.approx(max(totals))


@pytest.mark.parametrize("name", ["coral-reefs", "baikal", "photosynthesis"])
def test_identical_maps_score_2_for_every_edge(name):
    tree = sample(f"{name}/base")
    score = rouge_sim(tree, tree)
    assert score.sim == pytest.approx(2 * (len(tree) - 1), abs=1e-12)
    assert score.rho_base == pytest.approx(0, abs=1e-6)


def test_a_label_longer_than_the_recursion_limit():
    """The package rouge walks its longest common subsequence recursively, one frame a word."""
    label = " ".join(f"w{number % 900}" for number in range(sys.getrecursionlimit() + 50))
    tree = star(label, "x")
    assert rouge_sim_published(tree, tree).sim == pytest.approx((1 + 2 / 3) / 2, abs=1e-7)
    assert rouge_sim(tree, tree).sim == pytest.approx(1 + 2 / 3)


@pytest.mark.parametrize("name", ["rouge_sim", "rouge_sim_published"])  # the others don't look at edges
def test_one_node_has_no_edge(name):
    score = BASELINES[name](tree_of("a"), tree_of("a"))
    assert (score.sim, score.sim_left, score.rho_base) == (0.0, 0.0, 0.0)
    assert BASELINES[name](tree_of("a"), tree_of("a(b)")).sim == 0.0
    assert BASELINES[name](tree_of("a(b)"), tree_of("a")).sim >= 0.0


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        ({"LL": 4.0, "RR": 2.0, "LR": 1.5, "RL": 1.0}, math.sqrt(3.5)),
        ({"LL": 1.0, "RR": 1.0, "LR": 1.0, "RL": 1.0}, 0.0),
        ({"LL": 1.0, "RR": 1.0, "LR": 1.0, "RL": 1.0 + 1e-13}, 0.0),  # rounding
        ({"LL": 1.0, "RR": 1.0, "LR": 1.0, "RL": 1.1}, None),  # a greedy matching can do that
    ],
)
def test_rho_base(k, expected):
    left, right = tree_of("L"), tree_of("R")
    score = kernel_score(lambda one, other: k[one.labels[0] + other.labels[0]], left, right)
    assert (score.sim, score.sim_left, score.sim_right) == (k["LR"], k["LL"], k["RR"])
    assert score.rho_base == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_regrouping_does_not_change_the_bag(number):
    score = BASELINES["rouge_bag"](
        sample("coral-reefs/base"), sample(f"coral-reefs/structure_{number}"), None
    )
    assert score.sim == pytest.approx(score.sim_left)
    assert score.rho_base == pytest.approx(0, abs=1e-6)


def test_rouge_bag_is_the_best_of_all_matchings():
    left = TextTree(("reefs are built by corals", "corals need light", "fish"), (-1, 0, 0))
    right = TextTree(("light", "corals build reefs"), (-1, 0))
    scores = label_scores(sim, [*left.labels, *right.labels])
    expected = max(
        sum(scores[row, 3 + column] for column, row in enumerate(rows))
        for rows in itertools.permutations(range(3), 2)
    )
    score = sim.rouge_bag(left, right)
    assert score.sim == pytest.approx(expected)
    assert score.sim_left == pytest.approx(sum(scores[row, row] for row in range(3)))
    assert score.rho_base == pytest.approx(np.sqrt(score.sim_left + score.sim_right - 2 * score.sim))


def published_sim(left, right):
    """The module's docstring, word for word."""
    remaining = list(published_edges(left))
    total = 0.0
    for parent, child in published_edges(right):
        best = ("_", "_")
        best_score = published_r("_", parent) + published_r("_", child)
        for edge in remaining:
            score = published_r(edge[0], parent) + published_r(edge[1], child)
            if score > best_score:
                best, best_score = edge, score
        if best in remaining:
            remaining.remove(best)
        total += best_score / 2
    return total


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("photosynthesis/base", "photosynthesis/structure_3"),
        ("urban-heat/base", "urban-heat/paraphrase_1"),
        ("urban-heat/meaning_1", "urban-heat/base"),
        ("baikal/base", "baikal/paraphrase_1"),
    ],
)
def test_published_on_sample_maps(left, right):
    left, right = sample(left), sample(right)
    assert rouge_sim_published(left, right).sim == pytest.approx(published_sim(left, right), abs=1e-12)


def test_published_on_adversarial_labels():
    """The label "_" equals the start value; full stops alone, spaced or not, and no text at all are no words."""
    rng = random.Random(3)
    for _ in range(60):
        left, right = (phrase_tree(rng, rng.randint(1, 8)) for _ in range(2))
        assert rouge_sim_published(left, right).sim == pytest.approx(published_sim(left, right), abs=1e-12), (
            left,
            right,
        )


def test_published_removes_an_edge_only_if_it_is_strictly_better_than_the_start():
    assert rouge_sim_published(star("_", "_"), star("_", "_")).sim == pytest.approx(2 / 3, abs=1e-7)
    both_at_start = rouge_sim_published(star("_", "_"), TextTree(("_", "_", "_"), (-1, 0, 1))).sim
    assert both_at_start == pytest.approx(4 / 3, abs=1e-7)  # the one edge of the left tree is never used up


VALUE_COLUMN = {"cmgn_rouge1": 0, "cmgn_rouge2": 1, "cmgn_rougel": 2, "cmgn_rouge": 3}


def f1s(reference, generated):
    """ROUGE-1, -2, -L by the package, and their mean; 1 of two empty texts, 0 where it refuses a text."""
    if not reference and not generated:
        return 1.0, 1.0, 1.0, 1.0
    try:
        scores = Rouge().get_scores(reference, generated)[0]
    except ValueError:
        return 0.0, 0.0, 0.0, 0.0
    three = [scores[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")]
    return (*three, sum(three) / 3)


def pairs(tree):
    return [
        (tree.labels[above], label) for above, label in zip(tree.parents[1:], tree.labels[1:], strict=True)
    ]


def protocol(reference, generated, column):
    remaining, total = pairs(generated), 0.0
    for parent, child in pairs(reference):
        gains = [(f1s(parent, p)[column] + f1s(child, c)[column]) / 2 for p, c in remaining]
        if gains:
            best = max(range(len(gains)), key=gains.__getitem__)  # of equals the first
            total += gains[best]
            del remaining[best]
    return total / (len(pairs(reference)) + 1)


@pytest.mark.parametrize("name", VALUE_COLUMN)
def test_scores_follow_the_protocol_on_maps_of_any_size(name):
    """One of them may be a root alone, and have labels without a word."""
    rng = random.Random(5)
    for _ in range(40):
        left, right = (phrase_tree(rng, rng.randint(1, 7)) for _ in range(2))
        found = BASELINES[name](left, right).sim
        assert found == pytest.approx(protocol(left, right, VALUE_COLUMN[name]), abs=1e-12), (left, right)


def test_by_hand():
    """Reference a b -> c d, e f; generated a b -> c x. F1 of "c d" and "c x" is 1/2 by words, 0 by pairs of words.

    The pair of c takes the only generated one, (1 + 1/2) / 2, nothing is left for e; 3 pairs with the root's.
    """
    reference = TextTree(("a b", "c d", "e f"), (-1, 0, 0))
    generated = TextTree(("a b", "c x"), (-1, 0))
    assert BASELINES["cmgn_rouge1"](reference, generated).sim == pytest.approx(0.75 / 3, abs=1e-7)
    assert BASELINES["cmgn_rouge2"](reference, generated).sim == pytest.approx(0.5 / 3, abs=1e-7)
    assert BASELINES["cmgn_rougel"](reference, generated).sim == pytest.approx(0.75 / 3, abs=1e-7)
    assert BASELINES["cmgn_rouge"](reference, generated).sim == pytest.approx((2 / 3) / 3, abs=1e-7)


def test_a_map_with_itself_lacks_the_pair_of_the_root():
    tree = sample("photosynthesis/base")
    score = BASELINES["cmgn_rouge"](tree, tree)
    assert score.sim == pytest.approx((len(tree) - 1) / len(tree), abs=1e-6)
    assert score.rho_base == 0.0
