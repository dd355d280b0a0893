"""Against the published trees and scores, where they are at hand.

They come without a licence, so they are not part of this project. Set TTED_PUBLISHED_DATA to a folder that
holds ``tted_test/size_5/set_0/base_tree.json`` and so on, and ``published/baseline.json``.
"""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tted_core.baselines import BASELINES
from tted_core.formats import read_map
from tted_core.lab.coefficients import SampleScores, quality
from tted_core.lab.quality import run_grid
from tted_core.lab.samples import read_samples

FOLDER = os.environ.get("TTED_PUBLISHED_DATA", "")
SIZES = ("5", "10")
KINDS = ("paraphrase", "structure", "meaning")

pytestmark = pytest.mark.skipif(not FOLDER, reason="TTED_PUBLISHED_DATA does not lead to the published data")


@cache
def tree(size, number, name):
    return read_map(Path(FOLDER) / "tted_test" / f"size_{size}" / f"set_{number}" / f"{name}.json").tree


def variants(size, number):
    folder = Path(FOLDER) / "tted_test" / f"size_{size}" / f"set_{number}"
    names = sorted(path.stem for path in folder.glob("*_*.json") if path.stem != "base_tree")
    assert len(names) >= 15
    return [tree(size, number, name) for name in names]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("file", "score"), [("baseline_sim", "sim"), ("baseline", "rho_base")])
def test_rouge_sim_published_gives_the_published_scores(file, score, size, kind):
    published = json.loads((Path(FOLDER) / "published" / f"{file}.json").read_text(encoding="utf-8"))[size][
        kind
    ]
    found = [published_baseline(size, number, f"{kind}_{i}") for number in range(5) for i in range(5)]
    assert [getattr(each, score) for each in found] == pytest.approx(published, abs=1e-9)


@cache
def published_baseline(size, number, name):
    return BASELINES["rouge_sim_published"](tree(size, number, "base_tree"), tree(size, number, name))


@pytest.mark.parametrize(("kind", "name"), [("structure", "r_s"), ("meaning", "r_m")])
def test_the_baseline_row_is_the_one_of_the_published_scores(kind, name):
    """Per sample as equation (3) and (4) have it, and pooled as the published tables do."""
    published = json.loads((Path(FOLDER) / "published" / "baseline.json").read_text(encoding="utf-8"))
    samples = read_samples(Path(FOLDER) / "tted_test", variants=5)
    (row,) = run_grid(samples, (), ["rouge_sim_published"]).rows
    by_sample, heap = [], []
    for size in SIZES:
        near, far = (np.array(published[size][each]).reshape(5, 5) for each in ("paraphrase", kind))
        by_sample += [np.mean(np.divide.outer(near[k], far[k])) for k in range(5)]
        heap.append(np.divide.outer(near.ravel(), far.ravel()).ravel())
    for found, values in (
        (getattr(row.quality, name), np.array(by_sample)),
        (row.quality.pooled[name], np.concatenate(heap)),
    ):
        assert (found.mean, found.std) == pytest.approx((values.mean(), values.std()), abs=1e-9)
        assert (found.n, found.dropped) == (len(values), 0)


def test_pooling_the_published_scores_of_all_sizes_gives_the_printed_baseline_row():
    """R_S 2.05 ± 0.79 and R_M 0.96 ± 0.10 in Table I: this is how it was computed, zero distances left out."""
    published = json.loads((Path(FOLDER) / "published" / "table1_baseline.json").read_text(encoding="utf-8"))
    scores = [
        SampleScores(size, int(size), {kind: tuple(kinds[kind]) for kind in KINDS})
        for size, kinds in published.items()
    ]
    pooled = quality(scores).pooled
    assert f"{pooled['r_s'].mean:.2f} ± {pooled['r_s'].std:.2f}" == "2.05 ± 0.79"
    assert f"{pooled['r_m'].mean:.2f} ± {pooled['r_m'].std:.2f}" == "0.96 ± 0.10"
    assert (pooled["r_s"].dropped, pooled["r_m"].dropped) == (5, 0)
