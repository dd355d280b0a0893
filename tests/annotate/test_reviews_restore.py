"""A backup of any size goes out and comes back, with its history; the file is read piece by piece."""

import io
import json

import pytest
from helpers.trees import tree_of

from tted_core.annotate.reviews import Judgement, exchange, export_json, file, open_store, restore_json
from tted_core.annotate.reviews.file import ReviewFile
from tted_core.errors import ReviewError
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


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_a_backup_brings_back_every_state(store, other, backup, monkeypatch, block):
    monkeypatch.setattr(file, "BLOCK", block)
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
    data = json.loads(backup.read_text(encoding="utf-8"))
    backup.write_text("\ufeff" + json.dumps(data, **layout), encoding="utf-8")
    assert restore_json(other, backup).added == 2


def test_tasks_may_come_before_their_maps(other, backup):
    data = json.loads(backup.read_text(encoding="utf-8"))
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
    "text", ["{", "{}{", '{"a"}', '{"a":1,}', '{"a":[1,]}', "{1:2}", '{"a":tru}', "nul", ""]
)
def test_what_is_no_json_is_told(text):
    with pytest.raises(ReviewError, match="is no JSON"):
        list(ReviewFile(lambda: io.StringIO(text)).members())


@pytest.mark.parametrize("block", [1, 2, 3, 1 << 20])
def test_values_that_blocks_cut_are_read_whole(monkeypatch, block):
    monkeypatch.setattr(file, "BLOCK", block)
    value = [1234567, -1.5e-7, True, None, 'é😀\\"', {"a": [{}]}, []]
    for ascii_only in (True, False):
        text = json.dumps({"version": 12, "maps": value}, ensure_ascii=ascii_only)
        read = ReviewFile(lambda text=text: io.StringIO(text))
        assert list(read.members("maps")) == list(enumerate(value, 1))
        assert dict(read.members()) == {"version": 12, "maps": []}
