"""Reading every map of a file, a folder or an archive."""

import pytest
from helpers.trees import SAMPLES, sample

from tted_core.errors import MapFormatError, UnknownNameError
from tted_core.formats import parse_map, parse_maps, read_maps
from tted_core.formats.folder import packed, packed_folder

CORAL = SAMPLES / "coral-reefs"


def test_a_file_with_one_map_gives_one():
    (only,) = read_maps(CORAL / "base.json")
    assert only == parse_map((CORAL / "base.json").read_bytes(), name="base.json")


@pytest.mark.parametrize("archive", [False, True])
def test_a_folder_and_an_archive_are_all_their_maps(archive):
    maps = parse_maps(packed_folder(CORAL), name="x.zip") if archive else read_maps(CORAL)
    names = sorted(path.name for path in CORAL.iterdir())
    assert [each.maps[each.sheet - 1] for each in maps] == names
    assert maps[names.index("demo.json")].tree == sample("coral-reefs/demo")


def test_files_with_equal_names_are_not_lost_silently():
    with pytest.raises(MapFormatError, match=r"two of the files are called 'map\.txt'; rename one"):
        packed([("map.txt", b"one"), ("other.txt", b"two"), ("map.txt", b"three")])


def test_unreadable_files_are_reported_once(tmp_path):
    (tmp_path / "a.txt").write_text("root\n  leaf\n")
    (tmp_path / "b.txt").write_text("root\n  other\n")
    (tmp_path / "c.json").write_text('{"a": ')
    first, second = read_maps(tmp_path)
    assert [each.tree.labels[1] for each in (first, second)] == ["leaf", "other"]
    assert any("c.json" in notice for notice in first.notices)
    assert not any("c.json" in notice for notice in second.notices)


def test_wrong_names_and_wrong_files():
    with pytest.raises(UnknownNameError):
        parse_maps("a", roots="none")
    with pytest.raises(MapFormatError):
        parse_maps('{"a": ')
