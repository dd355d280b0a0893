"""Reviews under faults: a locked database, a colleague's import, a big backup, and very many tasks.

Prints for each how long the longest click or write took, how many were confirmed, how many of these are not in the
database, and how much of what was typed is lost. Run ``python -m benchmarks.faults`` (``--folder`` takes another
checkout, to compare with; ``--quick`` a tenth of the sizes). What is checked of it at every change is in
tests/annotate/test_reviews_faults.py and tests/ui/annotate/test_page_annotate_faults.py.
"""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server import ROOT, served
from benchmarks.session import Session
from tted_core.annotate.reviews import Judgement, ReviewStore, Task, export_json, open_store
from tted_core.annotate.reviews.records import FiledTask
from tted_core.tree import TextTree

PAIRS, PEOPLE, MAPPINGS, TASKS = 30, 20, 50, 44_103
LOCKED_SECONDS = 70.0
LEAVES = TextTree(
    tuple(f"leaf number {number}" for number in range(PAIRS)), (-1, *(0 for _ in range(PAIRS - 1)))
)

# Runs with the code of the other checkout, whatever its limit of an upload is.
IMPORT = """
import sys
from tted_core.annotate.reviews import exchange, open_store
exchange.MAX_BYTES = 1 << 40
print(exchange.import_json(open_store(sys.argv[1]), open(sys.argv[2], "rb").read()))
"""
WRITES = """
import sys, time
from tted_core.annotate.reviews import Judgement, open_store
from tted_core.errors import DatabaseError
from tted_core.tree import TextTree
store = open_store(sys.argv[1])
task = store.task(1)
node = 0
while True:
    start = time.perf_counter()
    try:
        store.save(task, Judgement("Zoe", node % 30, None, "reject", comment=str(node), revision=node // 30))
        node += 1
        said = "saved"
    except DatabaseError:
        said = "refused"
    print(said, time.perf_counter() - start, flush=True)
    time.sleep(0.2)
"""


def said_of(session: Session) -> str:
    """All texts on the page."""
    kinds = ("markdown", "alert")
    return "\n".join(getattr(each, kind).body for kind in kinds for each in session.shown(kind))


@contextmanager
def reviewing(folder: Path, database: Path, name: str = "Anna") -> Iterator[Session]:
    """A reviewer who has opened the first mapping in the database."""
    with (
        tempfile.TemporaryDirectory() as cache,
        served(folder, environment={"TTED_CACHE": cache, "TTED_DATABASE": str(database)}) as (address, _),
        Session(address) as session,
    ):
        open_review(session, name)
        yield session


def open_review(session: Session, name: str) -> None:
    """What a reviewer does until the first pair of the first mapping in the database is on the page."""
    session.run(page="Annotate", query="tab=review")
    session.set("reviewer", string_value=name)
    session.run()
    session.set("review-place", string_array_value={"data": ["Of no study"]})
    session.run()
    session.run()
    assert "**Pair 1 of" in said_of(session), said_of(session)


def locked_database(folder: Path, database: Path, *, lock: str) -> None:
    """Another program holds the database while a reviewer comments and decides."""
    store = open_store(str(database))
    task = store.open_task("a tree of leaves", LEAVES, LEAVES)
    clicks: list[float] = []
    typed: set[tuple[int, str]] = set()
    confirmed = 0
    with reviewing(folder, database) as session:
        other = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
        other.execute(lock)
        release = threading.Timer(LOCKED_SECONDS, other.rollback)
        release.start()
        start = time.monotonic()
        pair = 0
        while time.monotonic() - start < LOCKED_SECONDS + 15 and pair < PAIRS:
            try:
                field = f"Anna-({pair}, {pair})-0"
                session.set(field, string_value=f"thought {pair}")
                typed.add((pair, f"thought {pair}"))
                session.click("decide-accept")
                pair += 1
            except LookupError:  # the page has lost its fields
                session.run()
            confirmed += "Saved pair" in said_of(session)
            clicks.append(session.seconds)
        release.join()
        other.close()
        time.sleep(6)
        session.run()
    kept = {(each.source, each.comment) for each in store.judgements(task)}
    decided = sum(each.decision == "accept" for each in store.judgements(task))
    print(
        f"{lock}: {len(clicks)} clicks, longest {max(clicks):.1f} s; {len(typed)} pairs accepted with comments, "
        f"{len(typed - kept)} comments and {len(typed) - decided} decisions lost; {confirmed} confirmed at once"
    )


