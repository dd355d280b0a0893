"""Calls in child processes: results, errors, limits, and the end of a child."""

import math
import os
import subprocess
import sys
import time
from functools import partial

import pytest
from helpers.paths import ROOT

from tted_core import parse_map
from tted_core.errors import Interrupted, LimitError, MapFormatError, ToolError
from tted_core.foundations.child import run_in_child
from tted_core.foundations.monitor import Monitor

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
