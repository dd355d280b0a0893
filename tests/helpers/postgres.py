"""A PostgreSQL server of our own, from the distribution's packages; it hears on a socket in its folder only."""

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

STARTS = 40
ADDRESS = "postgresql://tted@/postgres?host="


def programs() -> Path | None:
    """The folder of PostgreSQL's programs; None where it isn't installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    there = shutil.which("initdb") or (str(found[-1]) if found else None)
    return Path(there).parent if there else None


def _account() -> str | None:
    """Who runs the server: it refuses to be run by root; None where there is nobody else."""
    if os.geteuid() != 0:
        return getpass.getuser()
    return next((each.pw_name for each in pwd.getpwall() if each.pw_name == "postgres"), None)


def missing() -> str | None:
    """Why there can be no server here; None where there can."""
    if programs() is None:
        return "PostgreSQL is not installed (Debian: postgresql)"
    return None if _account() else "PostgreSQL can't be run by root, and there is no account postgres"


def emptied(address: str) -> None:
    """Drop all tables of the database."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@contextmanager
def server() -> Iterator[str]:
    """Start a server, give the address of its empty database, and stop it."""
    account = _account()
    assert account, missing()
    folder = Path(tempfile.mkdtemp(prefix="tted-pg-"))  # a short path: a socket's has at most 107 characters
    try:
        if not os.geteuid():
            shutil.chown(folder, account)
        _run(folder, "initdb", "-A", "trust", "-U", "tted", "-E", "UTF8", "--no-sync", "--locale=C")
        _start(folder)
        try:
            yield f"{ADDRESS}{folder}"
        finally:
            _stop(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def away(address: str) -> Iterator[None]:
    """Stop the server as a crash would, and start it again at the end."""
    folder = Path(address.removeprefix(ADDRESS))
    _stop(folder)
    try:
        yield
    finally:
        _start(folder)


def kill(address: str) -> None:
    """Kill the server (SIGKILL), and start it again once the processes that it had started are gone."""
    folder = Path(address.removeprefix(ADDRESS))
    pid = int((folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])
    os.kill(pid, signal.SIGKILL)
    for attempt in range(STARTS):  # they hold its memory until they notice
        time.sleep(0.5)
        try:
            _start(folder)
        except subprocess.CalledProcessError:
            if attempt + 1 == STARTS:
                raise
        else:
            return


def _start(folder: Path) -> None:
    options = f"-k {folder} -c listen_addresses='' -c shared_buffers=16MB"
    _run(folder, "pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")


def _stop(folder: Path) -> None:
    _run(folder, "pg_ctl", "-m", "immediate", "stop")


def _run(folder: Path, program: str, *arguments: str) -> None:
    account, found = _account(), programs()
    assert account, missing()
    assert found, missing()
    who = {} if os.geteuid() else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}
    subprocess.run(
        [str(found / program), "-D", str(folder / "data"), *arguments],
        check=True,
        timeout=60,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        **who,
    )
