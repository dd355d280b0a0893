"""Errors of the command line, one line each: wrong arguments, missing extras, files that can't be written."""

import json
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest
from helpers.command import LEFT, RIGHT, refused, run_command

from tted_core import TextTree, compare, load_encoder
from tted_core.baselines import MEASURES
from tted_core.distances.bertscore import load_bertscorer
from tted_core.errors import MissingExtraError
from tted_core.figures.style import render_figure
from tted_core.learn.handouts import sheets_pdf
from tted_core.report.exports import write_export

COMPARE = ("compare", LEFT, RIGHT)

FOLDER = str(Path(LEFT).parent)

UNREADABLE = "/proc/self/mem"  # can be opened, but not read


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
    "broken.json": ('{"a": {"b": ', "broken.json: line 1, column 13"),
    "empty.json": ("", "empty.json: the input is empty"),
    "blank.md": (" \n\n", "white space"),
    "picture.json": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "missing.json": (None, "No such file"),
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
    ((*COMPARE, "--bogus"), "unrecognized arguments: --bogus; see: tted compare --help"),
    ((*COMPARE, "--encoder", "none-such"), "unknown encoder 'none-such'; choose one of: minilm"),
    ((*COMPARE, "--encoder", ""), "unknown encoder ''"),
    ((*COMPARE, "--distance", "cosin"), "invalid choice: 'cosin'"),
    ((*COMPARE, "--distance", "bertscore", "--device", "gpu"), "the device 'gpu' can't be used by PyTorch"),
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
    (("read", "a\nb"), "No such file"),
    (("check", "x" * 300), "can't be used (File name too long); check the name"),
    (("batch", "--left", FOLDER, "--right", FOLDER, "--out", "x" * 300), "can't be written (File name too"),
    pytest.param(
        ("read", UNREADABLE),
        "can't be read (Input/output error); check the name",
        marks=pytest.mark.skipif(not Path(UNREADABLE).exists(), reason="no such file on this system"),
    ),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_bad_arguments_are_one_line_of_error(tted, arguments, message):
    refused(tted(*arguments), message)


def test_the_command_itself_exits_2_without_a_traceback():
    result = run_command("compare", "-", LEFT, stdin=wide_map(3000).encode())
    refused((result.returncode, result.stdout.decode(), result.stderr.decode()), "3,000 nodes")


def test_a_port_that_is_taken_leads_to_another(tted, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr("ui.server.serve", lambda *_: None)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, _, error = tted("app", "--port", str(port))
    assert status == 2
    assert f"port {port} is taken" in error
    assert f"make app PORT={port + 1}" in error
    assert tted("app", "--port", str(port))[0] == 0


TREE = TextTree(("Plants", "They drink"), (-1, 0))


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("torch", lambda: load_encoder("minilm", device="cuda")),
        ("torch", lambda: load_encoder("some/model-id")),
        ("torch", lambda: compare(TREE, TREE, encoder="labse")),
        ("bert_score", lambda: load_bertscorer("minilm")),
        ("bert_score", lambda: compare(TREE, TREE, distance="bertscore")),
        ("typst", lambda: write_export(compare(TREE, TREE, distance="levenshtein").explain(), "png")),
        ("vl_convert", lambda: render_figure({}, "svg")),
        ("typst", lambda: sheets_pdf([0])),
    ],
)
def test_a_missing_extra_names_the_command(monkeypatch, package, use):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as caught:
        use()
    assert f"needs the package {package}" in str(caught.value)
    extra = "models" if package in {"torch", "bert_score"} else "app"
    assert str(caught.value).endswith(f'".[{extra}]" in a copy of the repository')


def test_on_the_command_line_it_is_bad_input(monkeypatch, tted, tmp_path):
    (tmp_path / "map.txt").write_text("Plants\n  They drink\n")
    both = [str(tmp_path / "map.txt")] * 2
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setitem(sys.modules, "streamlit", None)
    for command in (["compare", *both, "--report", str(tmp_path / "map.png")], ["app"]):
        refused(tted(*command), 'pip install ".[app]" in a copy of the repository\n')
    assert not (tmp_path / "map.png").exists()


@pytest.fixture
def lazy(tted, monkeypatch):
    """The commands, which would fail if they loaded an encoder."""

    def load(*_name, **_options):
        raise AssertionError("nothing should be computed")

    monkeypatch.setattr("tted_core.cli.shared.load_encoder", load)
    return tted


@pytest.fixture
def maps(tmp_path):
    """Copies of two maps in a folder, the second with another name of the same file."""
    shutil.copy(LEFT, tmp_path / "a.json")
    (tmp_path / "linked.json").symlink_to(shutil.copy(RIGHT, tmp_path / "b.json"))
    return tmp_path


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("compare", "--report", "a.json"), "a.json is read and would be written over; name another file"),
        (("compare", "--report", "new.html", "--replay", "linked.json"), "linked.json is read and would"),
        (
            ("compare", "--report", "x.json", "--replay", "./x.json"),
            "x.json would be written twice; name another",
        ),
        (("compare", "--report", "old.json", "--report", "old.json"), "old.json would be written twice"),
        (
            ("compare", "--report", "none/x.html"),
            "x.html can't be written (No such file or directory); name another",
        ),
        (("compare", "--replay", "folder"), "folder can't be written (Is a directory)"),
        (("compare", "--replay", "x" * 300), "can't be written (File name too long)"),
        (("compare", "--replay", ""), "argument --replay: its name is empty"),
        (("merge", "--out", "x.md", "--log", "./x.md"), "./x.md would be written twice"),
        (("merge", "--log", "a.json"), "a.json is read and would be written over"),
        (("merge", "--out", "x.xmind"), "unknown ending of a map's file 'xmind'; choose one of: json, md"),
    ],
)
def test_outputs_are_refused_before_the_work(lazy, maps, monkeypatch, given, message):
    monkeypatch.chdir(maps)
    (maps / "old.json").write_text("old", encoding="utf-8")
    (maps / "folder").mkdir()
    before = {path.name: path.is_file() and path.read_bytes() for path in maps.iterdir()}
    command, *outputs = given
    refused(lazy(command, "a.json", "b.json", *outputs), message)
    assert {path.name: path.is_file() and path.read_bytes() for path in maps.iterdir()} == before


def test_an_existing_file_and_a_device_are_written(tted, maps):
    left, right, old = (str(maps / name) for name in ("a.json", "b.json", "old.html"))
    (maps / "old.html").write_text("old", encoding="utf-8")
    status, out, _ = tted("compare", left, right, "--report", old, "--replay", os.devnull)
    assert (status, out[:4]) == (0, "TTED")
    assert (maps / "old.html").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", ""),
        ("compare", LEFT, ""),
        ("check", ""),
        ("replay", ""),
        ("quality", ""),
        ("annotators", ""),
        ("merge", LEFT, ""),
    ],
)
def test_an_empty_name_is_not_the_current_folder(lazy, maps, monkeypatch, arguments):
    monkeypatch.chdir(maps)
    refused(lazy(*arguments), "its name is empty, as from a variable that isn't set; name a file")
