"""A database that is busy or away: nobody waits long, readers don't write, and an import lets others write."""

import threading
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from helpers.trees import tree_of

from tted_core.annotate.reviews import NEW, Judgement, bulk, database, open_store
from tted_core.annotate.reviews.records import FiledTask
from tted_core.annotate.reviews.schema import MAPS
from tted_core.errors import ConflictError, DatabaseError

LEFT, RIGHT = tree_of("a(b c)"), tree_of("a(b d e)")
ACCEPT = Judgement("Anna", 0, 0, "accept")


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(database, "WAIT_SECONDS", 1)


@contextmanager
def locked(store):
    """Another program writes, and doesn't come to an end."""
    with store.engine.connect() as connection:
        connection.execution_options(writes=True)
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("LOCK TABLE tasks, judgements, history IN EXCLUSIVE MODE"))
            yield


@pytest.mark.thorough
@pytest.mark.usefixtures("hasty")
def test_while_another_writes_all_can_be_read_and_a_write_says_soon_that_it_is_not_done(address):
    store = open_store(address)
    task = store.open_task("tides", LEFT, RIGHT)
    saved = store.save(task, ACCEPT)
    with locked(store):
        again = open_store(address)
        assert again.open_task("tides", LEFT, RIGHT) == task
        assert again.judgements(task) == (saved,)
        assert len(again.tasks()) == again.count_tasks() == 1
        with pytest.raises(DatabaseError, match=r"can't be used .*lock"):
            again.save(task, saved)
    assert again.save(task, saved).revision == 2


def test_a_task_need_not_be_in_the_database_before_its_first_judgement(address):
    store = open_store(address)
    task = store.find_task("tides", LEFT, RIGHT)
    assert task.number == NEW
    assert (store.judgements(task), store.tasks()) == ((), ())
    store.save(task, ACCEPT)
    assert store.find_task("tides", LEFT, RIGHT).number != NEW
    assert len(store.judgements(task)) == 1


def test_a_task_that_was_deleted_since_is_made_again_and_never_taken_for_another(address):
    store = open_store(address)
    gone = store.open_task("tides", LEFT, RIGHT)
    old = store.save(gone, ACCEPT)
    store.delete_task(gone.number)
    other = store.open_task("tides", RIGHT, LEFT)
    assert store.judgements(gone) == ()
    with pytest.raises(ConflictError) as conflict:
        store.save(gone, old)
    assert conflict.value.current is None
    store.save(gone, ACCEPT)
    assert [len(store.judgements(each)) for each in (gone, other)] == [1, 0]


@pytest.mark.thorough
def test_others_write_between_the_chunks_of_an_import(address, monkeypatch):
    monkeypatch.setattr(bulk, "CHUNK", 2)
    store, other = open_store(address), open_store(address)
    task = store.open_task("tides", LEFT, RIGHT)
    many = tuple(Judgement("Ben", source, target, "accept") for source in range(3) for target in range(4))
    written = []

    def filed():
        for number, each in enumerate(many):
            yield FiledTask(task, (each,))
            written.append(
                other.save(
                    task,
                    Judgement("Anna", number % 3, None, "reject", comment=str(number), revision=number // 3),
                )
            )

    assert store.save_all(filed(), replacing=False).added == len(many)
    assert len(written) == len(many)
    assert len(store.history(task)) == 2 * len(many)


def test_an_import_that_ended_in_the_middle_says_how_far_it_came_and_goes_on(address, monkeypatch):
    monkeypatch.setattr(bulk, "CHUNK", 2)
    store = open_store(address)
    task = store.open_task("tides", LEFT, RIGHT)
    many = tuple(Judgement("Ben", source, target, "accept") for source in range(3) for target in range(4))
    chunks = bulk._save_chunk

    def failing(*given, **options):
        if len(store.judgements(task)) >= 4:
            raise DatabaseError("the database can't be used")
        return chunks(*given, **options)

    monkeypatch.setattr(bulk, "_save_chunk", failing)
    with pytest.raises(DatabaseError, match="4 judgements are in it already"):
        store.save_all([FiledTask(task, many)], replacing=False)
    monkeypatch.setattr(bulk, "_save_chunk", chunks)
    counts = store.save_all([FiledTask(task, many)], replacing=False)
    assert (counts.added, counts.same) == (8, 4)
    assert len(store.history(task)) == len(many)


@pytest.mark.thorough
def test_two_imports_of_the_same_at_once_write_everything_once(address, monkeypatch):
    monkeypatch.setattr(bulk, "CHUNK", 3)
    store = open_store(address)
    task = store.find_task("tides", LEFT, RIGHT)
    many = tuple(Judgement("Ben", source, target, "accept") for source in range(3) for target in range(4))
    together, counts = threading.Barrier(2), []

    def run():
        mine = open_store(address)
        together.wait()
        counts.append(mine.save_all([FiledTask(task, many)], replacing=True))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(each.added for each in counts) == sum(each.same for each in counts) == len(many)
    assert len(store.history(task)) == len(store.judgements(task)) == len(many)


@pytest.mark.parametrize("seen", [None, 1])
def test_a_deleted_task_takes_all_that_is_its_own_along(address, seen):
    store = open_store(address)
    gone, kept = store.open_task("tides", LEFT, RIGHT), store.open_task("heat", LEFT, LEFT)
    store.save(gone, ACCEPT)
    deleted = store.delete_task(gone.number, seen=seen)
    assert (deleted.document, deleted.judgements) == ("tides", 1)
    assert [each.number for each in store.tasks()] == [kept.number]
    with store.engine.connect() as connection:
        assert set(connection.execute(sa.select(MAPS.c.digest)).scalars()) == {LEFT.digest}
    assert store.history(gone) == ()


def test_a_task_that_was_judged_meanwhile_is_not_deleted(address):
    store = open_store(address)
    task = store.open_task("tides", LEFT, RIGHT)
    store.save(task, ACCEPT)
    with pytest.raises(ConflictError, match="has 1 judgements by now, not 0"):
        store.delete_task(task.number, seen=0)
    assert len(store.judgements(task)) == 1


def test_empty_tasks_are_deleted_and_others_stay(address):
    store = open_store(address)
    for name in "abc":
        store.open_task(name, LEFT, RIGHT)
    store.save(store.open_task("b", LEFT, RIGHT), Judgement("Anna", 0, 0, "undecided", comment="?"))
    assert store.delete_empty() == 2
    assert [each.document for each in store.tasks()] == ["b"]


def test_tasks_are_listed_page_by_page(address):
    store = open_store(address)
    for name in ("heat", "Tides 100%", "tides 1000", "moon"):
        store.open_task(name, LEFT, RIGHT, "anna", "ben")
    store.save(store.open_task("moon", LEFT, RIGHT), ACCEPT)
    names = [each.document for each in store.tasks()]
    assert [each.document for each in store.tasks(offset=1, limit=2)] == names[1:3]
    assert [each.document for each in store.tasks(search="tides 100%")] == ["Tides 100%"]
    assert store.count_tasks(search="tides") == 2
    assert store.count_tasks(search="BEN") == 4
    (judged,) = store.tasks(judged=True)
    assert (judged.document, judged.decided, store.count_tasks(judged=True)) == ("moon", {"Anna": 1}, 1)
    assert store.tasks(study="heat") == ()
    assert store.count_tasks(study="") == 4
