"""A PostgreSQL server of our own, from the distribution's packages; it hears on a socket in its folder only."""

import getpass
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


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
    account, found = _account(), programs()
    assert account, missing()
    assert found, missing()
    folder = Path(tempfile.mkdtemp(prefix="tted-pg-"))  # a short path: a socket's has at most 107 characters
    who = {} if os.geteuid() else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}
    try:
        if who:
            shutil.chown(folder, account)
        data = str(folder / "data")

        def run(program: str, *arguments: str) -> None:
            command = [str(found / program), *arguments]
            subprocess.run(
                command,
                check=True,
                timeout=60,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                **who,
            )

        run("initdb", "-D", data, "-A", "trust", "-U", "tted", "-E", "UTF8", "--no-sync", "--locale=C")
        options = f"-k {folder} -c listen_addresses='' -c shared_buffers=16MB"
        run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://tted@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
