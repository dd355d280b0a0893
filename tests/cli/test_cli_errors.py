"""The command line given something wrong: exit status 2 and one line that says what and where."""

import json
import socket
import sys
from pathlib import Path

import pytest
from helpers.command import LEFT, RIGHT, refused, run_command

from tted_core.baselines import MEASURES

COMPARE = ("compare", LEFT, RIGHT)


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def wide_map(nodes):
    return "root\n" + "".join(f"  leaf {number}\n" for number in range(nodes - 1))


BAD_FILES = {
    "broken.json": ('{"a": {"b": ', "line 1, column 13"),
    "empty.json": ("", "empty"),
    "blank.md": (" \n\n", "white space"),
    "picture.json": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "missing.json": (None, "no file"),
    "folder": (None, "folder"),
}


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_bad_file_is_one_line_of_error(tted, file, tmp_path, name, as_json):
    content, message = BAD_FILES[name]
    path = str(tmp_path / name) if content is None else file(name, content)
    if name == "folder":
        Path(path).mkdir()
    for arguments in (("read", path), ("compare", path, LEFT), ("compare", LEFT, path)):
        refused(tted(*arguments, *as_json), message)


@pytest.mark.parametrize("command", ["compare", "annotators"])
def test_the_root_of_all_files_is_no_collection(tted, command):
    given = (command, "/", *([LEFT] if command == "compare" else []))
    refused(tted(*given), "/ is the root of all files, not a folder of maps")


def test_several_roots_are_one_line_of_error_by_the_option(tted, file):
    path = file("roots.json", '{"a": {}, "b": {}, "c": {}}')
    for arguments in (("read", path), ("compare", path, LEFT), ("compare", LEFT, path)):
        refused(tted(*arguments, "--roots", "error"), "3 roots")


def test_a_map_too_large_to_compare_can_still_be_read_and_trimmed(tted, file):
    path = file("large.txt", wide_map(3000))
    refused(tted("compare", path, LEFT), "3,000 nodes in the left map, but the limit is 2,000")
    refused(tted("compare", LEFT, path), "in the right map")
    assert json.loads(tted("read", path, "--json")[1])["nodes"] == 3000
    assert tted("compare", path, LEFT, "--depth", "1")[0] == 0


BAD_ARGUMENTS = [
    ((), "required"),
    (("compair", LEFT), "invalid choice: 'compair'"),
    (("read",), "required: file"),
    (("compare", LEFT), "required: right"),
    ((*COMPARE, LEFT), "unrecognized arguments"),
    ((*COMPARE, "--encoder", "none-such"), "unknown encoder 'none-such'; choose one of: minilm"),
    ((*COMPARE, "--encoder", ""), "unknown encoder ''"),
    ((*COMPARE, "--distance", "cosin"), "invalid choice: 'cosin'"),
    ((*COMPARE, "--order", "uted"), "invalid choice: 'uted'"),
    ((*COMPARE, "--context", "all"), "invalid choice: 'all'"),
    ((*COMPARE, "--format", "docx"), "invalid choice: 'docx'"),
    (
        (*COMPARE, "--baselines", "bleu"),
        f"unknown baseline 'bleu'; choose one of: {', '.join(MEASURES)}",
    ),
    ((*COMPARE, "--baselines", ""), "unknown baseline ''"),
    ((*COMPARE, "--depth", "0"), "depth 0"),
    ((*COMPARE, "--depth", "-1"), "depth -1"),
    ((*COMPARE, "--depth", "501"), "501 levels to compare, but the limit is 500; leave the depth out"),
    ((*COMPARE, "--depth", "abc"), "depth abc is not a number of levels"),
    ((*COMPARE, "--depth", "1.5"), "depth 1.5 is not a number of levels"),
    ((*COMPARE, "--time-limit", "0"), "a finite number of seconds above 0"),
    ((*COMPARE, "--time-limit", "-1"), "above 0"),
    ((*COMPARE, "--time-limit", "nan"), "above 0"),
    ((*COMPARE, "--time-limit", "inf", "--json"), "a finite number of seconds above 0"),
    ((*COMPARE, "--time-limit", "soon"), "the time limit is a finite number of seconds above 0"),
    ((*COMPARE, "--gap", "-1"), "the gap is -1"),
    ((*COMPARE, "--power", "0"), "the power is 0"),
    ((*COMPARE, "--preset", "x"), "invalid choice: 'x'"),
    (("compare", "-", "-"), "standard input"),
    (("read", LEFT, "--sheet", "7"), "no map '7'"),
    (("read", LEFT, "--format", "numbered"), "number"),
    (("read", "a\nb"), "no file"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_bad_arguments_are_one_line_of_error(tted, arguments, message):
    refused(tted(*arguments), message)


def test_the_command_itself_exits_2_without_a_traceback():
    result = run_command("compare", "-", LEFT, stdin=wide_map(3000).encode())
    refused((result.returncode, result.stdout.decode(), result.stderr.decode()), "3,000 nodes")


def test_a_port_that_is_taken_leads_to_another(tted, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr("ui.start.serve", lambda *_: None)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, _, error = tted("app", "--port", str(port))
    assert status == 2
    assert f"port {port} is taken" in error
    assert f"make app PORT={port + 1}" in error
    assert tted("app", "--port", str(port))[0] == 0
