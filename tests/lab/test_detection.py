"""detect(): what it measures by hand on a blind and a seeing encoder, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import hashed, placed
from helpers.monitors import STOPPED
from helpers.paths import SAMPLES
from helpers.trees import tree_of

from tted_core.baselines import BASELINES, Baseline
from tted_core.errors import Interrupted, LimitError, UnknownNameError
from tted_core.lab.detection import DOSES, EDITS, detect
from tted_core.lab.quality import Grid, Sample, read_samples

TOPICS = [each for each in read_samples(SAMPLES) if each.name in {"photosynthesis", "urban-heat"}]
GRID = Grid({"hashed": lambda: hashed}, baselines=["rouge_bag"])


def letters(texts):
    """A vector of each text's first letter: all rewordings here keep it, no other sentence has it."""
    return [[float(text[:1] == letter) for letter in "abcdefghxyz"] + [1.0] for text in texts]


def maps(text, *versions):
    """A sample whose paraphrases write the base's letters in other ways."""
    tree = tree_of(text)
    made = [type(tree)(tuple(label + str(each) for label in tree.labels), tree.parents) for each in versions]
    return Sample("here", tree, tuple(made), (), (tree,))


def test_what_is_far_off_is_found_and_rightly_paired():
    other = Sample("there", tree_of("x(y z)"), (), (), ())
    sample = maps("a(b(c d) e(f g))", 1, 2)
    grid = Grid({"letters": lambda: lambda texts: np.array(letters(texts))})
    result = detect([sample, other], grid, seeds=2, edits=["swap", "delete"])
    rows = {(row.edit, row.dose): row for row in result.rows}
    assert list(rows) == [(edit, dose) for edit in ("swap", "delete") for dose in DOSES]
    for edit in ("swap", "delete"):
        assert rows[edit, "1"].auc.value == 1.0
        assert rows[edit, "1"].auc.samples == 1
        assert (rows[edit, "1"].precision, rows[edit, "1"].recall) == (1.0, 1.0)
        assert rows[edit, "1"].n == 4
        assert result.smallest_dose(rows[edit, "1"].options, edit) == "1"
    assert all(each.auc_3_against_1.value == 1.0 for each in result.counting)
    assert all(each.spearman.value > 0.99 for each in result.counting)
    assert rows["swap", "50%"].auc is None  # the other topic has three sentences, and four are wanted


def test_a_blind_measure_is_at_chance():
    """Hashed vectors see no meaning: every reworded sentence is as far off as any other."""
    result = detect(TOPICS, GRID, seeds=2, edits=["swap", "negate"])
    swap = next(
        row for row in result.rows if (row.edit, row.dose) == ("swap", "1") and row.precision is not None
    )
    assert 0.3 < swap.auc.value < 0.7
    assert len(result.seconds) == 2
    assert all(seconds > 0 for seconds in result.seconds)
    bag = [row for row in result.rows if row.options == {"baseline": "rouge_bag"}]
    assert {row.precision for row in bag} == {None}
    assert result.complete


def test_the_same_again():
    first, second = (detect(TOPICS, GRID, seeds=1, edits=["exchange", "name"]) for _ in range(2))
    assert first.rows == second.rows
    assert first.counting == second.counting


def test_it_can_be_stopped_and_refuses_what_it_does_not_know():
    with pytest.raises(Interrupted):
        detect(TOPICS, GRID, seeds=1, monitor=STOPPED)
    with pytest.raises(UnknownNameError):
        detect(TOPICS, GRID, edits=["rewrite"])


def test_the_command_prints_the_agreed_keys(tted, tmp_path):
    arguments = ("detect", str(SAMPLES), "--sizes", "7,10", "--seeds", "1", "--edits", "swap,move")
    status, out, _ = tted(*arguments, "--json")
    content = json.loads(out)
    assert status == 0
    assert len(content["rows"]) == 2 * len(DOSES)
    keys = {"options", "edit", "dose", "auc", "ci95", "precision", "recall", "n"}
    assert all(keys <= set(row) for row in content["rows"])
    assert content["rows"][0]["options"] == {
        "encoder": "minilm",
        "distance": "cosine",
        "context": "none",
        "order": "constrained",
        "gap": 0.0,
        "power": 1.0,
    }
    assert {"options", "edit", "auc_3_against_1", "spearman"} <= set(content["counting"][0])
    assert [each["options"]["control"] for each in content["controls"]["balance"]] == ["blind", "dear-gap"]
    assert len(content["seconds_per_pair"]) == len(content["balance"]) == 1
    status, out, _ = tted(*arguments, "--baselines", "rouge_bag", "--preset", "proofreading")
    assert status == 0
    assert "gap =0.8, p = 8" in out
    assert "swap      AUC of 3 against 1" in out
    assert "AUC of at least 0.95" in out


