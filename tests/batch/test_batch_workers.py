"""Equal rows from this process, other processes and a Dask cluster, even if workers are killed."""

import json
import os
import signal
import sys

import psutil
import pytest
from helpers.batch import batch_options, table_of, write_pairs
from helpers.encoders import sentence_encoder

from tted_core.batch import job
from tted_core.batch.pairs import pairs_of_table
from tted_core.errors import Interrupted, MissingExtraError, OptionsError
from tted_core.foundations.monitor import Monitor

pytestmark = pytest.mark.thorough

try:
    import distributed
except ImportError:
    distributed = None

on_dask = pytest.mark.skipif(distributed is None, reason='the extra "cluster" (Dask) is not installed')


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(job, "PART_PAIRS", 3)


@pytest.fixture
def pairs(tmp_path):
    topics = ("bread", "coral-reefs", "solar-system", "baikal", "photosynthesis", "urban-heat")
    return pairs_of_table(write_pairs(tmp_path / "pairs.csv", topics=topics * 5))


def run(pairs, folder, *, solving=lambda _done: None, **how):
    """Run a batch; ``solving`` receives the number of finished pairs."""

    def tell(stage, done, _total):
        if stage.startswith("Comparing") and done:
            solving(done)

    options = batch_options(orders=("constrained", "unordered"), baselines=("rouge_bag",))
    return job.run_batch(
        pairs, options, folder, load=lambda name: sentence_encoder(name=name), monitor=Monitor(tell), **how
    )


@pytest.fixture
def serial(pairs, tmp_path):
    run(pairs, tmp_path / "serial", workers=1)
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
def test_processes_compute_the_same_rows_and_a_killed_one_is_reported(pairs, tmp_path, serial):
    killing = Killing(lambda: processes_of_joblib()[0])
    with pytest.raises(
        Interrupted, match=r"a worker process was killed.*continue with --resume and fewer --workers"
    ):
        run(pairs, tmp_path / "out", workers=2, solving=killing)
    assert killing.killed
    assert table_of(tmp_path / "out").num_rows < serial.num_rows
    run(pairs, tmp_path / "out", workers=2, resume=True)
    assert table_of(tmp_path / "out").equals(serial)
    assert not list((tmp_path / "out").glob(".tted-*"))


@on_dask
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_cluster_computes_the_same_rows_although_a_worker_is_killed(pairs, tmp_path, serial):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        killing = Killing(lambda: cluster.workers[0].pid)
        file = tmp_path / "scheduler.json"
        file.write_text(json.dumps({"address": cluster.scheduler_address}), encoding="utf-8")
        run(pairs, tmp_path / "killed", dask=cluster.scheduler_address, solving=killing)
        run(pairs, tmp_path / "file", dask=str(file))
    run(pairs, tmp_path / "local", dask="local")
    assert killing.killed
    assert not psutil.pid_exists(killing.killed)
    for folder in ("killed", "file", "local"):
        assert table_of(tmp_path / folder).equals(serial)


@on_dask
def test_an_unusable_cluster_is_refused(pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "WAIT_SECONDS", 0.2)
    with pytest.raises(
        OptionsError, match=r"no Dask cluster with a worker responds at 'tcp://127\.0\.0\.1:1'"
    ):
        run(pairs, tmp_path / "one", dask="tcp://127.0.0.1:1")
    with pytest.raises(OptionsError, match=r"responds at 'missing\.json' .*No such file"):
        run(pairs, tmp_path / "two", dask="missing.json")


@on_dask
def test_workers_of_another_version_are_refused(pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "VERSION", "0.0")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        pytest.raises(OptionsError, match=r"a worker of the cluster has version .* this is 0\.0"),
    ):
        run(pairs, tmp_path / "out", dask=cluster.scheduler_address)


def test_a_missing_extra_is_named(pairs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match="needs the package distributed"):
        run(pairs, tmp_path / "out", dask="tcp://127.0.0.1:1")
