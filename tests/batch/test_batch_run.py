"""tted batch: from files to a folder of results, and on from where it was stopped."""

import csv
import json
import zipfile

import pytest
from helpers.batch import table_of, write_pairs
from helpers.trees import SAMPLES

from tted_core.batch import job
from tted_core.batch.results import JOB, lock_folder, part_files


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(job, "PART_PAIRS", 2)


@pytest.fixture
def pairs(tmp_path):
    return write_pairs(tmp_path / "pairs.csv")


@pytest.fixture
def batch(tted, tmp_path):
    """Run the command in this process: (exit status, summary or None, standard error)."""

    def run(*arguments, out="out"):
        own = ("--out", str(tmp_path / out), "--workers", "1", "--json")
        status, text, err = tted("batch", *own, *map(str, arguments))
        return status, json.loads(text) if text else None, err

    return run


def test_a_table_of_pairs(batch, pairs, tmp_path):
    status, summary, err = batch(
        pairs, "--orders", "all", "--baselines", "rouge_bag", "--csv", tmp_path / "all.csv"
    )
    assert status == 0
    assert (summary["pairs"], summary["rows"], summary["failed"]) == (9, 27, 0)
    assert set(summary["seconds"]) == {"read", "load", "encode", "solve"}
    assert "Comparing 9 pairs: 9 of 9" in err
    assert json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8")) == summary
    table = table_of(tmp_path / "out")
    assert table.column_names[:7] == ["id", "left", "right", "encoder", "distance", "order", "context"]
    assert table.column_names[-1] == "topic"
    first = table.slice(0, 3).to_pylist()
    assert {row["id"] for row in first} == {"bread-structure_1"}
    assert [row["order"] for row in first] == ["ordered", "constrained", "unordered"]
    assert first[2]["tted"] <= min(first[0]["tted"], first[1]["tted"])
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == table["id"].to_pylist()
    assert [float(row["tted"]) for row in rows] == table["tted"].to_pylist()


def test_two_collections_by_name(batch, tmp_path):
    left, right = tmp_path / "refs", tmp_path / "outputs.zip"
    left.mkdir()
    with zipfile.ZipFile(right, "w") as archive:
        for topic in ("bread", "coral-reefs"):
            (left / f"{topic}.json").write_bytes((SAMPLES / topic / "base.json").read_bytes())
            archive.write(SAMPLES / topic / "meaning_1.json", f"{topic}.txt")
        archive.writestr("extra.md", "# More")
    status, summary, err = batch("--left", left, "--right", right)
    assert status == 0
    assert "1 maps on the right have no partner with their name: extra" in err
    table = table_of(tmp_path / "out")
    assert table["id"].to_pylist() == ["bread", "coral-reefs"]
    assert table["right"].to_pylist() == ["bread.txt", "coral-reefs.txt"]
    assert summary["failed"] == 0


@pytest.mark.parametrize("context", ["none", "path"])
def test_maps_in_lines_of_json(batch, tmp_path, context):
    maps, pairs = tmp_path / "maps.jsonl", tmp_path / "pairs.jsonl"
    lines = [{"id": "a", "map": "- root\n  - leaf"}, {"id": 2, "map": {"root": {"leaf": {}}}}]
    maps.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    inline = {"left": {"root": {"leaf": {}}}, "right": "a", "score": 3}
    rows = [{"left": "a", "right": "2"}, {"left": "a", "right": "nobody"}, inline]
    pairs.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    status, summary, _ = batch(pairs, "--maps", maps, "--contexts", context)
    assert (status, summary["failed"]) == (0, 1)
    table = table_of(tmp_path / "out").to_pylist()
    assert [row["tted"] for row in table] == [0.0, None, 0.0]
    assert table[1]["error"] == "right map: there is no map with the id 'nobody'; check the name"
    assert [row["score"] for row in table] == ["", "", "3"]
    assert table[2]["left"] == "line 3, left"


def test_bad_maps_affect_only_their_own_rows(batch, pairs, tmp_path):
    batch(pairs)
    good = table_of(tmp_path / "out")
    (tmp_path / "broken.json").write_text('{"root": ', encoding="utf-8")
    (tmp_path / "binary.json").write_bytes(bytes(range(256)))
    (tmp_path / "deep.json").write_text("[" * 5000, encoding="utf-8")
    (tmp_path / "=cmd.json").write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    base = str(SAMPLES / "bread" / "base.json")
    bad = ("broken.json", "binary.json", "deep.json", "=cmd.json", "missing.json", "empty")
    write_pairs(tmp_path / "more.csv", further=[(name, base) for name in bad])
    arguments = (tmp_path / "more.csv", "--csv", tmp_path / "all.csv", "--fail-on-error")
    status, summary, _ = batch(*arguments, "0.3", out="more")
    assert (status, summary["failed"], summary["rows"]) == (1, len(bad), 9 + len(bad))
    table = table_of(tmp_path / "more")
    assert table.slice(0, 9).equals(good)
    assert all(error.startswith("left map: ") for error in table["error"].to_pylist()[9:])
    assert table["tted"].to_pylist()[9:] == [None] * len(bad)
    assert ",'=cmd.json," in (tmp_path / "all.csv").read_text(encoding="utf-8")
    assert batch(*arguments, "0.5", "--resume", out="more")[0] == 0


