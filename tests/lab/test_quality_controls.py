"""Controls, displaced sentences (A_X), and what is left out of figures, with its notices."""

import json
import math
import shutil

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.masked import save_tiny_masked_model
from helpers.paths import SAMPLES
from helpers.trees import by_kind, tree_of

from tted_core.lab.coefficients import SampleScores, quality
from tted_core.lab.quality import run_grid
from tted_core.lab.samples import Sample, read_samples
from tted_core.method import Method

SAMPLE = Sample(
    "s",
    tree_of("a(b(c) d)"),
    by_kind(
        (tree_of("A(b(c) d)"), tree_of("a(B(C) d)")),
        (tree_of("a(b c d)"), tree_of("a(d b(c))")),
        (tree_of("x(y(z) w)"),),
    ),
)

VECTORS = {
    "a": (1, 0),
    "b": (1, 0),
    "c": (0, 1),
    "d": (0, 1),
    "x": (1, 0),
    "y": (1, 0),
    "z": (1, 0),
    "w": (1, 0),
}


def encoder(texts):
    return np.array([VECTORS.get(text.lower(), (1, 1)) for text in texts], dtype=float)


def test_displaced_sentences_are_all_elsewhere_in_the_same_tree():
    for sample in read_samples(SAMPLES):
        for tree in sample.displaced:
            assert tree.parents == sample.base.parents
            assert sorted(tree.labels) == sorted(sample.base.labels)
            assert all(new != old for new, old in zip(tree.labels, sample.base.labels, strict=True))
        assert len(set(sample.displaced)) > 1


def test_a_x_by_hand():
    scores = [
        SampleScores("one", 5, by_kind((1.0, 2.0), (1.0,), (1.0,), (1.5, 2.0))),
        SampleScores("two", 5, by_kind((1.0, math.nan), (1.0,), (1.0,), (3.0,))),
    ]
    found = quality(scores).figures["a_x"]
    assert found.mean == pytest.approx((2.5 / 4 + 1) / 2)  # 1.5 > 1, 2 > 1, 2 = 2 counts half
    assert (found.dropped, found.n) == (1, 2)
    assert found.left_out == pytest.approx(1 / 6)
    assert quality([SampleScores("bare", 5, by_kind((1.0,), (1.0,), (1.0,)))]).figures["a_x"].mean is None


def test_the_blind_control_by_hand():
    """The mean of a, b, c, d points half way; the map of another meaning lies on the first axis."""
    rows = run_grid(
        [SAMPLE],
        [Method(encoder="e")],
        controls=["blind", "dear-gap"],
        encoders=["e"],
        load=lambda _name: encoder,
    ).rows
    blind, dear = (next(iter(row.scores.values()))[0] for row in rows[1:])
    assert [row.name for row in rows[1:]] == ["e, control blind", "e, control dear-gap"]
    assert blind.distances["paraphrase"] == (0.0, 0.0)
    assert blind.distances["structure"] == (2.0, 0.0)  # c moves up: one node deleted and one inserted
    assert blind.distances["meaning"] == (pytest.approx(math.sqrt(1 - math.sqrt(0.5)) / 2),)
    assert blind.distances["displaced"] == (0.0,) * 5
    assert dear.distances["structure"][0] > 100
    assert dear.distances["meaning"][0] < 4


def test_leaving_out_more_than_a_tenth_is_reported():
    def of(*structure):
        return quality([SampleScores("one", 5, by_kind((1.0,), structure, (1.0,)))]).figures["r_s"]

    assert of(*[1.0] * 9, 0.0).doubt is None
    assert of(*[1.0] * 8, 0.0).doubt == "not comparable: 11 % left out (1 distance is 0 or undefined)"
    assert of(*[0.0] * 2).doubt == "not comparable: 100 % left out (2 distances are 0 or undefined)"


def test_the_command_brackets_what_can_not_be_compared(tted):
    arguments = ("quality", str(SAMPLES), "--sizes=7,10", "--distances=levenshtein", "--baselines=rouge_bag")
    content = json.loads(tted(*arguments, "--json")[1])
    assert content["controls"] == []  # no encoder is used
    bag = content["rows"][0]
    assert set(bag["doubt"]) == {"r_s"}
    assert content["rows"][1]["doubt"] == {}
    out = tted(*arguments)[1]
    assert "(R_S): not comparable: 100 % left out" in out
    content = json.loads(tted("quality", str(SAMPLES), "--sizes=7", "--json")[1])
    assert [each["options"]["control"] for each in content["controls"]] == ["blind", "dear-gap"]
    assert content["controls"][0]["a_x"]["mean"] == 0


