"""The quality of distances: samples, coefficients worked out by hand, and the grid."""

import itertools
import json
import math

import numpy as np
import pytest
from helpers.encoders import hashed, nearer, sentence_encoder
from helpers.monitors import STOPPED, recording
from helpers.trees import SAMPLE, SAMPLES, by_kind, tree_of
from scipy.stats import bootstrap

from tted_core.baselines import BASELINES
from tted_core.batch.table import combine
from tted_core.contexts import CONTEXTS
from tted_core.errors import Interrupted, LimitError, MapFormatError
from tted_core.foundations.stats import RESAMPLES
from tted_core.lab import samples as reading
from tted_core.lab.coefficients import SEED, SampleScores, quality
from tted_core.lab.quality import run_grid
from tted_core.lab.samples import VARIANT_KINDS, Sample, read_samples
from tted_core.method import Method
from tted_core.solvers import SOLVERS

FIRST = SampleScores("one", 5, by_kind((1.0, 2.0), (4.0, 0.0), (2.0, 5.0)))
SECOND = SampleScores("two", 5, by_kind((3.0,), (6.0, 2.0), (math.nan, 3.0)))
THIRD = SampleScores("three", 8, by_kind((1.0,), (0.0,), (10.0,)))


OTHER = Sample("t", tree_of("e(f)"), by_kind((tree_of("E(f)"),), (tree_of("f(e)"),), (tree_of("p(q)"),)))


def test_the_coefficients_by_hand():
    found = quality([FIRST, SECOND, THIRD])
    # equation (3): (1/4 + 2/4) / 2 and (3/6 + 3/2) / 2; the third sample has no ratio
    assert found.figures["r_s"].mean == pytest.approx((0.375 + 1.0) / 2)
    assert found.figures["r_s"].std == pytest.approx((1.0 - 0.375) / 2)
    assert (found.figures["r_s"].dropped, found.figures["r_s"].n) == (2, 2)
    # equation (4): (1/2 + 1/5 + 2/2 + 2/5) / 4, 3/3 and 1/10
    assert found.figures["r_m"].mean == pytest.approx((0.525 + 1.0 + 0.1) / 3)
    assert (found.figures["r_m"].dropped, found.figures["r_m"].n) == (1, 3)
    low, high = found.figures["r_m"].ci95
    assert 0.1 <= low < found.figures["r_m"].mean < high <= 1.0


def test_intervals_are_those_of_scipy_to_the_last_digit():
    near = (
        np.random.default_rng(4).integers(1, 2**30, 64).astype(float)
    )  # means of 64 integers aren't rounded
    samples = [SampleScores(str(each), 5, by_kind((each,), (1.0,), (2.0,))) for each in near]
    with_scipy = {"n_resamples": RESAMPLES, "method": "percentile"}
    for found, values in (
        (quality(samples).figures["r_s"], near),
        (quality(samples).figures["r_m"], np.array(near) / 2),
    ):
        drawn = bootstrap((values,), np.mean, rng=np.random.default_rng(SEED), **with_scipy)
        assert found.ci95 == tuple(drawn.confidence_interval)


def test_the_published_tables_pool_all_pairs_of_one_size():
    found = quality([FIRST, SECOND, THIRD]).pooled
    heap = [near / far for near in (1, 2, 3) for far in (4, 6, 2)]
    assert found["r_s"].mean == pytest.approx(np.mean(heap))
    assert found["r_s"].std == pytest.approx(np.std(heap))
    assert (found["r_s"].n, found["r_s"].dropped) == (9, 2)
    heap = [near / far for near in (1, 2, 3) for far in (2, 5, 3)] + [1 / 10]
    assert found["r_m"].mean == pytest.approx(np.mean(heap))
    assert found["r_m"].ci95 is None


def test_mean_distances_by_kind_and_size():
    rho = quality([FIRST, SECOND, THIRD]).rho
    assert {kind: {size: each.mean for size, each in sizes.items()} for kind, sizes in rho.items()} == {
        "paraphrase": {5: 2.0, 8: 1.0},
        "structure": {5: 3.0, 8: 0.0},
        "meaning": {5: pytest.approx(10 / 3), 8: 10.0},
    }
    assert rho["meaning"][5].dropped == 1


def test_without_any_ratio_the_coefficient_is_undefined():
    found = quality([THIRD])
    assert (
        found.figures["r_s"].mean,
        found.figures["r_s"].std,
        found.figures["r_s"].ci95,
        found.figures["r_s"].n,
        found.figures["r_s"].dropped,
    ) == (
        None,
        None,
        None,
        0,
        1,
    )
    assert found.figures["r_m"].ci95 is None  # one sample has no spread


def test_our_own_samples_are_read_each_variant_once():
    samples = read_samples(SAMPLES)
    assert len(samples) == 17
    assert all(len(variants) == 3 for sample in samples for variants in sample.variants.values())
    assert (
        read_samples(SAMPLES / "baikal", variants=2)[0].variants["paraphrase"]
        == samples[0].variants["paraphrase"][:2]
    )


def test_the_layout_of_the_published_data(tmp_path):
    for size, number in itertools.product((10, 5), (0, 1)):
        folder = tmp_path / f"size_{size}" / f"set_{number}"
        folder.mkdir(parents=True)
        for name in ("base_tree", *(f"{kind}_{i}" for kind in VARIANT_KINDS for i in (10, 9, 0))):
            label = f"{name} {size}"
            (folder / f"{name}.json").write_text(json.dumps({label: {"b": {}}}), encoding="utf-8")
        (folder / "notes.txt").write_text("nothing of ours", encoding="utf-8")
    samples = read_samples(tmp_path, variants=2)
    assert [sample.name for sample in samples] == [
        "size_5/set_0",
        "size_5/set_1",
        "size_10/set_0",
        "size_10/set_1",
    ]
    assert [tree.labels[0] for tree in samples[2].variants["structure"]] == [
        "structure_0 10",
        "structure_9 10",
    ]
    assert samples[0].base.labels[0] == "base_tree 5"


