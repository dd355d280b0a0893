"""A day of judging: 20 people give 2,000 judgements on two servers of one PostgreSQL, which are killed meanwhile.

Each person is a visitor of the page Annotate, who judges what is assigned to them by its buttons, and comes back
by the other server when theirs is gone. The servers and the database are killed (SIGKILL) three times each and
started again. Whatever the page has called saved must be in the database in the end, and all of it be judged.
Prints the figures; the exit status is 1 if a judgement that was confirmed is lost.

Run ``python -m benchmarks.judges_day`` with PostgreSQL installed (Debian: postgresql); ``--people`` and
``--mappings`` make it smaller.
"""

import argparse
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.faults import said_of
from benchmarks.server import ROOT, healthy
from benchmarks.session import Session
from tests.helpers import postgres
from tted_core.annotate.reviews import Assignment, Study, open_store
from tted_core.annotate.studies import MapPair, Studies, fixed_tasks
from tted_core.formats import MindMap
from tted_core.tree import TextTree
from ui.annotate.pairs import ANSWERS

PAIRS = 24  # of a mapping; the verdict on it is one judgement more
DECISION_OF = {answer.split(" ", 1)[1]: decision for decision, answer in ANSWERS.items()}
SAVED = re.compile(r"Saved (the verdict|pair \d+): (?:\S )?(.+?) \((\S+) UTC\)")
KILLS = 3
STARTING_SECONDS = 120.0


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Server:
    """A server of the application, on a port that it keeps when it is killed and started again."""

    environment: dict[str, str]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        self.process = subprocess.Popen(
            [*command, "--server.port", str(self.port), "--server.fileWatcherType", "none"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + STARTING_SECONDS
        while not healthy(self.address):
            if time.monotonic() > end:
                raise RuntimeError("the server doesn't start")
            time.sleep(0.1)

    def kill(self) -> None:
        """End it as the power would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Person:
    """One of the team: what the page has confirmed to them, how long each click took, and what got in the way."""

    name: str
    servers: Sequence[Server]
    goal: int
    confirmed: Counter[tuple[str, str]] = field(default_factory=Counter)
    clicks: list[float] = field(default_factory=list)
    lost_pages: int = 0
    waited: int = 0
    finished: bool = False

    def work(self) -> None:
        """Judge all that is assigned, from whichever server answers."""
        at = random.Random(self.name).randrange(len(self.servers))
        while not self.finished:
            try:
                with Session(self.servers[at].address) as session:
                    self._judge(session)
            except Exception:  # noqa: BLE001 - whatever a killed server does to a visitor
                self.lost_pages += 1
                at = (at + 1) % len(self.servers)
                time.sleep(1)

    def _judge(self, session: Session) -> None:
        session.run(page="Annotate")
        session.set("annotate", string_value="Review a mapping")
        session.run()
        session.set("reviewer", string_value=self.name)
        session.run()
        while True:
            said = said_of(session)
            if f"{PAIRS} of {PAIRS} pairs judged" in progress_of(session):
                if "Verdict on the whole mapping**: undecided" in said:
                    self._press(session, "verdict-good")
                elif (following := next_mapping(session)) is not None:
                    session.run(following)
                else:
                    self.finished = True
                    return
            else:
                self._press(session, "decide-accept")

    def _press(self, session: Session, key: str) -> None:
        session.click(key)
        self.clicks.append(session.seconds)
        found = SAVED.search(said_of(session).replace("\\", ""))
        if found:
            self.confirmed[DECISION_OF.get(found[2], found[2]), found[3]] += 1
        else:  # the database is away: the page keeps it, and tries again every five seconds
            self.waited += 1
            time.sleep(1)
            session.run()


def progress_of(session: Session) -> str:
    """The words beside the bar that shows how many pairs are judged."""
    return "\n".join(each.progress.text for each in session.shown("progress"))


def next_mapping(session: Session) -> WidgetState | None:
    """A press of the button that opens the next unfinished mapping; None where there is none."""
    for each in session.shown("button"):
        if each.button.id.endswith("-review-next") and not each.button.disabled:
            return WidgetState(id=each.button.id, trigger_value=True)
    return None


def make_study(address: str, people: Sequence[str], mappings: int) -> None:
    """A study of mappings that everybody is to judge."""
    tree = TextTree(
        tuple(f"leaf number {number}" for number in range(PAIRS)), (-1, *(0 for _ in range(PAIRS - 1)))
    )
    studies = Studies(open_store(address).engine)
    maps = [
        MapPair(f"document {number}", "one", "other", MindMap(tree, "tree"), MindMap(tree, "tree"))
        for number in range(mappings)
    ]
    studies.make(Study("The day"), fixed_tasks(maps, encoder=vectors_of))
    tasks = [each.task for each in studies.judged("The day")]
    studies.assign(
        "The day",
        [Assignment(each.number, name, place) for name in people for place, each in enumerate(tasks)],
    )


def vectors_of(texts: Sequence[str]) -> np.ndarray:
    """A vector for each text, without a model."""
    return np.array([np.random.default_rng(zlib.crc32(text.encode())).normal(size=8) for text in texts])


def disturb(everybody: Sequence[Person], servers: Sequence[Server], database: str, total: int) -> list[str]:
    """Kill servers and database in turn, as the work goes on; what was killed at which judgement."""
    log = []
    for number in range(2 * KILLS):
        while sum(each.confirmed.total() for each in everybody) < total * (number + 1) / (2 * KILLS + 1):
            if all(each.finished for each in everybody):
                return log
            time.sleep(0.2)
        count = sum(each.confirmed.total() for each in everybody)
        if number % 2:
            postgres.kill(database)
            log.append(f"database at {count:,}")
        else:
            server = servers[number // 2 % len(servers)]
            server.kill()
            time.sleep(2)
            server.start()
            log.append(f"server at {count:,}")
    return log


def main(arguments: Sequence[str] | None = None) -> int:
    """Let them work, and compare what was confirmed with what is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judges_day", description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument(
        "--mappings", type=int, default=4, help=f"of {PAIRS} pairs and a verdict each (default: 4)"
    )
    options = parser.parse_args(arguments)
    if reason := postgres.missing():
        parser.error(reason)
    names = [f"Person {number:02}" for number in range(options.people)]
    goal = options.mappings * (PAIRS + 1)
    with postgres.server() as database, tempfile.TemporaryDirectory() as cache:
        make_study(database, names, options.mappings)
        environment = {**os.environ, "TTED_DATABASE": database, "TTED_CACHE": str(Path(cache))}
        servers = [Server(environment), Server(environment)]
        everybody = [Person(name, servers, goal) for name in names]
        try:
            for each in servers:
                each.start()
            start = time.perf_counter()
            log: list[str] = []
            disturber = threading.Thread(
                target=lambda: log.extend(disturb(everybody, servers, database, goal * len(names)))
            )
            disturber.start()
            with ThreadPoolExecutor(len(everybody)) as pool:
                list(pool.map(Person.work, everybody))
            disturber.join()
            seconds = time.perf_counter() - start
        finally:
            for each in servers:
                if each.process is not None:
                    each.kill()
        return report(database, everybody, log, seconds)


def report(database: str, everybody: Sequence[Person], log: Sequence[str], seconds: float) -> int:
    """Print what came of it; 1 if something that was confirmed is not there, or not everything is judged."""
    store = open_store(database)
    there: dict[str, Counter[tuple[str, str]]] = {}
    latest: Counter[str] = Counter()
    for summary in store.tasks():
        task = store.task(summary.number)
        for each in store.history(task):
            there.setdefault(each.person, Counter())[each.decision, each.saved[11:19]] += 1
        latest.update(each.person for each in store.judgements(task))
    lost = sum((each.confirmed - there.get(each.name, Counter())).total() for each in everybody)
    missing = sum(each.goal - latest[each.name] for each in everybody)
    clicks = np.array([each for person in everybody for each in person.clicks])
    confirmed = sum(each.confirmed.total() for each in everybody)
    print(
        f"{len(everybody)} people, {latest.total():,} judgements in {seconds:.0f} s; killed: {', '.join(log)}\n"
        f"confirmed at once {confirmed:,}, kept until saved {sum(each.waited for each in everybody)}, "
        f"pages lost {sum(each.lost_pages for each in everybody)}; "
        f"a click: median {np.median(clicks):.2f} s, 95 % {np.quantile(clicks, 0.95):.2f} s, "
        f"longest {clicks.max():.1f} s\n"
        f"confirmed and not in the database: {lost}; not judged in the end: {missing}"
    )
    return int(bool(lost or missing))


if __name__ == "__main__":
    raise SystemExit(main())
