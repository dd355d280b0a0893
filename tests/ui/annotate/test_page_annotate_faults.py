"""Reviews while the database is busy or away: what is drawn, typed and decided stays, and is saved in the end."""

from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from helpers import postgres
from helpers.annotate_page import button, opened, quick_page, reviewing, studied, texts
from streamlit.testing.v1 import AppTest

from tted_core.annotate.reviews import ADJUDICATOR, Judgement, ReviewStore, database, open_store
from tted_core.errors import DatabaseError
from tted_core.tree import TextTree
from ui.annotate import queue, unsaved

LOCKS = {"readers go on": "BEGIN IMMEDIATE", "nobody goes on": "BEGIN EXCLUSIVE"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.2)
    yield from quick_page(monkeypatch)


@contextmanager
def locked(statement: str):
    """Another program holds the database."""
    connection = open_store().engine.raw_connection()
    with closing(connection):
        connection.cursor().execute(statement)
        yield
        connection.rollback()


def comment(app: AppTest, label: str = "Comment on this pair"):
    return next(each for each in app.text_area if each.label == label)


def kept() -> list[Judgement]:
    """All that is in the database."""
    store = open_store()
    return [each for task in store.tasks() for each in store.judgements(store.task(task.number))]


def warning(app: AppTest) -> str:
    return "\n".join(each.value for each in app.warning)


@pytest.mark.thorough
@pytest.mark.parametrize("lock", LOCKS)
def test_what_is_decided_and_typed_while_the_database_is_locked_stays_and_is_saved(lock):
    app = reviewing()
    with locked(LOCKS[lock]):
        comment(app).set_value("a long thought").run()
        assert "1 judgement is not saved yet, but kept in this window" in warning(app)
        button(app, "Yes").click().run()
        assert "**Pair 2 of" in texts(app)
        button(app, "No").click().run()
        comment(app, "Comment on the whole mapping").set_value("and another").run()
        assert "3 judgements are not saved yet" in warning(app)
        button(app, "Previous").click().run()
        button(app, "Previous").click().run()
        assert "Not saved yet: **✓ yes**" in texts(app)
        assert comment(app).value == "a long thought"
        assert lock == "nobody goes on" or not kept()
    button(app, "Try now").click().run()
    assert not app.warning
    assert "Everything is saved now." in texts(app)
    assert "Saved: **✓ yes** (" in texts(app)
    assert kept()[0].revision == 1
    assert [(each.decision, each.comment) for each in kept()] == [
        ("accept", "a long thought"),
        ("reject", ""),
        ("undecided", "and another"),
    ]


@pytest.mark.thorough
def test_after_a_failure_no_click_waits_and_the_next_one_after_a_rest_saves(monkeypatch):
    app = reviewing()
    with locked(LOCKS["nobody goes on"]):
        button(app, "Yes").click().run()
        with monkeypatch.context() as asked:
            for name in ("save", "tasks", "judgements", "find_task"):
                asked.setattr(ReviewStore, name, None)  # nothing is asked of it
            button(app, "Yes").click().run()
            assert "2 judgements are not saved yet" in warning(app)
    monkeypatch.setattr(unsaved, "REST_SECONDS", 0)
    app.run()
    assert not app.warning
    assert [each.decision for each in kept()] == ["accept", "accept"]


@pytest.mark.thorough
@pytest.mark.parametrize("again", [None, "No"])
def test_a_write_whose_answer_was_lost_is_no_conflict(monkeypatch, again):
    monkeypatch.setattr(unsaved, "REST_SECONDS", 0)
    app, save, calls = reviewing(), ReviewStore.save, []

    def cut_off(store, task, judgement):
        saved = save(store, task, judgement)
        calls.append(saved)
        if len(calls) == 1:
            raise DatabaseError("the server closed the connection")
        return saved

    monkeypatch.setattr(ReviewStore, "save", cut_off)
    comment(app).set_value("why").run()
    if again:
        button(app, again).click().run()
    assert not app.error
    assert not app.warning
    (only,) = kept()
    assert (only.decision, only.comment) == ("reject" if again else "undecided", "why")


@pytest.mark.thorough
def test_a_comment_that_another_window_was_faster_than_is_shown_until_it_is_dropped():
    first, second = reviewing(), reviewing()
    comment(first).set_value("mine").run()
    comment(second).set_value("typed for an hour").run()
    assert "changed in another window" in second.error[0].value
    assert comment(second).value == "mine"
    assert [each.value for each in second.code] == ["typed for an hour"]
    button(second, "Drop it").click().run()
    assert not second.code
    assert [each.comment for each in kept()] == ["mine"]


