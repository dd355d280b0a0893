"""Flags on the sentences of a comparison: where they are shown, and that no score has them."""

from helpers.published import compare
from helpers.trees import tree_of

from tted_core import TextTree
from tted_core.explain.correspondence import claim_counts, correspondence, sentences_json
from tted_core.explain.mapping_view import MappingView
from tted_core.report.words import what_happened

LEFT = TextTree(
    ("Trial", "The trial of the vaccine took 14 days in all.", "Prices rose in spring."), (-1, 0, 0)
)
RIGHT = TextTree(
    ("Trial", "The trial of the vaccine took 40 days in all.", "Prices fell in spring."), (-1, 0, 0)
)


def test_flags_stand_in_json_notes_headline_and_counts(minilm):
    result = compare(LEFT, RIGHT, encoder=minilm)
    outcomes = sentences_json(result)["outcomes"]
    assert [each.get("flags") for each in outcomes] == [None, ["number"], ["opposite"]]
    view = MappingView(result)
    assert view.notes(1)[0] == "! number: 14 → 40"
    assert view.notes(2)[0] == "! opposite: rose → fell"
    assert "also in the other map, 2 with words that may change the claim (see “!”)" in what_happened(result)
    assert claim_counts(result) == {"number": 1, "negation": 0, "opposite": 1, "name": 0, "modality": 0}


def test_a_moved_sentence_has_flags_and_the_headline_names_their_only_kind(minilm):
    left = TextTree(("Flyby", "The probe", LEFT.labels[1], "Costs"), (-1, 0, 1, 0))
    right = TextTree(("Flyby", "The probe", "Costs", RIGHT.labels[1]), (-1, 0, 0, 2))
    result = compare(left, right, encoder=minilm)
    found = correspondence(result)
    assert [each.status for each in found.outcomes] == ["same", "same", "moved", "same"]
    assert [flag.kind for flag in found.flags(found.outcomes[2])] == ["number"]
    assert what_happened(result).startswith(
        "4 of 4 sentences are also in the other map, 1 with another number"
    )


def test_a_part_of_a_longer_node_is_held_against_its_own_sentence(minilm):
    """The other sentence of the node has another number, which is no other number of this one."""
    asked = "Then 40 people were asked about their children."
    left = TextTree((*LEFT.labels, asked), (-1, 0, 0, 0))
    right = TextTree(("Trial", f"{LEFT.labels[1]} {asked}", LEFT.labels[2]), (-1, 0, 0))
    result = compare(left, right, encoder=minilm)
    assert [each.status for each in correspondence(result).outcomes].count("merged") == 2
    assert sum(claim_counts(result).values()) == 0


def test_equal_maps_have_no_flags(minilm):
    tree = tree_of("r(a b)")
    assert sum(claim_counts(compare(tree, tree, encoder=minilm)).values()) == 0
