"""The command merge: sides, decisions that replay, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.trees import SAMPLES

from tted_core.formats import parse_map, read_map

LEFT, RIGHT = (str(SAMPLES / "coral-reefs" / f"{name}.json") for name in ("base", "demo"))
QUICK = ("--distance", "levenshtein")


def test_a_side_can_be_taken_as_a_whole(tted):
    for side, file in (("--ours", LEFT), ("--theirs", RIGHT)):
        status, out, _ = tted("merge", LEFT, RIGHT, side, *QUICK)
        assert status == 0
        assert parse_map(out).tree == read_map(file).tree


def test_without_decisions_all_is_open_and_the_left_side_is_taken(tted):
    status, out, err = tted("merge", LEFT, RIGHT, *QUICK)
    assert status == 1
    assert parse_map(out).tree == read_map(LEFT).tree
    assert "changes are undecided; the left side is used" in err


def test_decisions_replay_to_the_same_bytes(tted, tmp_path):
    log, second, out, again = (tmp_path / name for name in ("log.json", "second.json", "out.md", "again.md"))
    given = ("merge", LEFT, RIGHT, *QUICK)
    tted(*given, "--log", str(log))
    content = json.loads(log.read_text(encoding="utf-8"))
    for number, row in enumerate(content["changes"]):
        choice = ("left", "right", "both", "neither")[number % 4]
        row |= {"choice": choice, "by": "decision", "note": "see p. 3"}
    log.write_text(json.dumps(content), encoding="utf-8")
    assert tted(*given, "--decisions", str(log), "--out", str(out), "--log", str(second))[0] == 0
    assert tted(*given, "--decisions", str(second), "--out", str(again))[0] == 0
    assert out.read_bytes() == again.read_bytes()
    assert read_map(out).tree not in {read_map(LEFT).tree, read_map(RIGHT).tree}
    assert "see p. 3" in second.read_text(encoding="utf-8")


@pytest.fixture
def log(tted, tmp_path):
    """A log of decisions for the right side, and its content."""
    file = tmp_path / "log.json"
    assert tted("merge", LEFT, RIGHT, *QUICK, "--theirs", "--log", str(file))[0] == 0
    content = json.loads(file.read_text(encoding="utf-8"))
    for row in content["changes"]:
        row |= {"by": "decision", "choice": "right"}
    file.write_text(json.dumps(content), encoding="utf-8")
    return file, content


NO_LOG = "this isn't a log of decisions"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *((content, NO_LOG) for content in (b"", b"[]", b"{}", b"a,b\n1,2\n", b'{"changes": [1]}', b"\0")),
        *((content, NO_LOG) for content in (b"\xff\xfe", b'{"changes": NaN}', b'{"a":' * 100_000)),
        (b'{"changes": %s}' % (b"[" * 5_000 + b"]" * 5_000), NO_LOG),
        (b'{"changes": [{"source": %s}]}' % (b"9" * 5_000), NO_LOG),
        (b" " * 10_000_001, "bytes of decisions, but the limit is"),
    ],
)
def test_a_file_that_is_no_log_is_one_sentence(tted, tmp_path, content, message):
    file = tmp_path / "log.json"
    file.write_bytes(content)
    status, _, err = tted("merge", LEFT, RIGHT, *QUICK, "--decisions", str(file))
    assert (status, message in err, len(err) < 300) == (2, True, True)


def test_decisions_of_other_maps_are_refused(tted, log):
    status, _, err = tted("merge", RIGHT, LEFT, *QUICK, "--decisions", str(log[0]))
    assert (status, "is for a change that these maps don't have" in err) == (2, True)


@pytest.mark.parametrize(
    "wrong",
    [{"choice": "z" * 100_000}, {"choice": ["left"]}, {"kind": "k" * 100_000}, {"kind": [1]}, {"left": "no"}],
)
def test_a_decision_that_does_not_fit_is_named_in_a_short_sentence(tted, log, wrong):
    file, content = log
    content["changes"][0] |= wrong
    file.write_text(json.dumps(content), encoding="utf-8")
    status, _, err = tted("merge", LEFT, RIGHT, *QUICK, "--decisions", str(file))
    assert (status, "decision 1 of the log" in err, len(err) < 300) == (2, True, True)


def test_a_base_settles_what_one_side_changed(tted, tmp_path):
    files = {"base": "light\n- stone", "ours": "bright light\n- stone", "theirs": "light\n- stone\n  - warm"}
    for name, text in files.items():
        (tmp_path / name).write_text(f"# Sun\n- heat\n- {text}\n", encoding="utf-8")
    ours = tmp_path / "ours"
    given = (str(ours), str(tmp_path / "theirs"), "--base", str(tmp_path / "base"), *QUICK)
    status, out, _ = tted("merge", *given, "--json")
    assert (status, json.loads(out)["open"]) == (0, 0)
    assert {row["by"] for row in json.loads(out)["changes"]} == {"base"}
    assert tted("merge", *given, "--out", str(ours))[0] == 0, "the merged map replaces ours"
    assert read_map(ours).tree.labels == ("Sun", "heat", "bright light", "stone", "warm")


def test_a_format_that_is_not_written_needs_another(tted, tmp_path):
    file = tmp_path / "map.txt"
    file.write_text("Sun\n  light\n", encoding="utf-8")
    status, _, err = tted("merge", str(file), str(file), *QUICK)
    assert (status, "choose another format with --to" in err) == (2, True)
    assert tted("merge", str(file), str(file), *QUICK, "--to", "opml")[0] == 0


@pytest.mark.skipif(os.name != "posix", reason="the limit of a file's size is set by a shell")
def test_a_full_disk_leaves_the_map_that_would_be_written_over(tmp_path):
    ours = tmp_path / "ours.json"
    ours.write_bytes(Path(LEFT).read_bytes())
    merging = [sys.executable, "-m", "tted_core", "merge", str(ours), RIGHT, "--theirs", "--out", str(ours)]
    command = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *merging, *QUICK]
    ended = subprocess.run(
        command, cwd=SAMPLES.parent, capture_output=True, text=True, check=False, timeout=280
    )
    assert ended.returncode == 2
    assert "ours.json can't be written (File too large); name another file" in ended.stderr
    assert ours.read_bytes() == Path(LEFT).read_bytes()
    assert list(tmp_path.iterdir()) == [ours]