@pytest.mark.thorough
def test_one_types_on_in_a_field_whose_comment_was_saved():
    app = reviewing()
    before = comment(app).key
    comment(app).set_value("first").run()
    comment(app).set_value("first and second").run()
    assert comment(app).key == before
    assert [(each.comment, each.revision) for each in kept()] == [("first and second", 2)]


@pytest.mark.thorough
def test_a_ruling_stays_while_the_database_is_locked():
    for person, label in (("Anna", "Yes"), ("Ben", "No")):
        button(reviewing(person), label).click().run()
    app = opened("Settle disputes", adjudicator="Cleo")
    with locked(LOCKS["nobody goes on"]):
        button(app, "no").click().run()
        app.segmented_control(key="settle-which").set_value("All disputes").run()
        assert "Holds (not saved yet)</bdi></b>: <bdi>✗ no" in texts(app)
        assert "1 judgement is not saved yet" in warning(app)
    button(app, "Try now").click().run()
    assert "Holds (ruling by Cleo)</bdi></b>: <bdi>✗ no" in texts(app)
    assert [each.decision for each in kept() if each.role == ADJUDICATOR] == ["reject"]


@pytest.mark.thorough
def test_a_restarted_server_loses_no_click(postgres_server, monkeypatch):
    postgres.emptied(postgres_server)
    monkeypatch.setenv("TTED_DATABASE", postgres_server)
    monkeypatch.setattr(database, "WAIT_SECONDS", 3)
    monkeypatch.setattr(unsaved, "REST_SECONDS", 0)
    app = reviewing()
    button(app, "Yes").click().run()
    with postgres.away(postgres_server):
        comment(app).set_value("typed meanwhile").run()
        button(app, "Yes").click().run()
        assert "1 judgement is not saved yet" in warning(app)
        assert "**Pair 3 of" in texts(app)
    button(app, "Yes").click().run()
    assert not app.warning
    assert sorted(each.comment for each in kept()) == ["", "", "typed meanwhile"]


@pytest.mark.thorough
def test_a_review_is_deleted_by_who_made_it_and_not_if_others_judged_it():
    left, right = TextTree(("root", "leaf"), (-1, 0)), TextTree(("root",), (-1,))
    store = open_store()
    task = store.open_task("heat", left, right)
    for person in ("Anna", "Ben"):
        store.save(task, Judgement(person, 0, 0, "accept"))
    store.save(store.open_task("ice", left, right), Judgement("Anna", 0, 0, "accept"))
    app = opened("Review a mapping", reviewer="Anna", review_place=queue.PLACES[1], review_delete=True)
    assert f"tted reviews delete {task.number}" in texts(app)
    app.selectbox(key="review-number").select_index(1).run()
    button(app, "Delete for good").click().run()
    assert "Deleted the review" in texts(app)
    assert [each.document for each in store.tasks()] == ["heat"]


@pytest.mark.thorough
def test_many_reviews_are_offered_in_pages(monkeypatch):
    monkeypatch.setattr(queue, "TASKS_A_PAGE", 2)
    left, right = TextTree(("root", "leaf"), (-1, 0)), TextTree(("root",), (-1,))
    for name in ("heat", "ice", "moon", "tides", "tides again"):
        open_store().open_task(name, left, right)
    app = opened("Review a mapping", reviewer="Anna", review_place=queue.PLACES[1])

    def box():
        return app.selectbox(key="review-number")

    assert box().options == ["heat: left → right", "ice: left → right"]
    assert box().label == "Mapping (0 of 5 have your verdict)"
    app.number_input(key="review-page").set_value(3).run()
    assert box().options == ["tides again: left → right"]
    app.text_input(key="review-search").set_value("TIDES").run()
    assert box().options == ["tides: left → right", "tides again: left → right"]
    app.text_input(key="review-search").set_value("sun").run()
    assert box().options == ["heat: left → right", "ice: left → right"]
    assert "No document or map has this in its name" in texts(app)


@pytest.mark.thorough
def test_a_database_that_is_away_from_the_start_is_told_and_tried_again(tmp_path, monkeypatch):
    studied("Ben")
    app = reviewing()
    path = Path(open_store().engine.url.database)
    path.rename(tmp_path / "away")
    path.mkdir()
    other = opened("Review a mapping", reviewer="Ben")
    assert "can't be used" in other.error[0].value
    assert other.warning
    path.rmdir()
    (tmp_path / "away").rename(path)
    for each in (app, other):
        monkeypatch.setattr(unsaved, "REST_SECONDS", 0)
        each.run()
        assert not each.warning
        button(each, "Yes").click().run()
    assert [each.person for each in kept()] == ["Anna", "Ben"]
