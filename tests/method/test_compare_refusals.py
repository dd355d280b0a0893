"""What compare() refuses: bad options, large maps, encoders that misbehave, solvers that are wrong."""

import json
import math
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import counting, hashed
from helpers.published import compare
from helpers.trees import tree_of

from tted_core.baselines import BASELINES, Baseline
from tted_core.errors import (
    EncoderError,
    InvalidTreeError,
    LimitError,
    MapFormatError,
    SolverError,
    UnknownNameError,
)
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_DEPTH
from tted_core.report.replay import read_replay, replay_json
from tted_core.solvers import SOLVERS, Solution

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")


def run(left=LEFT, right=RIGHT, **options):
    return compare(left, right, **{"encoder": hashed, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distance": "cosin"}, "unknown distance 'cosin'; choose one of: cosine, euclidean, manhattan"),
        ({"order": "uted"}, "unknown order 'uted'; choose one of: ordered, constrained, unordered"),
        ({"context": "all"}, "unknown context 'all'; choose one of: none, ancestors"),
        ({"baselines": ["rouge_sim", "bleu"]}, "unknown baseline 'bleu'; choose one of: rouge_sim, rouge_s"),
        ({"encoder": "bert"}, "unknown encoder 'bert'; choose one of: minilm, use-multilingual, mpnet"),
    ],
)
def test_an_unknown_name_lists_the_choices(options, message):
    with pytest.raises(UnknownNameError, match=message):
        run(**options)


def test_names_and_limits_are_checked_before_the_encoder_is_asked():
    encoder, asked = counting()
    for options in ({"distance": "x"}, {"order": "x"}, {"context": "x"}, {"baselines": ["x"]}, {"depth": 0}):
        with pytest.raises((UnknownNameError, InvalidTreeError)):
            run(encoder=encoder, **options)
    assert asked == []


@pytest.mark.parametrize("depth", [0, -3])
def test_a_depth_below_1_is_refused(depth):
    with pytest.raises(InvalidTreeError, match=f"depth {depth}"):
        run(depth=depth)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10**20])
def test_a_depth_that_no_map_has_is_refused_as_in_a_replay_file(depth):
    with pytest.raises(LimitError, match=f"{depth:,} levels to compare, but the limit is 500") as refused:
        run(depth=depth)
    whole = MindMap(LEFT, "tree")
    content = json.loads(replay_json(whole, whole, run(whole, whole, depth=MAX_DEPTH)))
    assert read_replay(json.dumps(content)).method.depth == MAX_DEPTH
    content["options"]["depth"] = depth
    with pytest.raises(MapFormatError, match=re.escape(f"options > depth: {refused.value}")):
        read_replay(json.dumps(content))


def test_nodes_are_counted_after_trimming(monkeypatch):
    monkeypatch.setattr(sys.modules["tted_core.compare"], "MAX_NODES_COMPARED", 3)
    encoder, asked = counting()
    with pytest.raises(LimitError, match=r"4 nodes in the left map, .* 3; compare to a smaller depth"):
        run(encoder=encoder)
    with pytest.raises(LimitError, match="4 nodes in the right map"):
        run(tree_of("a"), RIGHT, encoder=encoder)
    assert asked == []
    assert run(depth=2).left.tree.labels == ("a", "b", "d")


def flat(texts):
    return np.ones(len(texts))


def one_too_many(texts):
    return np.ones((len(texts) + 1, 3))


def ragged(texts):
    return np.ones((len(texts), 2, 2))


def with_value(value):
    def encode(texts):
        vectors = hashed(texts).copy()
        vectors[-1, 3] = value
        return vectors

    return encode


