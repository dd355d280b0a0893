"""The effect of each word of a pair on its cost."""

import pytest
from helpers.published import compare
from helpers.trees import sample, tree_of

from tted_core.distances import DISTANCES, Models
from tted_core.explain.pair_words import pair_words


def words_apart(texts):
    """A vector that counts letters, so that leaving words out has an effect known by hand."""
    return [[text.count("a") + 1.0, text.count("b")] for text in texts]


@pytest.mark.parametrize("context", ["none", "ancestors"])
def test_words_of_a_pair_change_its_cost_in_its_context(context):
    left, right = tree_of("a(b)"), tree_of("a(c)")
    left = type(left)(("a", "a b"), left.parents)
    result = compare(left, right, encoder=words_apart, distance="manhattan", context=context)
    found = pair_words(result, DISTANCES["manhattan"].load(Models(words_apart)), 1, 1)
    assert found.score == result.costs[1, 1] == 2
    assert [word.change for word in found.first] == [-1, -1]
    assert [word.change for word in found.second] == [0]


def test_a_distance_of_texts_takes_no_encoder():
    distance = "levenshtein"
    result = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), distance=distance)
    op = next(op for op in result.script.ops if op.op == "replace")
    found = pair_words(result, DISTANCES[distance].load(), op.source, op.target)
    assert found.score == op.cost
