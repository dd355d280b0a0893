"""Errors of compare(): bad options, large maps, misbehaving encoders, wrong solvers."""

import json
import math
import re
from dataclasses import replace

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of

from tted_core.errors import (
    LimitError,
    MapFormatError,
    SolverError,
)
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_DEPTH
from tted_core.report.replay import read_replay, replay_json
from tted_core.solvers import SOLVERS, Solution

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")


def run(left=LEFT, right=RIGHT, **options):
    return compare(left, right, **{"encoder": hashed, **options})


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10**20])
def test_a_depth_that_no_map_has_is_refused_as_in_a_replay_file(depth):
    with pytest.raises(LimitError, match=f"{depth:,} levels to compare, but the limit is 500") as refused:
        run(depth=depth)
    whole = MindMap(LEFT, "tree")
    content = json.loads(replay_json(whole, whole, run(whole, whole, depth=MAX_DEPTH).explain()))
    assert read_replay(json.dumps(content)).method.depth == MAX_DEPTH
    content["options"]["depth"] = depth
    with pytest.raises(MapFormatError, match=re.escape(f"options: {refused.value}")):
        read_replay(json.dumps(content))


def without_direction(texts):
    return hashed(texts) * [[float(text != "c")] for text in texts]


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


def test_a_rounding_error_of_a_solver_is_no_gap(monkeypatch):
    monkeypatch.setitem(
        SOLVERS,
        "rounding",
        solver_returning(lambda good: Solution(good.mapping, good.upper + 1e-12, good.upper + 1e-12)),
    )
    result = run(order="rounding")
    assert result.proven
    assert result.tted == math.fsum(op.cost for op in result.script.ops)
