"""Detection of pairs in a folder, and files that are never opened."""

import json
import os

import pytest

from tted_core.batch.pairs import open_source
from tted_core.batch.plans import detect_plan, guess_reference
from tted_core.errors import LimitError, MapFormatError
from tted_core.formats.map_collections import Reading
from tted_core.foundations.files import ANYWHERE, Files

MAP = json.dumps({"root": {"leaf": {}}})


def put(file, text=MAP):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def found_source(folder, files):
    return detect_plan(folder, files=files).source


def test_two_folders_of_which_one_is_called_reference(tmp_path):
    for side in ("generated", "references"):
        put(tmp_path / "all" / side / "a.json")
    put(tmp_path / "__MACOSX" / "x")
    found = found_source(tmp_path, ANYWHERE)
    assert (found["left"].name, found["right"].name) == ("references", "generated")


def test_a_table_and_the_maps_that_it_names(tmp_path):
    put(tmp_path / "maps.jsonl", f'{{"id": "a", "map": {MAP}}}')
    assert put(tmp_path / "notes.csv", "when,what\n")
    table = put(tmp_path / "pairs.tsv", "id\tleft\tright\n1\ta\ta\n")
    assert found_source(tmp_path, ANYWHERE) == {"pairs": table, "maps": tmp_path / "maps.jsonl"}
    inputs = open_source(found_source(tmp_path, ANYWHERE), files=Files((tmp_path,)))
    assert inputs.maps[0][1]().tree.labels == ("root", "leaf")


def test_two_files_of_records_are_two_sides(tmp_path):
    for name in ("references.json", "ours.jsonl"):
        put(tmp_path / name, json.dumps({"id": "a", "answer": {"text": "- a\n  - b"}}))
    reading = Reading(field="answer.text")
    source = detect_plan(tmp_path, ANYWHERE, reading=reading).source
    assert (source["left"].name, source["right"].name) == ("references.json", "ours.jsonl")
    inputs = open_source(source, files=ANYWHERE, reading=reading)
    assert [len(read().tree) for _, read in inputs.maps] == [2, 2]


def test_three_folders_are_systems_with_one_reference_and_the_guess_is_reported(tmp_path):
    for side, maps in (("gold", "abc"), ("ours", "ab"), ("theirs", "bcd")):
        for name in maps:
            put(tmp_path / side / f"{name}.json", "{" if (side, name) == ("ours", "a") else MAP)
    put(tmp_path / "notes.json", "{}")
    plan = detect_plan(tmp_path, ANYWHERE)
    assert [(each.name, each.role, each.maps, each.matched) for each in plan.sides] == [
        ("gold", "reference", 3, 3),
        ("ours", "system", 2, 2),
        ("theirs", "system", 3, 2),
    ]
    assert plan.notices[1:] == ("1 map of theirs without a reference left out: d",)
    inputs = open_source(plan.source, files=ANYWHERE)
    rows = zip(inputs.ids, inputs.pairs.tolist(), inputs.further["system"], strict=True)
    named = [
        (item, inputs.maps[left][0], inputs.maps[right][0], whose) for item, (left, right), whose in rows
    ]
    assert named[:5] == [
        ("a", "gold/a", "ours/a", "ours"),
        ("b", "gold/b", "ours/b", "ours"),
        ("b", "gold/b", "theirs/b", "theirs"),
        ("c", "gold/c", "theirs/c", "theirs"),
        ("a", "gold/a", "(root)/a", "(root)"),
    ]
    assert named[-1] == ("c", "gold/c", "(another reference)/c", "(another reference)")
    assert (plan.pairs, len(named)) == (16, 16)
    pair = detect_plan(tmp_path, ANYWHERE, roles={"ours": "ignore", "theirs": "reference", "gold": "system"})
    assert {side: path.name for side, path in pair.source.items()} == {"left": "theirs", "right": "gold"}
    alone = detect_plan(tmp_path, ANYWHERE, roles={"ours": "ignore", "theirs": "ignore"})
    assert alone.source == {}
    assert "choose one as the reference" in str(alone.problem)


