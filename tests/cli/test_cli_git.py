"""Maps in a real repository: git diff shows outlines by textconv, git difftool compares two versions."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from helpers.hostile_files import zipped
from helpers.paths import SAMPLES

from tted_core.formats import map_text, read_map
from tted_core.tree import TextTree

PARENTS = (-1, 0, 0, 2)
BEFORE = TextTree(("Trees", "Oak", "Birch", "White bark"), PARENTS)
AFTER = TextTree(("Trees", "Oak", "Silver birch", "White bark"), PARENTS)
COMMAND = f'"{sys.executable}" -m tted_core'


def xmind(tree):
    """An XMind file."""
    topics = [{"title": label} for label in tree.labels]
    for node, below in enumerate(tree.children):
        topics[node]["children"] = {"attached": [topics[child] for child in below]}
    return zipped({"content.json": json.dumps([{"rootTopic": topics[0]}])})


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with two versions of two maps, set up as docs/using.md says; returns what runs git in it."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("PYTHONPATH", str(SAMPLES.parent))

    def git(*arguments):
        settings = ("user.name=a", "user.email=a@b.example", "core.quotePath=false", "difftool.prompt=false")
        options = [part for setting in settings for part in ("-c", setting)]
        done = subprocess.run(
            ["git", *options, *arguments], cwd=tmp_path, capture_output=True, check=False, timeout=300
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    git("init", "--quiet")
    (tmp_path / ".gitattributes").write_text("*.xmind diff=tted\n*.mm diff=tted\n")
    git("config", "diff.tted.textconv", f"{COMMAND} read --outline")
    git("config", "difftool.tted.cmd", f'{COMMAND} compare "$LOCAL" "$REMOTE" --distance levenshtein')
    for tree in (BEFORE, AFTER):
        (tmp_path / "a map.mm").write_text(map_text(tree, "freemind")[0])
        (tmp_path / "b.xmind").write_bytes(xmind(tree))
        git("add", ".")
        assert git("commit", "--quiet", "--message", "m")[0] == 0
    return git


@pytest.mark.thorough
def test_git_diff_shows_the_outlines(repository):
    status, out, err = repository("diff", "HEAD~1", "HEAD")
    assert (status, err) == (0, "")
    assert "Binary" not in out
    assert "<node" not in out
    for part in out.split("diff --git ")[1:]:
        lines = part.split("@@\n")[1].splitlines()
        assert lines == [" Trees", "   Oak", "-  Birch", "+  Silver birch", "     White bark"]
    assert out.count("diff --git ") == 2


@pytest.mark.thorough
def test_a_version_that_is_no_map_stops_git_with_our_sentence(repository, tmp_path):
    (tmp_path / "b.xmind").write_text("[1, 2")
    status, _, err = repository("diff", "--", "b.xmind")
    assert status != 0
    assert "error: " in err
    status, _, err = repository("diff", "--no-textconv", "--", "b.xmind")
    assert (status, err) == (0, "")


@pytest.mark.thorough
def test_git_difftool_compares_the_versions_of_each_changed_map(repository):
    status, out, err = repository("difftool", "--tool", "tted", "--diff-filter=M", "HEAD~1", "HEAD")
    assert (status, "error" in err) == (0, False)
    assert out.count("\nnormalized ") == 2
    assert out.count("Silver birch") >= 2


def test_an_outline_is_the_texts_alone(tted):
    status, out, err = tted("read", "-", "--outline", stdin=b"# a\n- b\n  - c\n")
    assert (status, out, err) == (0, "a\n  b\n    c\n", "")


@pytest.mark.thorough
def test_git_merges_two_branches_of_a_map(repository, tmp_path):
    """Changes on one side are taken; a sentence that both reword stops the merge, and ours stands in the file."""
    (tmp_path / ".gitattributes").write_text("*.mm merge=tted\n")
    repository(
        "config", "merge.tted.driver", f"{COMMAND} merge %A %B --base %O --out %A --distance levenshtein"
    )
    start = repository("rev-parse", "--abbrev-ref", "HEAD")[1].strip()
    file = tmp_path / "a map.mm"

    def commit(*labels):
        file.write_text(map_text(TextTree(labels, PARENTS), "freemind")[0])
        assert repository("commit", "--quiet", "--all", "--message", "m")[0] == 0

    repository("add", ".")
    repository("checkout", "--quiet", "-b", "other")
    commit("Trees", "Oaks", "Silver birch", "White bark")
    repository("checkout", "--quiet", start)
    commit("Trees", "Oak", "Silver birch", "Whitest bark")
    assert repository("merge", "other", "--message", "m")[0] == 0
    assert read_map(file).tree.labels == ("Trees", "Oaks", "Silver birch", "Whitest bark")
    repository("checkout", "--quiet", "other")
    commit("Trees", "Oaks", "Silver birch", "White barks")
    repository("checkout", "--quiet", start)
    status, out, _ = repository("merge", "other", "--message", "m")
    assert status == 1
    assert "CONFLICT" in out
    assert read_map(file).tree.labels[3] == "Whitest bark"
