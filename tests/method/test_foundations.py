"""Foundations: calls in child processes, monitors, tables in files, errors and limits."""

import csv
import io
import math
import os
import subprocess
import sys
import time
from functools import partial

import pyarrow as pa
import pytest
from helpers.monitors import STOPPED
from helpers.paths import ROOT

from tted_core import parse_map
from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import (
    Interrupted,
    LimitError,
    MapFormatError,
    ToolError,
    UnknownNameError,
    check_limit,
    lookup,
)
from tted_core.formats import FORMATS
from tted_core.foundations.child import run_in_child
from tted_core.foundations.monitor import UNWATCHED, Monitor, with_rates
from tted_core.foundations.tables import (
    csv_text,
    delimiter_of,
    latex_table,
    read_rows,
    text_bytes,
    write_csv,
)
from tted_core.solvers import SOLVERS

run = partial(run_in_child, task="counting", way_out="count less")


def test_a_call_has_the_result_and_the_errors_that_it_has_here():
    assert run(partial(parse_map, "# Reef\n- polyps")) == parse_map("# Reef\n- polyps")
    with pytest.raises(MapFormatError, match="the JSON is cut off") as here:
        parse_map('{"a": [1', format="json")
    with pytest.raises(MapFormatError) as there:
        run(partial(parse_map, '{"a": [1', format="json"))
    assert (str(there.value), vars(there.value).keys() - {"__notes__"}) == (
        str(here.value),
        vars(here.value).keys(),
    )
    with pytest.raises(ValueError, match="math domain error"):
        run(partial(math.sqrt, -1))


def test_a_child_is_used_again_and_what_a_call_prints_is_not_its_result():
    run(partial(print, "a reef"))
    assert run(os.getpid) == run(os.getpid) != os.getpid()


def test_a_call_ends_at_its_limits_even_if_it_holds_the_lock():
    with pytest.raises(LimitError, match=r"^counting takes more than 0\.2 seconds; count less$"):
        run(partial(pow, 3, 10**9), seconds=0.2)
    assert run(partial(len, "abc")) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_a_call_that_takes_too_much_memory_is_one_error():
    with pytest.raises(LimitError, match=r"^counting takes more than 50 MB of memory; count less$"):
        run(partial(bytes, 60_000_000), most_bytes=50_000_000)
    assert len(run(partial(bytes, 60_000_000))) == 60_000_000


def test_a_monitor_stops_a_call():
    with pytest.raises(Interrupted):
        run(partial(time.sleep, 600), monitor=Monitor(should_stop=lambda: True))


def test_a_child_that_dies_is_one_error():
    with pytest.raises(
        ToolError, match=r"^counting failed \(its process ended with status \S+\); count less$"
    ):
        run(os.abort)
    assert run(partial(len, "abc")) == 3


