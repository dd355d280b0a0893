"""The version names the code: git's id of the package between releases."""

import os
import shutil
import subprocess

import pytest
from helpers.paths import ROOT

import tted_core
from tted_core.version import RELEASE, RELEASED, VERSION, git_tree


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
    (there / "gone" / "__pycache__").mkdir(parents=True)
    assert git_tree(there) == git_tree(here)
    content = (there / "splitting.py").read_bytes()
    (there / "splitting.py").write_bytes(content.replace(b"\n", b"\r\n"))
    assert git_tree(there) == git_tree(here)
    (there / "splitting.py").write_bytes(content + b"\n")
    assert git_tree(there) != git_tree(here)
