"""Agreement of measures with people's judgements on several sets, and of variants of ``three_scales``.

The folder of each set holds pairs.tsv, as ``tted agree`` reads it, and maps. A row has the agreement of a measure
on a set with its 95 % interval, and the difference of ``three_scales`` to it with its own. The set *mean* is over
all but those given apart; clusters are resampled in each set by itself, the same ones for all measures.
Run ``python -m benchmarks.people FOLDER --apart recap_simple``.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core import TextTree, load_encoder
from tted_core.baselines import BASELINES, SCALES
from tted_core.baselines.kernel import Vectors
from tted_core.baselines.three_scales import (
    ASSIGNED,
    BLEND,
    CONSTRAINED,
    SIMILARITY_GAP,
    VectorForest,
    blend_neighbours,
    map_nodes,
    mean_vector,
)
from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.formats import read_map
from tted_core.foundations.stats import Values, percentile_interval
from tted_core.foundations.tables import csv_text
from tted_core.lab.people import JudgedPairs, measure_agreement, read_judged_pairs, resample_agreement
from tted_core.method import PRESETS, Method

COLUMNS = ("measure", "set", "agreement", "low", "high", "three_scales_minus", "minus_low", "minus_high")

SHARES, GAPS = (0.1, 0.2, BLEND, 0.4, 0.5), (0.3, SIMILARITY_GAP, 0.5)
"""Shares of the neighbours and gaps of the variants."""

PIECES = 250
"""Maximum number of word pieces of a chunk of a map's text."""


def values_of(judged: JudgedPairs, folder: Path, baselines: Sequence[str]) -> dict[str, Values]:
    """Measure or variant -> n values, higher for more similar maps."""
    maps = {name: read_map(folder / name).tree for pair in judged.pairs for name in pair}
    presets = {f"TTED {name}": Method(**options) for name, options in PRESETS.items()}
    found = measure_agreement(judged, maps, presets, baselines, load=cache(load_encoder))
    order = {name: number for number, name in enumerate(maps)}
    pairs = np.array([[order[name] for name in pair] for pair in judged.pairs])
    return found | dict(variants(list(maps.values()), pairs))


def variants(trees: Sequence[TextTree], pairs: NDArray[np.int64]) -> Iterator[tuple[str, Values]]:
    """``three_scales`` with other parts and constants: name -> (p,) values."""
    encoder = load_encoder("minilm")
    forest = VectorForest.of(trees, encoder)
    whole, text = mean_vector(forest, pairs), _of_texts(trees, pairs, encoder)
    near = {
        (share, gap): map_nodes(
            ASSIGNED, forest._replace(vectors=blend_neighbours(forest, share)), pairs, gap
        )
        for share in SHARES
        for gap in GAPS
        if share == BLEND or gap == SIMILARITY_GAP
    }
    as_tree = {gap: map_nodes(CONSTRAINED, forest, pairs, gap) for gap in GAPS}
    usual = near[BLEND, SIMILARITY_GAP], as_tree[SIMILARITY_GAP]
    yield "three_scales, text for mean_vector", -np.mean([text, *usual], axis=0)
    yield "three_scales, text as a fourth part", -np.mean([whole, text, *usual], axis=0)
    yield "text in chunks", -text
    for (share, gap), part in near.items():
        if (share, gap) != (BLEND, SIMILARITY_GAP):
            name = f"three_scales, share {share}, gap {gap}"
            yield name, -np.mean([whole, part, as_tree[gap]], axis=0)


def _of_texts(trees: Sequence[TextTree], pairs: NDArray[np.int64], encoder: SentenceEncoder) -> Vectors:
    """(p,) distances of maps read as texts, depth first, in chunks of at most ``PIECES`` word pieces."""
    chunks = [list(_chunks(tree, encoder)) for tree in trees]
    known = embed(encoder, [text for each in chunks for text, _ in each])
    sums = unit_vectors(np.array([sum(known[text] * size for text, size in each) for each in chunks]))
    cosines = np.einsum("ij,ij->i", sums[pairs[:, 0]], sums[pairs[:, 1]])
    return np.asarray(np.sqrt(np.clip(1.0 - cosines, 0.0, 1.0)))


def _chunks(tree: TextTree, encoder: SentenceEncoder) -> Iterator[tuple[str, int]]:
    """Texts of successive nodes with their numbers of word pieces."""
    texts, size = list[str](), 0
    for label, pieces in zip(tree.labels, encoder.word_pieces(tree.labels), strict=True):
        if texts and size + len(pieces) > PIECES:
            yield " ".join(texts), size
            texts, size = [], 0
        texts.append(label)
        size += len(pieces)
    yield " ".join(texts), size


def rows_of(
    found: dict[str, tuple[list[str], Values, Values]], apart: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """Rows of each set, and of the mean, from names, agreements and resampled agreements by set."""
    rng = np.random.default_rng(0)
    together = [each for name, each in found.items() if name not in apart]
    names = [name for name in together[0][0] if all(name in each[0] for each in together)]
    points, resampled = [], []
    for of_set, point, resamples in together:
        kept = [of_set.index(name) for name in names]
        points.append(point[kept])
        resampled.append(resamples[kept][:, rng.permutation(resamples.shape[1])])
    means = np.mean(points, axis=0), np.mean(resampled, axis=0)
    for name, (measures, point, resamples) in {**found, "mean": (names, *means)}.items():
        ours = measures.index(SCALES[-1])
        for number, measure in enumerate(measures):
            difference = (
                point[ours] - point[number],
                *percentile_interval(resamples[ours] - resamples[number]),
            )
            interval = percentile_interval(resamples[number])
            yield measure, name, point[number], *interval, *(difference if number != ours else (None,) * 3)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table as CSV, best mean first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--apart", nargs="*", default=[], metavar="SET", help="sets that are not in the mean")
    parser.add_argument("--baselines", nargs="*", default=list(BASELINES), metavar="NAME")
    options = parser.parse_args(arguments)
    found = {}
    for table in sorted(options.folder.glob("*/pairs.tsv")):
        judged = read_judged_pairs(table.read_bytes())
        values = values_of(judged, table.parent, [*options.baselines, *SCALES])
        found[table.parent.name] = (list(values), *resample_agreement(judged, values))
        print(table.parent.name, file=sys.stderr, flush=True)
    rows = list(rows_of(found, options.apart))
    mean = {row[0]: row[2] for row in rows if row[1] == "mean"}
    rows.sort(key=lambda row: (-mean.get(row[0], -1.0), row[0], row[1] == "mean", row[1]))
    print(csv_text(COLUMNS, (row[:2] + tuple(_rounded(row[2:])) for row in rows)), end="")


def _rounded(numbers: Sequence[float | None]) -> list[float | None]:
    return [None if each is None else round(float(each), 3) for each in numbers]


if __name__ == "__main__":
    main()
