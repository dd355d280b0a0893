"""Every check with a map that it finds something in, one that it doesn't, and what it points to."""

import json

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.trees import sample, tree_of

from tted_core.annotate.checks import CHECKS, check_map
from tted_core.errors import LimitError, UnknownNameError
from tted_core.formats import read_map
from tted_core.tree import TextTree

# Unit vectors in the plane: the cosine distance of two angles a and b is sqrt(1 - cos(a - b)).
AT = {"north": 90, "northish": 80, "east": 0, "eastish": 10, "west": 180, "south": 270, "": 200, "…": 201}
PAIRS = [
    ("The moon pulls the sea", "The moon doesn't pull the sea"),
    ("Low tide", "High tide"),
    ("Boats must wait", "Boats may wait"),
    ("It has 14 moons", "It has 40 moons"),
    ("The coast of Peru", "The coast of Chile"),
]
AT |= {text: 30 * number + 5 * at for number, pair in enumerate(PAIRS) for at, text in enumerate(pair)}
AT |= {"It's the moon that pulls the sea": 2}
AT |= {
    "eastern": 4,
    "easterly": 0,
    "?x": 0,
    "1north": 85,
}  # signs that the encoder doesn't know; a number more
encode = with_vectors({text: (np.cos(np.radians(a)), np.sin(np.radians(a))) for text, a in AT.items()})


def tree(text: str) -> TextTree:
    """A tree whose labels "-" and "." stand for the empty text and for punctuation."""
    drawn = tree_of(text)
    return TextTree(tuple({"-": "", ".": "…"}.get(label, label) for label in drawn.labels), drawn.parents)


def labelled(*labels: str) -> TextTree:
    return TextTree(labels, (-1, *(0 for _ in labels[1:])))


ENGLISH = "The roots of a tree take up the water that is in the ground."
GERMAN = "Die Blätter geben das Wasser mit der Luft an die Umgebung ab und werden nicht warm."

# check: (maps with a finding and the nodes of its findings, maps without)
EXAMPLES = {
    "repeats": (
        [
            (tree("south(east(north) west(north))"), [(2, 4)]),
            (labelled("a", "Pros", "pros:", "b", "PROS", "b"), [(1, 2, 4), (3, 5)]),
        ],
        [tree("south(north northish)"), tree("south(- -)")],
    ),
    "duplicates": (
        [
            (tree("south(north northish)"), [(1, 2)]),
            (tree("south(east(north) west(northish) north)"), [(2, 4, 5)]),
            (tree("west(east northish north eastish)"), [(1, 4), (2, 3)]),
            (tree("south(east eastish eastern)"), [(1, 3), (2, 3)]),
        ],
        [
            tree("south(north east west)"),
            tree("south(north(northish))"),
            tree("south(east(north) west(north))"),
            tree("south(- -)"),
            tree("south(north 1north)"),
            tree("south(east ?x)"),
        ],
    ),
    "restatements": (
        [(tree("south(north(northish) east)"), [(1, 2)]), (tree("west(east(eastish))"), [(1, 2)])],
        [tree("south(north(east) west)"), tree("south(north northish)"), tree("south(-(.))")],
    ),
    "unrelated": (
        [
            (tree("north(northish northish(northish) south(south) northish)"), [(4,)]),
            (tree("north(northish northish(northish) northish south)"), [(5,)]),
        ],
        [tree("north(northish south(south))"), tree("north(northish northish(northish) easterly(eastish))")],
    ),
    "contradictions": (
        [
            (TextTree(("Sea", "It has 14 moons", "It has 40 moons"), (-1, 0, 1)), [(1, 2)]),
            (TextTree(("Sea", "The sea is deep", "The sea is not deep"), (-1, 0, 1)), [(1, 2)]),
        ],
        [
            labelled("Sea", "It has 14 moons", "It has 40 moons"),
            TextTree(("Sea", "It has 14 moons", "It has 14 large moons"), (-1, 0, 1)),
            TextTree(("Sea", "Is the sea deep?", "The sea is not deep"), (-1, 0, 1)),
        ],
    ),
    "opposed": (
        [
            (labelled("south", "The moon pulls the sea", "The moon doesn't pull the sea"), [(1, 2)]),
            (TextTree(("south", "west", "Low tide", "High tide"), (-1, 0, 1, 1)), [(2, 3)]),
            (labelled("south", "Boats must wait", "Boats may wait"), [(1, 2)]),
        ],
        [
            labelled("south", "It has 14 moons", "It has 40 moons"),
            labelled("south", "The coast of Peru", "The coast of Chile"),
            labelled("south", "The moon pulls the sea", "It's the moon that pulls the sea"),
            labelled("south", "Low tide", "Boats may wait"),
        ],
    ),
    "incomplete": (
        [
            (labelled("a", "", "b", "…", "\N{NO-BREAK SPACE}"), [(1,), (3,), (4,)]),
            (
                labelled("a", "It is one of the", "roots, leaves,", "a tree (an oak", "And so ..."),
                [(1,), (2,), (3,), (4,)],
            ),
            (labelled("a", *(ENGLISH for _ in range(5)), ENGLISH[:40]), [(6,)]),
            (labelled("a", *(f"size: {number}," for number in range(30))), [tuple(range(1, 31))]),
        ],
        [labelled("a", "7"), labelled("a", ENGLISH, "A short heading"), labelled("a", ENGLISH, ENGLISH[:-1])],
    ),
    "languages": (
        [
            (labelled("Waterfalls", "Mountains and rivers", "Водопады и реки"), [(2,)]),
            (labelled(ENGLISH, f"In short, {ENGLISH}", GERMAN), [(2,)]),
        ],
        [
            labelled("Водопады и реки", "Горы и моря", "Deep Blue"),
            labelled(ENGLISH, "Wasser", "H2O"),
            labelled(GERMAN, GERMAN),
            labelled(ENGLISH, GERMAN),
        ],
    ),
}


