"""Files that commands write: what can't or shouldn't be written is refused before the long work."""

import os
import shutil

import pytest
from helpers.command import LEFT, RIGHT, refused


@pytest.fixture
def lazy(tted, monkeypatch):
    """The commands, which would fail if they loaded an encoder."""

    def load(*_name, **_options):
        raise AssertionError("nothing should be computed")

    monkeypatch.setattr("tted_core.cli.shared.load_encoder", load)
    return tted


@pytest.fixture
def maps(tmp_path):
    """Copies of two maps in a folder, the second with another name of the same file."""
    shutil.copy(LEFT, tmp_path / "a.json")
    (tmp_path / "linked.json").symlink_to(shutil.copy(RIGHT, tmp_path / "b.json"))
    return tmp_path


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (("--report", "a.json"), "a.json is read and would be written over; name another file"),
        (("--report", "new.html", "--replay", "linked.json"), "linked.json is read and would"),
        (("--report", "x.json", "--replay", "./x.json"), "x.json would be written twice; name another"),
        (("--report", "old.json", "--report", "old.json"), "old.json would be written twice"),
        (("--report", "none/x.html"), "x.html can't be written (No such file or directory); name another"),
        (("--replay", "folder"), "folder can't be written (Is a directory)"),
        (("--replay", "x" * 300), "can't be written (File name too long)"),
        (("--replay", ""), "argument --replay: its name is empty"),
    ],
)
def test_compare_refuses_outputs_before_it_computes(lazy, maps, monkeypatch, outputs, message):
    monkeypatch.chdir(maps)
    (maps / "old.json").write_text("old", encoding="utf-8")
    (maps / "folder").mkdir()
    before = {path.name: path.is_file() and path.read_bytes() for path in maps.iterdir()}
    refused(lazy("compare", "a.json", "b.json", *outputs), message)
    assert {path.name: path.is_file() and path.read_bytes() for path in maps.iterdir()} == before


def test_an_existing_file_and_a_device_are_written(tted, maps):
    left, right, old = (str(maps / name) for name in ("a.json", "b.json", "old.html"))
    (maps / "old.html").write_text("old", encoding="utf-8")
    status, out, _ = tted("compare", left, right, "--report", old, "--replay", os.devnull)
    assert (status, out[:4]) == (0, "TTED")
    assert (maps / "old.html").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", ""),
        ("compare", LEFT, ""),
        ("check", ""),
        ("compress", ""),
        ("replay", ""),
        ("quality", ""),
        ("annotators", ""),
        ("merge", LEFT, ""),
        ("corpus", "", LEFT),
    ],
)
def test_an_empty_name_is_not_the_current_folder(lazy, maps, monkeypatch, arguments):
    monkeypatch.chdir(maps)
    refused(lazy(*arguments), "its name is empty, as from a variable that isn't set; name a file")
