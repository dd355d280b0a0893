"""Power and reliability of settings in comparing systems (docs/quality.md).

- Distinguished pairs of systems: by a paired t-test (Student 1908) over the documents, with Holm's
  correction.
- Split-half tau: the documents are halved by chance, each half ranks the systems by their means, and Kendall's
  tau-b says how well the two rankings agree; the mean over many halvings, and the middle 95 % of them.

Run ``python -m benchmarks.systems_reliability REFERENCES SYSTEM ...``, folders whose maps have the same names.
"""

import argparse
import functools
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_1samp

from tted_core.arithmetic import gap_text
from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.formats.map_collections import collected
from tted_core.foundations.stats import correlation_or_0, holm, kendall, percentile_interval
from tted_core.method import Method
from tted_core.systems import measure_systems
from tted_core.systems.scores import Values
from tted_core.systems.statistics import LEVEL

SPLITS, SEED = 300, 0
"""Halvings of the documents."""

SETTINGS: tuple[dict[str, Any], ...] = (
    {"gap": 0.0, "power": 1.0},
    {"gap": 0.0, "power": 2.0},
    {"gap": "=1", "power": 2.0},
    {"gap": "=0.8", "power": 3.0},
    {"gap": "=0.8", "power": 8.0},
    {"gap": 0.0, "power": 1.0, "order": "unordered", "time_limit": 2.0},
)


def distinguished(values: Values) -> str:
    """Number of pairs of systems whose (systems, documents) values differ significantly."""
    pairs = list(itertools.combinations(values, 2))
    differences = [one - other for one, other in pairs]
    p = [
        float(ttest_1samp(each, 0.0).pvalue) if np.ptp(each) else float(not each.any())
        for each in differences
    ]
    return f"{sum(each is not None and each < LEVEL for each in holm(p))} of {len(pairs)}"


def split_half(values: Values) -> str:
    """The mean tau-b of the rankings by two halves of the documents, and its middle 95 %."""
    rng = np.random.default_rng(SEED)
    n = values.shape[1]
    orders = np.array([rng.permutation(n) for _ in range(SPLITS)])
    halves = [values[:, half].mean(axis=-1).T for half in (orders[:, : n // 2], orders[:, n // 2 :])]
    taus = correlation_or_0(kendall, *halves)
    return f"{taus.mean():.2f} ({{:.2f}} to {{:.2f}})".format(*percentile_interval(taus))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each measure under each setting."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.systems_reliability")
    parser.add_argument("references", type=Path)
    parser.add_argument("systems", type=Path, nargs="+")
    given = parser.parse_args(arguments)
    collections = {
        folder: [(name, functools.cache(read)) for name, read in collected(folder)]
        for folder in (given.references, *given.systems)
    }
    systems = {folder.name: collections[folder] for folder in given.systems}
    load = functools.cache(lambda name: encoding_once(load_encoder(name)))
    print("| setting | measure | documents | pairs | tau | means | controls |\n" + "| --- " * 7 + "|")
    for setting in SETTINGS:
        scores = measure_systems(
            [collections[given.references]],
            systems,
            BatchOptions((Method(**setting),)),
            controls=tuple(CONTROLS),
            load=load,
        ).scores
        name = f"{setting.get('order', '')} gap {gap_text(setting['gap'])}, power {setting['power']:g}"
        for measure in scores.measures:
            whole = scores.whole(measure)
            values = scores.contenders.measures[measure][:, whole]
            means = values.mean(axis=1)
            beside = zip(scores.systems, scores.measures[measure], strict=True)
            controls = ", ".join(
                f"{row} {np.nanmean(of[whole]):.3g}" for row, of in beside if row in CONTROLS
            )
            cells = (
                name.strip(),
                measure,
                f"{whole.sum()}",
                distinguished(values),
                split_half(values),
                f"{means.min():.3g} to {means.max():.3g}",
                controls,
            )
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
