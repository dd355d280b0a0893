"""Solver timings: ours and edist, alternating in one process.

edist is called as the published code calls it: with a Python callback per pair of nodes. Run
``python -m benchmarks.solvers`` (``--quick`` for a minute's worth). Times are medians of processor time, all of it
on one core, so that a busy machine doesn't show; time limits are wall-clock.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

import edist.ted
import edist.uted

from benchmarks import measure_seconds, print_command
from benchmarks.maps import Pair, edited_pair, left_comb, star, unrelated_pair
from tted_core.solvers import polynomial
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.solvers.unordered import solve_unordered, warm_up_unordered

SEEDS = range(5)
Run = Callable[[Pair], object]


PEERS: dict[str, tuple[Run, Run]] = {
    "ordered": (
        lambda pair: polynomial.solve_ordered(*pair),
        lambda pair: edist.ted.ted(*edist_arguments(*pair)),
    ),
    "constrained": (
        lambda pair: polynomial.solve_constrained(*pair),
        lambda pair: edist.uted.uted(*edist_arguments(*pair)),
    ),
}
"""Order -> our solver and edist's."""


def print_peers(order: str, title: str, pairs: Sequence[Pair], repeats: int) -> None:
    """One row: both medians, and how many times slower edist is."""
    times = [
        [measure_seconds(partial(run, pair)) for run in PEERS[order]]
        for pair in pairs
        for _ in range(repeats)
    ]
    ours, edists = (1e3 * statistics.median(each) for each in zip(*times, strict=True))
    print(
        f"{order:12} {title:24} ours {ours:8.2f} ms  edist {edists:10.2f} ms ({edists / ours:6.1f} x)",
        flush=True,
    )


def print_exact(title: str, pairs: Sequence[Pair], time_limit: float, repeats: int = 1) -> None:
    """One row: the exact solver's median time, and how much of it is proven."""
    times, gaps = [], []
    for pair in pairs:
        for _ in range(repeats):
            start = time.process_time()
            solution = solve_unordered(*pair, time_limit=time_limit)
            times.append(time.process_time() - start)
        gaps.append((solution.upper - solution.lower) / solution.upper)
    proven = sum(gap == 0.0 for gap in gaps)
    print(
        f"unordered    {title:24} median {statistics.median(times):8.4f} s  longest {max(times):8.4f} s  "
        f"proven {proven}/{len(pairs)}  largest gap {100 * max(gaps):.3f} %",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, short time limits")
    parser.add_argument("--only", choices=[*PEERS, "unordered"], help="one order only")
    options = parser.parse_args(arguments)
    print_command()
    wanted = [options.only] if options.only else [*PEERS, "unordered"]
    start = time.process_time()
    polynomial.warm_up_polynomial()
    warm_up_unordered()
    print(f"warm-up (machine code from the cache, or compiled): {time.process_time() - start:.2f} s")
    for order in (order for order in PEERS if order in wanted):
        for size in (10, 25, 50, 100) if options.quick else (10, 25, 50, 100, 200, 500, 1000):
            pairs = [unrelated_pair(size, seed) for seed in SEEDS]
            print_peers(order, f"random, {size} nodes", pairs, max(1, 200 // size))
        if order == "ordered":
            size = 101 if options.quick else 501
            print_peers(order, f"left comb, {size} nodes", [left_comb(size, 0)], 1)
        leaves = 100 if options.quick else 500
        print_peers(order, f"star, {leaves} leaves", [star(leaves, 0)], 3)
    if "unordered" not in wanted:
        return
    limit = 10.0 if options.quick else 60.0
    print_exact("unrelated, 10 nodes", [unrelated_pair(10, seed) for seed in SEEDS], limit, repeats=20)
    for size in (50, 100) if options.quick else (100, 200, 500):
        for rate in (0.1, 0.4):
            title = f"{100 * rate:.0f} % edited, {size} nodes"
            print_exact(title, [edited_pair(size, rate, seed) for seed in SEEDS], limit)
    for size in (50, 100) if options.quick else (100, 200, 300, 400, 500):
        print_exact(f"unrelated, {size} nodes", [unrelated_pair(size, seed) for seed in SEEDS], limit)


if __name__ == "__main__":
    main()
