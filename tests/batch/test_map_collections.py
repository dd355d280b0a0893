"""Collections of maps, and results of a batch opened to be looked at: orders, filters, and files."""

import csv
import json
import subprocess
import sys
import zipfile
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from helpers.batch import write_pairs
from helpers.paths import ROOT
from pyarrow import parquet

from tted_core.batch.pairs import pairs_by_name, pairs_of_table
from tted_core.batch.results import open_results, part_files, read_parts, summary
from tted_core.errors import MapFormatError, OptionsError
from tted_core.formats.map_collections import Reading, read_collection
from tted_core.foundations.tables import write_csv
from tted_core.method import Method


def folder_of(path, names):
    path.mkdir()
    for name in names:
        content = '{"root": {}}' if name.endswith("json") else "- root"
        (path / name).write_text(content, encoding="utf-8")
    return path


def archive_of(path, names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "- root")
    return path


@pytest.mark.parametrize("make", [folder_of, archive_of])
def test_names_that_differ_only_in_the_extension_are_kept_distinct_if_possible(make, tmp_path):
    left = make(tmp_path / "refs", ("a.md", "b.md", "b.txt", "c.md", "c.txt", "d.md"))
    right = folder_of(tmp_path / "outputs", ("a.txt", "b.md", "b.txt", "c.txt", "d.json", "e.md"))
    inputs = pairs_by_name(left, right)
    names = [name for name, _ in inputs.maps]
    assert [(row, names[i], names[j]) for row, (i, j) in zip(inputs.ids, inputs.pairs, strict=True)] == [
        ("a", "a.md", "a.txt"),
        ("b.md", "b.md", "b.md"),
        ("b.txt", "b.txt", "b.txt"),
        ("c", "c.txt", "c.txt"),
        ("d", "d.md", "d.json"),
    ]
    assert all(read().tree.labels == ("root",) for _, read in inputs.maps)
    assert inputs.notices == (
        "1 maps on the left have no partner with their name: c.md",
        "1 maps on the right have no partner with their name: e.md",
    )
    assert [name for name, _ in read_collection(left)] == ["a", "b.md", "b.txt", "c.md", "c.txt", "d"]


def test_ambiguous_names_are_refused(tmp_path):
    left = folder_of(tmp_path / "refs", ("a.md", "a.txt"))
    right = folder_of(tmp_path / "outputs", ("a.json",))
    with pytest.raises(MapFormatError, match=r"a\.md, a\.txt have the same name except for the extension"):
        pairs_by_name(left, right)


def test_ambiguous_maps_are_named_with_their_extension(tmp_path):
    maps = folder_of(tmp_path / "maps", ("a.md", "a.txt", "b.md"))
    (tmp_path / "pairs.csv").write_text("left,right\na.md,b\na,b.md\n", encoding="utf-8")
    read = dict(pairs_of_table(tmp_path / "pairs.csv", maps).maps)
    assert len(read["a.md"]().tree) == len(read["b"]().tree) == 1
    with pytest.raises(MapFormatError, match=r"'a' may be a\.md, a\.txt; write the name with its ending"):
        read["a"]()


def test_each_line_is_a_map(tmp_path):
    file = tmp_path / "maps.jsonl"
    lines = [json.dumps({"id": name, "map": f"- {name} é"}, ensure_ascii=False) for name in "abc"]
    file.write_text("\ufeff" + "\n\n".join(lines), encoding="utf-8")
    maps = dict(read_collection(file))
    assert [read().tree.labels for read in maps.values()] == [("a é",), ("b é",), ("c é",)]
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(MapFormatError, match=r"maps\.jsonl, line 5 is not JSON"):
        read_collection(file)
    file.write_bytes(b'{"id": "a", "map": "\xff"}')
    with pytest.raises(MapFormatError, match=r"maps\.jsonl, line 1 is not UTF-8"):
        read_collection(file)


AT = Reading(field="generation.rendered", key="article")

RESULTS = [
    {"article": name, "prompt": "Make a map", "generation": {"rendered": f"- {name}\n  - {name} below"}}
    for name in ("a1", "b.2")
]


def records_file(path, rows=RESULTS):
    text = json.dumps(rows) if path.suffix == ".json" else "\n".join(map(json.dumps, rows))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson"])
def test_the_records_of_a_program_are_maps_by_their_ids(tmp_path, ending):
    maps = dict(read_collection(records_file(tmp_path / f"results{ending}"), AT))
    assert {name: read().tree.labels for name, read in maps.items()} == {
        name: (name, f"{name} below") for name in ("a1", "b.2")
    }
    left = folder_of(tmp_path / "references", ("a1.json", "b.2.md", "other.md"))
    inputs = pairs_by_name(left, tmp_path / f"results{ending}", reading=AT)
    names = [name for name, _ in inputs.maps]
    assert [(names[i], names[j]) for i, j in inputs.pairs] == [("a1.json", "a1"), ("b.2.md", "b.2")]
    assert [len(read().tree) for _, read in inputs.maps] == [1, 2, 1, 2], (
        "a JSON map without the field is a map"
    )