def found(check: str, example: TextTree) -> list[tuple[int, ...]]:
    encoder = encode if set(example.labels) <= set(AT) else hashed
    return [each.nodes for each in check_map(example, encoder=encoder, checks=[check])]


def test_every_check_has_examples_for_and_against():
    assert set(EXAMPLES) == set(CHECKS) - {"reading"}
    assert all(any(nodes for _, nodes in positive) and negative for positive, negative in EXAMPLES.values())


@pytest.mark.parametrize(
    ("check", "example", "nodes"),
    [(check, *positive) for check, (some, _) in EXAMPLES.items() for positive in some],
)
def test_it_finds(check, example, nodes):
    assert found(check, example) == nodes


@pytest.mark.parametrize(
    ("check", "example"), [(check, negative) for check, (_, some) in EXAMPLES.items() for negative in some]
)
def test_it_does_not_find(check, example):
    assert found(check, example) == []


def test_what_the_reader_repaired_is_found(tted, tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("# One\n- a\n\n# Two\n- b\n", encoding="utf-8")
    mind_map = read_map(file)
    assert check_map(mind_map.tree, checks=["reading"]) == ()
    found = check_map(mind_map.tree, notices=mind_map.notices, checks=["reading"])
    assert [each.text for each in found] == list(mind_map.notices)
    assert len({each.key for each in found}) == len(found) > 0
    assert f"Repaired when read ({len(found)})" in tted("check", str(file))[1]
    assert tted("check", str(file), "--roots=error")[0] == 2


def test_unknown_checks_and_large_maps_are_refused():
    with pytest.raises(UnknownNameError, match="unknown check 'spelling'"):
        check_map(tree("a"), checks=["spelling"])
    with pytest.raises(LimitError, match="2,001 nodes"):
        check_map(labelled(*("a" for _ in range(2001))), encoder=hashed)


@pytest.mark.parametrize("topic", ["coral-reefs", "urban-heat", "photosynthesis", "how-vaccines-work"])
def test_the_sample_maps_are_clean_by_default(topic, minilm):
    assert check_map(sample(f"{topic}/base"), encoder=minilm) == ()


def test_a_paraphrase_of_each_node_is_found_as_a_duplicate(minilm):
    """The default threshold: docs/annotation.md says what share of each kind of paraphrase it finds."""
    base, other = sample("coral-reefs/base"), sample("coral-reefs/paraphrase_2")
    both = TextTree(
        (*base.labels, *other.labels[1:]),
        (*base.parents, *(max(p + len(base) - 1, 0) for p in other.parents[1:])),
    )
    pairs = {finding.nodes for finding in check_map(both, encoder=minilm, checks=["duplicates"])}
    assert pairs == {(node, node + len(base) - 1) for node in range(1, len(base))}


def test_the_command_prints_findings_with_their_nodes(tted, tmp_path):
    file = tmp_path / "map.txt"
    file.write_text("One\n  a\n    It ends with the\n  b\n  a\n", encoding="utf-8")
    given = ("check", str(file), "--checks", "repeats,incomplete")
    status, out, _ = tted(*given)
    assert status == 0
    assert "Repeated text (1)" in out
    assert "2  One > a > It ends with the" in out
    (content,) = json.loads(tted(*given, "--json")[1])["maps"].values()
    found = [(each["check"], each["nodes"]) for each in content["findings"]]
    assert found == [("repeats", [1, 4]), ("incomplete", [2])]


def test_a_clean_map_says_so(tted):
    assert tted("check", "-", stdin=b"Trees\n  They give shade\n  They need water\n")[1] == "nothing found\n"


def test_a_finding_has_paths_and_a_key_that_stays_when_other_nodes_come():
    (first,) = check_map(tree("south(east(north) west(north))"), encoder=encode, checks=["repeats"])
    (later,) = check_map(tree("south(up east(down north) west(north))"), encoder=encode, checks=["repeats"])
    assert first.paths == [["south", "east", "north"], ["south", "west", "north"]]
    assert first.nodes != later.nodes
    assert first.key == later.key
    (third,) = check_map(tree("south(east(north) west(north) north)"), encoder=encode, checks=["repeats"])
    assert third.key != first.key


def test_the_command_checks_a_folder_at_once(tted, tmp_path):
    folder = tmp_path / "maps"
    (folder / "part").mkdir(parents=True)
    (folder / "one.txt").write_text("One\n  a\n  b\n  a\n", encoding="utf-8")
    (folder / "part" / "two.txt").write_text("Two\n  c\n", encoding="utf-8")
    (folder / "bad.json").write_text("[1,", encoding="utf-8")
    status, out, _ = tted("check", str(folder), "--checks", "repeats")
    assert status == 0
    assert [line for line in out.splitlines() if line.startswith("==")] == ["== bad", "== one", "== part/two"]
    assert "can't be checked: line 1" in out
    assert "2  One > b" not in out
    assert "3  One > a" in out
    maps = json.loads(tted("check", str(folder), "--checks", "repeats", "--json")[1])["maps"]
    assert [len(each.get("findings", "")) for each in maps.values()] == [0, 1, 0]
    assert tted("check", str(folder), "--sheet", "2")[0] == 2