def backup_of(folder: Path, mappings: int) -> Path:
    """What a team has: its reviews, as the file that its page exported."""
    store = open_store(str(folder / "team.sqlite"))
    store.save_all(team(store, mappings), replacing=False)
    file = folder / "team.json"
    file.write_text(export_json(store), encoding="ascii")
    print(
        f"{mappings} mappings x {PEOPLE} reviewers x {PAIRS} pairs: "
        f"{file.stat().st_size / 1e6:.1f} MB as JSON Lines"
    )
    return file


def team(store: ReviewStore, mappings: int) -> Iterator[FiledTask]:
    """Mappings that many reviewers have judged."""
    for number in range(mappings):
        task: Task = store.find_task(f"document {number}", LEAVES, LEAVES)
        yield FiledTask(
            task,
            tuple(
                Judgement(f"reviewer {person}", node, node, "accept", comment="as it should be, and no other")
                for person in range(PEOPLE)
                for node in range(PAIRS)
            ),
        )


def colleagues_import(folder: Path, database: Path | str, file: Path) -> None:
    """One imports while another reviewer saves five times a second."""
    store = open_store(str(database))
    task = store.open_task("a tree of leaves", LEAVES, LEAVES)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(database)], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    first = writer.stdout.readline()
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", IMPORT, str(database), str(file)],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    seconds = time.perf_counter() - start
    writer.kill()
    lines = [first, *writer.stdout.readlines()]
    told = [line.split() for line in lines if line.endswith("\n")]
    saved = sum(what == "saved" for what, _ in told)
    there = sum(each.person == "Zoe" for each in store.history(task))
    print(
        f"import: {seconds:.1f} s; meanwhile {saved} writes confirmed, {max(saved - there, 0)} of these lost, "
        f"{len(told) - saved} refused, the longest {max(float(each) for _, each in told):.1f} s"
    )


def restored(folder: Path, database: Path, file: Path) -> None:
    """The team's own backup on the command line, in a fresh database."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "tted_core", "reviews", "restore", str(file)],
        cwd=folder,
        env={"TTED_DATABASE": str(database), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    said = (done.stdout + done.stderr).strip()[:200]
    print(f"restore: status {done.returncode}, {time.perf_counter() - start:.1f} s: {said}")


def many_tasks(folder: Path, database: Path, tasks: int) -> None:
    """Clicks of a reviewer where somebody has imported very many mappings that nobody has judged."""
    open_store(str(database)).open_task("a tree of leaves", LEAVES, LEAVES)
    with sqlite3.connect(database) as connection:
        connection.executemany(
            "INSERT INTO tasks (document, left_digest, right_digest, left_name, right_name) "
            "VALUES (?, ?, ?, 'a', 'b')",
            [(f"document {number}", LEAVES.digest, LEAVES.digest) for number in range(tasks)],
        )
    connection.close()
    with reviewing(folder, database) as session:
        clicks = []
        for _ in range(5):
            session.click("decide-accept")
            clicks.append(session.seconds)
    print(f"{tasks:,} empty tasks: a click takes {min(clicks):.2f} to {max(clicks):.2f} s")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to try")
    parser.add_argument("--postgresql", metavar="ADDRESS", help="an empty database, to import into too")
    options = parser.parse_args(arguments)
    part = 10 if options.quick else 1
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        file = backup_of(place, MAPPINGS // part)
        rounds: list[Callable[[], None]] = [
            lambda: restored(options.folder, place / "a.sqlite", file),
            lambda: colleagues_import(options.folder, place / "b.sqlite", file),
            *(
                [lambda: colleagues_import(options.folder, options.postgresql, file)]
                if options.postgresql
                else []
            ),
            lambda: many_tasks(options.folder, place / "c.sqlite", TASKS // part),
            lambda: locked_database(options.folder, place / "d.sqlite", lock="BEGIN IMMEDIATE"),
            lambda: locked_database(options.folder, place / "e.sqlite", lock="BEGIN EXCLUSIVE"),
        ]
        for each in rounds:
            try:
                each()
            except (AssertionError, LookupError, OSError, subprocess.SubprocessError) as error:
                print(f"failed: {type(error).__name__}: {str(error)[:300]}")


if __name__ == "__main__":
    main()
