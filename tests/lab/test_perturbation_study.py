"""The perturbation study: every variant measured, scaled by an unrelated map, stopped half way."""

import pytest
from helpers.monitors import telling
from helpers.trees import sample

from tted_core.errors import InvalidTreeError, UnknownNameError
from tted_core.lab.perturbation import perturb, study

TREE, UNRELATED = sample("photosynthesis/base"), sample("urban-heat/base")
STRENGTHS = (0.0, 0.5, 1.0)


def foreign(left, right):
    """How many texts of the right map the left one doesn't have."""
    return sum(label not in left.labels for label in right.labels)


def nothing(_left, _right):
    return None


def test_every_variant_is_measured_and_scaled():
    found = study(
        TREE, UNRELATED, {"foreign": foreign, "none": nothing}, ["meaning", "move"], strengths=STRENGTHS
    )
    assert found.complete
    assert len(found.points) == 2 * 3 * 3 * 2
    for point in found.points:
        variant = perturb(TREE, point.perturbation, point.strength, seed=point.seed, donor=UNRELATED)
        if point.measure == "foreign":
            assert point.value == foreign(TREE, variant)
            assert point.relative == pytest.approx(point.value / len(UNRELATED))
        else:
            assert (point.value, point.relative) == (None, None)
    curves = {(name, measure, strength): (mean, n) for name, measure, strength, mean, n in found.curves()}
    assert curves["meaning", "foreign", 1.0] == (pytest.approx(len(TREE) / len(UNRELATED)), 3)
    assert curves["meaning", "foreign", 0.0] == curves["move", "foreign", 1.0] == (0, 3)
    assert {measure for _, measure, _ in curves} == {"foreign"}


def test_a_measure_that_finds_no_difference_to_the_unrelated_map_has_no_scale():
    zero = {"zero": lambda _left, _right: 0.0}
    found = study(TREE, UNRELATED, {**zero, "foreign": foreign}, ["move"], strengths=STRENGTHS)
    points = [(point.value, point.relative) for point in found.points if point.measure == "zero"]
    assert set(points) == {(0.0, None)}
    with pytest.raises(InvalidTreeError, match="at no distance from the map by any measure"):
        study(TREE, UNRELATED, zero, ["move"], strengths=STRENGTHS)


def test_what_was_measured_before_a_stop_is_kept():
    asked = iter([False, False, True])
    stages = []
    found = study(
        TREE,
        UNRELATED,
        {"foreign": foreign},
        ["meaning"],
        strengths=STRENGTHS,
        monitor=telling(stages, lambda: next(asked)),
    )
    assert not found.complete
    assert [point.strength for point in found.points] == [0.0, 0.5]
    assert stages == [
        ("Measuring the unrelated map", 0),
        ("Measuring 9 variants", 0),
        ("Measuring 9 variants", 1 / 9),
    ]


def test_an_unknown_perturbation_is_refused_before_anything_is_measured():
    with pytest.raises(UnknownNameError, match="unknown perturbation 'blur'"):
        study(TREE, UNRELATED, {}, ["move", "blur"])
