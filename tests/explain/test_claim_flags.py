"""Flags on the sentences of a comparison: where they are shown, and that no score has them."""

from helpers.encoders import by_words
from helpers.trees import tree_of

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.report.exports import describe
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.wording import what_happened
from tted_core.words.claims import changed_claims

LEFT = TextTree(
    ("Trial", "The trial of the vaccine took 14 days in all.", "Prices rose in spring."), (-1, 0, 0)
)
RIGHT = TextTree(
    ("Trial", "The trial of the vaccine took 40 days in all.", "Prices fell in spring."), (-1, 0, 0)
)


def test_flags_stand_in_json_notes_headline_and_counts(minilm):
    found = explain(compare(LEFT, RIGHT, encoder=minilm))
    outcomes = describe(found)["sentences"]["outcomes"]
    assert [each.get("flags") for each in outcomes] == [None, ["number"], ["opposite"]]
    for read in (read_sentences, read_script):
        remarks = [line.remarks[0] for line in read(found).lines if line.flags]
        assert remarks == ["! number: 14 → 40", "! opposite: rose → fell"]
    assert "also in the other map, 2 with words that may change the claim (see “!”)" in what_happened(found)
    assert found.matching.claim_counts == {
        "number": 1,
        "negation": 0,
        "opposite": 1,
        "name": 0,
        "modality": 0,
    }


def test_a_moved_sentence_has_flags_and_the_headline_names_their_only_kind(minilm):
    left = TextTree(("Flyby", "The probe", LEFT.labels[1], "Costs"), (-1, 0, 1, 0))
    right = TextTree(("Flyby", "The probe", "Costs", RIGHT.labels[1]), (-1, 0, 0, 2))
    found = explain(compare(left, right, encoder=minilm))
    assert [each.status for each in found.sentences] == ["same", "same", "moved", "same"]
    assert [flag.kind for flag in found.sentences[2].flags] == ["number"]
    assert what_happened(found).startswith(
        "4 of 4 sentences are also in the other map, 1 with another number"
    )


def test_flags_of_a_line_are_of_its_own_two_texts():
    """The script pairs other sentences than those that correspond: 0 and 10, while 0 corresponds to 7."""
    topics = "cats and war", "tea and war", "steel and war", "steel and salt", "rain and law", "steel and sun"
    maps = [
        TextTree(
            ("Topic", *(f"Statement number {n + first} about {topics[n]}" for n in order)),
            (-1, 0, 1, 1, 0, 4, 4),
        )
        for first, order in ((0, range(6)), (7, (3, 1, 2, 0, 4, 5)))
    ]
    found = explain(compare(*maps, encoder=by_words))
    marks = []
    for reading in (read_script(found), read_sentences(found)):
        flagged = [line for line in reading.lines if line.flags]
        for line in flagged:
            assert tuple(line.flags) == changed_claims(*(node.label for node in line.nodes))
        marked = [
            (cell.node, [piece.text for piece in cell.pieces if piece.flagged])
            for row in reading.rows
            for cell in row.cells
            if cell
        ]
        assert {node for node, words in marked if words} == {node for line in flagged for node in line.nodes}
        marks.append(len(flagged))
    assert marks == [2, 6]


def test_a_part_of_a_longer_node_is_held_against_its_own_sentence(minilm):
    """The other sentence of the node has another number, which is no other number of this one."""
    question = "Then 40 people were asked about their children."
    left = TextTree((*LEFT.labels, question), (-1, 0, 0, 0))
    right = TextTree(("Trial", f"{LEFT.labels[1]} {question}", LEFT.labels[2]), (-1, 0, 0))
    found = explain(compare(left, right, encoder=minilm)).matching
    assert found.counts["merged"] == 2
    assert found.claims == 0


def test_equal_maps_have_no_flags(minilm):
    tree = tree_of("r(a b)")
    assert explain(compare(tree, tree, encoder=minilm)).matching.claims == 0
