"""Solver timings: ours and edist, alternating in one process.

Every node has a unit vector instead of a sentence embedding; costs are ||a - b|| / sqrt(2), to the vector of the
empty text for a delete or an insert, as TTED's cosine costs. Random unit vectors of 384 dimensions are as distant
as sentences of unrelated maps and the empty text are to MiniLM: all distances are near 1 (on the published base
trees 0.97 +- 0.04 for a replacement, 0.99 +- 0.03 for a deletion; here 1.00 +- 0.03). So every pair of nodes is
worth keeping and hardly any more than another, which is the hard case for an exact solver.

edist is called as the published code calls it: with a Python callback per pair of nodes. Times are processor time,
all of it on one core, so that a busy machine doesn't show; time limits are wall-clock.

    python -m benchmarks.solvers [--quick] [--only ORDER]
"""

import csv
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import edist.ted
import edist.uted
import numpy as np
from numpy.typing import NDArray

from benchmarks import measure_seconds, parser_of, print_command
from benchmarks.edits import edit_tree
from tted_core.solvers import SOLVERS
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.tree import TextTree
from tted_core.warm_up import warm_up

SEEDS = range(5)
DIMENSIONS = 384
PARAPHRASE = 0.5
"""Length of the noise added to the vector of a sentence that both maps have."""

SECONDS = 60.0
"""Longest search for an unordered mapping."""

HEAD = ("order", "maps", "proven", "median, ms", "longest, ms", "edist, ms", "edist / ours")

EDIST: dict[str, Callable[..., object]] = {"ordered": edist.ted.ted, "constrained": edist.uted.uted}


class Pair(NamedTuple):
    """Two trees and their cost matrix."""

    left: TextTree
    right: TextTree
    costs: NDArray[np.float64]


DEEP = 6
"""Nodes before a node of a deep, narrow tree among which its parent is: 200 nodes are about 60 levels."""


def random_tree(
    size: int, rng: np.random.Generator, text: str = "{}", *, reach: int | None = None
) -> TextTree:
    """A tree in which each node hangs below any node before it, or any of the last ``reach`` ones."""
    children: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        children[node - 1 - int(rng.integers(min(node, reach or node)))].append(node)
    return TextTree.from_children([text.format(node) for node in range(size)], children)


def unrelated(size: int, seed: int, *, reach: int | None = None) -> Pair:
    """Two maps that have nothing in common."""
    rng = np.random.default_rng(seed)
    left, right = (random_tree(size, rng, text, reach=reach) for text in ("{}", "other {}"))
    return pair_of(left, right, rng)


def edited(size: int, rate: float, seed: int) -> Pair:
    """A map and its revision, with so many edits of each of four kinds that they are a share of the nodes."""
    rng = np.random.default_rng(seed)
    left = right = random_tree(size, rng)
    new = [f"new {number}" for number in range(size)]
    for name in ("swap", "move", "insert", "delete"):
        right = edit_tree(right, name, round(rate * size / 4), seed=seed, texts=new).tree
    return pair_of(left, right, rng)


def star(leaves: int) -> Pair:
    """Two roots with ``leaves`` leaves each."""
    rng = np.random.default_rng(0)
    left, right = (
        TextTree(tuple(text.format(node) for node in range(leaves + 1)), (-1, *[0] * leaves))
        for text in ("{}", "other {}")
    )
    return pair_of(left, right, rng)


def pair_of(left: TextTree, right: TextTree, rng: np.random.Generator) -> Pair:
    """The trees with random costs; sentences that both have are paraphrased a little."""
    rows = random_vectors(len(left) + 1, rng)
    known = dict(zip(left.labels, rows[:-1], strict=True))
    columns = random_vectors(len(right) + 1, rng)
    for node, text in enumerate(right.labels):
        if text in known:
            columns[node] = known[text] + PARAPHRASE * columns[node]
            columns[node] /= np.linalg.norm(columns[node])
    columns[-1] = rows[-1]
    costs = np.sqrt(np.maximum(0.0, 1.0 - rows @ columns.T))
    costs[-1, -1] = 0.0
    return Pair(left, right, costs)


def random_vectors(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(count, 384) unit vectors."""
    vectors = rng.standard_normal((count, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def cases(order: str, *, quick: bool) -> Iterator[tuple[str, Sequence[Pair], int]]:
    """Title, pairs, and how many times each is solved."""
    for size in (10, 25, 50, 100) if quick else (10, 25, 50, 100, 200, 500, 1000):
        if order != "unordered" or size <= 500:
            yield f"random, {size} nodes", [unrelated(size, seed) for seed in SEEDS], max(1, 200 // size)
    if order != "unordered":
        leaves = 100 if quick else 500
        yield f"star, {leaves} leaves", [star(leaves)], 3
        return
    for size in (50, 100) if quick else (100, 200, 500):
        for rate in (0.1, 0.4):
            yield f"{rate:.0%} edited, {size} nodes", [edited(size, rate, seed) for seed in SEEDS], 1
    size = 50 if quick else 200
    yield f"deep and narrow, {size} nodes", [unrelated(size, seed, reach=DEEP) for seed in SEEDS], 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table as CSV."""
    parser = parser_of("solvers", __doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--only", choices=SOLVERS, help="one order only")
    options = parser.parse_args(arguments)
    print_command()
    warm_up()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEAD)
    for order in [options.only] if options.only else SOLVERS:
        for title, pairs, repeats in cases(order, quick=options.quick):
            ours, theirs = [], []
            for pair in pairs * repeats:
                ours.append(measure_seconds(partial(SOLVERS[order], *pair, time_limit=SECONDS)))
                if order in EDIST:
                    run = partial(EDIST[order], *edist_arguments(*pair))
                    theirs.append(measure_seconds(run)[0])
            times = [seconds for seconds, _ in ours]
            proven = sum(found.lower == found.upper for _, found in ours)
            row = [1e3 * statistics.median(times), 1e3 * max(times)]
            if theirs:
                row += [1e3 * statistics.median(theirs), statistics.median(theirs) / statistics.median(times)]
            shown = (f"{number:.2g}" if number < 10 else f"{number:.0f}" for number in row)
            table.writerow([order, title, f"{proven} of {len(ours)}", *shown])


if __name__ == "__main__":
    main()
