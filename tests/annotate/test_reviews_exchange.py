"""Reviews as JSON and CSV: what goes out comes back, and what isn't right is refused as a whole."""

import csv
import io
import json
import shutil

import pytest
from helpers.reviewing import version_1
from helpers.trees import tree_of

from tted_core.annotate.reviews import (
    ADJUDICATOR,
    ImportReport,
    Judgement,
    exchange,
    exchange_csv,
    export_csv,
    export_json,
    import_csv,
    import_json,
    open_store,
)
from tted_core.errors import LimitError, ReviewError
from tted_core.tree import TextTree

LEFT = TextTree(("a", "=SUM(A1)", "'quoted"), (-1, 0, 0))
RIGHT = tree_of("a(b d e)")
GIVEN = [
    Judgement("Anna", 0, 0, "accept"),
    Judgement("=cmd|' /C calc'!A0", 1, 2, "re-pair", partner=1, comment='\'tis\nfine, "really"'),
    Judgement("Anna", None, 3, "re-pair", partner=2, comment="+1"),
    Judgement("Anna", 2, None, "undecided", comment="Это не так"),
    Judgement("Anna", None, None, "good"),
    Judgement("Cleo", 0, 0, "reject", role=ADJUDICATOR),
]


def contents(store) -> set[tuple]:
    return {
        (task.document, task.left.digest, each.key, each.content, each.saved)
        for task in (store.task(each.number) for each in store.tasks())
        for each in store.judgements(task)
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A database with the judgements above, and an empty one; to be copied."""
    folder = tmp_path_factory.mktemp("reviews")
    open_store(str(folder / "empty.sqlite"))
    store = open_store(str(folder / "filled.sqlite"))
    task = store.open_task("tides", LEFT, RIGHT, "anna", "ben")
    for each in GIVEN:
        store.save(task, each)
    return folder


@pytest.fixture
def filled(made, tmp_path):
    return open_store(shutil.copy(made / "filled.sqlite", tmp_path))


@pytest.fixture
def empty(made, tmp_path):
    return open_store(shutil.copy(made / "empty.sqlite", tmp_path))


def test_json_goes_into_an_empty_database_and_comes_out_the_same(filled, empty):
    text = export_json(filled)
    assert import_json(empty, text.encode()) == ImportReport(6, 0, 0, replaced=False)
    assert contents(empty) == contents(filled)
    assert import_json(empty, text) == ImportReport(0, 6, 0, replaced=False)


def test_a_file_of_before_calls_its_reviewers_annotators(filled, empty):
    import_json(empty, export_json(filled).replace('"reviewer"', '"annotator"'))
    assert export_json(empty) == export_json(filled)


def test_csv_goes_where_the_maps_are_known(filled, empty):
    text = export_csv(filled)
    with pytest.raises(
        ReviewError, match="row 2: the document 'tides' with these maps is not in the database"
    ):
        import_csv(empty, text)
    empty.open_task("tides", LEFT, RIGHT)
    assert import_csv(empty, "\ufeff" + text) == ImportReport(6, 0, 0, replaced=False)
    assert contents(empty) == contents(filled)


def test_no_cell_of_the_csv_runs_as_a_formula(filled):
    rows = list(csv.DictReader(io.StringIO(export_csv(filled))))
    assert len(rows) == len(GIVEN)
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
    assert rows[1]["source_label"] == "'=SUM(A1)"
    assert rows[2]["partner_label"] == "''quoted"


@pytest.mark.parametrize("replacing", [False, True])
def test_what_differs_is_counted_and_replaced_only_when_asked(filled, empty, replacing):
    task = empty.open_task("tides", LEFT, RIGHT)
    mine = empty.save(task, Judgement("Anna", 0, 0, "reject", comment="mine"))
    report = import_json(empty, export_json(filled), replacing=replacing)
    assert report == ImportReport(5, 0, 1, replaced=replacing)
    (now,) = (each for each in empty.judgements(task) if each.key == mine.key)
    assert now.decision == ("accept" if replacing else "reject")
    assert now.revision == 1 + replacing
    assert mine in empty.history(task)


def test_an_import_is_all_or_nothing(filled, empty):
    data = version_1(export_json(filled))
    data["tasks"][0]["judgements"][-1]["source"] = 99
    with pytest.raises(ReviewError, match="no node 99"):
        import_json(empty, json.dumps(data))
    assert not empty.tasks()


def broken(change) -> str:
    def text(data):
        change(data)
        return json.dumps(data)

    return text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: "{", "no JSON"),
        (lambda _: "[" * 100_000, "no JSON"),
        (lambda _: b"\xff\xfe", "UTF-8"),
        (lambda _: "[]", "holds no reviews"),
        (broken(lambda data: data.update(version=3)), "version 3"),
        (broken(lambda data: data.pop("maps")), "'maps' is missing"),
        (broken(lambda data: data.update(tasks=[7])), "task 1 of the file is no object"),
        (broken(lambda data: data["tasks"][0].pop("left")), "'left' is missing"),
        (broken(lambda data: data["tasks"][0].update(left="x")), "map that the file doesn't hold"),
        (broken(lambda data: data["tasks"][0].update(document=" ")), "document's name is empty"),
        (broken(lambda data: data["maps"].update(x=7)), "no object"),
        (broken(lambda data: data["maps"].update(x={"labels": ["a"], "parents": [0]})), "no tree"),
        (broken(lambda data: data["maps"].update(x={"labels": ["a"], "parents": [-1]})), "digest differs"),
        (broken(lambda data: data["maps"].update(x={"labels": [1], "parents": [-1]})), "no text"),
        (broken(lambda data: data["maps"].update(x={"labels": ["a"], "parents": [True]})), "no number"),
        (
            broken(lambda data: data["tasks"][0]["judgements"].append(7)),
            "judgement 7 of task 1: it is no object",
        ),
        (broken(lambda data: data["tasks"][0]["judgements"][0].update(source=True)), "numbers of nodes"),
        (broken(lambda data: data["tasks"][0]["judgements"][0].update(person=None)), "'person' is missing"),
        (broken(lambda data: data["tasks"][0]["judgements"][0].update(saved="soon")), "no time"),
        (broken(lambda data: data["tasks"][0]["judgements"][0].update(decision="x")), "unknown decision"),
    ],
)
def test_a_file_that_is_not_right_is_refused(filled, empty, change, message):
    with pytest.raises(ReviewError, match=message):
        import_json(empty, change(version_1(export_json(filled))))
    assert not empty.tasks()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("decision", "verdict", 1), "lacks the columns decision"),
        (lambda text: text.replace("accept", "maybe", 1), "unknown decision 'maybe'"),
        (lambda text: text.replace("Anna,0,0", "Anna,zero,0", 1), "row 2: source is 'zero'"),
        (lambda text: text.replace("Anna,0,0", "Anna,²,0", 1), "row 2: source is '²'"),
        (lambda text: text.replace("Anna,0,0", "Anna,0,0,0,0,0", 1), "row 2: it has another number of cells"),
        (
            lambda text: text.replace("accept", '"accept', 1),
            "line .*: the file can't be read as CSV .*check the quotes",
        ),
        (lambda text: text.encode("utf-16"), "UTF-8"),
        (lambda _: "", "lacks the columns document"),
    ],
)
def test_a_csv_that_is_not_right_is_refused(filled, change, message):
    before = contents(filled)
    with pytest.raises(ReviewError, match=message):
        import_csv(filled, change(export_csv(filled)))
    assert contents(filled) == before


def test_limits_of_imports(filled, monkeypatch):
    text = export_json(filled), export_csv(filled)
    for module in (exchange, exchange_csv):
        monkeypatch.setattr(module, "MAX_REVIEW_ROWS", 3)
    with pytest.raises(LimitError, match="6 judgements"):
        import_json(filled, text[0])
    with pytest.raises(LimitError, match="6 rows"):
        import_csv(filled, text[1])
    monkeypatch.setattr(exchange, "MAX_BYTES", 3)
    with pytest.raises(LimitError, match="bytes"):
        import_json(filled, text[0])
