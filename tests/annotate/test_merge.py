"""Laws of merging two maps, and what single decisions do."""

from collections import Counter
from collections.abc import Sequence

from helpers.encoders import by_words
from helpers.published import compare
from helpers.trees import tree_of as drawn
from helpers.trees import trees
from hypothesis import given, settings
from hypothesis import strategies as st

from tted_core import TextTree
from tted_core.annotate.decisions import Mark
from tted_core.annotate.merge import CHOICES, merge, open_changes
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
