"""A server under load: visitors who each compare maps of their own, all at once, and then click on.

Each visitor is a raw session (``session.py``): it opens the Compare page, pastes two maps of 25 nodes that nobody
has compared before, waits for the result, and clicks. In the end reviewers review one mapping, all at once. Run
``python -m benchmarks.serving`` on a quiet machine (``--quick``: a few of both; ``--folder`` serves another
checkout, to compare with). Linux only.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.faults import LEAVES, open_review, said_of
from benchmarks.server import ROOT, megabytes, outline, quantile, served
from benchmarks.session import Session
from tted_core.annotate.reviews import open_store

NODES = 25
CLICKS = 10
LOADING_SECONDS = 900.0
"""For the first run of a page, which loads the models, on a machine that is busy with other things."""

REST_SECONDS = 25.0
"""After the last visitor has left, until memory is looked at: two collections of garbage."""


@dataclass
class Measured:
    """What the visitors of one round have met."""

    compared: list[float] = field(default_factory=list)
    clicked: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def visit(address: str, number: int, measured: Measured, together: threading.Barrier) -> None:
    """One visitor: opens the page, compares two maps, and clicks."""
    try:
        with Session(address) as session:
            session.run()
            for offset, side in enumerate(("left", "right")):
                session.set(f"{side}-source", string_value="Paste")
                session.set(f"{side}-text", string_value=outline(NODES, 1_000 * number + offset))
            together.wait()
            session.run()
            measured.errors += session.failures or ([] if any(session.shown("metric")) else ["no result"])
            measured.compared.append(session.seconds)
            together.wait()
            for click in range(CLICKS):
                session.set("more", string_value=("Steps", "Cost receipt")[click % 2])
                session.run(of="more")
                measured.errors += session.failures
                measured.clicked.append(session.seconds)
    except Exception as error:  # noqa: BLE001 - whatever it is, the visitor was not served
        together.abort()
        measured.errors.append(f"{type(error).__name__}: {error}")


def annotate(address: str, number: int, measured: Measured, together: threading.Barrier) -> None:
    """One reviewer: opens the mapping that all have, and accepts pair after pair."""
    try:
        with Session(address) as session:
            open_review(session, f"reviewer {number}")
            together.wait()
            for pair in range(1, CLICKS + 1):
                session.click("decide-accept")
                measured.clicked.append(session.seconds)
                measured.errors += session.failures
                if f"Saved pair {pair}" not in said_of(session):
                    measured.errors.append("not saved")
    except Exception as error:  # noqa: BLE001 - whatever it is, the reviewer was not served
        together.abort()
        measured.errors.append(f"{type(error).__name__}: {error}")


def all_at_once(count: int, one: Callable[[int], None]) -> None:
    """Run so many threads to their end."""
    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def one_of(
    does: Callable[[str, int, Measured, threading.Barrier], None],
    address: str,
    first: int,
    number: int,
    **shared: Any,
) -> None:
    """Let the visitor of this number, counted from the first one of its round, do what all of them do."""
    does(address, first + number, **shared)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each number of visitors."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--sessions", default="1,5,10,20,50", help="default: %(default)s")
    parser.add_argument("--reviewers", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--quick", action="store_true", help="a few visitors only")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    counts = [int(count) for count in ("1,3,5" if options.quick else options.sessions).split(",")]
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DATABASE": f"{folder}/reviews.sqlite"}
        with served(options.folder, environment=kept) as (address, process):
            with Session(address) as first:
                first.run(patience=LOADING_SECONDS)
            time.sleep(REST_SECONDS)
            print(
                f"{'':>15} {'compare p50':>12} {'p95':>7} {'click p50':>10} {'p95':>7} {'errors':>7} "
                f"{'MB':>7}"
            )
            rounds = [(count, "visitors", visit) for count in counts]
            rounds.append((3 if options.quick else options.reviewers, "reviewers", annotate))
            open_store(kept["TTED_DATABASE"]).open_task("a tree of leaves", LEAVES, LEAVES)
            for round_, (count, who, does) in enumerate(rounds):
                measured, together = Measured(), threading.Barrier(count)
                all_at_once(
                    count, partial(one_of, does, address, 100 * round_, measured=measured, together=together)
                )
                times = [
                    f"{quantile(seconds, share):.2f}" if seconds else "-"
                    for seconds in (measured.compared, measured.clicked)
                    for share in (0.5, 0.95)
                ]
                memory = megabytes(process)
                print(
                    f"{count:>4} {who:<10} {times[0]:>12} {times[1]:>7} {times[2]:>10} {times[3]:>7} "
                    f"{len(measured.errors):>7} {memory:>7.0f}",
                    flush=True,
                )
                for error in dict.fromkeys(measured.errors):
                    print("         ", error)
            time.sleep(REST_SECONDS)
            print(f"at rest: {megabytes(process):.0f} MB")


if __name__ == "__main__":
    main()
