"""What is left out of figures, with its notices."""

import json
import shutil

import pytest
from helpers.encoders import hashed
from helpers.paths import SAMPLES
from helpers.trees import SAMPLE, by_kind

from tted_core.lab.coefficients import SampleScores, quality
from tted_core.lab.quality import run_grid


def test_leaving_out_more_than_a_tenth_is_reported():
    def of(*structure):
        return quality([SampleScores("one", 5, by_kind((1.0,), structure, (1.0,)))]).figures["r_s"]

    assert of(*[1.0] * 9, 0.0).doubt is None
    assert of(*[1.0] * 8, 0.0).doubt == "not comparable: 11 % left out (1 distance is 0 or undefined)"
    assert of(*[0.0] * 2).doubt == "not comparable: 100 % left out (2 distances are 0 or undefined)"


def test_the_command_brackets_what_can_not_be_compared(tted):
    arguments = ("quality", str(SAMPLES), "--sizes=7,10", "--distances=levenshtein", "--baselines=rouge_bag")
    content = json.loads(tted(*arguments, "--json")[1])
    bag = content["rows"][0]
    assert set(bag["doubt"]) == {"r_s"}
    assert content["rows"][1]["doubt"] == {}
    out = tted(*arguments)[1]
    assert "(R_S): not comparable: 100 % left out" in out


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
