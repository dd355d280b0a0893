"""The command line and its surroundings: a terminal that obeys escapes, outputs that are closed or full."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers.paths import ROOT
from helpers.payloads import FORBIDDEN, HOSTILE
from helpers.thorough import sampled

from tted_core.cli.shared import dump, say

ESCAPE = "\x1b]0;owned\x07\x1b[31m\x9b2J\x7f\x08"
COMMAND = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
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
    assert not COMMAND.search(found), found
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
