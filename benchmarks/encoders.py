"""The default encoder by its own runtime and by sentence-transformers, in alternating processes.

Each process loads the model, encodes a text, and then sentences of the samples, with one thread and with two.
Printed are medians and their ratios. Run ``python -m benchmarks.encoders`` (``--quick`` for one round, ``--busy
N`` beside N busy processes).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from benchmarks import print_command
from benchmarks.pipeline import sample_pairs
from tted_core import load_encoder
from tted_core.encoders import minilm
from tted_core.encoders.sentence_encoder import CHUNK, Encoder, encode_unpadded
from tted_core.foundations.threads import passive_waiting

ROUNDS = 3
ROWS = (
    "first vector, s of processor time",
    "memory, MB",
    "pieces a second",
    "pieces a second of processor time",
)


def by_sentence_transformers() -> Encoder:
    """MiniLM by PyTorch, with texts of one length together."""
    passive_waiting()
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    model = SentenceTransformer(str(minilm.checked_folder()), device="cpu", local_files_only=True)
    return lambda texts: encode_unpadded(model, texts, CHUNK)


RUNTIMES: dict[str, Callable[[], Encoder]] = {
    "ours": lambda: load_encoder("minilm"),
    "sentence-transformers": by_sentence_transformers,
}


def measure(runtime: str) -> None:
    """Print this process's figures, as in ``ROWS``, and its vectors as JSON."""
    texts = sorted({text for pair in sample_pairs(quick=False) for tree in pair for text in tree.labels})[::7]
    start = time.process_time()
    encode = RUNTIMES[runtime]()
    encode(texts[:1])
    first = time.process_time() - start
    start, used = time.perf_counter(), time.process_time()
    vectors = np.concatenate([encode(texts[at : at + CHUNK]) for at in range(0, len(texts), CHUNK)])
    elapsed, used = time.perf_counter() - start, time.process_time() - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pieces = sum(min(count, minilm.MAX_TOKENS) for count in minilm.count_tokens(texts))
    print(json.dumps([[first, memory, pieces / elapsed, pieces / used], vectors.tolist()]))


@contextmanager
def keep_busy(number: int) -> Iterator[None]:
    """Processes that compute without end."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each number of threads."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encoders", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="beside N busy processes")
    parser.add_argument("--process", choices=RUNTIMES, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.process:
        measure(options.process)
        return
    print_command()
    for threads in (1, 2):
        figures: dict[str, list[list[float]]] = {name: [] for name in RUNTIMES}
        vectors = {}
        with keep_busy(options.busy):
            for name in list(RUNTIMES) * (1 if options.quick else ROUNDS):
                command = [sys.executable, "-m", "benchmarks.encoders", "--process", name]
                environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
                ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
                measured, vectors[name] = json.loads(ran.stdout)
                figures[name].append(measured)
        ours, theirs = (np.median(figures[name], axis=0) for name in RUNTIMES)
        print(f"\nthreads: {threads}, busy processes beside: {options.busy}")
        print(f"{'':<40} {'ours':>9} {'theirs':>9} {'ratio':>7}")
        for row, mine, other in zip(ROWS, ours, theirs, strict=True):
            print(f"{row:<40} {mine:>9,.1f} {other:>9,.1f} {mine / other:>7.2f}")
        difference = np.abs(np.subtract(*vectors.values())).max()
        print(f"largest difference of a number in a vector: {difference:.1e}", flush=True)


if __name__ == "__main__":
    main()
