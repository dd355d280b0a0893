"""Collections of maps: which names are alike, and what is opened when."""

import json
import zipfile

import pytest

from tted_core.batch.pairs import pairs_by_name, pairs_of_table
from tted_core.errors import MapFormatError
from tted_core.formats.map_collections import Reading, read_collection


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
        with pytest.raises(MapFormatError, match=r"'generation\.rendered' of the record '1' is empty"):
            maps["c"]()


@pytest.mark.parametrize(
    ("rows", "reading", "message"),
    [
        ([{"generation": 1}], Reading(), r"record 1 has no id .* name its key with key: generation"),
        ([*RESULTS, RESULTS[0]], AT, r"record 3: the id 'a1' is repeated"),
        (RESULTS, Reading(key="name"), "record 1: the record has no id at 'name'"),
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
