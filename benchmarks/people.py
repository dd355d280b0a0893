"""Agreement of measures with people's judgements on several sets, and its mean.

The folder of each set holds pairs.tsv, as ``tted agree`` reads it, and maps. A row has the agreement of a measure
on a set with its 95 % interval, and the difference of ``three_scales`` to it with its own. The set *mean* is over
all but those given apart; clusters are resampled in each set by itself, the same ones for all measures.

    python -m benchmarks.people FOLDER --apart recap_simple
"""

import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import parser_of
from tted_core import load_encoder
from tted_core.baselines import BASELINES, SCALES
from tted_core.formats import read_map
from tted_core.foundations.stats import Values, percentile_interval
from tted_core.foundations.tables import csv_text
from tted_core.lab.people import measure_agreement, read_judged_pairs, resample_agreement
from tted_core.method import PRESETS, Method

COLUMNS = ("measure", "set", "agreement", "low", "high", "three_scales_minus", "minus_low", "minus_high")


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
            numbers = [point[number], *percentile_interval(resamples[number])]
            if number != ours:
                difference = resamples[ours] - resamples[number]
                numbers += [point[ours] - point[number], *percentile_interval(difference)]
            rounded = [round(float(each), 3) for each in numbers]
            yield measure, name, *rounded, *[None] * (len(COLUMNS) - 2 - len(rounded))


def main() -> None:
    """Print the table as CSV, best mean first."""
    parser = parser_of("people", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--apart", nargs="*", default=[], metavar="SET", help="sets that are not in the mean")
    parser.add_argument("--baselines", nargs="*", default=list(BASELINES), metavar="NAME")
    options = parser.parse_args()
    methods = {f"TTED {name}": Method(**each) for name, each in PRESETS.items()}
    measure = partial(
        measure_agreement, methods=methods, baselines=[*options.baselines, *SCALES], load=cache(load_encoder)
    )
    found = {}
    for table in sorted(options.folder.glob("*/pairs.tsv")):
        judged = read_judged_pairs(table.read_bytes())
        maps = {name: read_map(table.parent / name).tree for pair in judged.pairs for name in pair}
        values = measure(judged, maps)
        found[table.parent.name] = (list(values), *resample_agreement(judged, values))
        print(table.parent.name, file=sys.stderr, flush=True)
    rows = list(rows_of(found, options.apart))
    mean = {row[0]: row[2] for row in rows if row[1] == "mean"}
    rows.sort(key=lambda row: (-mean.get(row[0], -1.0), row[0], row[1] == "mean", row[1]))
    print(csv_text(COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
