"""The nearest maps, and the bounds that spare most comparisons."""

import numpy as np
import pytest
from helpers.encoders import hashed, placed
from helpers.floats import by_arithmetic
from helpers.random_pairs import random_tree

from tted_core import TTED, TextTree
from tted_core.batch.functions import _work
from tted_core.batch.settings import BatchOptions
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Models
from tted_core.foundations.monitor import UNWATCHED
from tted_core.method import Method
from tted_core.solvers import SOLVERS

WEIGHINGS = ((0.0, 1.0), ("=0.8", 8.0), (0.3, 2.0), ("=2", 1.0))


def random_maps(count, seed=1):
    """Maps of few different texts: some are near to each other."""
    rng = np.random.default_rng(seed)
    shapes = [random_tree(rng, int(rng.integers(2, 16)), "any") for _ in range(count)]
    return [TextTree(tuple(rng.choice(["", *"abcdefgh"], len(shape))), shape.parents) for shape in shapes]


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize(("gap", "power"), WEIGHINGS)
def test_the_nearest_are_those_of_all_distances(order, gap, power, monkeypatch):
    monkeypatch.setattr("tted_core.batch.neighbours.AT_FIRST", 6)
    maps = random_maps(60)
    maps += maps[20:40]
    how = {"encoder": hashed, "distance": "cosine", "order": order, "gap": gap, "power": power}
    skipped = 0
    for number in (0, 7, 30):
        result = TTED(**how).nearest(maps[number], maps, 4)
        every = [row["tted"] for row in TTED(**how).compare_many([(maps[number], each) for each in maps])]
        others, tteds = zip(*result.found, strict=True)
        assert list(tteds) == by_arithmetic(sorted(every)[:4])
        assert list(tteds) == by_arithmetic([every[other] for other in others])
        assert len(set(others)) == 4
        assert result.compared + result.skipped == len(maps)
        skipped += result.skipped
    assert skipped > 60


@pytest.mark.parametrize("order", SOLVERS)
def test_of_equally_near_maps_the_first_are_found(order, monkeypatch):
    """With whole numbers as costs, which every processor adds up to the same bits."""
    monkeypatch.setattr("tted_core.batch.neighbours.AT_FIRST", 6)
    maps = random_maps(60)
    maps += maps[20:40]
    encoder = placed({"": (0.0,), **{letter: (place,) for place, letter in enumerate("abcdefgh", 1)}})
    how = {"encoder": encoder, "distance": "manhattan", "order": order, "gap": 0.0, "power": 1.0}
    ties = 0
    for number in (0, 7, 30):
        every = [row["tted"] for row in TTED(**how).compare_many([(maps[number], each) for each in maps])]
        expected = sorted((tted, other) for other, tted in enumerate(every))[:8]
        assert TTED(**how).nearest(maps[number], maps, 8).found == tuple(
            (other, tted) for tted, other in expected
        )
        ties += len(expected) - len({tted for tted, _ in expected})
    assert ties >= 3


@pytest.mark.parametrize(
    ("name", "context"),
    [
        (name, context)
        for name, each in DISTANCES.items()
        for context in ("ancestors", "subtree")
        if each.reads in {"encoder", "none"} and each.goes_with(CONTEXTS[context])
    ],
)
def test_the_nearest_by_any_distance(name, context):
    maps = random_maps(14, seed=3)
    how = {"encoder": hashed, "distance": name, "context": context}
    found = TTED(**how).nearest(maps[0], maps[1:], 3).found
    every = [row["tted"] for row in TTED(**how).compare_many([(maps[0], each) for each in maps[1:]])]
    assert [tted for _, tted in found] == pytest.approx(sorted(every)[:3], abs=1e-12)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize(("gap", "power"), WEIGHINGS)
def test_bounds_are_never_above_the_distance(context, gap, power):
    from tted_core.batch.costs import ChunkCosts
    from tted_core.batch.neighbours import known_costs, lower_bounds, matched_bounds

    maps = random_maps(12, seed=2)
    how = {"order": "unordered", "context": context, "gap": gap, "power": power}
    options = BatchOptions((Method(encoder="custom", **how),))
    work = _work(maps, options, Models(hashed), UNWATCHED)
    pairs = [(i, j) for i in range(3) for j in range(12)]
    rows = TTED(hashed, **how).compare_many([(maps[i], maps[j]) for i, j in pairs])
    tted = np.array([row["tted"] for row in rows]).reshape(3, 12)
    tight = []
    for number, every in enumerate(tted):
        known = known_costs(work, work.settings[0], number)
        bounds = lower_bounds(work, work.settings[0], number, known)
        assert (bounds <= every).all()
        own = np.array([(number, other) for other in range(12)], dtype=np.int32)
        chunk = ChunkCosts(work, work.settings[0], own, known)
        matched = matched_bounds(chunk, power)
        assert (matched <= every).all()
        if known is not None:
            assert (bounds <= matched + 1e-9 * every.max()).all()
            tight += (bounds[matched > 0] / matched[matched > 0]).tolist()
            again = ChunkCosts(work, work.settings[0], own)
            assert chunk.problems.costs == pytest.approx(again.problems.costs, abs=1e-12)
    assert not tight or np.mean(tight) > 0.5


def test_texts_without_a_direction_are_errors_and_no_neighbours():
    encoder = placed({"": (1.0, 0.0), "a": (0.0, 1.0), "b": (1.0, 1.0), "flat": (0.0, 0.0)})
    a, b, flat = (TextTree((label,), (-1,)) for label in ("a", "b", "flat"))
    result = TTED(encoder=encoder).nearest(a, [flat, b, a], 1)
    assert result.found == ((2, 0.0),)
    assert [number for number, _ in result.errors] == [0]
    assert "zero vector" in result.errors[0][1]
    assert len(TTED(encoder=encoder).nearest(flat, [a, b], 1).errors) == 2
