"""Worker processes: how many there are, which are kept, which are replaced, and how they end."""

import functools
import os
import subprocess
import sys
import threading
import time

import pytest
from helpers.works import process_id, runs, wait_until

from tted_core.errors import OptionsError
from tted_core.foundations.monitor import UNWATCHED
from ui.processes import inside, workers
from ui.processes.workers import worker_count
from ui.running.job import max_seconds


def imports_the_pages(_monitor):
    from ui.research import corpora, settings

    return len((settings.ABOUT, corpora.ABOUT))


def test_a_process_is_kept_if_its_last_word_is_heard_late(monkeypatch):
    worker = workers.Worker()
    results = []
    submit, heard = worker._pool.submit, worker._heard
    monkeypatch.setattr(worker._pool, "submit", lambda *work: results.append(submit(*work)) or results[-1])

    def late():
        """Nothing at first, as on a busy machine; its last word and the result come right after that."""
        monkeypatch.setattr(worker, "_heard", heard)
        results[-1].result()
        return ("nothing",)

    monkeypatch.setattr(worker, "_heard", late)
    try:
        worker.run(process_id, UNWATCHED, lambda: False)
        assert worker.is_free
    finally:
        worker.end()


def test_after_its_first_work_a_process_gets_ready_for_others(tmp_path):
    worker = workers.Worker(prepare=(tmp_path / "ready").mkdir)
    try:
        worker.run(process_id, UNWATCHED, lambda: False)
        wait_until((tmp_path / "ready").exists)
        (tmp_path / "ready").rmdir()
        worker.run(process_id, UNWATCHED, lambda: False)
        time.sleep(2 * inside.PREPARED_AFTER_SECONDS)
        assert not (tmp_path / "ready").exists()
    finally:
        worker.end()


def test_one_is_started_early_and_no_other_beside_it():
    pool = workers.Workers(1)
    pool.start()
    (first,) = pool._idle
    try:
        pool.start()
        with pool.one() as worker:
            assert worker is first
            pool.start()
        assert pool._idle == [first]
    finally:
        first.end()


def test_of_two_that_ask_for_the_same_one_makes_it_and_no_other_waits():
    goes_on, made = threading.Event(), []

    @workers.one_at_a_time
    @functools.cache
    def make(name):
        if name == "large":
            assert goes_on.wait(60)
        made.append(name)
        return object()

    threads = [threading.Thread(target=make, args=("large",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    make("small")
    assert made == ["small"]
    goes_on.set()
    for thread in threads:
        thread.join(60)
    assert made == ["small", "large"]


def test_of_processes_that_keep_models_one_stays():
    pool = workers.Workers(2, keeps_models=True)
    with pool.one() as first, pool.one() as second:
        assert first.process_id.result() != second.process_id.result()
    assert pool._idle == [second]
    wait_until(lambda: not runs(first.process_id.result()))
    second.end()


AT_ONCE = """
import threading
from ui.processes import encoding, workers
def found(ask):
    start, answers = threading.Barrier(8), []
    def one():
        start.wait()
        answers.append(ask())
    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return len(set(map(id, answers)))
print(found(workers.pool), found(encoding.encoder_process))
"""


def test_visitors_who_come_at_once_get_the_same_processes():
    """Else those of one would stay idle, models and all, until the server ends."""
    told = subprocess.run(
        [sys.executable, "-c", AT_ONCE],
        env={**os.environ, "TTED_WORKERS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["1", "1"]


@pytest.mark.thorough
def test_a_process_warns_of_nothing_and_ends_with_its_server(capfd):
    worker = workers.Worker()
    assert worker.run(imports_the_pages, UNWATCHED, lambda: False) > 0
    assert capfd.readouterr().err == ""
    process = worker.process_id.result()
    worker._other_end.close()  # as when the server is killed
    worker._pipe.close()
    wait_until(lambda: not runs(process))
    worker.end()


@pytest.mark.parametrize("count", ["-1", "two", "1.5"])
def test_a_wrong_number_of_processes_is_refused(monkeypatch, count):
    monkeypatch.setenv("TTED_WORKERS", count)
    with pytest.raises(OptionsError, match="TTED_WORKERS"):
        worker_count()


@pytest.mark.parametrize("seconds", ["0", "-3", "nan", "soon"])
def test_a_wrong_limit_is_refused(monkeypatch, seconds):
    monkeypatch.setenv("TTED_MAX_SECONDS", seconds)
    with pytest.raises(OptionsError, match="TTED_MAX_SECONDS"):
        max_seconds()


def test_without_a_word_there_are_two_processes_at_least_and_no_limit(monkeypatch):
    monkeypatch.delenv("TTED_WORKERS")
    for cores, count in ((1, 2), (2, 2), (4, 3), (None, 2)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert worker_count() == count
    assert max_seconds() == float("inf")
