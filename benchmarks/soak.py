"""An hour of visitors who click at random on all pages: whether memory at rest stays flat, and the log clean.

Visitors (``wanderer.py``) come to a server of this checkout, in rounds. After each round all of them leave, and
once the server is at rest its memory is looked at; whatever it writes into its log is looked at in the end. Run
``python -m benchmarks.soak --visitors 20 --minutes 60`` (``--seed`` has other clicks, ``--folder`` serves another
checkout). The exit status is 1 if memory grew by more than 2 %, a visitor met an error, or the log has a line that
it shouldn't. Linux only.
"""

import argparse
import re
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.wanderer import Wanderer
from tools.server import ROOT, megabytes, processes_of, processor_seconds, quantile, served
from tools.session import Session

ROUND_SECONDS = 180.0
REST_SECONDS = 35.0
"""At least so long after the visitors have left: their work is stopped after 20."""

MOST_REST_SECONDS = 75.0
QUIET = 0.1
"""Share of a core below which the server is at rest."""

LOADING_SECONDS = 900.0
"""For the first run of a page, which loads the models, on a machine that is busy with other things."""

WARM_UP_SHARE = 1 / 3
"""Of the rounds: the first ones, in which models and caches come. In an hour that is twenty minutes: each kind of
work imports and compiles what it needs when it is first done."""

FLAT = 0.02

EXPECTED = re.compile(
    r"\s*|.*Uvicorn server started on .*|\s*You can now view your Streamlit app in your browser\.|\s*URL: .*"
)
"""What a server writes into its log when it starts."""


def at_rest(process: int) -> None:
    """Wait until the server does nothing more."""
    start = time.monotonic()
    cores, used = 1.0, processor_seconds(process)
    while time.monotonic() - start < REST_SECONDS or (
        cores > QUIET and time.monotonic() - start < MOST_REST_SECONDS
    ):
        time.sleep(5)
        now = processor_seconds(process)
        cores, used = (now - used) / 5, now


def unexpected(log: Path) -> list[str]:
    """Lines of the log that tell of something."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if not EXPECTED.fullmatch(line)]


def row(begun: float, what: str, process: int, visitors: Sequence[Wanderer], log: Path) -> float:
    """Print what there is to see now; the megabytes."""
    whole, alone = megabytes(process), megabytes(process, alone=True)
    done = sum(sum(each.diary.done.values()) for each in visitors)
    errors = sum(len(each.diary.errors) for each in visitors)
    lines = len(unexpected(log))
    print(
        f"{(time.monotonic() - begun) / 60:>7.1f} {what:>6} {whole:>7.0f} {alone:>7.0f} "
        f"{len(processes_of(process)):>10} {done:>8,} {errors:>7} {lines:>5}",
        flush=True,
    )
    return whole


def one_round(visitors: Sequence[Wanderer], begun: float, process: int, log: Path) -> None:
    """Let them wander, and print a row each minute."""
    until = time.monotonic() + ROUND_SECONDS - REST_SECONDS
    threads = [threading.Thread(target=each.wander, args=(until,)) for each in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(60)
            if thread.is_alive() or thread is threads[-1]:
                row(begun, "busy", process, visitors, log)


def verdict(rests: Sequence[float], visitors: Sequence[Wanderer], lines: Sequence[str]) -> bool:
    """Print what came of it; whether all is as it should be."""
    rests = rests[round(len(rests) * WARM_UP_SHARE) :]
    part = max(1, len(rests) // 4)
    first, last = statistics.fmean(rests[:part]), statistics.fmean(rests[-part:])
    print(
        f"\nmemory at rest after the warm-up: {first:.0f} MB in the first quarter, {last:.0f} MB in the last one, "
        f"{last / first - 1:+.1%}"
    )
    done = sum((each.diary.done for each in visitors), Counter())
    print("visitors:", ", ".join(f"{count:,} x {what}" for what, count in done.most_common()))
    seconds = [one for each in visitors for one in each.diary.seconds]
    print(
        f"a run of a page takes {quantile(seconds, 0.5):.2f} s (p50), {quantile(seconds, 0.95):.2f} s (p95)"
    )
    errors = Counter(error for each in visitors for error in each.diary.errors)
    print(f"errors: {errors.total()}")
    for error, count in errors.most_common():
        print(f"  {count} x {error}")
    print(f"unexpected lines in the log: {len(lines)}")
    for line in lines:
        print(f"  {line}")
    return last / first - 1 <= FLAT and not errors and not lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row each minute, and a verdict."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--visitors", type=int, default=20, help="default: %(default)s")
    parser.add_argument("--minutes", type=float, default=60.0, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    visitors: list[Wanderer] = []
    rests: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache", "TTED_DECISIONS": f"{folder}/decisions.sqlite"}
        log = Path(folder, "log")
        started = served(options.folder, environment=kept, log=log)
        with started as (address, server):
            process = server.pid
            with Session(address) as first:
                first.run(patience=LOADING_SECONDS)
            begun = time.monotonic()
            visitors += [
                Wanderer(address, options.seed * 1_000 + number) for number in range(options.visitors)
            ]
            print(
                f"{'minutes':>7} {'':>6} {'MB':>7} {'server':>7} {'processes':>10} {'actions':>8} {'errors':>7} "
                f"{'log':>5}"
            )
            while not rests or time.monotonic() - begun < options.minutes * 60 - ROUND_SECONDS / 2:
                one_round(visitors, begun, process, log)
                at_rest(process)
                rests.append(row(begun, "rest", process, visitors, log))
            lines = unexpected(log)
    sys.exit(0 if verdict(rests, visitors, lines) else 1)


if __name__ == "__main__":
    main()