def test_the_scale_of_an_encoder_is_measured_and_a_gap_that_it_never_reaches_is_said():
    """e5, say, puts all sentences between 0 and 0.3: at the gap =0.8 none would ever be left unpaired."""
    near = placed(
        {
            label: (1.0, 0.1 * len(label) / 60)
            for each in TOPICS
            for tree in each.trees
            for label in tree.labels
        }
        | {"": (1.0, 0.0)}
    )
    options = {"gaps": ["=0.8", "=0.00001"], "powers": [8.0]}
    result = detect(
        TOPICS, Grid({"near": lambda: near, "hashed": lambda: hashed}, options), seeds=1, edits=["swap"]
    )
    scales = {each.model: each for each in result.scales}
    assert 0 < scales["near"].median <= scales["near"].farthest < 0.1
    assert scales["hashed"].farthest > 1
    (notice,) = (each for each in result.notices if "unpaired" in each)
    assert notice.startswith("near puts no two sentences further apart than 0.0")
    assert "only above 0.872 does the gap =0.8 with power 8" in notice


def test_the_balance_is_the_mean_of_its_parts_by_sample():
    result = detect(TOPICS, GRID, seeds=1, edits=["swap", "move", "delete", "insert", "exchange"])
    tted = next(each for each in result.balance if "distance" in each.options)
    rows = {(row.edit, row.dose): row.auc for row in result.rows if row.options == tted.options}
    assert tted.meaning == rows["swap", "1"]
    assert tted.position == rows["exchange", "1"]
    structure = np.mean([rows[edit, "1"].value for edit in ("move", "delete", "insert")])
    assert tted.structure.value == pytest.approx(structure)
    parts = (tted.meaning, tted.structure, tted.position, tted.counting)
    assert tted.balance.value == pytest.approx(np.mean([part.value for part in parts]))
    assert tted.right_pairs is None  # neither map has 14 nodes
    assert detect(TOPICS, GRID, seeds=1, edits=["swap"]).balance[0].balance is None


def test_controls_see_what_they_are_made_to_see():
    """Displaced sentences are the same bag on the same tree; a moved branch changes the tree alone."""
    result = detect(
        TOPICS, replace(GRID, controls=["blind", "dear-gap"]), seeds=1, edits=["move", "exchange"]
    )
    blind, dear = (each for each in result.balance if "control" in each.options)
    assert blind.a_x.value == 0.0
    assert blind.position.value == 0.5
    assert min(control.structure.value for control in (blind, dear)) == 1.0


def test_what_is_undefined_is_left_out_and_told(monkeypatch):
    undefined = iter([False, True] * 1000)

    def sometimes(left, right):
        if next(undefined):
            raise LimitError("too much")
        return BASELINES["rouge_sim"](left, right)

    monkeypatch.setitem(BASELINES, "rouge_bag", Baseline(sometimes, ""))
    result = detect(TOPICS, Grid({}, {"distances": []}, ["rouge_bag"]), seeds=1, edits=["delete"])
    row = result.rows[0]
    assert 0 < row.left_out < row.n
    assert row.doubt.startswith(f"not comparable: {row.left_out} of {row.n} edited maps left out")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--controls", "x"), "unknown control"),
        (("--seeds", "0"), "--seeds is 0"),
        (("--edits", "rewrite"), "unknown edit"),
        (("--powers", "0"), "the power is 0"),
        (("--gaps", "x"), "the gap is x"),
    ],
)
def test_the_command_refuses(tted, given, message):
    status, out, err = tted("detect", str(SAMPLES), *given)
    assert (status, out) == (2, "")
    assert message in err


def test_every_edit_has_a_title():
    assert all(edit.title for edit in EDITS.values())
