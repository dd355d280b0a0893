"""Pairs per second of batches, a loop of compare() and the published code, alternating in one process.

The published code is that of ``benchmarks.pipeline``: it encodes in every call. Cold, ours encodes each distinct
text of all pairs once; warm, the vectors are cached. Run ``python -m benchmarks.batch`` (``--quick`` for fewer
pairs; ``--size N`` for pairs whose base has N nodes; ``--generated N`` for rates on N pairs of 25 nodes alone).
"""

import argparse
from collections.abc import Callable, Sequence

from benchmarks import measure_seconds, print_command
from benchmarks.generated import Generator
from benchmarks.pipeline import experiment_pairs, load_published_encoder, solve_as_published
from tted_core import TTED, TextTree, load_encoder
from tted_core.encoders.embedding import encoding_once
from tted_core.method import PRESETS
from tted_core.solvers import SOLVERS
from tted_core.warm_up import warm_up

ROUNDS = 3


def print_rates(count: int) -> None:
    """Pairs a second of each order and preset, with the vectors of generated pairs at hand."""
    families = Generator(1).families(-(-count // 10), 10)
    pairs = [(trees[0], variant) for trees in families for variant in trees[1:]][:count]
    known = encoding_once(load_encoder("minilm", device="cpu"))
    known(sorted({text for pair in pairs for tree in pair for text in tree.labels}))
    for name in PRESETS:
        for order in SOLVERS:
            options = dict(PRESETS[name]) | {"order": order}
            results = TTED(encoder=known, **options).compare_many(pairs)  # type: ignore[arg-type]
            list(TTED(encoder=known, **options).compare_many(pairs[:20]))  # type: ignore[arg-type]
            best = min(measure_seconds(lambda results=results: list(results)) for _ in range(ROUNDS))  # type: ignore[misc]
            proven = sum(bool(row["proven"]) for row in results) / count
            print(f"{name:<12} {order:<12} {count / best:>7,.0f} a second, {proven:.1%} proven", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few pairs only")
    parser.add_argument("--size", type=int, help="only pairs whose base has so many nodes")
    parser.add_argument("--generated", type=int, metavar="N", help="only the rates of N generated pairs")
    options = parser.parse_args(arguments)
    print_command()
    if options.generated:
        warm_up()
        print_rates(options.generated)
        return
    every, _ = experiment_pairs(quick=options.quick)
    pairs = [pair for pair in every if options.size in (None, len(pair[0]))]
    pairs = pairs[:30] if options.quick else pairs
    warm_up()
    model = load_encoder("minilm", device="cpu")
    model(["warm", "up"])
    list(TTED(encoder=model).compare_many(pairs[:1]))
    published_model = load_published_encoder()
    known = encoding_once(model)
    texts = {text for pair in pairs for tree in pair for text in tree.labels} | {""}
    known(sorted(texts))
    one_by_one = TTED(encoder=known, **PRESETS["published"])

    def loop() -> None:
        for left, right in pairs:
            one_by_one.compare(left, right, baselines=())

    def batch(order: str, encoder: Callable[..., object], many: list[tuple[TextTree, TextTree]]) -> None:
        named = dict(PRESETS["published"]) | {"order": order}
        list(TTED(encoder=encoder, **named).compare_many(many))  # type: ignore[arg-type]

    repeated = pairs * max(1, 3000 // len(pairs))
    ways: dict[str, tuple[Callable[[], object], int]] = {
        "published way, encode per call": (
            lambda: [solve_as_published(published_model, *pair) for pair in pairs],
            len(pairs),
        ),
        "a loop of compare(), vectors at hand": (loop, len(pairs)),
        "batch, cold": (lambda: batch("constrained", model, pairs), len(pairs)),
        **{
            f"batch, vectors at hand, {order}": (
                lambda order=order: batch(order, known, repeated),  # type: ignore[misc]
                len(repeated),
            )
            for order in SOLVERS
        },
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(1 if options.quick else ROUNDS):
        for name, (run, count) in ways.items():
            best[name] = min(best[name], measure_seconds(run) / count)
    print(f"\n{len(pairs)} pairs, {len(texts)} distinct texts; processor time, the best of the rounds")
    reference = best["published way, encode per call"]
    for name, each in best.items():
        print(
            f"{name:<40} {each * 1e3:>9.3f} ms a pair {1 / each:>9,.0f} a second {reference / each:>8,.1f}x"
        )


if __name__ == "__main__":
    main()
