"""What was confirmed stays: a killed process, several at once, and a database of an older version."""

import shutil
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
from alembic.script import ScriptDirectory
from helpers import reviewer

from tted_core.annotate.reviews import Judgement, ReviewStore, database, open_store
from tted_core.annotate.reviews.database import MIGRATIONS, database_url, open_database, writing
from tted_core.annotate.reviews.schema import METADATA
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


@pytest.fixture
def next_migration(tmp_path, monkeypatch):
    """What the next version adds, after the migrations that there are."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "versions" / "v8_next.py"
    file.write_text(NEXT, encoding="utf-8")
    monkeypatch.setattr(database, "MIGRATIONS", folder)
    return file


NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "8", "{LATEST}"


def upgrade():
    op.add_column("maps", sa.Column("language", sa.String(20), nullable=False, server_default="en"))
    op.execute("UPDATE maps SET language = 'de'")
"""


def with_one_judgement(address: str) -> tuple[ReviewStore, Judgement]:
    store = open_store(address)
    task = store.open_task("tides", reviewer.TREE, reviewer.TREE)
    return store, store.save(task, Judgement("Anna", 1, None, "reject", comment="why?"))


def test_a_database_of_the_version_before_is_brought_up_to_date_with_its_data(address, request):
    _, judgement = with_one_judgement(address)
    request.getfixturevalue("next_migration")
    store = open_store(address)
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT language FROM maps")).scalars().all() == ["de"]
    (task,) = (store.task(each.number) for each in store.tasks())
    assert (task.document, task.left) == ("tides", reviewer.TREE)
    assert store.judgements(task) == store.history(task) == (judgement,)
    assert store.save(task, judgement).revision == 2
    with pytest.raises(ConflictError):
        store.save(task, judgement)


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


@pytest.mark.parametrize("version", ["6", "99"])
def test_a_database_of_another_version_is_refused_and_left_alone(address, version):
    store, judgement = with_one_judgement(address)
    with writing(store.engine) as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))
    with pytest.raises(DatabaseError, match=rf"schema {version} and not {LATEST}; use the newer version"):
        open_store(address)
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == version
    assert store.judgements(store.task(1)) == (judgement,)


def test_a_migration_that_fails_leaves_nothing_behind(address, request):
    _, judgement = with_one_judgement(address)
    file = request.getfixturevalue("next_migration")
    file.write_text(NEXT + "    1 / 0\n", encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        open_database(database_url(address))
    inspected = sa.inspect(sa.create_engine(database_url(address)))
    assert "language" not in {column["name"] for column in inspected.get_columns("maps")}
    file.write_text(NEXT, encoding="utf-8")
    store = open_store(address)
    assert store.judgements(store.task(1)) == (judgement,)


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
