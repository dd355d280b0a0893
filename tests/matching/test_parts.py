"""Sentences inside longer nodes: merged and split, the marked words, and the share of a text that was found."""

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.outcomes import check_outcomes

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.matching.bounds import NearBounds
from tted_core.matching.match import match
from tted_core.sentences import SentenceCosts, units_of

LONGER = {
    "merged": (
        ("The dam", ("It was built in 1936.", "It holds two lakes, and lights a city."), "Fish die there"),
        (
            "The dam",
            ("It was built in 1936! It holds two lakes and lights a city.",),
            "Nobody knows why it leaks",
        ),
    ),
    "one sentence alone is the same node in other words": (
        ("The dam", ("It was built in 1936 by the city.",)),
        ("The dam", ("(Update) It was built in 1936 by the city of Boulder.",)),
    ),
    "a label with all its words in another is extended": (
        ("The dam", ("Two lakes",)),
        ("The dam", ("It holds two lakes and lights a city.",)),
    ),
    "joined labels may have words in common": (
        ("View", ("Zoom out: Alt+UP", "Zoom in: Alt+DOWN")),
        ("View", ("Zoom out or in: Alt+UP, Alt+DOWN",)),
    ),
    "a label is joined to one that is extended by most of its words": (
        ("Where to look", ("Profiling middleware", "Arbitrary place of code")),
        ("Where to look", ("Profiling middleware or any place of the code",)),
    ),
    "labels of two words each are joined": (
        ("Server", ("Gunicorn workers", "Gunicorn threads")),
        ("Server", ("Gunicorn workers and threads",)),
    ),
    "forms of one word count as one where labels are joined": (
        ("Documents", ("Architecture design specification", "Architecture decision record")),
        ("Documents", ("Architecture design specification and decision records",)),
    ),
    "a label is called by its initials": (
        ("Passes", ("Static single assignment", "Constant folding")),
        ("Passes", ("SSA form", "Constant folding")),
    ),
    "labels in another spelling": (
        ("Tools", ("Magneta", "Anti-Cencorship", "Orca")),
        ("Tools", ("Magenta", "Anti-censorship", "Hydra")),
    ),
    "a heading is no part of a sentence with its words": (
        ("The dam", ("Lakes", "It holds two lakes and lights a city.")),
        ("The dam", ("Birds fly", "It holds two lakes and lights a city.")),
    ),
    "short sentences are parts of a node that has both": (
        ("The dam", ("Why?", "It held.")),
        ("The dam", ("Nobody asked. Why? It held.",)),
    ),
    "the other one of a pair stands in a longer node": (
        ("The dam", ("It holds two lakes and lights a city.", "It was built in 1936 by the city.")),
        ("The dam", ("It holds two lakes and lights a city.", "It was built in 1936 by the city. It holds.")),
    ),
}


def tree_with(root, leaves, *more):
    labels = (root, *leaves, *more)
    return TextTree(labels, (-1, *[0] * (len(labels) - 1)))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("merged", {"same": 1, "merged": 2, "missing": 1, "extra": 1}),
        ("one sentence alone is the same node in other words", {"same": 1, "reworded": 1}),
        ("a label with all its words in another is extended", {"same": 1, "reworded": 1}),
        ("joined labels may have words in common", {"same": 1, "merged": 2}),
        ("a label is joined to one that is extended by most of its words", {"same": 1, "merged": 2}),
        ("labels of two words each are joined", {"same": 1, "merged": 2}),
        ("forms of one word count as one where labels are joined", {"same": 1, "merged": 2}),
        ("a label is called by its initials", {"same": 2, "reworded": 1}),
        ("labels in another spelling", {"same": 1, "reworded": 2, "missing": 1, "extra": 1}),
        ("a heading is no part of a sentence with its words", {"same": 2, "missing": 1, "extra": 1}),
        ("short sentences are parts of a node that has both", {"same": 1, "merged": 2}),
        ("the other one of a pair stands in a longer node", {"same": 2, "reworded": 1}),
    ],
)
def test_sentences_inside_longer_nodes(name, words):
    left, right = (tree_with(*side) for side in LONGER[name])
    result = compare(left, right, encoder=hashed)
    found = explain(result).matching
    check_outcomes(found, left, right)
    assert {word: count for word, count in found.counts.items() if count} == words
    back = explain(compare(right, left, encoder=hashed)).matching
    mirrored = {"merged": "split", "split": "merged", "missing": "extra", "extra": "missing"}
    assert {mirrored.get(word, word): count for word, count in back.counts.items() if count} == words
    assert back.found == found.found[::-1]


def test_what_is_below_a_part_moves_along_with_the_branch_of_the_part():
    one, other = "It was built in 1936 by the city.", "It holds two lakes and lights a city."
    left = TextTree(("Dams", "Rivers", "Old ones", one, "Fish die", other), (-1, 0, 0, 2, 3, 2))
    right = TextTree(("Dams", "Rivers", "Old ones", f"{one} {other}", "Fish die"), (-1, 0, 1, 2, 3))
    found = explain(compare(left, right, encoder=hashed)).matching.records
    assert [(each.source, each.status, each.head) for each in found] == [
        (0, "same", None),
        (1, "same", None),
        (2, "moved", 2),
        (3, "merged", None),
        (4, "moved", 2),
        (5, "merged", None),
    ]


