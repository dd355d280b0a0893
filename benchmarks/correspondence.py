"""Correspondence of sentences: calibration of its bounds, and its errors on known sentences.

    python -m benchmarks.correspondence calibrate MAPS TESTS [--encoder minilm]
    python -m benchmarks.correspondence audit MAPS [--encoder minilm]
    python -m benchmarks.correspondence variants TESTS [--encoder minilm]

MAPS holds ``references/ID.story`` and ``SYSTEM/ID.txt``: people's maps of articles and generated ones. TESTS holds
the published test trees: ``size_N/set_K/base_tree.json`` and its variants, say ``paraphrase_0.json``.

``calibrate`` prints the rows of ``CALIBRATED`` in tted_core/matching/bounds.py. ``audit`` counts the statuses of
left sentences that occur verbatim in a right node, and compares coverage with their share. ``variants`` counts the
statuses of nodes that are reworded, moved, or exchanged for another meaning.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import print_command
from tted_core import Comparison, compare, load_encoder, read_map
from tted_core.encoders.embedding import with_memory_cache
from tted_core.explain.build import explain
from tted_core.matching.bounds import IN_PLACE, UNRELATED
from tted_core.matching.records import STATUSES

VECTOR_DISTANCES = ("cosine", "euclidean", "manhattan")
LONG = 15
"""Contained sentences have more characters; a heading isn't part of every sentence with its words."""

COMMON = 0.5
"""The least share of common words of two texts with the same meaning."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for run, folders in ((calibrate, ("maps", "tests")), (audit, ("maps",)), (variants, ("tests",))):
        command = commands.add_parser(run.__name__)
        for name in folders:
            command.add_argument(name, type=Path, metavar=name.upper())
        command.add_argument("--encoder", default="minilm")
        command.set_defaults(run=run)
    options = parser.parse_args()
    print_command()
    options.loaded = with_memory_cache(load_encoder(options.encoder))
    options.run(options)


def compare_files(
    options: argparse.Namespace, left: Path, right: Path, distance: str = "cosine"
) -> Comparison:
    return compare(
        read_map(left), read_map(right), encoder=options.loaded, preset="published", distance=distance
    )


def articles(maps: Path) -> Iterator[tuple[Path, Path]]:
    """The pairs (reference, generated map)."""
    for reference in sorted((maps / "references").glob("*.story")):
        for generated in sorted(maps.glob(f"*/{reference.stem}.txt")):
            yield reference, generated


def variant_pairs(tests: Path, kind: str) -> Iterator[tuple[Path, Path]]:
    """The pairs (base, variant) of one kind."""
    for base in sorted(tests.glob("size_*/set_*/base_tree.json")):
        for variant in sorted(base.parent.glob(f"{kind}_*.json")):
            yield base, variant


def normalize(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", "", text.lower()).split())


def calibrate(options: argparse.Namespace) -> None:
    print(f"# {options.encoder}: in place, elsewhere; as shares of the median of different sentences")
    for distance in VECTOR_DISTANCES:
        paraphrases = np.concatenate(list(_paraphrases(options, distance)))
        different = np.concatenate(list(_different(options, distance)))
        most, least = IN_PLACE
        in_place = min(float(np.quantile(paraphrases, most)), float(np.quantile(different, least)))
        bounds = in_place, min(in_place, float(np.quantile(different, UNRELATED)))
        shares = ", ".join(
            f"{(paraphrases <= bound).mean():.1%} and {(different <= bound).mean():.1%}" for bound in bounds
        )
        median = float(np.median(different))
        row = ", ".join(f"{bound:.4g}" for bound in bounds)
        of_median = ", ".join(f"{bound / median:.2f}" for bound in bounds)
        print(f'("{options.encoder}", "{distance}"): ({row}),  # {shares}; {of_median}')


def _paraphrases(options: argparse.Namespace, distance: str) -> Iterator[Any]:
    """The costs of nodes and their paraphrases, in variants with the same tree."""
    for base, variant in variant_pairs(options.tests, "paraphrase"):
        costs = compare_files(options, base, variant, distance=distance).costs[:-1, :-1]
        if costs.shape[0] == costs.shape[1]:
            yield np.diag(costs)


def _different(options: argparse.Namespace, distance: str) -> Iterator[Any]:
    """The costs of nodes of one article with less than ``COMMON`` of the shorter one's words in common."""
    for reference, generated in articles(options.maps):
        result = compare_files(options, reference, generated, distance=distance)
        words = [
            [set(normalize(text).split()) for text in side.tree.labels]
            for side in (result.left, result.right)
        ]
        differ = [
            [len(one & other) < COMMON * min(len(one), len(other)) for other in words[1]] for one in words[0]
        ]
        yield result.costs[:-1, :-1][np.array(differ)]


def audit(options: argparse.Namespace) -> None:
    said, everything = Counter[str](), Counter[str]()
    coverages, verbatim = [], []
    for reference, generated in articles(options.maps):
        result = compare_files(options, reference, generated)
        found = explain(result).matching
        texts = [[normalize(text) for text in side.tree.labels] for side in (result.left, result.right)]
        ends: dict[int, list[tuple[str, int | None]]] = {}
        for each in found.records:
            everything[each.status] += 1
            if each.source is not None:
                ends.setdefault(each.source, []).append((each.status, each.target))
        homes = [{w for w, other in enumerate(texts[1]) if text in other} for text in texts[0]]
        for v, text in enumerate(texts[0]):
            if len(text) > LONG and homes[v]:
                right = [word for word, target in ends[v] if target in homes[v]]
                wrong = "missing" if ends[v][0][0] == "missing" else "paired elsewhere"
                said[right[0] if right else wrong] += 1
        coverages.append(found.shares(result.costs)[0])
        verbatim.append(np.mean([bool(each) for each in homes]))
    print(
        f"{len(coverages)} pairs; {said.total()} left sentences stand word for word in a right node: {dict(said)}"
    )
    print(f"coverage {np.mean(coverages):.3f}; word for word {np.mean(verbatim):.3f} of the left nodes")
    print(f"all outcomes: { {word: everything[word] for word in STATUSES} }")


def variants(options: argparse.Namespace) -> None:
    for kind in ("paraphrase", "structure", "meaning"):
        said = Counter[str]()
        for base, variant in variant_pairs(options.tests, kind):
            result = compare_files(options, base, variant)
            labels = result.left.tree.labels, result.right.tree.labels
            for each in explain(result).matching.records:
                if each.source is None:
                    continue
                own = (
                    each.target is not None and labels[0][each.source] == labels[1][each.target]
                    if kind == "structure"
                    else each.source == each.target
                )
                said[each.status if own or each.target is None else f"{each.status}, another node"] += 1
        print(f"{kind}: {said.total()} nodes: {dict(said.most_common())}")


if __name__ == "__main__":
    main()