def without_direction(texts):
    return hashed(texts) * [[float(text != "c")] for text in texts]


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (flat, r"shape \(7,\) for 7 texts; expected \(7, dimensions\)"),
        (one_too_many, r"shape \(8, 3\) for 7 texts"),
        (ragged, r"shape \(7, 2, 2\)"),
        (with_value(np.nan), "not finite"),
        (with_value(np.inf), "not finite"),
        (without_direction, r"zero vector .* euclidean or manhattan"),
    ],
)
def test_an_encoder_that_misbehaves(encoder, message):
    with pytest.raises(EncoderError, match=message):
        run(encoder=encoder)


def test_a_zero_vector_has_other_distances():
    assert run(encoder=without_direction, distance="euclidean").tted > 0


def test_an_exception_of_a_custom_encoder_keeps_its_kind():
    def encoder(texts):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(encoder=encoder)


def solver_returning(change):
    def solver(left, right, costs, *, time_limit=None, monitor=None):
        return change(SOLVERS["constrained"](left, right, costs))

    return solver


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda good: replace(good, upper=good.upper + 1, lower=good.upper + 1), "but its mapping costs"),
        (lambda good: replace(good, upper=good.upper - 1, lower=0), "but its mapping costs"),
        (lambda good: replace(good, lower=good.upper + 1), "at least"),
        (lambda good: replace(good, upper=math.nan, lower=math.nan), "but its mapping costs"),
        (lambda good: replace(good, lower=math.nan), "at least nan"),
        (lambda good: replace(good, mapping=good.mapping[1:]), "every node exactly once"),
        (lambda good: replace(good, mapping=()), "every node exactly once"),
    ],
)
def test_a_wrong_solver_gives_an_error_and_no_number(change, message, monkeypatch):
    monkeypatch.setitem(SOLVERS, "broken", solver_returning(change))
    with pytest.raises(SolverError, match=message):
        run(order="broken")


def test_a_mapping_that_breaks_the_order_is_an_error_for_ordered_only(monkeypatch):
    left, right = tree_of("a(b c)"), tree_of("a(c b)")
    assert run(left, right, order="constrained").tted == 0.0
    monkeypatch.setitem(SOLVERS, "ordered", SOLVERS["constrained"])
    with pytest.raises(SolverError, match="sibling order"):
        run(left, right, order="ordered")


def test_a_gap_instead_of_a_proof_is_said(monkeypatch):
    def unproven(left, right, costs, *, time_limit=None, monitor=None):
        good = SOLVERS["constrained"](left, right, costs)
        seen.append(time_limit)
        return Solution(good.mapping, lower=good.lower / 2, upper=good.upper)

    seen = []
    monkeypatch.setitem(SOLVERS, "slow", unproven)
    result = run(order="slow", time_limit=2.4)
    assert not result.proven
    assert result.excess == pytest.approx(1.0)
    assert result.lower_bound == pytest.approx(result.tted / 2)
    assert "|proven:no|" in result.signature
    assert seen == [2.4]
    assert len(result.tted_at) == len(result.normalized_at) == 3
    assert seen == [2.4, pytest.approx(0.8), pytest.approx(0.8)]  # TTED@1 and TTED@2 of 3 share one limit
    assert result.method.time_limit == 2.4
    seen.clear()
    run(order="slow").solve_depths()
    assert seen == [None] * 3


def test_a_rounding_error_of_a_solver_is_no_gap(monkeypatch):
    monkeypatch.setitem(
        SOLVERS,
        "rounding",
        solver_returning(lambda good: Solution(good.mapping, good.upper + 1e-12, good.upper + 1e-12)),
    )
    result = run(order="rounding")
    assert result.proven
    assert result.tted == math.fsum(op.cost for op in result.script.ops)


def test_a_baseline_over_its_limit_does_not_spoil_the_distance(monkeypatch):
    def too_large(left, right):
        raise LimitError("too many words")

    monkeypatch.setitem(BASELINES, "large", Baseline(too_large, ""))
    result = run(baselines=["large", "rouge_sim"])
    assert isinstance(result.baselines["large"], LimitError)
    assert result.baselines["rouge_sim"] == BASELINES["rouge_sim"](LEFT, RIGHT)
    assert result.tted > 0
