"""The command line in a terminal, with closed or full outputs, and beside git, which shows maps as outlines."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers.hostile_files import zipped
from helpers.paths import ROOT, SAMPLES
from helpers.payloads import FORBIDDEN, HOSTILE
from helpers.thorough import sampled

from tted_core.cli.shared import dump, say
from tted_core.formats import map_text, read_map
from tted_core.tree import TextTree

ESCAPE = "\x1b]0;owned\x07\x1b[31m\x9b2J\x7f\x08"

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

LEFT = ROOT / "sample_trees" / "coral-reefs" / "base.json"

FULL = Path("/dev/full")


def hostile_zip(tmp_path, *names):
    """Two annotators' maps of one document, whose names are commands for a terminal."""
    file = tmp_path / "maps.zip"
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, '{"text": "a", "children": [{"text": "' + r"b\u001b[31m\u009b2J" + '"}]}')
    return str(file)


def harmless(*printed):
    found = "".join(printed)
    assert found
    assert not CONTROLS.search(found), found
    return found


def test_names_in_an_archive_cannot_command_the_terminal(tted, tmp_path):
    file = hostile_zip(tmp_path, f"doc{ESCAPE}/anna{ESCAPE}.json", f"doc{ESCAPE}/bert.json")
    for command in (["read", file], ["read", file, "--sheet", f"x{ESCAPE}"], ["annotators", file]):
        _, out, error = tted(*command)
        assert "owned" in harmless(out, error)


def test_labels_and_messages_cannot_command_the_terminal(tted, tmp_path):
    file = tmp_path / f"a{ESCAPE.replace('/', '')}.json"
    file.write_text(json.dumps({"text": f"root{ESCAPE}", "children": [{"text": HOSTILE["control"]}]}))
    _, out, _ = tted("read", str(file))
    assert "owned" in harmless(out)
    _, out, error = tted("compare", str(file), str(LEFT), "--encoder", "hashed", "--baselines", "none")
    harmless(out, error)
    status, _, error = tted("read", f"no{ESCAPE}file")
    assert status == 2
    harmless(error)
    status, _, error = tted("read", str(LEFT), "--format", ESCAPE)
    assert status == 2
    harmless(error)


def test_json_keeps_what_it_does_not_print():
    content = {"labels": [*FORBIDDEN, ESCAPE, "\u00a0\n\t\x85 Кит"]}
    assert json.loads(harmless(dump(content))) == content
    assert "Кит" in dump(content)


def test_a_sign_stands_for_what_is_not_printed(capsys):
    say(f"a\tb\nc{ESCAPE}\r\u202f\u3000")
    assert capsys.readouterr().out == "a\tb\nc␛]0;owned␇␛[31m\ufffd2J␡␈ \u202f\u3000\n"


def command(*arguments, **how):
    return subprocess.run(
        [sys.executable, "-m", "tted_core", *arguments],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "TTED_CACHE": "off"},
        **how,
    )


@pytest.mark.thorough
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line():
    with FULL.open("w") as full:
        done = command("read", str(LEFT), stdout=full)
    assert done.returncode == 2
    assert done.stderr == (
        "error: the result can't be printed (No space left on device); redirect standard output to another file\n"
    )


CLOSED = {
    f'"{LEFT}" >&-': "error: standard output is closed; redirect it to a file, or to /dev/null\n",
    "- <&-": "error: standard input is closed; name a file, or pipe one into the command\n",
    f'"{LEFT}" 2>&-': "",
}


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell's >&-")
@pytest.mark.parametrize("line", sampled(list(CLOSED), 2))
def test_a_closed_stream_is_no_traceback(line):
    done = subprocess.run(
        f'"{sys.executable}" -m tted_core read {line}',
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == (2 if CLOSED[line] else 0)
    assert done.stderr == CLOSED[line]
    assert ("Coral reefs" in done.stdout) == (not CLOSED[line])


def test_an_interrupt_while_the_command_is_loaded_is_no_traceback(tmp_path):
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tted_core", "--version"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_without_a_writer_is_said_to_be_waited_for(tmp_path):
    pipe = tmp_path / "reef.md"
    os.mkfifo(pipe)
    line = [sys.executable, "-m", "tted_core", "read", str(pipe)]
    with subprocess.Popen(
        line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as reading:
        assert "waiting for the pipe" in reading.stderr.readline()
        pipe.write_text("# Reef", encoding="utf-8")
        assert "Reef" in reading.stdout.read()
    assert reading.returncode == 0


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
