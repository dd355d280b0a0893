"""Each command once, as a user asks it: two maps, a folder, a table in, and the answer to the question out."""

import csv
import json

import pytest
from helpers.trees import SAMPLES

from tted_core.cli import SUMMARIES
from tted_core.formats import read_map

CORAL = SAMPLES / "coral-reefs"
BASE, DEMO = str(CORAL / "base.json"), str(CORAL / "demo.json")


def as_json(tted, *arguments):
    status, out, _ = tted(*arguments, "--json")
    assert status == 0
    return json.loads(out)


def test_compare_a_map_with_itself_and_with_an_edited_one(tted):
    assert as_json(tted, "compare", BASE, BASE)["tted"] == 0
    edited = as_json(tted, "compare", BASE, DEMO)
    assert edited["tted"] == pytest.approx(sum(op["cost"] for op in edited["script"]))
    assert edited["proven"]


def test_replay_a_saved_comparison(tted, tmp_path):
    file = tmp_path / "coral.json"
    file.write_text(json.dumps(as_json(tted, "compare", BASE, DEMO)), encoding="utf-8")
    saved = tmp_path / "replay.json"
    assert tted("compare", BASE, DEMO, "--replay", str(saved))[0] == 0
    status, out, _ = tted("replay", str(saved))
    assert (status, "Same result as in the file" in out, "confirmed by edist" in out) == (0, True, True)


def test_read_shows_the_tree_of_a_file(tted):
    found = as_json(tted, "read", str(CORAL / "base.md"))
    tree = read_map(CORAL / "base.md").tree
    assert (found["labels"], found["parents"]) == (list(tree.labels), list(tree.parents))


def test_batch_and_matrix_give_the_distances_of_compare(tted, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(f"left,right\n{BASE},{DEMO}\n", encoding="utf-8")
    expected = as_json(tted, "compare", BASE, DEMO)["tted"]
    assert (
        tted("batch", str(pairs), "--out", str(tmp_path / "rows"), "--csv", str(tmp_path / "rows.csv"))[0]
        == 0
    )
    with (tmp_path / "rows.csv").open(encoding="utf-8") as rows:
        assert [float(row["tted"]) for row in csv.DictReader(rows)] == [pytest.approx(expected)]
    maps = tmp_path / "maps"
    maps.mkdir()
    for file in (BASE, DEMO):
        (maps / file.rsplit("/", 1)[1]).write_bytes((CORAL / file).read_bytes())
    assert tted("matrix", str(maps), "--score", "tted", "--out", str(tmp_path / "matrix.csv"))[0] == 0
    with (tmp_path / "matrix.csv").open(encoding="utf-8") as table:
        header, first, _ = csv.reader(table)
    assert float(first[header.index("demo")]) == pytest.approx(expected)


def test_systems_ranks_the_reference_itself_first(tted, tmp_path):
    for name, variant in (("references", "base"), ("perfect", "base"), ("edited", "structure_3")):
        for topic in ("coral-reefs", "bread", "tea"):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{topic}.json").write_bytes(
                (SAMPLES / topic / f"{variant}.json").read_bytes()
            )
    folders = (str(tmp_path / "references"), *(f"{name}={tmp_path / name}" for name in ("perfect", "edited")))
    found = as_json(tted, "systems", *folders, "--baselines", "none", "--controls", "none")
    means = {row["system"]: row["mean"] for row in found["systems"] if row["measure"] == "normalized"}
    assert means["perfect"] == 0 < means["edited"]


def test_check_finds_a_sentence_that_stands_twice(tted, tmp_path):
    file = tmp_path / "twice.txt"
    file.write_text(
        "Reefs\n\tPolyps build reefs.\n\tPolyps build reefs.\n\tAlgae feed polyps.\n", encoding="utf-8"
    )
    status, out, _ = tted("check", str(file))
    assert (status, "Polyps build reefs." in out) == (0, True)


def test_annotators_who_agree_have_alpha_1(tted, tmp_path):
    for topic in ("coral-reefs", "bread"):
        for annotator in ("ann", "bob"):
            (tmp_path / topic).mkdir(exist_ok=True)
            (tmp_path / topic / f"{annotator}.json").write_bytes((SAMPLES / topic / "base.json").read_bytes())
    assert as_json(tted, "annotators", str(tmp_path))["alpha"]["value"] == 1


def test_agree_with_people_who_rank_as_the_column_does(tted, tmp_path):
    table = tmp_path / "judged.csv"
    kinds = ("structure_1", "meaning_1", "base")
    rows = (
        f"{SAMPLES}/bread/base.json,{SAMPLES}/bread/{kind}.json,{n},{n * n}\n" for n, kind in enumerate(kinds)
    )
    table.write_text("left,right,human,bleu\n" + "".join(rows), encoding="utf-8")
    given = ("--preset", "published", "--distance", "levenshtein", "--baselines", "none")
    found = {row["measure"]: row["value"] for row in as_json(tted, "agree", str(table), *given)["agreements"]}
    assert found["bleu"] == 1


def test_exercises_write_a_bank(tted, tmp_path):
    file = tmp_path / "bank.gift"
    assert tted("exercises", "--out", str(file), "--variants", "1")[0] == 0
    assert "::" in file.read_text(encoding="utf-8")


def test_text_compares_two_texts_by_every_measure_at_hand(tted):
    status, out, _ = tted("text", "Polyps build reefs.", "Polyps build reefs.")
    assert (status, "rouge" in out.lower()) == (0, True)


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_explains_itself(tted, name):
    status, out, _ = tted(name, "--help")
    assert (status, out.startswith(f"usage: tted {name}")) == (0, True)
