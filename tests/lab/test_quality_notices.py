"""What the command quality was asked for and leaves out."""

import json
import shutil

from helpers.trees import SAMPLES


def test_the_command_says_what_it_leaves_out(tted, tmp_path):
    """Combinations that make no row, folders that are no samples, and sizes that no sample has."""
    shutil.copytree(SAMPLES / "photosynthesis", tmp_path / "whole")
    for folder, name in (
        ("poor", "base"),
        ("poor", "meaning_1"),
        ("rest", "structure_1"),
        ("rest", "meaning_1"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy(SAMPLES / "photosynthesis" / f"{name}.json", tmp_path / folder)
    told = [
        "left out 2 folders: poor (no paraphrases), rest (no base map and no paraphrases)",
        "no sample has a base of 99 nodes",
        "left out: levenshtein with the context map, which works on vectors and not on texts",
    ]
    arguments = ("quality", str(tmp_path), "--distance=levenshtein", "--context=map,none", "--sizes=99, 7")
    status, out, err = tted(*arguments)
    assert (status, err.splitlines()) == (0, [f"notice: {each}" for each in told])
    assert "1 sample; mean" in out
    assert json.loads(tted(*arguments, "--json")[1])["notices"] == told