def test_other_folders_are_reported(tmp_path, monkeypatch):
    with pytest.raises(MapFormatError, match="is not a folder"):
        read_samples(tmp_path / "nowhere")
    with pytest.raises(MapFormatError, match="holds no sample: a folder with base"):
        read_samples(tmp_path)

    (tmp_path / "s").mkdir()
    for name in ("base", "paraphrase_1", "structure_1"):
        (tmp_path / "s" / f"{name}.json").write_text("{" * (name != "base") or '{"a": {}}', encoding="utf-8")
    with pytest.raises(MapFormatError, match=r"s/paraphrase_1\.json: "):
        read_samples(tmp_path)
    monkeypatch.setattr(reading, "MAX_SAMPLE_FILES", 2)
    with pytest.raises(LimitError, match="3 maps in"):
        read_samples(tmp_path)


def test_the_grid_has_a_row_for_each_setting_and_each_baseline():
    methods = combine(
        ["nearer"], orders=list(SOLVERS), contexts=["none", "ancestors"], distances=["cosine", "levenshtein"]
    )
    report = run_grid(
        [SAMPLE, OTHER], methods, list(BASELINES), encoders=["nearer"], load=lambda _name: nearer
    )
    assert report.complete
    assert len(report.rows) == len(BASELINES) + 3 * 2 * 2
    assert all(row.complete for row in report.rows)
    assert len({row.signature for row in report.rows}) == len(report.rows)
    for row in report.rows:
        if "baseline" in row.options:
            baseline = BASELINES[row.options["baseline"]]
            score = baseline(SAMPLE.base, SAMPLE.variants["meaning"][0], nearer)
            assert row.samples[0].distances["meaning"] == pytest.approx((score.rho_base,), abs=1e-9)
            assert ("encoder" in row.options) == (baseline.reads == "encoder")


def test_a_permutation_of_siblings_is_left_out_where_order_does_not_count():
    report = run_grid([SAMPLE, OTHER], combine(orders=SOLVERS), load=lambda _name: hashed)
    dropped = {row.options["order"]: row.quality.figures["r_s"].dropped for row in report.rows}
    assert dropped == {"ordered": 0, "constrained": 1, "unordered": 1}


def test_a_stopped_grid_keeps_its_results_and_says_so():
    methods = combine(orders=["ordered", "constrained"])
    stages = []
    monitor = recording(stages, lambda: "Measuring t" in dict(stages))
    report = run_grid([SAMPLE, OTHER], methods, load=lambda _name: hashed, monitor=monitor)
    assert not report.complete
    assert [row.complete for row in report.rows] == [False, False]
    assert [len(row.samples) for row in report.rows] == [1, 1]
    assert [share for _, share in stages] == sorted(share for _, share in stages)
    with pytest.raises(Interrupted):
        run_grid([SAMPLE], methods, load=lambda _name: hashed, monitor=STOPPED)


def test_a_signature_names_all_relevant_options():
    encoder = sentence_encoder()
    (row,) = run_grid([SAMPLE], [Method(encoder="e", gap="=0.5", power=2)], load=lambda _name: encoder).rows
    parts = dict(part.split(":", 1) for part in row.signature.split("|")[1:])
    assert parts | {"in": "", "v": ""} == {
        "encoder": "e@01234567",
        "distance": "cosine",
        "context": "none",
        "order": "constrained",
        "gap": "=0.5",
        "power": "2.0",
        "samples": "1",
        "in": "",
        "v": "",
    }


def test_the_command_prints_the_agreed_keys(tted):
    status, out, err = tted("quality", str(SAMPLES), "--variants", "1", "--json")
    content = json.loads(out)
    assert (status, err) == (0, "")
    assert {"r_s", "r_m", "rho", "pooled", "options", "signature"} <= set(content)
    assert set(content["r_s"]) == set(content["r_m"]) == {"mean", "std", "ci95", "dropped", "n"}
    assert set(content["rho"]) == set(VARIANT_KINDS)
    assert content["options"]["score"] == "tted"
    assert "R_S" in tted("quality", str(SAMPLES), "--variants", "1")[1]


def test_the_command_runs_the_grid(tted):
    arguments = ("quality", str(SAMPLES / "photosynthesis"), "--orders=ordered,constrained", "--contexts=all")
    content = json.loads(
        tted(*arguments, "--distances=cosine,levenshtein", "--baselines=rouge_sim", "--json")[1]
    )
    blends = sum(context.blend is not None for context in CONTEXTS.values())
    assert len(content["rows"]) == 1 + 2 * (2 * len(CONTEXTS) - blends)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--time-limit", "0"), "--time-limit: the time limit is a finite number"),
        (("--variants", "0"), "--variants: '0' is not a whole number from 1 on"),
        (("--sizes", "99"), "no sample in"),
        (("--orders", "x"), "unknown order"),
        (("--distance", "levenshtein", "--context", "path"), "the context path needs vectors"),
    ],
)
def test_the_command_refuses(tted, arguments, message):
    status, out, err = tted("quality", str(SAMPLES), *arguments)
    assert (status, out) == (2, "")
    assert message in err
