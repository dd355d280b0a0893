"""The database: which one, how a transaction runs in it, and how its schema is brought up to date.

SQLite keeps its rollback journal with ``synchronous = EXTRA``: what was committed is on the disk, whatever happens
to the process or the power. (A write-ahead log would need a switch that SQLite refuses, without waiting, to two
processes at once.) Writes begin with BEGIN IMMEDIATE, since a transaction that reads first and writes then is
refused as well, once another has written in between.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError, SQLAlchemyError

from tted_core.annotate.reviews.schema import METADATA
from tted_core.errors import DatabaseError

WAIT_SECONDS = 3
"""How long the database is waited for where another holds a lock, or a server doesn't answer."""

ATTEMPTS = 3
"""How often a transaction is tried that PostgreSQL refuses for what another has written meanwhile."""

DEADLOCK = "40P01"

_WRITER = threading.RLock()
"""Held by the thread that writes to SQLite.

Others that found it locked would look again after pauses, in no order, so that of twenty who decide at once some
would wait for more than ``WAIT_SECONDS``.
"""

MIGRATIONS = Path(__file__).parent / "migrations"

Answer = TypeVar("Answer")


def database_url(setting: str | None = None) -> sa.URL:
    """The address of the database.

    Args:
        setting: an address as SQLAlchemy takes it (postgresql://user@host/name), or the path of a SQLite file; by
            default the environment's TTED_DATABASE, or else a file in the user's data folder.

    Raises:
        DatabaseError: not an address of SQLite or PostgreSQL.
    """
    chosen = setting or os.environ.get("TTED_DATABASE", "")
    if not chosen:
        from platformdirs import user_data_dir

        chosen = str(Path(user_data_dir("tted", appauthor=False)) / "reviews.sqlite")
    if "://" not in chosen:
        return sa.URL.create("sqlite", database=chosen)
    try:
        url = make_url(chosen)
    except (ArgumentError, ValueError) as error:
        raise DatabaseError(
            "TTED_DATABASE is no address of a database; write postgresql://user@host/name"
        ) from error
    if url.drivername in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise DatabaseError(f"TTED_DATABASE names {url.drivername}; SQLite and PostgreSQL can be used")
    return url


def open_database(url: sa.URL) -> sa.Engine:
    """An engine for the database, made or brought up to date first.

    Raises:
        DatabaseError: it can't be reached or read, or was made by a newer version.
    """
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    with errors(engine):
        _migrate(engine)
    return engine


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction that sees one state of the database."""
    with errors(engine), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction to write in; committed at its end, or not at all."""
    has_turn = engine.dialect.name == "sqlite" and _WRITER.acquire(timeout=WAIT_SECONDS)
    try:
        with errors(engine), engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection
    finally:
        if has_turn:
            _WRITER.release()


def written_by(engine: sa.Engine, work: Callable[[sa.Connection], Answer]) -> Answer:
    """What ``work`` returns in a transaction to write in; done again where another's write came in between.

    PostgreSQL lets two sessions insert the same row, or refer to one that is being deleted, and then refuses one.
    """
    for attempt in range(ATTEMPTS):
        try:
            with writing(engine) as connection:
                return work(connection)
        except DatabaseError as error:
            if attempt + 1 == ATTEMPTS or not _is_collision(error.__cause__):
                raise
    raise AssertionError


def _is_collision(cause: BaseException | None) -> bool:
    if isinstance(cause, OperationalError):
        return getattr(cause.orig, "sqlstate", None) == DEADLOCK
    return isinstance(cause, IntegrityError)


def lock(connection: sa.Connection, *subject: object, shared: bool = False) -> None:
    """Wait until no other transaction holds a lock of this subject, and hold it until this one ends.

    A shared lock lets others share it. Rules that concern several rows are checked after it. SQLite has one writer
    at a time, and needs none.
    """
    if connection.dialect.name == "postgresql":
        digest = hashlib.sha256(repr(subject).encode("utf-8", "surrogatepass")).digest()
        take = sa.func.pg_advisory_xact_lock_shared if shared else sa.func.pg_advisory_xact_lock
        connection.execute(sa.select(take(int.from_bytes(digest[:8], "big", signed=True))))


@contextmanager
def errors(engine: sa.Engine) -> Iterator[None]:
    """Wrap what the database says, without the password in its address."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        place = engine.url.render_as_string(hide_password=True)
        cause = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
        raise DatabaseError(
            f"the database {place} can't be used ({cause}); check TTED_DATABASE and try again"
        ) from error


def _sqlite(url: sa.URL) -> sa.Engine:
    if url.database and url.database != ":memory:":
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise DatabaseError(f"the folder of {url.database!r} can't be made ({error})") from error
    arguments: dict[str, Any] = {"timeout": WAIT_SECONDS}
    pool: type[sa.Pool] = sa.NullPool
    if not url.database:  # in memory: it lives as long as its only connection
        pool, arguments["check_same_thread"] = sa.StaticPool, False
    engine = sa.create_engine(url, poolclass=pool, connect_args=arguments)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # no BEGIN of the driver's own
        for pragma in ("synchronous = EXTRA", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: sa.URL) -> sa.Engine:
    wait = {
        "connect_timeout": WAIT_SECONDS,
        "keepalives_idle": WAIT_SECONDS,
        "keepalives_interval": 1,
        "keepalives_count": WAIT_SECONDS,
        "tcp_user_timeout": WAIT_SECONDS * 1_000,  # milliseconds
    }
    wait = {name: value for name, value in wait.items() if name not in url.query}
    engine = sa.create_engine(url, pool_pre_ping=True, pool_timeout=WAIT_SECONDS, connect_args=wait)

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'")

    return engine


def _migrate(engine: sa.Engine) -> None:
    """Make the tables, or run the migrations that are missing; processes that do it at once take turns."""
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    newest = ScriptDirectory.from_config(config).get_heads()

    def version(connection: sa.Connection) -> list[str]:
        return list(MigrationContext.configure(connection).get_current_heads())

    with reading(engine) as connection:  # while another writes, an up-to-date database can still be opened
        if version(connection) == newest:
            return
    with writing(engine) as connection:
        lock(connection, "migration")
        config.attributes["connection"] = connection
        if not (there := version(connection)):
            METADATA.create_all(connection, checkfirst=False)
            command.stamp(config, "head")
            return
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise DatabaseError(
                f"the database was made by another version of this program, with schema {there[0]} and not "
                f"{newest[0]}; use the newer version, or export the reviews with the older one and restore them "
                "into a new database"
            ) from error