def test_a_distance_by_a_masked_model_is_measured_when_named(tted, tmp_path):
    folder = save_tiny_masked_model(tmp_path / "tiny")
    arguments = ("quality", str(SAMPLES), "--sizes=7", "--variants=1", "--distances=ndd", "--json")
    status, out, _ = tted(*arguments, "--masked-model", str(folder))
    assert status == 0
    assert json.loads(out)["options"]["encoder"] == str(folder)


def test_controls_of_encoders_that_are_not_used_are_not_measured():
    methods = [Method(encoder="e", distance="levenshtein")]
    assert len(run_grid([SAMPLE], methods, controls=["blind"], encoders=["e"]).rows) == 1


def test_baselines_alone_do_not_depend_on_the_solver(monkeypatch):
    """A fault of TTED ended them."""
    from tted_core.pipeline import solved

    def fail(*_given):
        raise AssertionError

    monkeypatch.setattr(solved, "solve_packed", fail)
    rows = run_grid(
        [SAMPLE], (), ["rouge_bag", "greedy_match"], encoders=["e"], load=lambda _name: hashed
    ).rows
    assert [row.name for row in rows] == ["rouge_bag", "e, greedy_match"]


TWO_ROOTS = {"Leaves": {"Sugar": {}}, "Roots": {"Water": {}, "Soil": {}}}


def test_the_command_reports_omissions(tted, tmp_path):
    """Combinations that make no row, and folders that are no samples."""
    shutil.copytree(SAMPLES / "photosynthesis", tmp_path / "whole")
    for folder, name in (
        ("poor", "base"),
        ("poor", "meaning_1"),
        ("rest", "structure_1"),
        ("rest", "meaning_1"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy(SAMPLES / "photosynthesis" / f"{name}.json", tmp_path / folder)
    reported = [
        "left out 2 folders: poor (no paraphrases), rest (no base map and no paraphrases)",
        "left out: levenshtein with the context path, which needs vectors",
    ]
    arguments = ("quality", str(tmp_path), "--distance=levenshtein", "--context=path,none", "--sizes=99, 7")
    status, out, err = tted(*arguments)
    assert (status, err.splitlines()) == (0, [f"notice: {each}" for each in reported])
    assert "1 sample; mean" in out
    assert json.loads(tted(*arguments, "--json")[1])["notices"] == reported


@pytest.mark.parametrize("roots", ["join", "first"])
def test_a_sample_with_several_roots_is_measured_with_a_notice(tted, tmp_path, roots):
    for kind in ("base", "paraphrase_1", "structure_1", "meaning_1"):
        shutil.copy(SAMPLES / "photosynthesis" / f"{kind}.json", tmp_path)
    (tmp_path / "structure_1.json").write_text(json.dumps(TWO_ROOTS), encoding="utf-8")
    arguments = ("quality", str(tmp_path), "--distance=levenshtein", "--roots", roots)
    status, out, err = tted(*arguments, "--json")
    assert status == 0
    (notice,) = err.splitlines()
    assert notice.startswith("notice: structure_1.json: the map has 2 roots")
    # Whoever names the roots' file to the library has the same tree, and so the same signature.
    kept = TWO_ROOTS if roots == "join" else {"Leaves": TWO_ROOTS["Leaves"]}
    (tmp_path / "structure_1.json").write_text(
        json.dumps({"(2 roots)": kept} if roots == "join" else kept), encoding="utf-8"
    )
    again = tted(*arguments, "--json")
    assert again[2] == ""
    assert json.loads(again[1])["signature"] == json.loads(out)["signature"]


def test_a_sample_with_several_roots_is_refused_on_request(tted, tmp_path):
    shutil.copytree(SAMPLES / "photosynthesis", tmp_path / "x")
    (tmp_path / "x" / "structure_1.json").write_text(json.dumps(TWO_ROOTS), encoding="utf-8")
    status, _, err = tted("quality", str(tmp_path), "--distance=levenshtein", "--roots=error")
    assert status == 2
    assert "structure_1.json" in err
    assert "2 roots" in err
