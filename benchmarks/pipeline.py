"""A whole experiment: ours and the published code, alternating in one process.

The published code encodes both trees and the empty string in every call, takes float32 distances pair by pair in
Python, and hands edist a callback that looks them up. Ours encodes each distinct text once, and the second round
finds all of them in the cache. Pairs: base and variants of sample_trees, or of the published data (375 pairs) if
TTED_PUBLISHED_DATA leads to it. Run ``python -m benchmarks.pipeline`` (``--quick`` for the two smallest topics).
"""

import argparse
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from edist.uted import uted

from benchmarks import SAMPLES, measure_seconds, print_command
from tted_core import TextTree, compare, load_encoder, read_map
from tted_core.encoders.embedding_cache import EmbeddingCache, remembering
from tted_core.encoders.minilm import checked_folder
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.warm_up import warm_up

ROUGE = ("rouge_sim", "rouge_sim_published")
QUICK_TOPICS = ("photosynthesis", "urban-heat")


def sample_pairs(*, quick: bool) -> Iterator[tuple[TextTree, TextTree]]:
    """Base and each variant of our own topics."""
    for folder in sorted(path.parent for path in SAMPLES.glob("*/base.json")):
        if not quick or folder.name in QUICK_TOPICS:
            base = read_map(folder / "base.json").tree
            for file in sorted(folder.glob("*_[0-9].json")):
                yield base, read_map(file).tree


def published_pairs(folder: Path, *, quick: bool) -> Iterator[tuple[TextTree, TextTree]]:
    """Base and variants 0 to 4 of each kind, as in the published experiment."""
    for sample in sorted(folder.glob("tted_test/size_*/set_*"))[: 4 if quick else None]:
        base = read_map(sample / "base_tree.json").tree
        for kind in ("paraphrase", "structure", "meaning"):
            for number in range(5):
                yield base, read_map(sample / f"{kind}_{number}.json", roots="first").tree


def experiment_pairs(*, quick: bool) -> tuple[list[tuple[TextTree, TextTree]], str]:
    """The pairs of the published data if TTED_PUBLISHED_DATA leads to it, else our own; and their source."""
    if published := os.environ.get("TTED_PUBLISHED_DATA"):
        return list(published_pairs(Path(published), quick=quick)), "the published data"
    return list(sample_pairs(quick=quick)), "sample_trees"


def load_published_encoder() -> Encoder:
    """MiniLM as the published code calls it: sentence-transformers, which pads, with its defaults."""
    from sentence_transformers import SentenceTransformer

    encode: Encoder = SentenceTransformer(str(checked_folder()), device="cpu").encode
    return encode


def solve_as_published(encoder: Encoder, left: TextTree, right: TextTree) -> float:
    """The constrained distance as the published code computes it, NaN and all."""

    def distance(a: np.ndarray, b: np.ndarray) -> float:
        with np.errstate(invalid="ignore"):
            return float(np.sqrt(1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b))))

    vectors = [list(encoder(tree.labels)) for tree in (left, right)]
    empty = encoder([""])[0]
    replace = {
        a: {b: distance(v, w) for b, w in zip(right.labels, vectors[1], strict=True)}
        for a, v in zip(left.labels, vectors[0], strict=True)
    }
    texts = zip((*left.labels, *right.labels), (*vectors[0], *vectors[1]), strict=True)
    weight = {text: distance(vector, empty) for text, vector in texts}

    def cost(a: str | None, b: str | None) -> float:
        if a is None or b is None:
            return weight[str(a if b is None else b)]
        return replace[a][b]

    return float(
        uted(
            list(left.labels),
            list(map(list, left.children)),
            list(right.labels),
            list(map(list, right.children)),
            cost,
        )
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print medians and totals."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipeline", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few pairs only")
    quick = parser.parse_args(arguments).quick
    print_command()
    pairs, source = experiment_pairs(quick=quick)
    warm_up()
    model = load_encoder("minilm")
    model(["warm", "up"])
    published_model = load_published_encoder()
    with tempfile.TemporaryDirectory() as folder:
        encoder = remembering(model, EmbeddingCache(Path(folder) / "embeddings.sqlite"))
        ways: dict[str, Callable[[TextTree, TextTree], object]] = {
            "published way: uted alone": lambda left, right: solve_as_published(published_model, left, right),
            "ours, empty cache: script, TTED@k, baselines": lambda left, right: compare(
                left, right, encoder=encoder, baselines=ROUGE
            ),
            "ours, full cache": lambda left, right: compare(left, right, encoder=encoder, baselines=ROUGE),
            "ours, full cache, unordered": lambda left, right: compare(
                left, right, encoder=encoder, baselines=ROUGE, order="unordered"
            ),
            "ours, full cache, without baselines": lambda left, right: compare(
                left, right, encoder=encoder, baselines=()
            ),
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for left, right in pairs:
            for name, way in ways.items():
                seconds[name].append(measure_seconds(partial(way, left, right)))
    print(f"\nwhole comparisons, {len(pairs)} pairs of {source}")
    print(f"{'':<46} {'median':>10} {'total':>9} {'ratio':>7}")
    reference = sum(seconds["published way: uted alone"])
    for name, times in seconds.items():
        total = sum(times)
        print(
            f"{name:<46} {statistics.median(times) * 1e3:>7.1f} ms {total:>7.1f} s {reference / total:>6.1f}x"
        )


if __name__ == "__main__":
    main()
