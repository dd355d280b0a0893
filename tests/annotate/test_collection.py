"""Maps of several documents by several annotators, from folders, archives and single files."""

import io
import zipfile

import pytest
from helpers.trees import SAMPLES

from tted_core.annotate.agreement import (
    annotators_of,
    collection,
    is_collection,
    read_collection,
    read_collection_from,
    swapped,
    unpacked_collection,
)
from tted_core.errors import LimitError, MapFormatError
from tted_core.formats import folder

A, B = b"A\n  one\n", b"B\n  two\n"


def archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return data.getvalue()


def names(documents) -> dict[str, list[str]]:
    return {each.name: list(each.maps) for each in documents}


def test_a_folder_is_a_document_and_a_file_an_annotator():
    files = [("tides/ben.txt", B), ("tides/anna.md", A), ("moon/anna.txt", A), ("x/y/z.txt", A)]
    documents = read_collection(files)
    assert names(documents) == {"moon": ["anna"], "tides": ["anna", "ben"], "x/y": ["z"]}
    assert documents[1].maps["ben"].tree.labels == ("B", "two")


TIDES, MOON = "The sea rises\n  {} twice a day\n", "It has no air\n  {} craters\n"


@pytest.mark.parametrize("path", ["{document}/{annotator}.txt", "{annotator}/{document}.txt"])
def test_folders_are_documents_or_annotators_by_what_is_alike_and_can_be_swapped(path):
    files = [
        (path.format(document=document, annotator=annotator), text.format(annotator).encode())
        for document, text in {"tides": TIDES, "moon": MOON}.items()
        for annotator in ("anna", "ben")
    ]
    broken = path.format(document="moon", annotator="carl").replace(".txt", ".json")
    documents = read_collection([*files, (broken, b'{"a": ')])
    assert names(documents) == {"moon": ["anna", "ben"], "tides": ["anna", "ben"]}
    assert annotators_of(documents) == ("anna", "ben")
    assert "carl" in documents[0].notices[0]
    there = swapped(documents)
    assert names(there) == {"anna": ["moon", "tides"], "ben": ["moon", "tides"], "carl": []}
    assert names(swapped(there)) == names(documents)


def test_single_files_are_maps_of_one_document():
    assert names(read_collection([("anna.txt", A), ("ben.txt", B)], name="tides")) == {
        "tides": ["anna", "ben"]
    }


def test_two_files_of_one_annotator_stay_apart():
    assert names(read_collection([("t/anna.md", A), ("t/anna.txt", B)])) == {"t": ["anna", "anna.txt"]}


def test_no_map_is_lost_where_short_names_collide():
    endings = ("anna", "anna.md", "anna.md.txt", "anna.md.txt.md", "anna.txt")
    files = [(f"t/{ending}", f"{ending}\n  one\n".encode()) for ending in endings]
    (document,) = read_collection([files[number] for number in (3, 0, 4, 2, 1)])
    assert {each.tree.labels[0] for each in document.maps.values()} == set(endings)


@pytest.mark.parametrize("paths", [("map.md", "map.md"), ("t/a.md", "t//a.md"), ("a.md", "tides/a.md")])
def test_the_same_path_twice_is_refused(paths):
    """A browser gives no path with a file that is uploaded."""
    files = [*zip(paths, (A, B), strict=True), ("t/other.md", A)]
    with pytest.raises(MapFormatError, match=f"^two of the files are called '{paths[1]}'; rename one$"):
        read_collection(files, name="tides")


def test_what_cannot_be_read_is_named_and_the_rest_is_read():
    documents = read_collection([("t/anna.txt", A), ("t/b.json", b'{"a": '), ("u/c.txt", b" \n")])
    assert names(documents) == {"t": ["anna"], "u": []}
    assert documents[0].notices[0].startswith("can't be read: b.json (line 1")
    with pytest.raises(MapFormatError, match="white space"):
        read_collection([("u/c.txt", b" \n")])
    with pytest.raises(MapFormatError, match="no files"):
        read_collection([])


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
    assert names(read_collection(unpacked_collection(data))) == expected
    assert names(read_collection_from(tmp_path / "maps.zip")) == expected
    with zipfile.ZipFile(tmp_path / "maps.zip") as packed:
        packed.extractall(tmp_path / "folder")
    assert names(read_collection_from(tmp_path / "folder" / around)) == expected


def test_an_archive_that_is_a_map_itself_is_no_collection(tmp_path):
    xmind = SAMPLES / "formats" / "photosynthesis.xmind"
    assert not is_collection(xmind.read_bytes())
    assert names(read_collection([("t/anna.xmind", xmind.read_bytes())])) == {"t": ["anna"]}
    with pytest.raises(MapFormatError, match="neither a folder nor a zip archive"):
        read_collection_from(xmind)
    with pytest.raises(MapFormatError, match="there is no folder"):
        read_collection_from(tmp_path / "none")


def test_limits_come_before_the_work(monkeypatch, tmp_path):
    for module in (collection, folder):
        monkeypatch.setattr(module, "MAX_MAPS", 2)
    three = {f"{name}.txt": A for name in "abc"}
    with pytest.raises(LimitError, match="3 files"):
        read_collection(three.items())
    with pytest.raises(LimitError, match="3 files in the archive"):
        list(unpacked_collection(archive(three)))
    monkeypatch.setattr(folder, "MAX_UNPACKED_BYTES", 10)
    with pytest.raises(LimitError, match="unpacked archive"):
        list(unpacked_collection(archive({"a.txt": A, "b.txt": B})))
    for name in "ab":
        (tmp_path / name).write_bytes(A)
    with pytest.raises(LimitError, match="in the folder"):
        read_collection_from(tmp_path)
