"""Dismissed findings: kept by map, in a file for its owner's eyes, that several sessions write at once."""

import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tted_core.annotate.decisions import dismiss, dismissed, restore
from tted_core.errors import DatabaseError


@pytest.fixture
def file(monkeypatch, tmp_path) -> Path:
    file = tmp_path / "new folder" / "decisions.sqlite"
    monkeypatch.setenv("TTED_DECISIONS", str(file))
    return file


def test_a_finding_is_dismissed_in_its_map_alone_and_restored(file):
    assert dismissed("map") == frozenset()
    assert not file.exists(), "looking writes nothing"
    for finding in ("one", "two", "two"):
        dismiss("map", finding)
    assert dismissed("map") == {"one", "two"}
    assert dismissed("other") == frozenset()
    restore("map", ["one"])
    restore("other", ["two"])
    assert dismissed("map") == {"two"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_file_is_for_its_owner_alone(file):
    dismiss("map", "one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_sessions_that_write_at_once_lose_nothing(file):
    with ThreadPoolExecutor(8) as sessions:
        list(sessions.map(lambda number: dismiss("map", str(number)), range(64)))
    assert dismissed("map") == {str(number) for number in range(64)}


def test_a_file_that_cannot_be_used_is_one_sentence(file, monkeypatch):
    file.parent.mkdir()
    file.write_text("text " * 200, encoding="utf-8")
    for use in (lambda: dismissed("map"), lambda: dismiss("map", "one"), lambda: restore("map", ["one"])):
        with pytest.raises(DatabaseError, match=r"can't be used .*; let TTED_DECISIONS name another$"):
            use()
    monkeypatch.setenv("TTED_DECISIONS", str(file / "decisions.sqlite"))
    with pytest.raises(DatabaseError, match="can't be used"):
        dismiss("map", "one")