def test_an_invalid_record_affects_only_itself(tmp_path):
    rows = [*RESULTS, {"article": "c", "generation": {"rendered": None}}]
    for ending in (".json", ".jsonl"):
        maps = dict(read_collection(records_file(tmp_path / f"results{ending}", rows), AT))
        assert len(maps["a1"]().tree) == 2
        with pytest.raises(MapFormatError, match=r"'1' has no field 'generation\.rendered', or"):
            maps["c"]()


@pytest.mark.parametrize(
    ("rows", "reading", "message"),
    [
        ([{"generation": 1}], Reading(), "record 1: the record has no id; name its key with key: generation"),
        ([*RESULTS, RESULTS[0]], AT, r"record 3: the id 'a1' is repeated"),
        (RESULTS, Reading(key="name"), "record 1: the record has no id; name its key with key: article"),
        ([1], AT, "record 1: not a JSON object"),
        ([], AT, r"there are no records in results\.json"),
    ],
)
def test_records_without_distinct_names_are_refused(tmp_path, rows, reading, message):
    with pytest.raises(MapFormatError, match=message):
        read_collection(records_file(tmp_path / "results.json", rows), reading)


def test_invalid_json_is_refused_in_a_sentence(tmp_path):
    for content, message in ((b"\xff", "is not UTF-8"), (b"[1,", "is not JSON")):
        (tmp_path / "results.json").write_bytes(content)
        with pytest.raises(MapFormatError, match=message):
            read_collection(tmp_path / "results.json", AT)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder of results: eleven pairs, one of them unreadable, in two orders, with a baseline."""
    from helpers.batch import batch_options
    from helpers.encoders import sentence_encoder

    from tted_core.batch.job import run_batch
    from tted_core.batch.pairs import pairs_of_table

    folder = tmp_path_factory.mktemp("batch")
    (folder / "bad.json").write_text("[" * 5000, encoding="utf-8")
    further = (("bad.json", "bad.json"), ("bad.json", "missing_100%.json"))
    pairs = write_pairs(folder / "pairs.csv", further=further)
    options = batch_options(orders=("ordered", "constrained"), baselines=("rouge_bag",))
    load = partial(sentence_encoder)
    run_batch(pairs_of_table(pairs), options, folder / "out", workers=1, load=lambda name: load(name=name))
    return folder / "out"


@pytest.fixture
def results(finished, tmp_path):
    """A copy of the finished results."""
    for file in finished.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    return open_results(tmp_path)


def test_the_worst_rows_are_first_and_errors_last(results):
    rows = results.rows(1, "tted")
    values = results.scores["tted"][rows]
    assert len(rows) == 11
    assert np.isnan(values[-2:]).all()
    assert (np.diff(values[:-2]) <= 0).all()
    similar = results.rows(0, "rouge_bag")
    assert (np.diff(results.scores["rouge_bag"][similar][:-2]) >= 0).all()
    given = results.table["id"][results.rows(by=None)].tolist()
    assert given == [f"{topic}-{each}" for topic in ("bread", "coral-reefs", "solar-system") for each in
                     ("structure_1", "meaning_2", "paraphrase_3")] + ["more-0", "more-1"]  # fmt: skip


def test_the_summary_names_the_mean_and_the_worst_pairs(results, tmp_path):
    lines = summary(tmp_path, [Method.of_columns(setting) for setting in results.settings])
    for number, line in enumerate(lines[::2]):
        rows = [row for row in results.rows(number) if not results.failed[row]]
        values = results.scores["normalized"][rows]
        assert f": mean {values.mean():.4f}, standard deviation {values.std():.4f}, " in line
        assert lines[2 * number + 1].startswith(f"worst: {results.pair(rows[0])[0]} {values.max():.4f}")
    assert len(lines) == 2 * len(results.settings)


def test_results_are_read_in_the_calling_thread(finished):
    """Another thread that gives its bytes back after Python has ended aborts the process, after all was done."""
    program = (
        "import sys; from pathlib import Path; import psutil, pyarrow.parquet; "
        "from tted_core.batch.results import open_results; "
        "before = psutil.Process().num_threads(); open_results(Path(sys.argv[1])).rows(); "
        "assert psutil.Process().num_threads() == before"
    )
    command = (sys.executable, "-c", program, str(finished))
    ended = subprocess.run(command, check=False, capture_output=True, cwd=ROOT, text=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr


def test_all_rows_are_exported(results, tmp_path):
    write_csv(read_parts(tmp_path), tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == results.table["id"].tolist()


def test_a_run_that_was_stopped_is_not_complete(results, tmp_path):
    part_files(tmp_path)[-1].unlink()
    assert not open_results(tmp_path).complete


def test_a_folder_without_results_is_reported(tmp_path):
    with pytest.raises(OptionsError, match="there are no results in"):
        open_results(tmp_path)
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "part-000000.parquet")
    with pytest.raises(OptionsError, match="the column 'id' is missing"):
        open_results(tmp_path)
    (tmp_path / "part-000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(OptionsError, match="can't be read"):
        open_results(tmp_path)
