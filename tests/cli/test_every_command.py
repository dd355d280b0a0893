"""Commands as a user asks them: a saved comparison, a table of pairs, and help for each."""

import csv
import json

import pytest
from helpers.trees import SAMPLES

from tted_core.cli import SUMMARIES

CORAL = SAMPLES / "coral-reefs"
BASE, DEMO = str(CORAL / "base.json"), str(CORAL / "demo.json")


def as_json(tted, *arguments):
    status, out, _ = tted(*arguments, "--json")
    assert status == 0
    return json.loads(out)


def test_replay_a_saved_comparison(tted, tmp_path):
    file = tmp_path / "coral.json"
    file.write_text(json.dumps(as_json(tted, "compare", BASE, DEMO)), encoding="utf-8")
    saved = tmp_path / "replay.json"
    assert tted("compare", BASE, DEMO, "--replay", str(saved))[0] == 0
    status, out, _ = tted("replay", str(saved))
    assert (status, "Same result as in the file" in out, "confirmed by edist" in out) == (0, True, True)


def test_batch_and_matrix_give_the_distances_of_compare(tted, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(f"left,right\n{BASE},{DEMO}\n", encoding="utf-8")
    expected = as_json(tted, "compare", BASE, DEMO)["tted"]
    assert (
        tted("batch", str(pairs), "--out", str(tmp_path / "rows"), "--csv", str(tmp_path / "rows.csv"))[0]
        == 0
    )
    with (tmp_path / "rows.csv").open(encoding="utf-8") as rows:
        assert [float(row["tted"]) for row in csv.DictReader(rows)] == [pytest.approx(expected)]
    maps = tmp_path / "maps"
    maps.mkdir()
    for file in (BASE, DEMO):
        (maps / file.rsplit("/", 1)[1]).write_bytes((CORAL / file).read_bytes())
    assert tted("matrix", str(maps), "--score", "tted", "--out", str(tmp_path / "matrix.csv"))[0] == 0
    with (tmp_path / "matrix.csv").open(encoding="utf-8") as table:
        header, first, _ = csv.reader(table)
    assert float(first[header.index("demo")]) == pytest.approx(expected)


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_explains_itself(tted, name):
    status, out, _ = tted(name, "--help")
    assert (status, out.startswith(f"usage: tted {name}")) == (0, True)
