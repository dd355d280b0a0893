"""A server under load: users who compare at the same time, and a lower bound of the time.

Each user is a raw session (``tools.session``): it opens the Compare page, pastes two maps of 25 nodes
(``--nodes``), its own or those of all users in its round, waits for the result, which is checked, and clicks. Some
users who already have a result click meanwhile. The lower bound is the time in which one process encodes the
round's texts at once on an idle machine; ``ratio`` is the median's to it. Run ``python -m benchmarks.serving``
(``--quick``: a few users; ``--folder`` serves another checkout, for comparison). Linux only.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import print_command
from tools.server import ROOT, megabytes, processor_seconds, served
from tools.session import Session
from tted_core import load_encoder, parse_map
from tted_core.compare import compare_maps
from tted_core.distances import Models
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.method import Method

NODES = 25
CLICKS = 10
CLICKING = 3
"""Users who click while the others wait for their results."""

PAUSE_SECONDS = 1.0
"""Time between two clicks of a user; without it, three users keep a core busy."""

LOADING_SECONDS = 900.0
"""Longest time for the first run of a page, which loads the models."""

REST_SECONDS = 25.0
"""Time from the last user's leaving to the measurement of memory."""

HEADINGS = ("p50", "p95", "1st", "10th", "last", "bound", "ratio", "click p50", "p95", "meanwhile p50", "p95")

Maps = tuple[str, str]


@dataclass
class Round:
    """Users who do the same at the same time, and their results."""

    address: str
    count: int
    maps: Sequence[Maps]
    """The maps of each user, then those of each user who clicks meanwhile."""

    answers: dict[int, str] = field(default_factory=dict)
    compared: list[float] = field(default_factory=list)
    clicked: list[float] = field(default_factory=list)
    meanwhile: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the barrier of all users."""
        self.together = threading.Barrier(len(self.maps))

    def play(self) -> None:
        """Run all users, each in a thread."""
        threads = [
            threading.Thread(target=self._one, args=(number,)) for number in range(self.together.parties)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _one(self, number: int) -> None:
        try:
            use(self, number)
        except Exception as error:  # noqa: BLE001 - any error means that the user was not served
            self.together.abort()
            self.errors.append(f"{type(error).__name__}: {error}")

    def row(self, bound: float) -> str:
        """The row of the table, by ``HEADINGS``."""
        inorder = [*sorted(self.compared), *[np.nan] * 10]
        half, most = quantiles(self.compared)
        last = max(self.compared, default=np.nan)
        numbers = [half, most, inorder[0], inorder[9], last, bound, half / bound]
        numbers += [*quantiles(self.clicked), *quantiles(self.meanwhile)]
        return " ".join(
            f"{number:>{max(6, len(name))}.2f}" for name, number in zip(HEADINGS, numbers, strict=True)
        )


def quantiles(seconds: Sequence[float]) -> list[float]:
    """Median and 95 % quantile; without values, NaN."""
    return list(np.quantile(seconds or [np.nan], (0.5, 0.95), method="inverted_cdf"))


def use(playing: Round, number: int) -> None:
    """Open the page, compare two maps and click; later users compare first and click meanwhile."""
    is_early = number >= playing.count
    with Session(playing.address) as session:
        session.run()
        for side, text in zip(("left", "right"), playing.maps[number], strict=True):
            session.set(f"{side}-text", string_value=text)
        if is_early:
            session.run()
        playing.together.wait()
        if is_early:
            while len(playing.compared) < playing.count and not playing.errors:
                playing.meanwhile.append(_click(playing, session, len(playing.meanwhile)))
                time.sleep(PAUSE_SECONDS)
        else:
            session.run()
            playing.compared.append(session.seconds)
        playing.errors += session.failures
        bodies = (
            each.metric.body for each in session.shown("metric") if each.metric.label.startswith("TTED")
        )
        playing.answers[number] = next(bodies, "no result")
        playing.together.wait()
        if not is_early:
            playing.clicked += [_click(playing, session, click) for click in range(CLICKS)]


def _click(playing: Round, session: Session, number: int) -> float:
    session.set("more", string_value=("Cost receipt", "Download and cite")[number % 2])
    session.run(of="more")
    playing.errors += session.failures
    return session.seconds


def bound_and_answers(encoder: SentenceEncoder, playing: Round) -> tuple[float, list[str]]:
    """The seconds in which the encoder encodes all texts at once, and the right result of each user."""
    with_disk_cache = with_memory_cache(encoder)
    pairs = [(parse_map(left), parse_map(right)) for left, right in playing.maps]
    texts = {text for pair in pairs[: playing.count] for side in pair for text in side.tree.labels}
    start = time.perf_counter()
    with_disk_cache.encode(sorted(texts))
    bound = time.perf_counter() - start
    models = Models(load_encoder=lambda _name: with_disk_cache)
    return bound, [f"{compare_maps(*pair, Method(), models).tted:.4f}" for pair in pairs]


def outline(nodes: int, seed: int) -> str:
    """A map of ``nodes`` nodes as JSON, three children each, different for each seed."""

    def branch(node: int) -> dict[str, Any]:
        below = range(3 * node + 1, min(3 * node + 4, nodes))
        text = f"Reef {seed} has {node * 7 + seed} polyps in bay {node}"
        return {"text": text, "children": [branch(child) for child in below]}

    return json.dumps(branch(0))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each number of users; exit with status 1 if a user got no result or a wrong one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--sessions", default="1,5,10,20,50", help="default: %(default)s")
    parser.add_argument("--nodes", type=int, default=NODES, help="of each map (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few users only, and no rest")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the checkout to serve")
    options = parser.parse_args(arguments)
    print_command()
    counts = [3] if options.quick else [int(count) for count in options.sessions.split(",")]
    rest = 0.0 if options.quick else REST_SECONDS
    encoder = load_encoder("minilm")
    encoder.encode([""])
    print(f"{'':>20} {' '.join(f'{name:>6}' for name in HEADINGS)}  CPU s     MB")
    errors: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        kept = {"TTED_CACHE": f"{folder}/cache"}
        with served(options.folder, environment=kept) as (address, server):
            process = server.pid

            def play(who: str, playing: Round) -> None:
                before = processor_seconds(process)
                playing.play()
                used, memory = processor_seconds(process) - before, megabytes(process)
                bound, right = bound_and_answers(encoder, playing)
                for number, answer in enumerate(right):
                    if playing.answers.get(number) != answer:
                        playing.errors.append(f"{playing.answers.get(number)} instead of {answer}")
                print(
                    f"{playing.count:>4} {who:<15} {playing.row(bound)} {used:>6.1f} {memory:>6.0f}",
                    flush=True,
                )
                for error in dict.fromkeys(playing.errors):
                    print("         ", error)
                errors.extend(playing.errors)

            with Session(address) as first:
                first.run(patience=LOADING_SECONDS)
                print(f"first view {first.seconds:.1f} s", flush=True)
            time.sleep(rest)
            for number, count in enumerate(counts):
                seeds = [1_000 * (100 * number + each) for each in range(count + CLICKING)]
                own = [(outline(options.nodes, seed), outline(options.nodes, seed + 1)) for seed in seeds]
                play("with own maps", Round(address, count, own))
                same = outline(options.nodes, seeds[0] + 2), outline(options.nodes, seeds[0] + 3)
                shared = [*[same] * count, *own[count:]]
                play("with the same", Round(address, count, shared))
            time.sleep(rest)
            print(f"at rest: {megabytes(process):.0f} MB")
    if errors:
        sys.exit(f"{len(errors)} errors")
    print("all users got the right result")


if __name__ == "__main__":
    main()
