"""What was confirmed stays: a killed process, several at once, and a database of an older version."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from helpers import reviewer

from tted_core.annotate.reviews import Assignment, Judgement, database, open_store
from tted_core.annotate.reviews.database import MIGRATIONS, database_url, open_database, writing
from tted_core.annotate.reviews.schema import METADATA
from tted_core.annotate.studies import Studies
from tted_core.errors import ConflictError, DatabaseError

HELPERS = Path(reviewer.__file__).parent
LATEST = "7"


def start(address: str, person: str, pairs: int, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(HELPERS / "reviewer.py"), address, person, str(pairs), str(rounds)],
        cwd=HELPERS.parent.parent,
        env={"PYTHONPATH": str(HELPERS.parent.parent), "PATH": ""},
        stdout=subprocess.PIPE,
        text=True,
    )


def confirmed(lines: list[str]) -> list[tuple[int, int]]:
    """(node, revision) of each whole line; a killed process may leave half of one."""
    return [tuple(map(int, line.split())) for line in lines if line.endswith("\n") and line != "ready\n"]


@pytest.mark.thorough
def test_what_was_confirmed_before_kill_9_is_there_afterwards(address):
    open_store(address)
    with start(address, "Anna", 200, 50) as process:
        lines = [process.stdout.readline() for _ in range(51)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    seen = confirmed(lines)
    assert len(seen) >= 50
    store = open_store(address)
    (task,) = (store.task(each.number) for each in store.tasks())
    kept = {(each.source, each.revision) for each in store.history(task)}
    assert set(seen) <= kept
    assert len(kept) <= len(seen) + 2  # one may have been under way, one not yet printed whole
    latest = {each.source: each.revision for each in store.judgements(task)}
    assert all(latest[node] >= revision for node, revision in seen)


@pytest.mark.thorough
def test_processes_that_write_at_once_lose_nothing(address):
    """Two reviewers, and one of them in two windows; the database is made by whoever comes first."""
    several = [start(address, person, 10, 3) for person in ("Anna", "Ben", "Anna")]
    seen = []
    for process in several:
        with process:
            seen.append(confirmed(process.stdout.readlines()))
            assert process.wait(60) == 0
    assert [len(each) for each in seen] == [30, 30, 30]
    store = open_store(address)
    (task,) = (store.task(each.number) for each in store.tasks())
    counts = Counter(each.person for each in store.history(task))
    assert counts == {"Anna": 60, "Ben": 30}
    for each in store.judgements(task):
        assert each.revision == (6 if each.person == "Anna" else 3)
    assert set(seen[0]).isdisjoint(seen[2])  # no revision was confirmed to both windows


@pytest.mark.thorough
def test_threads_of_one_server_write_at_once(address):
    store = open_store(address)
    task = store.open_task("a document", reviewer.TREE, reviewer.TREE)

    def save(number: int) -> bool:
        try:
            store.save(task, Judgement("Anna", number % 5, 0, "accept", comment=str(number)))
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(save, range(40)))
    assert sum(written) == 5
    assert len(store.judgements(task)) == len(store.history(task)) == 5


def migrated_to(address: str, revision: str) -> sa.Engine:
    """A database as the version ``revision`` made it."""
    url = database_url(address)
    engine = sa.create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    return engine


def test_a_database_of_the_first_version_is_brought_up_to_date_with_its_data(address):
    tree = reviewer.TREE
    engine = migrated_to(address, "1")
    with engine.begin() as connection:
        content = '{"labels": ["a", "b"], "parents": [-1, 0]}'
        connection.execute(
            sa.text("INSERT INTO maps VALUES (:digest, :content)"), {"digest": "d", "content": content}
        )
        names = "document, left_digest, right_digest, left_name, right_name"
        connection.execute(sa.text(f"INSERT INTO tasks ({names}) VALUES ('tides', 'd', 'd', 'anna', 'ben')"))
        names = "task_id, person, source, target, decision, comment, revision, saved"
        values = "1, 'Anna', 1, -1, 'reject', 'why?', 3, '2026-01-01'"
        connection.execute(sa.text(f"INSERT INTO judgements ({names}) VALUES ({values})"))
    engine.dispose()
    store = open_store(address)
    (summary,) = store.tasks()
    task = store.task(summary.number)
    assert (task.document, task.left.labels) == ("tides", ("a", "b"))
    (judgement,) = store.judgements(task)
    assert judgement == Judgement("Anna", 1, None, "reject", None, "why?", "reviewer", 3, "2026-01-01")
    assert store.history(task) == (judgement,)
    assert store.save(task, judgement).revision == 4
    with pytest.raises(ConflictError):
        store.save(task, judgement)
    assert store.open_task("tides", tree, tree).number != task.number


def test_the_migrations_lead_to_the_schema_of_the_program(address):
    store = open_store(address)
    made = sa.MetaData()
    made.reflect(store.engine)
    assert set(made.tables) == {*METADATA.tables, "alembic_version"}
    for name, table in METADATA.tables.items():
        columns = {column.name: (column.nullable, str(column.type)) for column in made.tables[name].columns}
        assert columns == {column.name: (column.nullable, str(column.type)) for column in table.columns}
        assert {index.name for index in made.tables[name].indexes} == {index.name for index in table.indexes}
        keys = {
            (key.parent.name, key.target_fullname, key.ondelete) for key in made.tables[name].foreign_keys
        }
        assert keys == {(key.parent.name, key.target_fullname, key.ondelete) for key in table.foreign_keys}
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == LATEST


def test_what_outlived_its_study_before_there_were_foreign_keys_is_kept(address):
    engine = migrated_to(address, "5")
    with engine.begin() as connection:
        for statement in (
            """INSERT INTO maps VALUES ('d', '{"labels": ["a"], "parents": [-1]}')""",
            (
                "INSERT INTO tasks (id, document, left_digest, right_digest, left_name, right_name, study) "
                "VALUES (7, 'tides', 'd', 'd', 'anna', 'ben', 'gone'), (8, 'moon', 'd', 'd', 'anna', 'ben', '')"
            ),
            (
                "INSERT INTO judgements "
                "(task_id, role, person, source, target, decision, comment, revision, saved) "
                "VALUES (7, 'annotator', 'Anna', 0, 0, 'accept', '', 1, '2026-01-01')"
            ),
            (
                "INSERT INTO history (task_id, role, person, source, target, decision, comment, revision, saved) "
                "VALUES (7, 'annotator', 'Anna', 0, 0, 'accept', '', 1, '2026-01-01'), "
                "(99, 'annotator', 'Anna', 0, 0, 'accept', '', 1, '2026-01-01')"
            ),
            "INSERT INTO assignments VALUES (7, 'Anna', 0, '')",
        ):
            connection.execute(sa.text(statement))
    engine.dispose()
    store = open_store(address)
    studies = Studies(store.engine)
    (study,) = studies.all()
    assert study.name == "gone"
    (task,) = (store.task(each.number) for each in store.tasks(study="gone"))
    assert len(store.judgements(task)) == len(store.history(task)) == 1
    assert {each.role for each in (*store.judgements(task), *store.history(task))} == {"reviewer"}
    assert studies.assignments("gone") == (Assignment(7, "Anna", 0),)
    studies.delete("gone", seen=1)
    assert [each.document for each in store.tasks()] == ["moon"]
    with store.engine.connect() as connection:
        for table in ("judgements", "history", "assignments"):
            assert connection.execute(sa.text(f"SELECT COUNT(*) FROM {table}")).scalar() == 0


def test_a_database_of_a_newer_version_is_refused_and_left_alone(address):
    store = open_store(address)
    with writing(store.engine) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '99'"))
    with pytest.raises(DatabaseError, match="newer version"):
        open_store(address)
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == "99"


def test_a_migration_that_fails_leaves_nothing_behind(address, monkeypatch):
    migrated_to(address, "1").dispose()
    monkeypatch.setattr("alembic.op.execute", lambda _statement: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        open_database(database_url(address))
    monkeypatch.undo()
    monkeypatch.setenv("TTED_DATABASE", address)
    inspected = sa.inspect(sa.create_engine(database_url(address)))
    assert "history" not in inspected.get_table_names()
    assert "role" not in {column["name"] for column in inspected.get_columns("judgements")}
    open_store(address)


def test_threads_of_one_server_that_write_at_once_take_turns(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT_SECONDS", 0)  # SQLite refuses at once whoever finds it locked
    engine = open_database(sa.URL.create("sqlite", database=str(tmp_path / "reviews.sqlite")))
    monkeypatch.setattr(database, "WAIT_SECONDS", 60)
    together = threading.Barrier(4)

    def write():
        together.wait()
        with writing(engine) as connection:
            time.sleep(0.01)
            return connection.execute(sa.text("SELECT 1")).scalar()

    with ThreadPoolExecutor(4) as visitors:
        assert [each.result() for each in [visitors.submit(write) for _ in range(4)]] == [1] * 4
