"""Edits of known size: what they change, where every sentence stands afterwards, and which words change."""

import itertools
from collections import Counter
from random import Random

import pytest
from helpers.thorough import sampled
from helpers.trees import sample, tree_of

from tted_core.errors import UnknownNameError
from tted_core.lab.detection import DOSES, EDITS, Supply, edited
from tted_core.lab.detection.edits import names, negated, renamed, renumbered

BREAD, BOOKS, BODY = (sample(f"{topic}/base") for topic in ("bread", "buchdruck", "human-body"))
SUPPLY = Supply.of(BODY.labels)
EVERY = list(itertools.product(EDITS, DOSES, ("a", "b")))


def changed(name, dose, seed, tree=BREAD):
    return edited(tree, name, dose, seed=seed, supply=SUPPLY)


@pytest.mark.parametrize(("name", "dose", "seed"), sampled(EVERY, 2))
def test_the_truth_names_the_sentences_that_stayed(name, dose, seed):
    found = changed(name, dose, seed)
    if found is None:
        assert name in {"negate", "name", "number"}
        assert dose in {"20%", "50%"}
        return
    assert found == changed(name, dose, seed)
    rewords = name in {"negate", "number", "name"}
    kept = [BREAD.labels[v] == found.tree.labels[w] for v, w in found.truth.items()]
    times = DOSES[dose](len(BREAD))
    assert kept.count(False) == (times if rewords else 0)
    assert len(set(found.truth.values())) == len(found.truth)
    assert len(found.truth) == len(BREAD) - (times if name in {"swap", "delete"} else 0)
    assert len(found.tree) - len(BREAD) == {"delete": -times, "insert": times}.get(name, 0)


@pytest.mark.parametrize("name", sampled(EDITS, 3))
def test_a_larger_dose_keeps_the_changes_of_a_smaller_one(name):
    def traces(dose):
        found = changed(name, dose, "a")
        back = {w: v for v, w in found.truth.items()}
        return {
            (v, BREAD.labels[v] == found.tree.labels[w], back.get(found.tree.parents[w]))
            for v, w in found.truth.items()
        }

    untouched = {(v, True, BREAD.parents[v] if v else None) for v in range(len(BREAD))}
    doses = [traces(dose) & untouched for dose in ("1", "2", "3")]
    assert doses[0] >= doses[1] >= doses[2] or name in {"insert", "exchange"}


def test_swapped_and_invented_sentences_come_from_the_supply():
    swapped, invented = changed("swap", "3", "a").tree, changed("insert", "3", "a").tree
    assert swapped.parents == BREAD.parents
    assert len(set(swapped.labels) & set(SUPPLY.texts)) == 3
    new = [node for node, label in enumerate(invented.labels) if label in SUPPLY.texts]
    assert len(new) == 3
    assert not any(invented.children[node] for node in new)


def test_moved_branches_have_another_parent_and_all_else_has_its_own():
    found = changed("move", "2", "a")
    moved = [
        v for v, w in found.truth.items() if w and found.truth[BREAD.parents[v]] != found.tree.parents[w]
    ]
    assert len(moved) == 2
    assert Counter(found.tree.labels) == Counter(BREAD.labels)


def test_exchanged_sentences_are_one_more_than_the_dose():
    for dose, count in (("1", 2), ("3", 4)):
        found = changed("exchange", dose, "a")
        assert found.tree.parents == BREAD.parents
        assert sum(v != w for v, w in found.truth.items()) == count
        assert Counter(found.tree.labels) == Counter(BREAD.labels)


def test_a_map_too_small_has_no_place():
    small = tree_of("r(a)")
    assert changed("swap", "3", "a", small) is None
    assert changed("move", "1", "a", small) is None
    assert changed("delete", "2", "a", small) is None
    assert changed("name", "1", "a", small) is None
    with pytest.raises(UnknownNameError, match="swap"):
        changed("rewrite", "1", "a")
    with pytest.raises(UnknownNameError, match="20%"):
        changed("swap", "4", "a")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The valves are made of tissue.", "The valves are not made of tissue."),
        ("Er wird in der Nacht und am Tag gesehen.", "Er wird nicht in der Nacht und am Tag gesehen."),
        ("Такие ядра могут быть получены.", "Такие ядра не могут быть получены."),
        ("This is not known.", None),
        ("Кошки спят днём.", None),
    ],
)
def test_negation(text, expected):
    assert negated(text) == expected


def test_numbers_change_and_keep_their_kind():
    for seed in range(20):
        year = renumbered("It began in 1857 in Paris.", Random(seed))
        assert year != "It began in 1857 in Paris."
        assert year.endswith("857 in Paris.")
        word = renumbered("Three of them live there.", Random(seed))
        assert word.split()[0] != "Three"
        assert word[0].isupper()
        assert renumbered("Сейчас их сорок.", Random(seed)) != "Сейчас их сорок."


def test_names_are_found_inside_sentences_but_not_in_german():
    assert names("In 1628 William Harvey proved it; London knew.") == ("William Harvey", "London")
    assert names("Der Hund und die Katze sind in dem Haus.") == ()
    assert renamed("It was Harvey.", ("Harvey",), Random(0)) is None
    assert renamed("It was Harvey.", ("Harvey", "Broca"), Random(0)) == "It was Broca."
    assert "Willem Kolff" in SUPPLY.names
    assert Supply.of(BOOKS.labels).names == ()
