"""Machine code on disk: processes that compile at once never file one signature's code under another's name."""

import subprocess
import sys

import numpy as np
import pytest
from helpers.paths import ROOT

from tted_core.compare import search
from tted_core.foundations.monitor import Monitor
from tted_core.solvers import EditProblem
from tted_core.solvers.kernels import compiling
from tted_core.tree import TextTree

PROGRAM = """
import sys, time
import numpy as np
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from toy_kernel import plus_one
from numba.core.caching import IndexDataCacheFile

load = IndexDataCacheFile._load_index
def slow(self):  # what another process does meanwhile is not in what was read
    found = load(self)
    time.sleep(0.5)
    return found
IndexDataCacheFile._load_index = slow
kind = np.dtype(sys.argv[2])
print(plus_one(np.array([1], kind))[0], sum(plus_one.dispatcher.stats.cache_misses.values()))
"""
TOY = """
from tted_core.solvers.kernels.compiling import compiled

@compiled
def plus_one(values):
    return values + values.dtype.type(1)
"""
KINDS = ("float64", "int64", "float32", "int8")


@pytest.fixture
def at_once(tmp_path):
    """Run the program for each of these types at once: (what it printed, how many signatures it compiled)."""
    (tmp_path / "toy_kernel.py").write_text(TOY)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT), "PATH": ""}

    def run(kind):
        command = [sys.executable, "-c", PROGRAM, str(tmp_path), kind]
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)

    def run_all(kinds):
        running = [run(kind) for kind in kinds]
        return [tuple(each.communicate(timeout=120)[0].split()) for each in running]

    return run_all


@pytest.mark.thorough
def test_processes_that_compile_at_once_keep_their_code_apart(at_once, tmp_path):
    for compiled in ("1", "0"):
        assert at_once(KINDS) == [(number, compiled) for number in ("2.0", "2", "2.0", "2")]
    code = list((tmp_path / "cache").rglob("*.nbc"))
    assert len(code) == len(KINDS)


@pytest.mark.thorough
def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(at_once):
    assert sorted(at_once(["float64"] * 3)) == [("2.0", "0"), ("2.0", "0"), ("2.0", "1")]


def test_the_first_comparison_on_a_machine_says_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compiling, "INTERPRETED", 0)
    problem = EditProblem(TextTree(("a",), (-1,)), TextTree(("b",), (-1,)), np.ones((2, 2)))
    told = []
    for _ in range(2):
        search(problem, "constrained", monitor=Monitor(lambda stage, *_: told.append(stage)))
        told.append("solved")
    assert told == ["Compiling the solver for this machine, once", "solved", "solved"]
