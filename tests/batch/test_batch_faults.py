"""Faults of long runs: a full disk, damaged files, killed batches and workers, on this machine and on Dask."""

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

from tted_core.batch import job, results
from tted_core.batch.pairs import pairs_of_table
from tted_core.batch.results import part_files, read_parts
from tted_core.cli.shared import with_flags
from tted_core.errors import Interrupted, MissingExtraError, OptionsError
from tted_core.foundations.monitor import Monitor


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
    written = results.write_whole

    def full(file, content):
        if file.name == "part-000002.parquet":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(file, content)

    monkeypatch.setattr(results, "write_whole", full)
    with pytest.raises(OptionsError, match=r"part-000002\.parquet can't be written \(No space") as caught:
        run(pairs, tmp_path / "out")
    assert "go on with --resume: finished parts are kept" in with_flags(caught.value.text)
    assert len(part_files(tmp_path / "out")) == 2
    monkeypatch.setattr(results, "write_whole", written)
    run(pairs, tmp_path / "out", resume=True)
    assert table_of(tmp_path / "out").equals(table_of(tmp_path / "whole"))


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied", "of other pairs"])
def test_a_damaged_part_is_named_and_computed_again(pairs, tmp_path, damage):
    out = tmp_path / "out"
    run(pairs, out)
    whole, (other, file) = table_of(out), part_files(out)[:2]
    content = bytearray(file.read_bytes())
    content[100] ^= 255
    damaged = {"cut": content[:-20], "changed": content, "emptied": b"", "of other pairs": other.read_bytes()}
    file.write_bytes(damaged[damage])
    if damage != "of other pairs":
        with pytest.raises(OptionsError, match=r"part-000001\.parquet can't be read .*resume=True"):
            list(read_parts(out))
    assert run(pairs, out, resume=True)["notices"] == [
        "part-000001.parquet was damaged and is computed again"
    ]
    assert table_of(out).equals(whole)
    file.with_name("part-000001 (copy).parquet").write_bytes(file.read_bytes())
    with pytest.raises(OptionsError, match=r"\(copy\)\.parquet is no part of this batch; move it out of out"):
        run(pairs, out, resume=True)


def test_a_run_that_could_not_start_leaves_its_folder_free(pairs, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(OptionsError, match="no Dask cluster"):
        run(pairs, out, dask=str(tmp_path / "none.json"))
    assert run(pairs, out)["failed"] == 0


KILLED = """
import os, sys
from pathlib import Path
import psutil
from helpers.batch import batch_options
from helpers.encoders import sentence_encoder
from tted_core.batch import job
from tted_core.batch.pairs import pairs_of_table
from tted_core.foundations.monitor import Monitor
job.PART_PAIRS = 2
def kill(stage, done, total):
    if stage.startswith("Comparing") and done:
        found = psutil.Process().children(recursive=True)
        print([each.pid for each in found if "popen_loky" in " ".join(each.cmdline())], flush=True)
        os.kill(os.getpid(), 9)
job.run_batch(
    pairs_of_table(Path(sys.argv[1])), batch_options(), Path(sys.argv[2]), workers=2,
    load=lambda name: sentence_encoder(name=name), monitor=Monitor(kill))
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_end_with_a_killed_batch_which_can_be_resumed(pairs, tmp_path):
    run(pairs, tmp_path / "whole")
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
    run(pairs, tmp_path / "out", resume=True)
    assert table_of(tmp_path / "out").equals(table_of(tmp_path / "whole"))


try:
    import distributed
except ImportError:
    distributed = None

on_dask = pytest.mark.skipif(distributed is None, reason='the extra "cluster" (Dask) is not installed')


@pytest.fixture
def many_pairs(tmp_path):
    topics = ("bread", "coral-reefs", "solar-system", "baikal", "photosynthesis", "urban-heat")
    return pairs_of_table(write_pairs(tmp_path / "pairs.csv", topics=topics * 5))


def run_watched(pairs, out, *, solving=lambda _done: None, **how):
    """Run a batch; ``solving`` receives the number of finished pairs."""

    def tell(stage, done, _total):
        if stage.startswith("Comparing") and done:
            solving(done)

    options = batch_options(orders=("constrained", "unordered"), baselines=("rouge_bag",))
    return job.run_batch(
        pairs,
        options,
        out,
        load=lambda name: sentence_encoder(name=name),
        monitor=Monitor(tell),
        **how,
    )


@pytest.fixture
def serial(many_pairs, tmp_path):
    run_watched(many_pairs, tmp_path / "serial", workers=1)
    return table_of(tmp_path / "serial")


class Killing:
    """Kills a process once, as soon as anything is done."""

    def __init__(self, find):
        self.find = find
        self.killed = None

    def __call__(self, _done):
        if self.killed is None:
            self.killed = self.find()
            os.kill(self.killed, signal.SIGKILL)


def processes_of_joblib(parent=None):
    """Its workers; the one that counts their semaphores is not among them."""
    return [
        child.pid
        for child in psutil.Process(parent).children()
        if any("popen_loky" in word for word in child.cmdline())
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.thorough
def test_processes_compute_the_same_rows_and_a_killed_one_is_reported(many_pairs, tmp_path, serial):
    killing = Killing(lambda: processes_of_joblib()[0])
    with pytest.raises(Interrupted, match="a worker process was killed") as caught:
        run_watched(many_pairs, tmp_path / "out", workers=2, solving=killing)
    assert "continue with --resume and fewer --workers" in with_flags(caught.value.text)
    assert killing.killed
    assert table_of(tmp_path / "out").num_rows < serial.num_rows
    run_watched(many_pairs, tmp_path / "out", workers=2, resume=True)
    assert table_of(tmp_path / "out").equals(serial)
    assert not list((tmp_path / "out").glob(".tted-*"))


@on_dask
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.thorough
def test_a_cluster_computes_the_same_rows_although_a_worker_is_killed(many_pairs, tmp_path, serial):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        killing = Killing(lambda: cluster.workers[0].pid)
        file = tmp_path / "scheduler.json"
        file.write_text(json.dumps({"address": cluster.scheduler_address}), encoding="utf-8")
        run_watched(many_pairs, tmp_path / "killed", dask=str(file), solving=killing)
    run_watched(many_pairs, tmp_path / "local", dask="local")
    assert killing.killed
    assert not psutil.pid_exists(killing.killed)
    for name in ("killed", "local"):
        assert table_of(tmp_path / name).equals(serial)


@on_dask
@pytest.mark.thorough
def test_an_unusable_cluster_is_refused(many_pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "WAIT_SECONDS", 0.2)
    with pytest.raises(
        OptionsError, match=r"no Dask cluster with a worker responds at 'tcp://127\.0\.0\.1:1'"
    ):
        run_watched(many_pairs, tmp_path / "one", dask="tcp://127.0.0.1:1")
    with pytest.raises(OptionsError, match=r"responds at 'missing\.json' .*No such file"):
        run_watched(many_pairs, tmp_path / "two", dask="missing.json")


@on_dask
@pytest.mark.thorough
def test_workers_of_another_version_are_refused(many_pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "VERSION", "0.0")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        pytest.raises(OptionsError, match=r"a worker of the cluster has version .* this is 0\.0"),
    ):
        run_watched(many_pairs, tmp_path / "out", dask=cluster.scheduler_address)


@pytest.mark.thorough
def test_a_missing_extra_is_named(many_pairs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match="needs the package distributed"):
        run_watched(many_pairs, tmp_path / "out", dask="tcp://127.0.0.1:1")
