"""Laws of merging two maps, and what single decisions do."""

from collections import Counter
from collections.abc import Sequence

import pytest
from helpers.encoders import by_words
from helpers.trees import tree_of as drawn
from helpers.trees import trees
from hypothesis import given, settings
from hypothesis import strategies as st

from tted_core import TextTree, compare
from tted_core.annotate.decisions import Mark
from tted_core.annotate.merge import CHOICES, Merge, merge, open_changes
from tted_core.explanation import Explanation

TEXTS = (
    "",
    "sun",
    "sun light",
    "sun light heat",
    "rain",
    "rain water",
    "wind",
    "wind and rain water",
    "stone",
)
maps = trees(max_nodes=8, alphabet=TEXTS)
few = settings(max_examples=40)


def tree_of(text: str) -> TextTree:
    """A tree of one line, with "_" for the spaces in its labels."""
    tree = drawn(text)
    return TextTree(tuple(label.replace("_", " ") for label in tree.labels), tree.parents)


def compared(left: TextTree, right: TextTree) -> Explanation:
    return compare(left, right, encoder=by_words).explain()


def decided(comparison: Explanation, choices: Sequence[str]) -> dict[str, Mark]:
    """The choices for the changes in their order, over and over."""
    return {key: Mark(choices[number % len(choices)]) for number, key in enumerate(open_changes(comparison))}


def of_three(left: TextTree, right: TextTree, base: TextTree, **how) -> Merge:
    return merge(compared(left, right), base=(compared(base, left), compared(base, right)), **how)


@few
@given(maps)
def test_a_map_merged_with_itself_is_itself(tree):
    merged = merge(compared(tree, tree))
    assert (merged.tree, merged.log, merged.lifted) == (tree, [], frozenset())


@given(maps, maps)
def test_one_side_of_every_change_is_that_sides_map(left, right):
    comparison = compared(left, right)
    assert merge(comparison).tree == left
    assert merge(comparison, otherwise="right").tree == right
    assert merge(comparison, decided(comparison, ["left"]), otherwise="right").tree == left
    if open_changes(comparison):  # without any, the order of siblings may differ
        assert merge(comparison, decided(comparison, ["right"])).tree == right


@given(maps, maps, st.lists(st.sampled_from(CHOICES), min_size=1))
def test_whatever_is_decided_a_tree_comes_out(left, right, choices):
    comparison = compared(left, right)
    merged = merge(comparison, decided(comparison, choices))
    assert isinstance(merged.tree, TextTree)
    assert not merged.conflicts
    assert {each["by"] for each in merged.log} <= {"decision"}
    spare = Counter(left.labels + right.labels)
    spare.subtract(merged.tree.labels)
    assert min(spare.values()) >= 0, "no node is there twice"


@few
@given(maps, maps)
def test_both_of_every_change_lose_no_text(left, right):
    comparison = compared(left, right)
    merged = merge(comparison, decided(comparison, ["both"]))
    assert set(merged.tree.labels) == {*left.labels, *right.labels}


@few
@given(maps, maps)
def test_with_a_base_a_change_on_one_side_alone_is_taken(base, changed):
    for left, right in ((base, changed), (changed, base)):
        merged = of_three(left, right, base)
        assert merged.tree == changed
        assert merged.conflicts == []


@few
@given(maps, maps, maps)
def test_with_a_base_a_tree_comes_out_and_conflicts_take_the_other_side(left, right, base):
    merged = of_three(left, right, base)
    assert all(each["by"] in {"base", "default"} for each in merged.log)
    settled = {
        key: Mark("right")
        for key, row in zip(open_changes(compared(left, right)), merged.log, strict=True)
        if row in merged.conflicts
    }
    assert of_three(left, right, base, decisions=settled).conflicts == []


BASE = tree_of("weather(sun(sun_light) rain(rain_water wind) stone)")
EDITS = {
    "sun light": BASE.labels.index("sun light"),
    "rain": BASE.labels.index("rain"),
    "stone": BASE.labels.index("stone"),
}


def without(tree: TextTree, node: int) -> TextTree:
    """The tree without a leaf."""
    return TextTree(
        tree.labels[:node] + tree.labels[node + 1 :],
        tuple(p - (p > node) for v, p in enumerate(tree.parents) if v != node),
    )


def renamed(tree: TextTree, node: int, text: str) -> TextTree:
    return TextTree((*tree.labels[:node], text, *tree.labels[node + 1 :]), tree.parents)


def added(tree: TextTree, text: str) -> TextTree:
    return TextTree((*tree.labels, text), (*tree.parents, 0))


ONE_SIDED = [
    renamed(BASE, EDITS["sun light"], "sun light bright"),
    without(BASE, EDITS["stone"]),
    added(BASE, "moon"),
    tree_of("weather(sun(sun_light) rain(rain_water wind(stone)))"),
]


@pytest.mark.parametrize("one", ONE_SIDED)
@pytest.mark.parametrize("other", ONE_SIDED)
def test_changes_of_different_nodes_are_both_taken_from_either_side(one, other):
    both_of_stone = {one, other} == {ONE_SIDED[1], ONE_SIDED[3]}
    merged, turned = of_three(one, other, BASE), of_three(other, one, BASE)
    assert len(merged.conflicts) == len(turned.conflicts) == both_of_stone
    if not both_of_stone:
        assert sorted(merged.tree.labels) == sorted(turned.tree.labels)
        ours, theirs = (set(tree.labels) - set(BASE.labels) for tree in (one, other))
        assert set(merged.tree.labels) - set(BASE.labels) == ours | theirs


def test_what_both_sides_change_differently_is_a_conflict():
    left, right = (renamed(BASE, EDITS["rain"], f"rain {word}") for word in ("falls", "pours"))
    merged = of_three(left, right, BASE)
    (conflict,) = merged.conflicts
    assert (conflict["choice"], conflict["by"]) == ("left", "default")
    assert merged.tree == left
    assert of_three(left, right, BASE, otherwise="right").tree == right


def test_children_of_a_dropped_parent_hang_below_the_nearest_ancestor_that_stays():
    left, right = tree_of("weather(sun(sun_light) rain)"), tree_of("weather(sun(moon(sun_light)) rain)")
    comparison = compared(left, right)
    (change,) = open_changes(comparison)
    merged = merge(comparison, {change: Mark("neither")})
    assert merged.tree == left
    assert merged.lifted == frozenset()
    left = tree_of("weather(sun(moon(sun_light)) rain)")
    comparison = compared(left, tree_of("weather(sun(sun_light) rain wind)"))
    gone, new = open_changes(comparison)
    merged = merge(comparison, {gone: Mark("right"), new: Mark("left")})
    assert merged.tree == tree_of("weather(sun(sun_light) rain)")
    assert merged.lifted == {2}


def test_both_keeps_two_texts_beside_each_other():
    left, right = tree_of("weather(sun rain_water wind)"), tree_of("weather(sun rain_water_falls wind)")
    comparison = compared(left, right)
    (change,) = open_changes(comparison)
    merged = merge(comparison, {change: Mark("both", "two readings")})
    assert merged.tree == tree_of("weather(sun rain_water rain_water_falls wind)")
    assert merged.log[0]["note"] == "two readings"
