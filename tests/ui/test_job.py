"""Work in a thread: watched, stopped, and its errors raised where the result is asked for."""

import os
import subprocess
import sys
import threading
from functools import partial

import pytest
from helpers.encoders import hashed

from tted_core import TextTree, compare
from tted_core.errors import Interrupted, UnknownNameError
from ui.running.job import Job

TREE = TextTree(("a", "b", "c"), (-1, 0, 0))


def comparison(monitor, *, encoder=hashed, **options):
    return compare(TREE, TREE, encoder=encoder, monitor=monitor, **options)


def test_the_result_is_that_of_the_work():
    job = Job(comparison)
    assert job.wait(30)
    assert job.result().tted == 0


def test_it_tells_how_far_it_is_and_stops_before_there_is_a_result():
    reached, go_on = threading.Event(), threading.Event()

    def slow(texts):
        reached.set()
        assert go_on.wait(30)
        return hashed(texts)

    job = Job(partial(comparison, encoder=slow))
    assert reached.wait(30)
    assert not job.wait(0.01)
    job.stop()
    go_on.set()
    assert job.wait(30)
    with pytest.raises(Interrupted, match="run it again"):
        job.result()


def test_the_share_stays_between_0_and_1():
    job = Job(lambda monitor: monitor.stage("Counting", 7))
    assert job.wait(30)
    assert (job.stage, job.share, job.result()) == ("Counting", 1.0, None)


@pytest.mark.parametrize(
    ("work", "error"),
    [(lambda _: compare("", "", order="none"), UnknownNameError), (lambda _: len(3), TypeError)],
)
def test_errors_are_raised(work, error):
    job = Job(work)
    assert job.wait(30)
    with pytest.raises(error):
        job.result()


AT_THE_END = """
import time, torch
from ui.running.job import Job
def work(monitor):
    while not monitor.stopped:
        torch.tanh(torch.rand(300, 300) @ torch.rand(300, 300))
Job(work)
time.sleep(0.5)
"""


@pytest.mark.thorough
def test_python_ends_quietly_while_it_computes_in_a_thread():
    """PyTorch would abort: terminate called without an active exception."""
    ended = subprocess.run(
        [sys.executable, "-c", AT_THE_END],
        env={**os.environ, "TTED_WORKERS": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    assert "terminate" not in ended.stderr