def test_the_reference_is_guessed_by_its_name_or_reported_as_a_guess(tmp_path):
    for side in ("b", "a"):
        put(tmp_path / side / "1.json")
    plan = detect_plan(tmp_path, ANYWHERE)
    assert plan.source["left"].name == "a"
    assert "a is assumed to be it" in plan.notices[0]
    assert detect_plan(tmp_path, ANYWHERE, roles={"b": "reference"}).notices == ()
    assert guess_reference(["system", "Gold standard"]) == ("Gold standard", True)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ((), "not 0"),
        (("a/1.json",), "not 1"),
        (("p.csv", "q.csv"), "more than one table of pairs: p.csv, q.csv"),
        (("p.csv", "m.zip", "n.zip"), "more than one collection of maps"),
    ],
)
def test_a_folder_without_pairs_is_reported(tmp_path, files, message):
    for name in files:
        put(tmp_path / name, "left,right\n")
    with pytest.raises(MapFormatError, match=message):
        found_source(tmp_path, ANYWHERE)


def test_no_file_outside_is_opened(tmp_path):
    secret = put(tmp_path / "secret.json")
    own = tmp_path / "own"
    put(own / "inside.json")
    names = ("inside.json", "../secret.json", str(secret), "link.json", "missing.json")
    put(own / "pairs.csv", "left,right\n" + "".join(f"inside.json,{name}\n" for name in names))
    (own / "link.json").symlink_to(secret)
    inputs = open_source(found_source(own, ANYWHERE), files=Files((own,)))
    reported = {}
    for name, read in inputs.maps:
        try:
            reported[name] = read().tree.labels[0]
        except MapFormatError as error:
            reported[name] = str(error)
    assert reported.pop("inside.json") == "root"
    assert "missing.json" in reported["missing.json"]
    assert str(own) not in reported.pop("missing.json")
    assert set(reported.values()) == {
        "this file may not be opened here: it is outside the folder of the pairs"
    }


def test_the_entries_of_a_folder_that_is_a_map_are_not_followed_outside(tmp_path):
    secret = put(tmp_path / "secret.json")
    own = tmp_path / "own"
    put(own / "map" / "a.json")
    put(own / "pairs.csv", "left,right\nmap,map\n")
    files = Files((own,))
    (_, read), *_ = open_source(found_source(own, files), files=files).maps
    assert read().tree.labels == ("root", "leaf")
    (own / "map" / "b.json").symlink_to(secret)
    with pytest.raises(MapFormatError, match="may not be opened here"):
        read()


@pytest.mark.parametrize("kind", ["folder", "table", "collection", "lines", "archive"])
def test_nothing_is_read_through_a_link(tmp_path, kind):
    """Links as folders of a path, as the table, and as files beside it."""
    outside, own = tmp_path / "outside", tmp_path / "own"
    put(outside / "left" / "a.json")
    put(outside / "maps.jsonl", f'{{"id": "a", "map": {MAP}}}')
    put(outside / "maps.zip")
    put(outside / "pairs.csv", "left,right\na,a\n")
    put(own / "right" / "a.json")
    source = {"left": own / "left", "right": own / "right"}
    if kind == "folder":
        (own / "left").symlink_to(outside / "left")
    else:
        name = {"table": "pairs.csv", "lines": "maps.jsonl", "archive": "maps.zip"}.get(kind, "maps.jsonl")
        (own / name).symlink_to(outside / name)
        source = {"pairs": own / "pairs.csv"} if kind == "table" else {**source, "left": own / name}
    with pytest.raises(MapFormatError, match="may not be opened"):
        open_source(source, files=Files((own,)))


def test_a_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "a.json")
    put(tmp_path / "pairs.csv", "left,right\na.json,a.json\n")
    (_, read), *_ = open_source({"pairs": tmp_path / "pairs.csv"}, files=Files((tmp_path,))).maps
    with pytest.raises(MapFormatError, match="may not be opened"):
        read()


def test_a_table_is_read_up_to_its_limit(tmp_path):
    table = put(tmp_path / "pairs.csv", "left,right\n" + "a,b\n" * 3 + "broken\n" * 3)
    with pytest.raises(LimitError, match="3 pairs \\(or more\\), but the limit is 2"):
        open_source({"pairs": table}, files=ANYWHERE, most=2)
    lines = put(tmp_path / "pairs.jsonl", '{"left": "a", "right": "b"}\n' * 3 + "broken\n")
    with pytest.raises(LimitError):
        open_source({"pairs": lines}, files=ANYWHERE, most=2)
    for side in ("left", "right"):
        for name in "abc":
            put(tmp_path / side / f"{name}.json")
    with pytest.raises(LimitError):
        open_source({side: tmp_path / side for side in ("left", "right")}, files=ANYWHERE, most=2)
