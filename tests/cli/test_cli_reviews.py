"""tted reviews: what a team keeps can be listed, backed up, restored and deleted, whatever its size."""

import json

import pytest
from helpers.trees import tree_of

from tted_core.annotate.reviews import Judgement, exchange, open_store
from tted_core.cli import reviews

LEFT, RIGHT = tree_of("a(b c)"), tree_of("a(b d e)")


@pytest.fixture
def store():
    store = open_store()
    for name in ("tides", "heat"):
        task = store.open_task(name, LEFT, RIGHT, "anna", "\x1b[2Jben")
        first = store.save(task, Judgement("Anna", 0, 0, "accept"))
        store.save(task, Judgement("Anna", 0, 0, "reject", comment="no", revision=first.revision))
        store.save(task, Judgement("Ben", None, None, "good"))
    store.open_task("empty", LEFT, RIGHT)
    return store


def test_a_backup_is_restored_whatever_its_size(tted, store, tmp_path, monkeypatch):
    file = tmp_path / "backup.json"
    status, out, err = tted("reviews", "backup", str(file))
    assert (status, err) == (0, "")
    assert out == f"3 mappings with their judgements and history in {file}, {file.stat().st_size:,} bytes\n"
    assert [each.name for each in tmp_path.iterdir()] == ["backup.json"]
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "other.sqlite"))
    monkeypatch.setattr(exchange, "MAX_BYTES", 10)
    status, out, _ = tted("reviews", "restore", str(file))
    assert status == 0
    assert out.startswith("4 judgements added, 0 were there already, 0 differed and left")
    assert "1 mappings without a judgement left out" in out
    other = open_store()
    histories = []
    for each in (store, other):
        task = each.find_task("tides", LEFT, RIGHT)
        histories.append(each.history(task))
    assert histories[0] == histories[1]
    assert json.loads(tted("reviews", "restore", str(file), "--replace", "--json")[1]) == {
        "added": 0,
        "same": 4,
        "different": 0,
        "replaced": True,
        "empty": 1,
    }


def test_a_backup_that_fails_leaves_the_last_one(tted, store, tmp_path, monkeypatch):
    file = tmp_path / "backup.json"
    file.write_text("the last one", encoding="utf-8")

    def pieces(_store):
        yield "{"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tted_core.annotate.reviews.json_lines", pieces)
    status, _, err = tted("reviews", "backup", str(file))
    assert (status, err) == (
        2,
        f"error: {file} can't be written (No space left on device); name another file\n",
    )
    assert file.read_text(encoding="utf-8") == "the last one"
    assert [each.name for each in tmp_path.iterdir()] == ["backup.json"]


def test_the_list_has_pages_and_can_be_searched(tted, store, monkeypatch):
    monkeypatch.setattr(reviews, "PAGE", 2)
    lines = tted("reviews", "list")[1].splitlines()
    assert lines[0].endswith("empty: left -> right  no judgement")
    assert lines[1].endswith("heat: anna -> [2Jben  Anna 1, Ben 0 (good)")
    assert lines[2] == "3 mappings, page 1 of 2"
    content = json.loads(tted("reviews", "list", "--search", "TIDE", "--json")[1])
    assert (content["total"], content["pages"]) == (1, 1)
    assert content["tasks"][0]["decided"] == {"Anna": 1}
    status, _, err = tted("reviews", "list", "--page", "3")
    assert (status, err) == (2, "error: --page is 3; give a number from 1 to 2\n")


def test_mappings_are_deleted_by_number_or_if_they_are_empty(tted, store):
    number = store.find_task("tides", LEFT, RIGHT).number
    assert "there is no task 99" in tted("reviews", "delete", str(number), "99")[2]
    assert len(store.tasks()) == 3
    status, out, _ = tted("reviews", "delete", str(number))
    assert (status, out) == (0, "deleted tides: anna -> [2Jben, with 2 judgements\n")
    assert tted("reviews", "delete", "--empty")[1] == "1 mappings without a judgement deleted\n"
    assert [each.document for each in store.tasks()] == ["heat"]
    number = str(store.tasks()[0].number)
    assert json.loads(tted("reviews", "delete", number, "--json")[1])["deleted"][0]["judgements"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("delete",), "give numbers of mappings"),
        (("delete", "1", "--empty"), "give numbers of mappings"),
        (("delete", "x"), "invalid int value"),
        (("restore", "nowhere.json"), "nowhere.json can't be read (No such file"),
        (("backup", "nowhere/file.json"), "nowhere/file.json can't be written"),
        (("backup", ""), "name is empty"),
        ((), "required: list|backup|restore|delete"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tted, arguments, message):
    status, out, err = tted("reviews", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
