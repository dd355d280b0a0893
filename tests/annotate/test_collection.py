"""Maps of several documents by several annotators, from folders, archives and single files."""

import io
import zipfile

import pytest
from helpers.trees import SAMPLES

from tted_core.annotate import annotations
from tted_core.annotate.annotations import annotations_in, read_annotations, unzip
from tted_core.cli.shared import with_flags
from tted_core.errors import LimitError, MapFormatError
from tted_core.foundations import files

A, B = b"A\n  one\n", b"B\n  two\n"


def archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return data.getvalue()


def names(found) -> dict[str, list[str]]:
    return {name: [who for each, who in found.maps if each == name] for name in found.documents}


def test_a_folder_is_a_document_and_a_file_an_annotator():
    files = [("tides/ben.txt", B), ("tides/anna.md", A), ("moon/anna.txt", A), ("x/y/z.txt", A)]
    found = read_annotations(files)
    assert names(found) == {"moon": ["anna"], "tides": ["anna", "ben"], "x/y": ["z"]}
    assert found.maps["tides", "ben"].tree.labels == ("B", "two")


TIDES, MOON = "The sea rises\n  {} twice a day\n", "It has no air\n  {} craters\n"


@pytest.mark.parametrize("path", ["{0}/{1}.txt", "all/{0}/{1}.txt", "{0}_{1}.txt", "{0}-{1}.txt"])
@pytest.mark.parametrize("text", [TIDES, MOON])
def test_folders_are_documents_whatever_is_in_them_and_can_be_swapped(path, text):
    files = [
        (path.format(document, annotator), text.format(number).encode())
        for document in ("tides", "moon")
        for number, annotator in enumerate(("anna", "ben"))
    ]
    found = read_annotations(files)
    assert names(found) == {"moon": ["anna", "ben"], "tides": ["anna", "ben"]}
    assert found.annotators == ["anna", "ben"]
    assert found.can_be_swapped
    there = found.swap()
    assert names(there) == {"anna": ["moon", "tides"], "ben": ["moon", "tides"]}
    assert there.swap() == found


@pytest.mark.parametrize(
    "paths", [("anna.md", "ben.md"), ("t/anna.md", "t/ben.md"), ("t/a.md", "t/b.md", "u/c.md", "u/d.md")]
)
def test_one_document_and_annotators_of_one_document_each_leave_nothing_to_ask(paths):
    assert not read_annotations([(path, A) for path in paths]).can_be_swapped


def test_a_root_put_above_several_is_named_after_the_document():
    content = b"# One\n- a\n# Two\n- b\n"
    found = read_annotations([(f"{name}/anna.md", content) for name in ("tides", "moon")])
    for each, documents in ((found, ("tides", "moon")), (found.swap(), ("anna", "anna"))):
        roots = {each.tree.labels[0] for each in each.with_roots().maps.values()}
        assert roots == set(documents)
    notice = with_flags(found.with_roots().maps["tides", "anna"].notices[0])
    assert "'tides', the document, was put above" in notice
    assert "(--roots first takes one root)" in notice


def test_no_map_is_lost_where_short_names_collide():
    endings = ("anna", "anna.md", "anna.md.txt", "anna.md.txt.md", "anna.txt")
    files = [(f"t/{ending}", f"{ending}\n  one\n".encode()) for ending in endings]
    found = read_annotations([files[number] for number in (3, 0, 4, 2, 1)])
    assert {each.tree.labels[0] for each in found.maps.values()} == set(endings)


@pytest.mark.parametrize("paths", [("map.md", "map.md"), ("t/a.md", "t//a.md")])
def test_the_same_path_twice_is_refused(paths):
    """A browser gives no path with a file that is uploaded."""
    files = [*zip(paths, (A, B), strict=True), ("t/other.md", A)]
    with pytest.raises(MapFormatError, match=f"^two of the files are called '{paths[1]}'; rename one$"):
        read_annotations(files, name="tides")


def test_what_cannot_be_read_is_named_and_the_rest_is_read():
    found = read_annotations([("t/anna.txt", A), ("t/b.json", b'{"a": '), ("u/c.txt", b" \n")])
    assert names(found) == {"t": ["anna"]}
    assert found.failures["t/b.json"].startswith("line 1")
    assert set(found.failures) == {"t/b.json", "u/c.txt"}
    with pytest.raises(MapFormatError, match=r"^u/c.txt: the input holds only white space"):
        read_annotations([("u/c.txt", b" \n")])
    with pytest.raises(MapFormatError, match="no files"):
        read_annotations([])


@pytest.mark.parametrize("around", ["", "all/"])
def test_an_archive_is_read_like_its_folder(around, tmp_path):
    files = {
        "tides/anna.txt": A,
        "tides/ben.txt": B,
        "moon/anna.txt": A,
        "__MACOSX/tides/._a": b"?",
        ".x": b"?",
    }
    data = archive({(name if name[0] in "._" else around + name): content for name, content in files.items()})
    (tmp_path / "maps.zip").write_bytes(data)
    expected = {"moon": ["anna"], "tides": ["anna", "ben"]}
    assert names(read_annotations(unzip("maps.zip", data))) == expected
    assert names(annotations_in(tmp_path / "maps.zip")) == expected
    with zipfile.ZipFile(tmp_path / "maps.zip") as packed:
        packed.extractall(tmp_path / "folder")
    assert names(annotations_in(tmp_path / "folder" / around)) == expected


def test_an_archive_that_is_a_map_itself_is_no_collection(tmp_path):
    xmind = SAMPLES / "formats" / "photosynthesis.xmind"
    assert list(unzip("t/anna.xmind", xmind.read_bytes())) == [("t/anna.xmind", xmind.read_bytes())]
    assert names(annotations_in(xmind)) == {"photosynthesis": ["photosynthesis"]}
    with pytest.raises(MapFormatError, match="check the name"):
        annotations_in(tmp_path / "none")


def test_limits_come_before_the_work(monkeypatch, tmp_path):
    for module in (annotations, files):
        monkeypatch.setattr(module, "MAX_MAPS", 2)
    three = {f"{name}.txt": A for name in "abc"}
    with pytest.raises(LimitError, match="3 files"):
        read_annotations(three.items())
    with pytest.raises(LimitError, match="3 files in the archive"):
        list(unzip("a.zip", archive(three)))
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 10)
    with pytest.raises(LimitError, match="unpacked archive"):
        list(unzip("a.zip", archive({"a.txt": A, "b.txt": B})))
    for name in "ab":
        (tmp_path / name).write_bytes(A)
    with pytest.raises(LimitError, match="in the folder"):
        annotations_in(tmp_path)
