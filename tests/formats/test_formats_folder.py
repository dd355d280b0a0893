"""A folder of map files, read like an archive of them."""

import pytest
from helpers.trees import SAMPLES, sample

from tted_core.errors import LimitError, MapFormatError
from tted_core.formats import parse_maps, read_map, read_maps
from tted_core.foundations import files

CORAL = SAMPLES / "coral-reefs"


@pytest.fixture
def maps(tmp_path):
    (tmp_path / "b.md").write_text("# Second\n- x\n", encoding="utf-8")
    (tmp_path / "a.story").write_text("<highlight><T1>First</T1></highlight>", encoding="utf-8")
    (tmp_path / ".hidden").write_text("no map", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    return tmp_path


def test_its_files_are_maps_to_choose_from(maps):
    first = read_map(maps)
    assert first.maps == ("a.story", "b.md")
    assert (first.tree.labels, first.format) == (("First",), "cmgn")
    second = read_map(maps, sheet="b.md")
    assert (second.tree.labels, second.format) == (("Second", "x"), "markdown")
    assert read_map(maps, sheet=2).tree == second.tree


def test_a_folder_without_files_is_refused(maps):
    with pytest.raises(MapFormatError, match="no files in the folder 'sub'"):
        read_map(maps / "sub")


def test_its_size_is_limited(maps, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 45)
    with pytest.raises(LimitError, match="give fewer files"):
        read_map(maps)


def test_a_message_about_a_long_or_odd_name_stays_short(tmp_path):
    for name in ("k" * 150_000, "\ud800"):
        with pytest.raises(MapFormatError) as caught:
            read_map(tmp_path / name)
        str(caught.value).encode("utf-8")
        assert len(str(caught.value)) < 400
    assert len(str(MapFormatError("k" * 150_000))) < 1_100


def test_a_file_above_a_limit_affects_only_itself(maps):
    (maps / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (maps / "large.md").write_text("# Large\n" + "- x\n" * 60_000, encoding="utf-8")
    found = read_map(maps)
    assert found.maps == ("a.story", "b.md")
    assert any("2 of 4 maps in the file can't be read: deep.json (" in each for each in found.notices)


def test_a_file_beyond_the_limit_of_all_together_is_left_out(maps):
    (maps / "0.json").write_text('{"a": "%s"}' % ("b " * 1_500_000), encoding="utf-8")
    (maps / "c.txt").write_text("c\n" + "  d e f\n" * 1_000, encoding="utf-8")
    found = read_map(maps)
    assert found.maps == ("a.story", "b.md", "c.txt")
    assert "1 of 4 maps in the file can't be read: 0.json (3,0" in found.notices[0]
    assert "but the limit is 3,000,000; split the file" in found.notices[0]


@pytest.mark.parametrize("archive", [False, True])
def test_a_folder_and_an_archive_are_all_their_maps(archive):
    maps = parse_maps(files.pack_folder(CORAL), name="x.zip") if archive else read_maps(CORAL)
    names = sorted(path.name for path in CORAL.iterdir())
    assert [each.maps[each.sheet - 1] for each in maps] == names
    assert maps[names.index("demo.json")].tree == sample("coral-reefs/demo")


def test_files_with_equal_names_are_not_lost_silently():
    with pytest.raises(MapFormatError, match=r"two of the files are called 'map\.txt'; rename one"):
        files.pack_files([("map.txt", b"one"), ("other.txt", b"two"), ("map.txt", b"three")])


def test_unreadable_files_are_reported_once(tmp_path):
    (tmp_path / "a.txt").write_text("root\n  leaf\n")
    (tmp_path / "b.txt").write_text("root\n  other\n")
    (tmp_path / "c.json").write_text('{"a": ')
    first, second = read_maps(tmp_path)
    assert [each.tree.labels[1] for each in (first, second)] == ["leaf", "other"]
    assert any("c.json" in notice for notice in first.notices)
    assert not any("c.json" in notice for notice in second.notices)
