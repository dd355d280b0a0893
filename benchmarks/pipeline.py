"""A whole experiment: ours and the published code, one after another in one process.

The published code encodes both trees and the empty string in every call, takes float32 distances pair by pair in
Python, and hands edist a callback that looks them up. Ours encodes each distinct text once, and from the second
time on finds all of them in the cache; a batch has their vectors at hand. Pairs are those of base maps and their
variants in FOLDER, by default sample_trees. Times are processor time.

    python -m benchmarks.pipeline [FOLDER] [--quick] [--size N]
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from edist.uted import uted

from benchmarks import SAMPLES, measure_seconds, parser_of, print_command
from tted_core import TTED, TextTree, compare, load_encoder
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.embedding_cache import EmbeddingCache, with_disk_cache
from tted_core.encoders.minilm import find_model_folder
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.lab.samples import read_samples
from tted_core.solvers import SOLVERS
from tted_core.warm_up import warm_up

ROUGE = ("rouge_sim", "rouge_sim_published")


def load_published_encoder() -> Encoder:
    """MiniLM as the published code calls it: sentence-transformers, which pads, with its defaults."""
    from sentence_transformers import SentenceTransformer

    encode: Encoder = SentenceTransformer(str(find_model_folder()), device="cpu").encode
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

    forests = ((list(tree.labels), list(map(list, tree.children))) for tree in (left, right))
    return float(uted(*next(forests), *next(forests), cost))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the time of each way."""
    parser = parser_of("pipeline", __doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES)
    parser.add_argument("--quick", action="store_true", help="the first 20 pairs only")
    parser.add_argument("--size", type=int, help="only pairs whose base has so many nodes")
    options = parser.parse_args(arguments)
    print_command()
    samples = [each for each in read_samples(options.folder) if options.size in (None, each.size)]
    pairs = [(each.base, tree) for each in samples for of_kind in each.variants.values() for tree in of_kind]
    pairs = pairs[:20] if options.quick else pairs
    warm_up()
    model, published_model = load_encoder("minilm"), load_published_encoder()
    model(["warm", "up"])
    known = with_memory_cache(model)
    known(sorted({text for pair in pairs for tree in pair for text in tree.labels} | {""}))
    with tempfile.TemporaryDirectory() as folder:
        cached = with_disk_cache(model, EmbeddingCache(Path(folder) / "embeddings.sqlite"))
        ours = partial(compare, encoder=cached, baselines=ROUGE)
        one_by_one: dict[str, Callable[..., object]] = {
            "published way: uted alone": partial(solve_as_published, published_model),
            "ours, empty cache: script, TTED@k, baselines": ours,
            "ours, full cache": ours,
            "ours, full cache, unordered": partial(ours, order="unordered"),
            "ours, full cache, without baselines": partial(ours, baselines=()),
        }
        ways = {name: lambda way=way: [way(*pair) for pair in pairs] for name, way in one_by_one.items()}
        for order in SOLVERS:
            batch = TTED(encoder=known, order=order).compare_many(pairs)
            ways[f"batch, vectors at hand, {order}"] = partial(list, batch)
        print(f"\nwhole comparisons, {len(pairs)} pairs of {options.folder}")
        for name, way in ways.items():
            total, _ = measure_seconds(way)
            each = total / len(pairs)
            print(f"{name:<46} {each * 1e3:>7.1f} ms a pair {1 / each:>7,.0f} a second {total:>7.1f} s")


if __name__ == "__main__":
    main()
