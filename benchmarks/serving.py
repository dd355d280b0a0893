"""A server under load: visitors who each compare maps of their own, all at once, and then click on.

Each visitor is a raw session (``session.py``): it opens the Compare page, pastes two maps of 25 nodes that nobody
has compared before, waits for the result, and clicks. Run ``python -m benchmarks.serving`` on a quiet machine
(``--quick``: one, three and five visitors; ``--folder`` serves another checkout, to compare with). Linux only.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server import ROOT, megabytes, outline, quantile, served
from benchmarks.session import Session

NODES = 25
CLICKS = 10
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
                session.set("large-outline", bool_value=click % 2 == 0)
                session.run(of="large-outline")
                measured.errors += session.failures
                measured.clicked.append(session.seconds)
    except Exception as error:  # noqa: BLE001 - whatever it is, the visitor was not served
        together.abort()
        measured.errors.append(f"{type(error).__name__}: {error}")


def all_at_once(count: int, one: Callable[[int], None]) -> None:
    """Run so many threads to their end."""
    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each number of visitors."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--sessions", default="1,5,10,20,50", help="default: %(default)s")
    parser.add_argument("--quick", action="store_true", help="a few visitors only")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    counts = [int(count) for count in ("1,3,5" if options.quick else options.sessions).split(",")]
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DATABASE": f"{folder}/reviews.sqlite"}
        with served(options.folder, environment=kept) as (address, process):
            with Session(address) as first:
                first.run()  # loads the models
            time.sleep(REST_SECONDS)
            print(
                f"{'visitors':>8} {'compare p50':>12} {'p95':>7} {'click p50':>10} {'p95':>7} {'errors':>7} "
                f"{'MB':>7}"
            )
            seen = 0
            for count in counts:
                measured, together = Measured(), threading.Barrier(count)
                all_at_once(
                    count,
                    lambda number, seen=seen, measured=measured, together=together: visit(
                        address, seen + number, measured, together
                    ),
                )
                seen += count
                times = [
                    f"{quantile(seconds, share):.2f}" if seconds else "-"
                    for seconds in (measured.compared, measured.clicked)
                    for share in (0.5, 0.95)
                ]
                memory = megabytes(process)
                print(
                    f"{count:>8} {times[0]:>12} {times[1]:>7} {times[2]:>10} {times[3]:>7} "
                    f"{len(measured.errors):>7} {memory:>7.0f}"
                )
                for error in dict.fromkeys(measured.errors):
                    print("         ", error)
            time.sleep(REST_SECONDS)
            print(f"at rest: {megabytes(process):.0f} MB")


if __name__ == "__main__":
    main()