def test_a_text_that_is_nearer_to_a_taken_node_is_no_part():
    left = tree_with("The dam", ("Two lakes lie behind it.", "Behind the dam are two lakes."))
    right = tree_with(
        "The dam", ("Behind the dam are two lakes.", "Boats cross both of the lakes. Nobody swims.")
    )
    nodes = np.array([[0.0, 1.0, 1.0], [1.0, 0.2, 0.6], [1.0, 0.0, 1.0]])
    costs = SentenceCosts(nodes, *units_of(left.labels, right.labels), np.array([[0.25, 1.0]]))
    bounds = NearBounds(in_place=0.5, elsewhere=0.3, source="")
    found = match(left, right, costs, [0, -1, 1], ordered=False, bounds=bounds)
    assert [each.status for each in found.records] == ["same", "missing", "same", "extra"]


def test_the_parts_of_a_longer_node_are_marked_in_it_and_count_by_their_words():
    left, right = (tree_with(*side) for side in LONGER["merged"])
    result = compare(left, right, encoder=hashed)
    found = explain(result).matching
    parts = [
        (each.source, each.target, [right.labels[each.target][slice(*position)] for position in each.within])
        for each in found.records
        if each.status == "merged"
    ]
    assert parts == [
        (1, 1, ["It was built in 1936"]),
        (2, 1, ["It holds two lakes and lights a city"]),
    ]
    assert found.found == ([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    gone, come = result.costs[:-1, -1], result.costs[-1, :-1]
    expected = 1 - gone[3] / gone.sum(), 1 - come[2] / come.sum()
    assert found.shares(result.costs) == pytest.approx(expected)


def test_half_of_a_text_counts_as_half():
    one = "The old dam was built in 1936. Nobody ever told them that it leaks."
    other = "The old dam was built in 1936. A new one will cost them a fortune, and nobody will pay for it."
    left, right = TextTree(("Dams", one, "Fish die"), (-1, 0, 0)), TextTree(("Dams", other), (-1, 0))
    found = explain(compare(left, right, encoder=hashed)).matching.found
    assert found[0] == [1.0, 0.5, 0.0]
    assert found[1][1] == pytest.approx(7 / 21)


def test_sentences_of_nodes_are_compared_one_by_one():
    """A paraphrase is found in a paragraph, whose own vector is far from it."""
    left = TextTree(("Reefs", "Corals feed on algae."), (-1, 0))
    right = TextTree(("Reefs", "Nobody came. Corals live on algae. They left soon after noon."), (-1, 0))
    encoder = vectors_by_words(
        {"corals": (4, 0, 1), "nobody": (0, 4, 1), "they": (0, -4, 1), "reefs": (0, 0, 3)}
    )
    found = explain(compare(left, right, encoder=encoder)).matching
    assert [each.status for each in found.records] == ["same", "merged"]
    (part,) = found.records[1].within
    assert right.labels[1][slice(*part)] == "Corals live on algae"


GRANTS, BOND = "The state will contribute $18 million.", "A bond that voters approved will pay the rest."


@pytest.mark.parametrize(
    ("both", "parts"),
    [
        (
            "State grants cover $18 million, and a bond that voters approved pays for the rest.",
            ["State grants cover $18 million", "and a bond that voters approved pays for the rest"],
        ),
        ("State grants cover $18 million, as everyone had been expecting.", []),
    ],
)
def test_a_sentence_that_condenses_two_holds_both_as_clauses(minilm, both, parts):
    left = TextTree(("The housing plan", GRANTS, BOND), (-1, 0, 0))
    right = TextTree(("The housing plan", both), (-1, 0))
    for turned in (False, True):
        trees = (right, left) if turned else (left, right)
        found = explain(compare(*trees, encoder=minilm)).matching
        check_outcomes(found, *trees)
        marked = [both[start:end] for each in found.records for start, end in each.within]
        assert marked == parts
        word = "split" if turned else "merged"
        assert found.counts[word] == len(parts)
        assert found.found[turned] == ([1.0, 1.0, 1.0] if parts else [1.0, 1.0, 0.0])


def test_nodes_are_condensed_in_a_text_of_which_none_is_the_counterpart(minilm):
    records = "Instagram gives its records to the police if it receives a valid warrant."
    periods = "Some records are stored for a short period only, and the police must ask early."
    left = TextTree(("The trail", records, periods, "Friends were shocked."), (-1, 0, 1, 0))
    right = TextTree(
        ("The trail", "With a warrant the police get Instagram's records, some only early.", "Photos"),
        (-1, 0, 0),
    )
    found = explain(compare(left, right, encoder=minilm)).matching
    assert found.counts["merged"] == 2


def test_a_heading_that_repeats_words_of_its_child_is_no_part_of_the_childs_counterpart(minilm):
    wrote = "Justice Elena Kagan wrote the majority opinion."
    left = TextTree(("The court ruled on searches", wrote, "Alito dissented."), (-1, 0, 0))
    right = TextTree(
        ("The court ruled on searches", "The majority opinion", wrote, "Alito dissented."), (-1, 0, 1, 0)
    )
    found = explain(compare(left, right, encoder=minilm)).matching
    assert {status: count for status, count in found.counts.items() if count} == {"same": 3, "extra": 1}


def vectors_by_words(positions):
    """An encoder that puts a text where its first words are, in the middle of several."""

    def encode(texts):
        known = [
            [positions[word] for word in positions if word in text.lower()] or [(1, 1, 1)] for text in texts
        ]
        return np.array([np.mean(each, axis=0) for each in known])

    return encode
