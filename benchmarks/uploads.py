"""What large tables of pairs cost a server: six tabs upload one each, and another visitor's page runs meanwhile.

Printed are the seconds that a rerun of the other visitor takes before and meanwhile, and how long the tabs wait
for theirs. ``--rows 199000`` uploads tables that are allowed, the default one far beyond the limit, packed into
19 KB. Run ``python -m benchmarks.uploads`` (``--folder`` serves another checkout, to compare with).
"""

import argparse
import io
import math
import tempfile
import threading
import time
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from benchmarks.server import ROOT, quantile, served
from benchmarks.session import Session

TABS = 6
QUIET_SECONDS = 15.0
WINDOW_SECONDS = 90.0
"""The tabs go on for so long, each clicking anew as soon as its page is drawn."""

PATIENCE = 900.0


def packed_table(rows: int) -> bytes:
    """A zip archive with a table of so many pairs, all of the same two maps."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("a.json", '{"root": {"leaf": {}}}')
        archive.writestr("b.json", '{"root": {"bud": {}}}')
        archive.writestr("pairs.csv", "left,right\n" + "a,b\n" * rows)
    return out.getvalue()


def tab(address: str, content: bytes, begun: threading.Barrier, seconds: list[float]) -> None:
    """Upload a table, and run the page again and again; ends with the server at the latest."""
    with suppress(OSError, ConnectionClosed, TimeoutError), Session(address) as session:
        session.run(page="Evaluate", patience=PATIENCE)
        session.upload(session.widget("evaluate-upload"), ("pairs.zip", content))
        begun.wait()
        while True:
            session.run(patience=PATIENCE)
            seconds.append(session.seconds)


def runs_of(visitor: Session, most_seconds: float) -> list[float]:
    """The seconds of each rerun, for so long."""
    found: list[float] = []
    until = time.monotonic() + most_seconds
    while time.monotonic() < until:
        visitor.run(patience=PATIENCE)
        found.append(visitor.seconds)
        time.sleep(0.2)
    return found


def told(name: str, seconds: Sequence[float]) -> None:
    """Print the middle and the largest of some durations."""
    print(
        f"{name:<42} {len(seconds):>4} {quantile(seconds, 0.5):>8.2f} {max(seconds):>8.2f}",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uploads", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    parser.add_argument("--rows", type=int, default=4_900_000, help="rows of each table")
    options = parser.parse_args(arguments)
    content = packed_table(options.rows)
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DECISIONS": f"{folder}/decisions.sqlite"}
        with served(options.folder, environment=kept) as (address, _), Session(address) as visitor:
            print(f"{TABS} tabs upload {len(content):,} bytes with {options.rows:,} pairs each\n")
            print(f"{'seconds of a run':<42} {'runs':>4} {'median':>8} {'most':>8}")
            visitor.run(patience=PATIENCE)
            told("another visitor's page, before", runs_of(visitor, QUIET_SECONDS))
            begun = threading.Barrier(TABS + 1)
            waited: list[float] = []
            for _ in range(TABS):
                threading.Thread(target=tab, args=(address, content, begun, waited), daemon=True).start()
            begun.wait()
            told("another visitor's page, meanwhile", runs_of(visitor, WINDOW_SECONDS))
            told("the tabs", waited or [math.inf])


if __name__ == "__main__":
    main()
