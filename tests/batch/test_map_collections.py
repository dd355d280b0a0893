"""Collections of maps: which names are alike, and what is opened when."""

import json
import zipfile

import pytest

from tted_core.batch.inputs import pairs_by_name, pairs_of_table
from tted_core.batch.map_collections import collected
from tted_core.errors import MapFormatError


def folder_of(place, names):
    place.mkdir()
    for name in names:
        content = '{"root": {}}' if name.endswith("json") else "- root"
        (place / name).write_text(content, encoding="utf-8")
    return place


def archive_of(place, names):
    with zipfile.ZipFile(place, "w") as archive:
        for name in names:
            archive.writestr(name, "- root")
    return place


@pytest.mark.parametrize("make", [folder_of, archive_of])
def test_names_that_differ_in_the_ending_only_are_told_apart_where_they_can_be(make, tmp_path):
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
        "1 maps on the left have no partner of their name: c.md",
        "1 maps on the right have no partner of their name: e.md",
    )
    assert [name for name, _ in collected(left)] == ["a", "b.md", "b.txt", "c.md", "c.txt", "d"]


def test_names_that_can_not_be_told_apart_are_refused(tmp_path):
    left = folder_of(tmp_path / "refs", ("a.md", "a.txt"))
    right = folder_of(tmp_path / "outputs", ("a.json",))
    with pytest.raises(MapFormatError, match=r"a\.md, a\.txt have the same name but for the ending"):
        pairs_by_name(left, right)


def test_a_map_is_named_with_its_ending_where_it_must_be(tmp_path):
    maps = folder_of(tmp_path / "maps", ("a.md", "a.txt", "b.md"))
    (tmp_path / "pairs.csv").write_text("left,right\na.md,b\na,b.md\n", encoding="utf-8")
    read = dict(pairs_of_table(tmp_path / "pairs.csv", maps).maps)
    assert len(read["a.md"]().tree) == len(read["b"]().tree) == 1
    with pytest.raises(MapFormatError, match=r"'a' may be a\.md, a\.txt; write the name with its ending"):
        read["a"]()


def test_lines_are_read_when_their_turn_comes(tmp_path):
    file = tmp_path / "maps.jsonl"
    lines = [json.dumps({"id": name, "map": f"- {name} é"}, ensure_ascii=False) for name in "abc"]
    file.write_text("\ufeff" + "\n\n".join(lines), encoding="utf-8")
    maps = dict(collected(file))
    assert [read().tree.labels for read in maps.values()] == [("a é",), ("b é",), ("c é",)]
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(MapFormatError, match=r"maps\.jsonl, line 3: no JSON object"):
        maps["b"]()
    file.unlink()
    with pytest.raises(MapFormatError, match=r"maps\.jsonl can't be read any more"):
        maps["c"]()
    file.write_bytes(b'{"id": "a", "map": "\xff"}')
    with pytest.raises(MapFormatError, match=r"maps\.jsonl is not UTF-8"):
        collected(file)