def test_resume_redoes_nothing_and_refuses_what_changed(batch, pairs, tmp_path, monkeypatch):
    out = tmp_path / "out"
    batch(pairs)
    whole = table_of(out)
    times = {file: file.stat().st_mtime_ns for file in part_files(out)}
    lost = part_files(out)[2]
    lost.unlink()
    (out / ".tted-99").write_bytes(b"half")
    status, _, err = batch(pairs)
    assert status == 2
    assert "already has results; add --resume" in err
    assert batch(pairs, "--resume")[0] == 0
    assert table_of(out).equals(whole)
    assert not list(out.glob(".tted-*"))
    assert all(file.stat().st_mtime_ns == time for file, time in times.items() if file != lost)

    assert "other options (orders)" in batch(pairs, "--resume", "--orders", "ordered")[2]
    assert "other options (depth)" in batch(pairs, "--resume", "--depth", "1")[2]
    other = write_pairs(tmp_path / "other.csv", topics=("bread", "coral-reefs"))
    assert "other pairs and maps" in batch(other, "--resume")[2]
    (out / JOB).write_text("[]", encoding="utf-8")
    assert "job.json is missing or damaged" in batch(pairs, "--resume")[2]


def test_a_folder_that_another_run_writes_is_left_alone(batch, pairs, tmp_path):
    (tmp_path / "out").mkdir()
    with lock_folder(tmp_path / "out"):
        status, _, err = batch(pairs)
    assert status == 2
    assert "this batch is being computed already" in err
    assert batch(pairs, "--resume")[0] == 0


def test_a_changed_map_is_not_resumed(batch, tmp_path):
    mine = tmp_path / "mine.md"
    mine.write_text("# One", encoding="utf-8")
    pairs = write_pairs(tmp_path / "pairs.csv", further=[("mine.md", "mine.md")])
    batch(pairs)
    mine.write_text("# Two", encoding="utf-8")
    status, _, err = batch(pairs, "--resume")
    assert status == 2
    assert "results of other maps already;" in err


def test_a_stopped_run_keeps_finished_parts(batch, pairs, tmp_path, monkeypatch):
    solve_part = job.solve_part

    def stopping(options, number, *maps, **how):
        if number == 2:
            raise KeyboardInterrupt
        return solve_part(options, number, *maps, **how)

    monkeypatch.setattr(job, "solve_part", stopping)
    status, _, err = batch(pairs)
    assert status == 130
    assert "the same command with --resume goes on" in err
    assert len(part_files(tmp_path / "out")) == 2
    monkeypatch.setattr(job, "solve_part", solve_part)
    assert batch(pairs, "--resume")[0] == 0
    batch(pairs, out="whole")
    assert table_of(tmp_path / "out").equals(table_of(tmp_path / "whole"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.csv", "left,other\na,b\n", "p.csv has no column right"),
        ("p.csv", "left,right\n", "there are no pairs in p.csv"),
        ("p.csv", "left,right\na,\n", "p.csv, line 2: there is no map under 'right'"),
        ("p.csv", "left,right\na,b,c\n", "line 2: more cells than the header names"),
        ("p.csv", "left,right,right\na,b,c\n", "two columns of the same name"),
        (
            "p.csv",
            "left,right,tted\na,b,1\n",
            "the column 'tted' of the input is a column of the results too",
        ),
        ("p.jsonl", '{"left": 1\n', "p.jsonl, line 1 is not JSON"),
        ("p.jsonl", "[1]\n", "p.jsonl, line 1: not a JSON object; each line must be one"),
        ("p.tsv", "left\tright\na\n", "p.tsv, line 2: there is no map under 'right'"),
    ],
)
def test_a_table_that_can_not_be_read_is_refused(batch, tmp_path, name, content, message):
    (tmp_path / name).write_text(content, encoding="utf-8")
    status, summary, err = batch(tmp_path / name)
    assert (status, summary) == (2, None)
    assert message in err


def test_meaningless_options_are_refused(batch, pairs, tmp_path):
    assert "name a table of pairs, or two collections" in batch()[2]
    assert "name a table of pairs, or two collections" in batch(pairs, "--left", tmp_path)[2]
    assert "--maps goes with a table" in batch("--left", tmp_path, "--right", tmp_path, "--maps", tmp_path)[2]
    assert "not a whole number from 1 on" in batch(pairs, "--workers", "0")[2]
    assert "'2' is not a number from 0 to 1" in batch(pairs, "--fail-on-error", "2")[2]
    assert "unknown order" in batch(pairs, "--orders", "random")[2]
    assert "no' can't be read (No such file" in batch("--left", tmp_path / "no", "--right", tmp_path)[2]
    for folder, name in (("one", "a.md"), ("two", "b.md")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("# A", encoding="utf-8")
    sides = ("--left", tmp_path / "one", "--right", tmp_path / "two")
    assert "no map in one has the same name as one in two" in batch(*sides)[2]
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "can't be written (Not a directory); name another" in batch(pairs, out="file/out")[2]


def test_a_distance_above_a_bound_fails_the_command(batch, pairs):
    """As another program's check; the results are there all the same."""
    status, summary, err = batch(pairs, "--fail-above", "0.2")
    assert (status, summary["rows"]) == (1, 9)
    assert "normalized distances are above 0.2; the greatest is" in err
    assert batch(pairs, "--fail-above", "0.99", "--resume")[0] == 0
