"""A backup of any size goes out and comes back, with its history; the file is read line by line."""

import json

import pytest
from helpers.reviewing import version_1
from helpers.trees import tree_of

from tted_core.annotate.reviews import (
    Judgement,
    exchange,
    export_json,
    import_json,
    open_store,
    restore_json,
)
from tted_core.errors import LimitError, ReviewError
from tted_core.tree import TextTree

LEFT = TextTree(("a", "lone \ud83d and \udc00", '"\\ ], }'), (-1, 0, 0))
RIGHT = tree_of("a(b d e)")


@pytest.fixture
def store(address):
    store = open_store(address)
    task = store.open_task("tides", LEFT, RIGHT, "anna", "ben")
    first = store.save(task, Judgement("Anna", 0, 0, "accept", comment="[{"))
    store.save(task, Judgement("Anna", 0, 0, "reject", revision=first.revision))
    store.save(task, Judgement("Ben", None, None, "good"))
    store.open_task("empty", LEFT, LEFT)
    return store


@pytest.fixture
def other(tmp_path):
    return open_store(str(tmp_path / "other.sqlite"))


@pytest.fixture
def backup(store, tmp_path):
    path = tmp_path / "reviews.json"
    path.write_text(export_json(store), encoding="utf-8")
    return path


@pytest.mark.parametrize("version", [1, 2])
def test_a_backup_brings_back_every_state(store, other, backup, monkeypatch, version):
    if version == 1:
        backup.write_text(json.dumps(version_1(backup.read_text(encoding="utf-8"))), encoding="utf-8")
    for name in ("MAX_BYTES", "MAX_REVIEW_ROWS"):
        monkeypatch.setattr(exchange, name, 1)  # limits of the page
    report = restore_json(other, backup)
    assert (report.added, report.same, report.empty) == (2, 0, 1)
    (summary,) = other.tasks()
    task = other.task(summary.number)
    assert (task.left, task.right, task.left_name) == (LEFT, RIGHT, "anna")
    assert other.judgements(task) == store.judgements(task)
    assert other.history(task) == store.history(task)
    assert [each.revision for each in other.history(task)] == [1, 2, 1]
    again = restore_json(other, backup)
    assert (again.added, again.same) == (0, 2)
    assert other.history(task) == store.history(task)


@pytest.mark.parametrize("layout", [{"indent": 1}, {"separators": (",", ":")}, {"sort_keys": True}])
def test_files_of_any_layout_are_read(other, backup, layout):
    data = version_1(backup.read_text(encoding="utf-8"))
    backup.write_text("\ufeff" + json.dumps(data, **layout), encoding="utf-8")
    assert restore_json(other, backup).added == 2


def test_tasks_may_come_before_their_maps(other, backup):
    data = version_1(backup.read_text(encoding="utf-8"))
    backup.write_text(json.dumps(dict(reversed(data.items()))), encoding="utf-8")
    assert restore_json(other, backup).added == 2


def test_of_a_file_that_is_not_right_nothing_is_written(other, backup):
    text = backup.read_text(encoding="utf-8")
    for wrong in (text[:-3], text.replace("good", "fine"), text + "]", text.replace('"b"', '"x"')):
        backup.write_text(wrong, encoding="utf-8")
        with pytest.raises(ReviewError):
            restore_json(other, backup)
    backup.write_bytes(text.encode("utf-16"))
    with pytest.raises(ReviewError, match="not UTF-8"):
        restore_json(other, backup)
    with pytest.raises(ReviewError, match="can't be read"):
        restore_json(other, backup.parent)
    assert other.tasks() == ()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}{",
        '{"a"}',
        '{"a":1,}',
        '{"a":[1,]}',
        "{1:2}",
        '{"a":tru}',
        "nul",
        "",
        "[" * 100_000,
        "9" * 5000,
    ],
)
def test_what_is_no_json_is_told(other, text):
    with pytest.raises(ReviewError, match="is no JSON"):
        import_json(other, text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: lines[:-2], "cut off"),
        (lambda lines: [*lines[:3], *lines[4:]], "cut off|map that the file doesn't hold"),
        (lambda lines: [*lines, lines[1]], "line 7 of the file is no object"),
        (lambda lines: [*lines[:-1], lines[-1][:-2]], "is no JSON"),
        (lambda lines: [lines[0], "[]", *lines[1:]], "line 2 of the file is no object"),
        (lambda lines: [lines[0], '{"image": 1}', *lines[1:]], "line 2 of the file holds 'image'"),
        (lambda lines: [*lines[:-1], '{"end": 7}'], "holds 'end'"),
        (lambda lines: [lines[0].replace("2", "3"), *lines[1:]], "version 3"),
        (lambda lines: [lines[0].replace("tted", "x"), *lines[1:]], "holds no reviews"),
        (lambda lines: [lines[0].replace("2", "[2]"), *lines[1:]], "version"),
    ],
)
def test_lines_that_are_not_right_are_refused_as_a_whole(other, backup, change, message):
    lines = backup.read_text(encoding="utf-8").splitlines()
    assert [next(iter(json.loads(line))) for line in lines] == ["format", "map", "task", "map", "task", "end"]
    with pytest.raises(ReviewError, match=message):
        import_json(other, "\n".join(change(lines)))
    assert other.tasks() == ()


def test_a_line_has_a_limit(other, backup, monkeypatch):
    monkeypatch.setattr(exchange, "MAX_LINE", 100)
    with pytest.raises(LimitError, match=r"characters in line \d"):
        restore_json(other, backup)
