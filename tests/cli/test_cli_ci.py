"""The check in CI: the steps of the GitHub Action and the hook of pre-commit, run as their programs run them."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml
from helpers.command import LEFT, RIGHT
from helpers.paths import ROOT

ACTION = yaml.safe_load((ROOT / ".github" / "actions" / "compare" / "action.yml").read_text(encoding="utf-8"))
WITHOUT_MODEL = "--distance levenshtein"


@pytest.fixture
def environment(tmp_path):
    """Variables of a process that finds git's settings nowhere, and the command ``tted`` in its path."""
    command = tmp_path / "bin" / "tted"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tted_core "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    others = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))
    }
    return others | {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
    }


def run_action(environment, **given):
    """All steps of the action with these inputs, as its runner does them; the last step's result."""
    given = {name.replace("_", "-"): str(value) for name, value in given.items()}
    missing = {name for name, told in ACTION["inputs"].items() if told.get("required")} - given.keys()
    assert not missing
    inputs = {name: given.get(name, told.get("default")) for name, told in ACTION["inputs"].items()}
    environment = environment | {"GITHUB_ACTION_PATH": str(ROOT / ".github" / "actions" / "compare")}
    for step in ACTION["runs"]["steps"]:
        expected = {name: f"${{{{ inputs.{name} }}}}" for name in inputs}
        names = {text: name for name, text in expected.items()}
        variables = {name: inputs[names[text]] for name, text in step.get("env", {}).items()}
        assert step["shell"] == "bash"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env=environment | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=280,
        )
        if done.returncode:
            return done
    return done


@pytest.mark.thorough
def test_the_action_compares_two_maps(environment):
    passed = run_action(environment, left=LEFT, right=RIGHT, fail_above=0.9, options=WITHOUT_MODEL)
    assert (passed.returncode, passed.stdout[:5]) == (0, "TTED ")
    failed = run_action(environment, left=LEFT, right=RIGHT, fail_above=0.1, options=WITHOUT_MODEL)
    assert failed.returncode == 1
    assert "above 0.1" in failed.stderr


@pytest.mark.thorough
def test_the_action_compares_two_folders(environment, tmp_path):
    for folder, file in (("left", LEFT), ("right", RIGHT)):
        (tmp_path / folder).mkdir()
        shutil.copy(file, tmp_path / folder / "a map.json")
    given = {"left": tmp_path / "left", "right": tmp_path / "right", "options": "--distances levenshtein"}
    passed = run_action(environment, **given, fail_above=0.9, out=tmp_path / "results")
    assert passed.returncode == 0, passed.stderr
    assert (tmp_path / "results" / "summary.json").is_file()
    failed = run_action(environment, **given, fail_above=0.1)
    assert failed.returncode == 1
    assert "above 0.1" in failed.stderr


@pytest.mark.thorough
def test_pre_commit_runs_the_hook(environment, tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def run(*command, folder):
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=280
        )

    def committed(folder):
        """All files of a folder as a repository; returns the commit."""
        run("git", "init", "--quiet", folder=folder)
        run("git", "add", ".", folder=folder)
        run("git", "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "all", folder=folder)
        return run("git", "rev-parse", "HEAD", folder=folder).stdout.strip()

    hooks, maps = tmp_path / "hooks", tmp_path / "maps"
    for folder in (hooks, maps):
        folder.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    revision = committed(hooks)
    shutil.copy(LEFT, maps / "left.json")
    shutil.copy(RIGHT, maps / "right.json")
    for bound, status in (("0.9", 0), ("0.1", 1)):
        arguments = ["left.json", "right.json", "--fail-above", bound, *WITHOUT_MODEL.split()]
        hook = {"id": "tted-compare", "language": "system", "args": arguments}  # as installed already
        repositories = [{"repo": str(hooks), "rev": revision, "hooks": [hook]}]
        (maps / ".pre-commit-config.yaml").write_text(
            yaml.safe_dump({"repos": repositories}), encoding="utf-8"
        )
        committed(maps)
        done = run(sys.executable, "-m", "pre_commit", "run", "--all-files", folder=maps)
        assert done.returncode == status, done.stdout + done.stderr
        assert ("above 0.1" in done.stdout) == (status == 1)
