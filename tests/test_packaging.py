"""What is installed, and from what: the files that pin it say the same."""

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable

import pytest
from helpers.paths import ROOT

import tted_core
from tted_core.version import RELEASE, RELEASED, VERSION, git_tree

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def names(requirements: Iterable[str]) -> set[str]:
    """The packages that are asked for."""
    return {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in requirements}


def pins(file: str) -> dict[str, str]:
    """Package -> version; every line but a comment is a pin."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_everything_that_is_asked_for_is_pinned():
    """``make lock`` was run after the last change of pyproject.toml."""
    asked = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["app"]
    assert names(asked) <= pins("requirements.txt").keys()
    assert names(asked + PROJECT["dependency-groups"]["dev"]) <= pins("requirements-dev.txt").keys()
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


def test_whoever_cites_names_this_version_and_the_paper():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    released = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"\nversion: {released[0]}\n" in citation
    assert not RELEASED or released[0] == RELEASE
    assert "doi: 10.1109/APEIE66761.2025.11289395" in citation


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="no clone")
def test_between_releases_the_version_is_gits_id_of_the_code(tmp_path):
    """Of the files as they are, committed or not; what git would write goes into a folder of the test."""
    objects = subprocess.run(
        ["git", "rev-parse", "--path-format=absolute", "--git-path", "objects"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    (tmp_path / "objects").mkdir()
    aside = {
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects,
    }

    def git(*arguments):
        answer = subprocess.run(
            ["git", *arguments],
            cwd=ROOT,
            env={**os.environ, **aside},
            capture_output=True,
            text=True,
            check=True,
        )
        return answer.stdout.strip()

    git("add", "tted_core")
    tree = git("write-tree", "--prefix=tted_core/")
    assert git_tree(ROOT / "tted_core").hex() == tree
    assert (RELEASE if RELEASED else f"{RELEASE}.dev0+{tree[:8]}") == VERSION == tted_core.__version__


def test_an_exported_folder_has_the_version_of_its_code(tmp_path):
    """Wherever it lies, with compiled files beside it, and with lines that end as on Windows."""
    here = ROOT / "tted_core" / "words"
    there = tmp_path / "words"
    shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__"))
    (there / "__pycache__").mkdir()
    (there / "__pycache__" / "splitting.pyc").write_bytes(b"x")
    assert git_tree(there) == git_tree(here)
    content = (there / "splitting.py").read_bytes()
    (there / "splitting.py").write_bytes(content.replace(b"\n", b"\r\n"))
    assert git_tree(there) == git_tree(here)
    (there / "splitting.py").write_bytes(content + b"\n")
    assert git_tree(there) != git_tree(here)


def test_ci_runs_both_suites():
    """What make test leaves out is run by make test-all, and that by CI."""
    commands = ["make", "--no-print-directory", "--dry-run", "test-all"]
    steps = subprocess.run(commands, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    chosen = re.findall(r'pytest .* -m "(.*?)"', steps)
    assert chosen[:2] == ["not thorough", "thorough or hypothesis"]
    assert "make test-all" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_image():
    """The image runs without rights, writes into its one volume only, and has all that the wheel needs."""
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER [1-9]\d*$", steps, re.MULTILINE)
    assert re.findall(r"^VOLUME .*$", steps, re.MULTILINE) == ["VOLUME /data"]
    assert "HEALTHCHECK" in steps
    copied = {
        name for line in re.findall(r"^COPY (?!--)(.*) \S+$", steps, re.MULTILINE) for name in line.split()
    }
    assert all((ROOT / name).exists() for name in copied)
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["only-include"], *(name.split("/")[0] for name in wheel["force-include"])}
    assert needed | {"pyproject.toml", "README.md", "LICENSE"} <= copied
