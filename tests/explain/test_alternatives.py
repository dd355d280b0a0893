"""Variants of one comparison, what drives the score, and where the ROUGE baseline maps otherwise."""

import pytest
from helpers.encoders import counting, hashed, placed, sentence_encoder
from helpers.monitors import STOPPED
from helpers.published import compare
from helpers.trees import sample, tree_of

from tted_core.baselines import BASELINES
from tted_core.baselines.sim import edge_matching
from tted_core.batch.settings import combined
from tted_core.compare import compare_maps
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Models
from tted_core.errors import Interrupted, LimitError
from tted_core.explain.alternatives import MAX_ALTERNATIVES, alternatives, disagreement, effects, same_pairs
from tted_core.explain.pair_words import pair_words
from tted_core.method import Method

BASE, DEMO = sample("coral-reefs/base"), sample("coral-reefs/demo")


@pytest.fixture(scope="module")
def current():
    return compare(BASE, DEMO, encoder=sentence_encoder(name="hashed"))


def by(*encoders, **several):
    """All methods of these options in the plural, costs being added up."""
    return combined(encoders, gaps=[0.0], powers=[1.0], **several)


def test_each_alternative_is_the_comparison_of_its_settings(current):
    encode, asked = counting()
    found = alternatives(
        current,
        by(
            "hashed",
            contexts=["none", "ancestors"],
            distances=["cosine", "manhattan"],
            orders=["ordered", "constrained"],
        ),
        Models(load_encoder=lambda name: sentence_encoder(encode=encode, name=name)),
    )
    assert len(found) == 8
    assert len(set(asked)) == len(asked)  # no text twice
    for alternative in found:
        fresh = compare_maps(BASE, DEMO, alternative.method, Models(sentence_encoder(name="hashed")))
        assert alternative.comparison.tted == fresh.tted
        assert alternative.comparison.signature == fresh.signature
        assert alternative.same_pairs == same_pairs(fresh, current)
    mine = next(each for each in found if each.method == current.method)
    assert mine.same_pairs == current.script.count("match") + current.script.count("replace")


def test_too_many_alternatives_are_refused_before_any_encoder_is_loaded(current):
    with pytest.raises(LimitError, match="choose fewer settings"):
        alternatives(
            current,
            [Method()] * (MAX_ALTERNATIVES + 1),
            Models(load_encoder=lambda _name: pytest.fail("loaded")),
        )


def test_effects_by_hand():
    methods = by("e", contexts=["none", "ancestors"], orders=["ordered", "constrained"])
    scores = dict(zip(methods, (0.5, 0.4, 0.9, 0.7), strict=True))
    assert effects(scores) == pytest.approx({"context": 0.35, "order": 0.15})
    scores.pop(methods[0])
    assert effects(scores) == pytest.approx({"context": 0.3, "order": 0.2})


def test_the_matching_of_edges_adds_up_to_the_baseline():
    matching = edge_matching(BASE, DEMO)
    assert sum(gain for *_, gain in matching) == pytest.approx(BASELINES["rouge_sim"](BASE, DEMO).sim)
    for tree, edges in zip((BASE, DEMO), list(zip(*matching, strict=True))[:2], strict=True):
        assert len(set(edges)) == len(edges)
        assert all(tree.parents[child] == parent for parent, child in edges)


def test_disagreement_by_hand():
    left, right = tree_of("reefs(coral fish)"), tree_of("reefs(fish coral moon)")
    places = {"": (0, 0), "reefs": (9, 0), "coral": (0, 5), "fish": (0, 5.5), "moon": (7, 7)}
    result = compare(left, right, encoder=placed(places), distance="euclidean", order="ordered")
    assert result.script.count("replace") == 2  # siblings can't change places
    found = disagreement(result)
    assert found.only_tted == ((1, 1), (2, 2))
    assert found.only_baseline == ((1, 2), (2, 1))
    assert found.both == ()
    free = disagreement(compare(left, right, encoder=placed(places), distance="euclidean"))
    assert free == type(free)(((1, 2), (2, 1)), (), ())


def test_stopped_before_there_is_one(current):
    with pytest.raises(Interrupted):
        alternatives(current, [Method()], Models(load_encoder=lambda _name: hashed), monitor=STOPPED)


def test_maps_of_a_single_node_disagree_about_nothing():
    result = compare(tree_of("a"), tree_of("b"), encoder=hashed)
    assert disagreement(result) == type(disagreement(result))((), (), ())


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


def test_distances_of_texts_take_no_encoder_and_only_contexts_of_texts(current):
    distance = "levenshtein"
    blended = [name for name, context in CONTEXTS.items() if context.blend is not None]
    wanted = by("a", "b", contexts=["none", *blended], distances=["cosine", distance])
    assert [(each.model, each.context) for each in wanted if each.distance == distance] == [("none", "none")]
    assert len(wanted) == 2 * (1 + len(blended)) + 1
    wanted = by("a", "b", contexts=["none", *blended], distances=["bertscore"])
    assert [(each.model, each.context) for each in wanted] == [("a", "none"), ("b", "none")]
    models = Models(load_encoder=lambda _name: pytest.fail("loaded"))
    (alternative,) = alternatives(current, by("a", distances=[distance]), models)
    fresh = compare(BASE, DEMO, distance=distance)
    assert alternative.comparison.tted == fresh.tted
    (op, *_) = (op for op in fresh.script.ops if op.op == "replace")
    found = pair_words(fresh, DISTANCES[distance].load(), op.source, op.target)
    assert found.score == op.cost
