"""Machine code on disk: loaded where it is sound; whatever is wrong with it, kernels compute without."""

import subprocess
import sys

import pytest
from helpers.paths import ROOT

PROGRAM = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from toy_kernel import plus_two
print(*plus_two(np.array([1.0])), sum(plus_two.dispatcher.stats.cache_hits.values()))
"""
TOY = """
from tted_core.solvers.kernels.compiling import compile_kernel

@compile_kernel
def plus_one(values):
    return values + 1.0

@compile_kernel
def plus_two(values):
    return plus_one(plus_one(values))
"""


@pytest.fixture
def computed(tmp_path):
    """Run the program: what it printed, and its warnings."""
    (tmp_path / "toy_kernel.py").write_text(TOY)

    def run():
        environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT), "PATH": ""}
        command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return ended.stdout.split(), ended.stderr.splitlines()

    return run


def test_machine_code_is_loaded_by_the_next_process(computed):
    assert computed() == (["3.0", "0"], [])
    assert computed() == (["3.0", "1"], [])


@pytest.mark.thorough
@pytest.mark.parametrize(("ending", "content"), [(".nbi", b"garbage"), (".nbc", b""), (".nbc", None)])
def test_damaged_machine_code_is_reported_once_and_not_used(computed, tmp_path, ending, content):
    computed()
    for file in (tmp_path / "cache").rglob(f"*{ending}"):
        file.write_bytes(file.read_bytes()[:-20] if content is None else content)
    (numbers, warnings) = computed()
    assert numbers == ["3.0", "0"]
    assert len(warnings) == 1
    assert "remove the folder, or name another with NUMBA_CACHE_DIR" in warnings[0]


@pytest.mark.thorough
def test_an_unwritable_cache_folder_is_ignored(computed, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert computed()[0][0] == "3.0"