PARENT = """
import os, time
from tted_core.foundations.child import run_in_child
print(run_in_child(os.getpid, "counting", "count less"), flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_child_ends_with_its_parent():
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        child = int(parent.stdout.readline())
        parent.kill()
    for _ in range(600):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the child is still there")


def test_a_check_raises_once_the_work_should_stop():
    UNWATCHED.check()
    assert not UNWATCHED.stopped
    assert STOPPED.stopped
    with pytest.raises(Interrupted, match="before there was a result; run it again"):
        STOPPED.check()
    with pytest.raises(Interrupted, match="half way"):
        STOPPED.check("half way")


def test_rates_restart_with_each_stage(monkeypatch):
    seconds = iter((0.0, 4.0, 100.0, 110.0, 200.0, 202.0))
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    texts = []
    monitor = Monitor(with_rates(lambda text, _done, _total: texts.append(text)))
    for stage, done, total in (("Reading", 20, 100), ("Comparing", 5, 100), ("Writing", 2080, 2080)):
        monitor.stage(stage)
        monitor.advance(done, total)
    assert texts == [
        "Reading",
        "Reading: 20 of 100, 5 a second, 16 s left",
        "Comparing",
        "Comparing: 5 of 100, 0.5 a second, 3:10 min left",
        "Writing",
        "Writing: 2,080 of 2,080, 1,040 a second",
    ]


def test_values_are_written_so_that_they_can_be_read_again():
    rows = [("=1+1", 0.1 + 0.2, None, True), ("a\nb", -5, math.nan, False)]
    text = csv_text(("name", "x", "y", "-flag"), rows)
    assert text == "name,x,y,'-flag\n'=1+1,0.30000000000000004,,true\n\"a\nb\",-5,,false\n"
    assert next(csv.reader(io.StringIO(text))) == ["name", "x", "y", "'-flag"]
    assert text_bytes("ä\ud800") == b"\xc3\xa4\\ud800"
    assert text_bytes("ä", excel=True) == b"\xef\xbb\xbf\xc3\xa4"


@pytest.mark.parametrize("source", ["text", "file"])
def test_rows_are_read_with_the_line_that_they_end_in(source, tmp_path):
    text = 'a, b\n\n"x\ny", z \n , \n'
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(read_rows(text if source == "text" else opened, ",", first_line=11))
    assert rows == [(11, ["a", "b"]), (14, ["x\ny", "z"])]
    assert list(read_rows(" a, b", ",", exact=True)) == [(1, [" a", " b"])]


def test_a_table_with_a_wrong_quote_names_the_line():
    with pytest.raises(MapFormatError, match=r"^line 2: p\.csv can\'t be read .*check the quotes"):
        list(read_rows('a,b\n"x"y,z\n', ",", name="p.csv"))


@pytest.mark.parametrize(
    ("text", "expected"), [("a;b;c,d", ";"), ("\n\na\tb", "\t"), ("one column", ","), ("a,b;c", ",")]
)
def test_the_delimiter_is_the_most_frequent_of_the_first_filled_line(text, expected):
    assert delimiter_of(text) == expected


def test_a_latex_table_with_comments_that_stay_comments():
    table = latex_table("lr", ("a", "b"), [("c", "d")], comments=("one\ntwo",))
    assert table.splitlines() == [
        "% one two",
        r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}.",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"c & d \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_arrow_tables_become_one_csv_file(tmp_path):
    parts = [pa.table({"id": ["=a", "b"], "x;=": [0.1, None], "proven": [True, False]}) for _ in range(2)]
    write_csv(parts, tmp_path / "all.csv")
    rows = "'=a,0.1,true\nb,,false\n"
    assert (tmp_path / "all.csv").read_text(encoding="utf-8") == f"id,x;'=,proven\n{rows}{rows}"
    write_csv(parts, tmp_path / "excel.csv", excel=True)
    assert (tmp_path / "excel.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "all.csv").read_bytes()


REGISTRIES = {
    "baseline": BASELINES,
    "context": CONTEXTS,
    "distance": DISTANCES,
    "encoder": ENCODERS,
    "format": FORMATS,
    "order": SOLVERS,
}

each_registry = pytest.mark.parametrize("kind", REGISTRIES)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({}, "no map"),
        ({"line": 3}, "line 3: no map"),
        ({"line": 3, "column": 7}, "line 3, column 7: no map"),
        ({"path": "a > b"}, "at a > b: no map"),
        ({"line": 3, "column": 7, "path": "a"}, "line 3, column 7, at a: no map"),
    ],
)
def test_a_format_error_has_its_position(position, message):
    error = MapFormatError("no map", **position)
    assert str(error) == message
    assert {key: getattr(error, key) for key in position} == position


@each_registry
@pytest.mark.parametrize("name", ["none-such", "", "Cosine", "cosine "])
def test_an_unknown_name_lists_the_choices_and_nothing_is_substituted(kind, name):
    with pytest.raises(UnknownNameError) as caught:
        lookup(REGISTRIES[kind], name, kind)
    assert str(caught.value) == f"unknown {kind} {name!r}; choose one of: {', '.join(REGISTRIES[kind])}"


def test_a_limit_is_the_last_value_allowed():
    check_limit(2, 2, "nodes", "trim it")
    with pytest.raises(LimitError, match=r"^1,003 nodes, but the limit is 1,002; trim it$"):
        check_limit(1003, 1002, "nodes", "trim it")
