"""Commands as a user asks them: a saved comparison, a table of pairs, and help for each."""

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


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_explains_itself(tted, name):
    status, out, _ = tted(name, "--help")
    assert (status, out.startswith(f"usage: tted {name}")) == (0, True)
