"""The JSON Schemas in docs/schemas: made by tools/schemas.py, one for each command that prints JSON, and true.

Whatever a test has a command print with ``--json`` is held against its schema too (the fixture ``tted``).
"""

import argparse
import json
import subprocess
import sys

import pytest
from helpers.paths import ROOT, SAMPLES
from helpers.schemas import FOLDER, validator
from jsonschema import ValidationError

from tted_core.cli import SUMMARIES, command

TOPICS = sorted(path.name for path in SAMPLES.iterdir() if (path / "paraphrase_1.json").is_file())[:10]


def prints_json(parser):
    """Whether the command, or one of its parts, has the option --json."""
    parts = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    within = (each for action in parts for each in action.choices.values())
    return "--json" in parser._option_string_actions or any(map(prints_json, within))


def test_each_command_that_prints_json_has_a_schema():
    commands = set()
    for name in SUMMARIES:
        parser = argparse.ArgumentParser()
        command(name).add_arguments(parser)
        if prints_json(parser):
            commands.add(name)
    assert {path.stem for path in FOLDER.iterdir()} == commands


@pytest.mark.parametrize(
    "wrong",
    [{"format": "json"}, {"nodes": "1"}, {"parents": [None]}, {"more": 1}],
)
def test_what_is_no_such_output_is_refused(wrong):
    right = {"format": "json", "nodes": 1, "depth": 1, "labels": ["a"], "parents": [-1], "notices": []}
    validator("read").validate(right)
    given = wrong if "format" in wrong else right | wrong
    with pytest.raises(ValidationError):
        validator("read").validate(given)


@pytest.mark.thorough
def test_the_files_are_those_that_the_tool_makes():
    program = (
        "import json, schemas; print(json.dumps({each: schemas.text(each) for each in schemas.OUTPUTS}))"
    )
    made = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = ['tools', '.']; {program}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=280,
    )
    assert json.loads(made.stdout) == {
        path.stem: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()
    }


@pytest.mark.thorough
@pytest.mark.parametrize("topic", TOPICS)
def test_fifty_outputs_are_as_their_schemas_say(tted, topic):
    left, right = (str(SAMPLES / topic / f"{name}.json") for name in ("base", "paraphrase_1"))
    compare = ("compare", left, right, "--json", "--distance")
    for arguments in (
        ("read", left, "--json"),
        (*compare, "cosine", "--baselines", "rouge_sim,edge_f1,structural_tted"),
        (*compare, "levenshtein", "--preset", "proofreading", "--order", "ordered", "--baselines", "none"),
        ("text", topic, f"the {topic}", "--measures", "levenshtein,cosine", "--json"),
        ("perturb", left, "--by", "move", "--json"),
    ):
        status, output, _ = tted(*arguments)
        assert status == 0
        validator(arguments[0]).validate(json.loads(output))
