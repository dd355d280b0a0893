"""What a server does for visitors who have left: two tabs are closed in the middle of long searches.

Each pastes two maps of 700 nodes, has their unordered distance searched for ten minutes at most, and closes the
tab. Printed is what the server and the processes that it started use from then on, until they are quiet. Run
``python -m benchmarks.left_visitors`` (``--folder`` serves another checkout, to compare with). Linux only.
"""

import argparse
import json
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.server import ROOT, megabytes, processes_of, processor_seconds, served
from benchmarks.session import Session

NODES = 700
VISITORS = 2
QUERY = "order=unordered&time_limit=600"
SEARCHED_SECONDS = 40.0
PERIOD = 10.0
MOST_SECONDS = 300.0
WORDS = (
    "reef",
    "coral",
    "fish",
    "algae",
    "light",
    "storm",
    "heat",
    "law",
    "tax",
    "song",
    "winter",
    "bread",
    "train",
)
QUIET = 0.1
"""Share of a core below which the server is at rest."""


def hard_map(seed: int) -> str:
    """A map of random shape and few words, as JSON: encoded at once, and no search ends in minutes."""
    drawn = random.Random(seed)
    nodes: list[dict[str, Any]] = []
    for number in range(NODES):
        nodes.append({"text": " ".join(drawn.choices(WORDS, k=2)), "children": []})
        if number:
            nodes[drawn.randrange(max(0, number - 12), number)]["children"].append(nodes[-1])
    return json.dumps(nodes[0])


def search(session: Session, number: int, together: threading.Barrier) -> None:
    """Begin a search that takes minutes; ends when the tab is closed."""
    session.run(query=QUERY, patience=900.0)
    for offset, side in enumerate(("left", "right")):
        session.set(f"{side}-source", string_value="Paste")
        session.set(f"{side}-text", string_value=hard_map(2 * number + offset))
    together.wait()
    with suppress(Exception):  # the tab is closed before the page has run to its end
        session.run(query=QUERY)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each ten seconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.left_visitors", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DECISIONS": f"{folder}/decisions.sqlite"}
        with served(options.folder, environment=kept) as (address, process):
            with Session(address) as first:
                first.run(patience=900.0)  # loads the models
            tabs = [Session(address) for _ in range(VISITORS)]
            together = threading.Barrier(VISITORS + 1)
            for number, tab in enumerate(tabs):
                threading.Thread(target=search, args=(tab, number, together), daemon=True).start()
            together.wait()
            time.sleep(SEARCHED_SECONDS)
            for tab in tabs:
                tab.__exit__()
            print(f"{'seconds after':>13} {'cores':>6} {'MB':>6} {'processes':>10}", flush=True)
            start = time.monotonic()
            used, cores = processor_seconds(process), 1.0
            while cores > QUIET and time.monotonic() - start < MOST_SECONDS:
                time.sleep(PERIOD)
                now = processor_seconds(process)
                used, cores = now, (now - used) / PERIOD
                alive = processes_of(process)
                print(
                    f"{time.monotonic() - start:>13.0f} {cores:>6.2f} {megabytes(process):>6.0f} "
                    f"{len(alive):>10}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
