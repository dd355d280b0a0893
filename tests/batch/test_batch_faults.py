"""Faults of long runs: a full disk, damaged files, and a batch whose process is killed."""

import errno
import json
import os
import signal
import subprocess
import sys

import psutil
import pytest
from helpers.batch import batch_options, table_of, write_pairs
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT

from tted_core.batch import folder, job
from tted_core.batch.folder import part_files, read_parts
from tted_core.batch.pairs import pairs_of_table
from tted_core.errors import OptionsError


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(job, "PART_PAIRS", 2)


@pytest.fixture
def pairs(tmp_path):
    return pairs_of_table(write_pairs(tmp_path / "pairs.csv"))


def run(pairs, out, **how):
    load = lambda name: sentence_encoder(name=name)  # noqa: E731
    return job.run_batch(pairs, batch_options(), out, workers=1, load=load, **how)


def test_a_full_disk_ends_the_run_with_a_sentence_and_resume_goes_on(pairs, tmp_path, monkeypatch):
    run(pairs, tmp_path / "whole")
    written = folder.write_whole

    def full(file, content):
        if file.name == "part-000002.parquet":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(file, content)

    monkeypatch.setattr(folder, "write_whole", full)
    with pytest.raises(
        OptionsError, match=r"part-000002\.parquet can't be written \(No space left.*--resume"
    ):
        run(pairs, tmp_path / "out")
    assert len(part_files(tmp_path / "out")) == 2
    monkeypatch.setattr(folder, "write_whole", written)
    run(pairs, tmp_path / "out", resume=True)
    assert table_of(tmp_path / "out").equals(table_of(tmp_path / "whole"))


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied"])
def test_a_damaged_part_is_named_and_computed_again(pairs, tmp_path, damage):
    out = tmp_path / "out"
    run(pairs, out)
    whole, file = table_of(out), part_files(out)[1]
    content = bytearray(file.read_bytes())
    content[100] ^= 255
    file.write_bytes({"cut": content[:-20], "changed": content, "emptied": b""}[damage])
    with pytest.raises(OptionsError, match=r"part-000001\.parquet can't be read .*--resume"):
        list(read_parts(out))
    assert run(pairs, out, resume=True)["notices"] == [
        "part-000001.parquet was damaged and is computed again"
    ]
    assert table_of(out).equals(whole)


KILLED = """
import os, sys
from pathlib import Path
import psutil
from helpers.encoders import sentence_encoder
from tted_core.batch import job
from tted_core.batch.pairs import pairs_of_table
from tted_core.batch.table import BatchOptions
from tted_core.foundations.monitor import Monitor
job.PART_PAIRS = 1
def kill(stage, done, total):
    if stage.startswith("Comparing") and done:
        found = psutil.Process().children(recursive=True)
        print([each.pid for each in found if "popen_loky" in " ".join(each.cmdline())], flush=True)
        os.kill(os.getpid(), 9)
job.run_batch(
    pairs_of_table(Path(sys.argv[1])), BatchOptions(), Path(sys.argv[2]), workers=2,
    load=lambda name: sentence_encoder(name=name), monitor=Monitor(kill))
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_end_with_a_killed_batch(tmp_path):
    write_pairs(tmp_path / "pairs.csv")
    program = (sys.executable, "-c", KILLED, str(tmp_path / "pairs.csv"), str(tmp_path / "out"))
    paths = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
    ended = subprocess.run(
        program, check=False, env=os.environ | paths, stdout=subprocess.PIPE, text=True, timeout=300
    )
    assert ended.returncode == -signal.SIGKILL
    workers = json.loads(ended.stdout)
    assert len(workers) == min(2, psutil.cpu_count() or 1)
    gone, alive = psutil.wait_procs([psutil.Process(pid) for pid in workers if psutil.pid_exists(pid)], 60)
    assert not alive, gone
