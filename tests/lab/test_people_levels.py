"""Agreement by system, document and map, and pairwise accuracy with calibrated ties, against plain counting."""

import itertools

import numpy as np
import pytest

from tted_core.lab.people import COEFFICIENTS, agreements, levels
from tted_core.lab.people.correlation import Pairs, epsilon
from tted_core.lab.people.maps import MeasuredPairs


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(levels, "RESAMPLES", 199)
    monkeypatch.setattr("tted_core.lab.people.correlation.RESAMPLES", 199)


def counted(people, values, tie):
    """Of all pairs: (accuracy, tau-b), counted one by one."""
    right = order = seen = told = 0
    pairs = list(itertools.combinations(range(len(people)), 2))
    for i, j in pairs:
        human = np.sign(people[i] - people[j])
        metric = 0 if abs(values[i] - values[j]) <= tie else np.sign(values[i] - values[j])
        right += human == metric
        order += human * metric
        seen += human != 0
        told += metric != 0
    return right / len(pairs), order / np.sqrt(seen * told) if seen * told else 0.0


def best(groups):
    """The highest mean accuracy over all epsilons, tried one after the other."""
    tried = {0.0, *(abs(a - b) for _, values in groups for a, b in itertools.combinations(values, 2))}
    return max(np.mean([counted(*group, tie)[0] for group in groups]) for tie in tried)


@pytest.mark.parametrize("seed", range(6))
def test_ties_are_calibrated_as_by_trying_every_epsilon(seed):
    rng = np.random.default_rng(seed)
    people = [rng.integers(0, 3, 7).astype(float) for _ in range(4)]
    values = [np.round(each + rng.normal(size=7), seed % 3) for each in people]
    tie = epsilon(people, values)
    found = [Pairs.of(*group, tie).values() for group in zip(people, values, strict=True)]
    assert np.mean([each["accuracy"] for each in found]) == pytest.approx(
        best(list(zip(people, values, strict=True)))
    )
    for group, each in zip(zip(people, values, strict=True), found, strict=True):
        assert (each["accuracy"], each["kendall_calibrated"]) == pytest.approx(counted(*group, tie))


def test_no_tie_where_none_helps():
    assert epsilon([np.arange(5.0)], [np.arange(5.0) ** 2]) == 0.0
    assert epsilon([np.ones(4)], [np.array([1.0, 2.0, 4.0, 8.0])]) == 7.0
    assert epsilon([np.ones(1)], [np.ones(1)]) == 0.0


def judged(items=20, systems=4, seed=0):
    """People's scores of every system's map of every document; ``good`` follows them, ``poor`` hardly."""
    rng = np.random.default_rng(seed)
    people = np.arange(systems) + rng.normal(size=(items, systems))
    names = [(f"d{item}", f"s{system}") for item in range(items) for system in range(systems)]
    measures = {"good": people + rng.normal(size=people.shape) / 4, "poor": rng.normal(size=people.shape)}
    return MeasuredPairs(
        tuple(" | ".join(each) for each in names),
        tuple(np.round(people).ravel()),
        {name: tuple(-each.ravel()) for name, each in measures.items()},
        (),
        complete=True,
        items=tuple(item for item, _ in names),
        systems=tuple(system for _, system in names),
    )


@pytest.mark.thorough
def test_every_level_and_coefficient():
    rows, contests = agreements(judged(), lower=["good", "poor"])
    found = {(row.level, row.coefficient, row.measure): row for row in rows}
    assert len(found) == 2 * (4 + 2 * len(COEFFICIENTS))
    for (level, _, measure), row in found.items():
        low, high = row.ci95
        assert low - 1e-12 <= row.value <= high + 1e-12 or level == "system"
        varied = 19 if row.coefficient != "accuracy" else 20  # people find all maps of one document alike
        assert row.n == {"system": 4, "item": varied, "segment": 80}[level]
        if measure == "good":
            assert row.value > 0.7
    for each in contests:
        assert (each.a, each.b) == ("good", "poor")
        one, other = (found[each.level, each.coefficient, name].value for name in ("good", "poor"))
        assert each.difference == pytest.approx(one - other)
        if each.level != "system":
            assert each.p < 0.02
    assert agreements(judged(), lower=["good", "poor"]) == (rows, contests)


def test_levels_by_hand():
    given = judged(items=6, systems=3, seed=4)
    people, good = (np.reshape(each, (6, 3)) for each in (given.scores, given.measured["good"]))
    found = {(row.level, row.coefficient): row.value for row in agreements(given)[0] if row.measure == "good"}
    assert found["system", "pearson"] == pytest.approx(
        np.corrcoef(people.mean(axis=0), good.mean(axis=0))[0, 1]
    )
    varied = np.ptp(people, axis=1) > 0
    by_item = [np.corrcoef(*pair)[0, 1] for pair in zip(people[varied], good[varied], strict=True)]
    assert found["item", "pearson"] == pytest.approx(np.mean(by_item))
    tie = epsilon(list(people), list(good))
    accuracy = [counted(*pair, tie)[0] for pair in zip(people, good, strict=True)]
    assert found["item", "accuracy"] == pytest.approx(np.mean(accuracy))
    assert found["system", "accuracy"] == counted(people.mean(axis=0), good.mean(axis=0), 0)[0]


@pytest.mark.thorough
def test_a_measure_against_itself_makes_no_difference():
    given = judged()
    twice = MeasuredPairs(
        given.names,
        given.scores,
        {"one": given.measured["good"], "two": given.measured["good"]},
        (),
        complete=True,
        items=given.items,
        systems=given.systems,
    )
    assert {(each.difference, each.p) for each in agreements(twice)[1]} == {(0.0, 1.0)}


def test_without_documents_and_systems_there_is_one_level():
    given = judged()
    bare = MeasuredPairs(given.names, given.scores, given.measured, (), complete=True)
    assert {row.level for row in agreements(bare)[0]} == {"segment"}


def test_too_few_are_told_of():
    rows, contests = agreements(judged(items=3, systems=2))
    reasons = {(row.level, row.coefficient): row.why_not for row in rows if row.measure == "good"}
    assert "2 systems have no correlation" in reasons["system", "pearson"]
    assert "each document has 2 systems" in reasons["item", "spearman"]
    assert reasons["item", "accuracy"] is None
    assert {each.p for each in contests if (each.level, each.coefficient) == ("system", "pearson")} == {None}


def test_too_many_to_rank(monkeypatch):
    monkeypatch.setattr(levels, "MAX_RANKED", 50)
    reasons = {row.coefficient: row.why_not for row in agreements(judged())[0] if row.level == "segment"}
    assert reasons["accuracy"] == "80 maps are too many to be ranked against each other; the limit is 50"
    assert reasons["pearson"] is None
