"""Marks of findings and changes: kept by map, in a file for its owner, that several sessions write at once."""

import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tted_core.annotate.decisions import Mark, mark, marks
from tted_core.errors import DatabaseError


@pytest.fixture
def file(monkeypatch, tmp_path) -> Path:
    file = tmp_path / "new folder" / "decisions.sqlite"
    monkeypatch.setenv("TTED_DECISIONS", str(file))
    return file


def test_marks_are_of_one_map_alone_and_can_be_changed_and_removed(file):
    assert marks("map") == {}
    assert not file.exists(), "looking writes nothing"
    mark("map", {"one": Mark("dismissed"), "two": Mark("open", "see p. 3")})
    mark("map", {"one": Mark("fixed")})
    assert marks("map") == {"one": Mark("fixed"), "two": Mark("open", "see p. 3")}
    assert marks("other") == {}
    mark("map", {"one": None, "three": None})
    mark("other", {"two": None})
    assert set(marks("map")) == {"two"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_file_is_for_its_owner_alone(file):
    for _ in range(2):
        mark("map", {"one": Mark("dismissed")})
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o644)


def test_sessions_that_write_at_once_lose_nothing(file):
    with ThreadPoolExecutor(8) as sessions:
        list(sessions.map(lambda number: mark("map", {str(number): Mark("left")}), range(64)))
    assert set(marks("map")) == {str(number) for number in range(64)}


def test_a_file_that_cannot_be_used_is_one_sentence(file, monkeypatch):
    file.parent.mkdir()
    file.write_text("text " * 200, encoding="utf-8")
    for use in (lambda: marks("map"), lambda: mark("map", {"one": None})):
        with pytest.raises(DatabaseError, match=r"can't be used .*; let TTED_DECISIONS name another$"):
            use()
    monkeypatch.setenv("TTED_DECISIONS", str(file / "decisions.sqlite"))
    with pytest.raises(DatabaseError, match="can't be used"):
        mark("map", {"one": Mark("dismissed")})
