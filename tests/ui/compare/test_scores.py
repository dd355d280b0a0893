"""The answer in words."""

import dataclasses

import pytest
from helpers.encoders import hashed
from helpers.pages import all_scores, opened, option, shown

import tted_core
from tted_core import TextTree, compare
from tted_core.baselines import BASELINES, SCALES, measure_title, readable_baselines
from tted_core.distances import DISTANCES
from tted_core.method import PRESETS
from tted_core.report.wording import what_happened
from tted_core.solvers import Choices
from ui.compare.answer import metric_or_not
from ui.scales import describe_similarity

BASE = TextTree(("root", "a", "b"), (-1, 0, 1))

TWO_STAY = "2 of 3 sentences are also in the other map: 2 in the same position"

CASES = {
    "equal": (BASE, "none", "the same"),
    "reworded": (
        TextTree(("root", "x", "b"), (-1, 0, 1)),
        "none",
        f"{TWO_STAY}; 1 is missing, 1 is extra.",
    ),
    "other context": (
        TextTree(("root", "x", "b"), (-1, 0, 1)),
        "ancestors",
        "2 in the same position; 1 is missing, 1 is extra.",
    ),
    "deleted": (
        TextTree(("root", "a"), (-1, 0)),
        "none",
        f"{TWO_STAY}; 1 is missing.",
    ),
    "inserted": (
        TextTree(("root", "a", "b", "c", "d"), (-1, 0, 1, 0, 0)),
        "none",
        (
            "Nothing is missing. The right map has 2 nodes more, which make 100% of the distance. "
            "3 of 3 sentences are also in the other map: 3 in the same position; 2 are extra."
        ),
    ),
    "merged": (
        TextTree(("root", "A! B! C and d."), (-1, 0)),
        "none",
        "3 of 3 sentences are also in the other map: 1 in the same position, 2 inside longer ones.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_sentence_counts_the_operations(name):
    right, context, expected = CASES[name]
    assert expected in what_happened(compare(BASE, right, encoder=hashed, context=context).explain())


@pytest.mark.parametrize(
    ("options", "start"),
    [
        (dict(PRESETS["proofreading"]), "**A metric** under these options"),
        (dict(PRESETS["published"]), "**Not a metric**: its divisor differs"),
        (dict(PRESETS["proofreading"]) | {"distance": "levenshtein"}, None),
    ],
    ids=["proofreading", "published", "of strings"],
)
def test_the_help_begins_with_the_metric_property(options, start):
    result = tted_core.compare(BASE, CASES["reworded"][0], encoder=hashed, **options)
    warnings = metric_or_not(result)
    if start is None:
        start = "**A metric**" if DISTANCES[options["distance"]].metric else "**Not a metric**, since"
    assert warnings.startswith(start)
    chosen = dataclasses.replace(result, choices=Choices(((0, 0),)))
    assert metric_or_not(chosen).startswith("**Not a metric**: with your choices")


def test_the_head_has_two_numbers_and_the_others_are_behind_a_button(encoded):
    app = opened()
    assert any("by sentence" in each.proto.body for each in app.get("html"))
    assert [each.label for each in app.metric] == ["Normalized distance ↓", "TTED ↓"]
    assert "**Not a metric**" in shown(app)
    scores = all_scores(app)
    assert {"Normalized distance", "TTED", "Steinhaus", "AvgTTED", "Coverage", "Support"} <= scores.keys()
    assert {measure_title(name) for name in BASELINES} <= scores.keys()
    option(app, "distance").set_value("levenshtein").run()
    named = {measure_title(name): name for name in BASELINES}
    assert [named[each] for each in all_scores(app) if each in named] == list(readable_baselines("none"))


@pytest.mark.parametrize(
    ("labels", "parents", "words"),
    [
        (BASE.labels, BASE.parents, "nearly the same"),
        (BASE.labels, (-1, 0, 0), "the same sentences, different structure"),
        (("x", "y", "z"), (-1, 0, 0), "little in common"),
    ],
)
def test_how_alike_the_maps_are_in_words_and_three_bars(labels, parents, words):
    result = compare(BASE, TextTree(labels, parents), encoder=hashed)
    assert describe_similarity(result.baselines) == ""
    scores = {name: BASELINES[name](result.left.tree, result.right.tree, hashed) for name in SCALES}
    drawn = describe_similarity(scores)
    assert words in drawn
    for title in ("as a whole", "by sentence", "as a tree"):
        assert title in drawn
