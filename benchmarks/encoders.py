"""The default encoder by its own runtime and by sentence-transformers, in alternating processes of one thread.

Each process loads the model, encodes a text, and then sentences of the samples. Printed are medians and ratios.

    python -m benchmarks.encoders [--quick]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks import SAMPLES, parser_of, print_command
from tted_core import load_encoder
from tted_core.encoders import minilm
from tted_core.encoders.sentence_encoder import CHUNK, Encoder, encode_unpadded
from tted_core.lab.samples import read_samples

ROUNDS = 3
ROWS = ("first vector, s of processor time", "memory, MB", "pieces a second of processor time")


def by_sentence_transformers() -> Encoder:
    """MiniLM by PyTorch, with texts of one length together."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm.find_model_folder()), device="cpu", local_files_only=True)
    return lambda texts: encode_unpadded(model, texts, CHUNK)


RUNTIMES: dict[str, Callable[[], Encoder]] = {
    "ours": lambda: load_encoder("minilm"),
    "sentence-transformers": by_sentence_transformers,
}


def measure(runtime: str) -> None:
    """Print this process's figures, as in ``ROWS``, as JSON."""
    trees = [tree for sample in read_samples(SAMPLES) for tree in sample.trees]
    texts = sorted({text for tree in trees for text in tree.labels})[::7]
    start = time.process_time()
    encode = RUNTIMES[runtime]()
    encode(texts[:1])
    first, start = time.process_time() - start, time.process_time()
    for at in range(0, len(texts), CHUNK):
        encode(texts[at : at + CHUNK])
    used = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pieces = sum(min(count, minilm.MAX_TOKENS) for count in map(len, minilm.word_pieces(texts)))
    print(json.dumps([first, memory, pieces / used]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table."""
    parser = parser_of("encoders", __doc__)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--process", choices=RUNTIMES, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.process:
        measure(options.process)
        return
    print_command()
    figures: dict[str, list[list[float]]] = {name: [] for name in RUNTIMES}
    for name in list(RUNTIMES) * (1 if options.quick else ROUNDS):
        command = [sys.executable, "-m", "benchmarks.encoders", "--process", name]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        figures[name].append(json.loads(ran.stdout))
    ours, theirs = (np.median(figures[name], axis=0) for name in RUNTIMES)
    print(f"{'':<40} {'ours':>9} {'theirs':>9} {'ratio':>7}")
    for row, mine, other in zip(ROWS, ours, theirs, strict=True):
        print(f"{row:<40} {mine:>9,.1f} {other:>9,.1f} {mine / other:>7.2f}")


if __name__ == "__main__":
    main()
