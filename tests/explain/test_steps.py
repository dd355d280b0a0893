"""Steps: every one is a change of the list, and every state between the maps is a tree."""

import math
from itertools import pairwise

import pytest
from helpers.encoders import hashed
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.explain.steps import StepSequence
from tted_core.method import PRESETS
from tted_core.report.readings import read_script
from tted_core.solvers import SOLVERS

SAMPLES = [("coral-reefs/base", "coral-reefs/demo"), ("photosynthesis/base", "photosynthesis/structure_2")]


def way_of(left, right, **options):
    return StepSequence(explain(compare(left, right, encoder=hashed, **options)))


def shown(state):
    last = {0: -1}  # the last node of each level
    parents = []
    for index, each in enumerate(state):
        parents.append(last[each.level - 1])
        last[each.level] = index
    return TextTree(tuple(each.label for each in state), tuple(parents))


def sentences_of(state):
    return {each.sentence for each in state}


def check(left, right, **options):
    """Walk the whole way: trees at every step, the right sentences in them, both ends, and the sums."""
    way = way_of(left, right, **options)
    explanation, steps = way.explanation, way.steps
    states = [way.state(count) for count in range(len(steps) + 1)]
    assert shown(states[0]) == left
    if steps:
        same_tree(shown(states[-1]), right, ordered=True)
    else:
        same_tree(shown(states[-1]), right, ordered=explanation.comparison.method.order == "ordered")
    for count, state in enumerate(states):
        assert [each.level for each in state].count(1) == 1
        assert all(below.level <= above.level + 1 for above, below in pairwise(state))
        assert len(sentences_of(state)) == len(state)
        expected = {
            each
            for each in explanation.sentences
            if each.ends[way.is_done(each, count)] is not None or None not in each.ends
        }
        assert sentences_of(state) == expected
    for step, before, after in zip(steps, states, states[1:], strict=False):
        assert sentences_of(before) ^ sentences_of(after) <= set(step.sentences)
    check_sums(way)
    return way


def same_tree(one, other, *, ordered):
    """Return True if two trees are equal, up to the order of siblings if that doesn't count."""

    def key(tree, node):
        below = [key(tree, child) for child in tree.children[node]]
        return tree.labels[node], below if ordered else sorted(below)

    assert key(one, 0) == key(other, 0)


def check_sums(way):
    """One share for each change: in the steps, and the list of changes."""
    explanation = way.explanation
    result, unit = explanation.comparison, explanation.comparison.script.unit
    amounts = [unit.amount(step.cost) for step in way.steps]
    whole = result.tted if unit.power == 1 else float(result.tted > 0)
    assert math.fsum(amounts) == pytest.approx(whole, rel=1e-9, abs=1e-12)
    assert way.amount(len(way.steps)) == pytest.approx(whole, rel=1e-9, abs=1e-12)
    assert math.fsum(step.share for step in way.steps) == pytest.approx(float(result.tted > 0), rel=1e-9)
    assert sorted(way.steps, key=lambda step: step.number) == list(explanation.changes)


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@pytest.mark.parametrize("context", ["none", "ancestors"])
@given(left=trees(8), right=trees(8))
def test_every_state_is_a_tree_and_the_last_one_the_right_map(order, context, left, right):
    check(left, right, order=order, context=context)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("order", SOLVERS)
def test_the_steps_between_samples(order, preset):
    for names in SAMPLES:
        check(*map(sample, names), order=order, preset=preset)


def test_a_branch_that_moves_is_one_step():
    left, right = tree_of("r(p(x(y) a(b c)) q(z(u v w)))"), tree_of("r(p(x(y)) q(z(u v w) a(b c)))")
    way = check(left, right, order="ordered")
    (step,) = way.steps
    assert (step.kind, step.size, step.share) == ("moved", 3, 1.0)
    assert step.cost == way.explanation.comparison.tted
    bars = read_script(way.explanation).by_kind
    assert {kind for kind, part in bars.items() if part.share} == {"delete", "insert"}


def test_what_hung_below_a_deleted_sentence_moves_up_and_an_extra_one_takes_it_over():
    way = check(tree_of("a(b(c d) e)"), tree_of("a(c d z(e))"), order="ordered")
    states = [shown(way.state(count)) for count in range(len(way.steps) + 1)]
    assert states == [tree_of("a(b(c d) e)"), tree_of("a(c d e)"), tree_of("a(c d z(e))")]


def test_there_is_one_root_while_another_replaces_it():
    way = check(tree_of("b(c)"), tree_of("a(b(c))"), order="ordered")
    assert [shown(way.state(count)) for count in range(2)] == [tree_of("b(c)"), tree_of("a(b(c))")]
    check(tree_of("a(b(c) d)"), tree_of("d(b(c))"))
    check(tree_of("q(m(v(x y z)))"), tree_of("v(q x y z)"))
