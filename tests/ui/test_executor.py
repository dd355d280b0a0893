"""Work in threads: monitored, stopped, shared between users with the same request, and queued fairly."""

import os
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest
from helpers.hanging import until

from tted_core import compare
from tted_core.errors import Interrupted, OptionsError, UnknownNameError
from ui import executor
from ui.executor import Executor, User, max_seconds

PATIENCE = 60


@pytest.fixture
def user():
    return User()


class Held:
    """Work that waits for a signal to continue."""

    def __init__(self):
        self.begun, self.goes_on, self.times = threading.Event(), threading.Event(), 0

    def __call__(self, monitor):
        self.times += 1
        monitor.stage("Holding", 0.5)
        self.begun.set()
        while not self.goes_on.wait(0.001):
            monitor.check()
        return "done"


def best_so_far(monitor):
    while not monitor.stopped:
        time.sleep(0.001)
    return "best so far"


def test_a_job_has_a_result_and_reports_progress(user):
    held = Held()
    job = Executor().submit(held, user)
    assert held.begun.wait(PATIENCE)
    assert (job.stage, job.share, job.done()) == ("Holding", 0.5, False)
    held.goes_on.set()
    assert job.result(PATIENCE) == "done"


@pytest.mark.parametrize(
    ("work", "error"),
    [(lambda _: compare("", "", order="none"), UnknownNameError), (lambda _: len(3), TypeError)],
)
def test_errors_are_raised_where_the_result_is_read(user, work, error):
    with pytest.raises(error):
        Executor().submit(work, user).result(PATIENCE)


def test_stopped_work_returns_its_best_result_or_raises_interrupted(user):
    job = Executor().submit(best_so_far, user)
    job.stop()
    assert job.result(PATIENCE) == "best so far"
    job = Executor().submit(Held(), user)
    job.stop()
    with pytest.raises(Interrupted):
        job.result(PATIENCE)


def test_equal_requests_are_computed_once_and_the_result_is_kept():
    held, many = Held(), Executor()
    jobs = [many.submit(held, User(), key="same") for _ in range(5)]
    assert held.begun.wait(PATIENCE)
    held.goes_on.set()
    assert [job.result(PATIENCE) for job in jobs] == ["done"] * 5
    assert many.submit(held, User(), key="same").result(PATIENCE) == "done"
    assert held.times == 1
    assert many.submit(held, User(), key="other").result(PATIENCE) == "done"
    assert held.times == 2


def test_a_user_who_stops_shared_work_stops_only_waiting_for_it():
    held, many = Held(), Executor()
    first, second = (many.submit(held, User(), key="same") for _ in range(2))
    assert held.begun.wait(PATIENCE)
    first.stop()
    with pytest.raises(Interrupted):
        first.result(PATIENCE)
    held.goes_on.set()
    assert second.result(PATIENCE) == "done"


def test_an_error_reaches_all_waiting_users_and_no_later_ones():
    begun, goes_on, times = threading.Event(), threading.Event(), []

    def fails(_monitor):
        times.append(1)
        begun.set()
        assert goes_on.wait(PATIENCE)
        raise ValueError("no")

    many = Executor()
    jobs = [many.submit(fails, User(), key="same") for _ in range(3)]
    assert begun.wait(PATIENCE)
    goes_on.set()
    for job in jobs:
        with pytest.raises(ValueError, match="no"):
            job.result(PATIENCE)
    assert len(times) == 1
    assert many.submit(lambda _: "well", User(), key="same").result(PATIENCE) == "well"


def test_partial_results_are_not_shared():
    many, user = Executor(), User()
    first = many.submit(best_so_far, user, key="same")
    first.stop()
    assert first.result(PATIENCE) == "best so far"
    assert many.submit(lambda _: "all", user, key="same").result(PATIENCE) == "all"
    unproven = many.submit(lambda _: "unproven", user, key="other", keeps=lambda result: result == "proven")
    assert unproven.result(PATIENCE) == "unproven"
    assert many.submit(lambda _: "again", user, key="other").result(PATIENCE) == "unproven"
    assert many.submit(lambda _: "again", User(), key="other").result(PATIENCE) == "again"


def test_kept_results_are_bounded_by_their_bytes(monkeypatch):
    monkeypatch.setattr(executor, "MOST_BYTES", 2_500_000)
    many = Executor()
    for key in "abc":
        many.submit(lambda _: np.zeros(125_000), User(), key=key).result(PATIENCE)
    assert many.submit(lambda _: "again", User(), key="a").result(PATIENCE) == "again"
    assert isinstance(many.submit(lambda _: "again", User(), key="c").result(PATIENCE), np.ndarray)
    many.submit(lambda _: np.zeros(1_000_000), User(), key="larger than all").result(PATIENCE)
    assert many.submit(lambda _: "again", User(), key="larger than all").result(PATIENCE) == "again"


def test_a_single_job_does_not_wait_for_ten_jobs_of_another_user(user):
    many, order, first = Executor(seats=1, trials=0), [], Held()

    def noted(name, _monitor):
        order.append(name)

    jobs = [many.submit(first, user)]
    assert first.begun.wait(PATIENCE)
    for name in [*(f"of many {number}" for number in range(10)), "of one"]:
        jobs.append(many.submit(partial(noted, name), User() if name == "of one" else user))
        until(lambda: jobs[-1].stage.startswith("Waiting"))
    first.goes_on.set()
    for job in jobs:
        job.result(PATIENCE)
    assert order.index("of one") <= 1
    assert [name for name in order if name != "of one"] == [f"of many {number}" for number in range(10)]


def test_long_work_leaves_a_seat_to_short_work():
    many, held = Executor(seats=2), [Held(), Held()]
    long = [many.submit(each, User(), long=True) for each in held]
    assert many.submit(lambda _: "quick", User()).result(PATIENCE) == "quick"
    until(lambda: long[1].stage == "Waiting: you are next")
    for each in held:
        each.goes_on.set()
    assert [job.result(PATIENCE) for job in long] == ["done", "done"]


def test_short_work_does_not_wait_for_the_end_of_work_that_takes_long():
    many, held = Executor(seats=2), [Held() for _ in range(2)]
    jobs = [many.submit(each, User()) for each in held]
    assert all(each.begun.wait(PATIENCE) for each in held)
    assert many.submit(lambda _: "short", User()).result(PATIENCE) == "short"
    for each in held:
        each.goes_on.set()
    assert [job.result(PATIENCE) for job in jobs] == ["done"] * 2


def test_work_that_takes_long_leaves_its_trial_to_others_and_begins_again_on_a_seat(monkeypatch):
    monkeypatch.setattr(executor, "MOST_TRIAL_SECONDS", 0.01)
    many, held, tried = Executor(seats=1), Held(), Held()
    first = many.submit(held, User())
    assert held.begun.wait(PATIENCE)
    second = many.submit(tried, User())
    until(lambda: second.stage.startswith("Waiting"))
    assert (many.submit(lambda _: "short", User()).result(PATIENCE), tried.times) == ("short", 1)
    held.goes_on.set()
    tried.goes_on.set()
    assert (first.result(PATIENCE), second.result(PATIENCE), tried.times) == ("done", "done", 2)


def test_waiting_work_can_be_stopped(user):
    many, held = Executor(seats=1, trials=0), Held()
    job = many.submit(held, User())
    assert held.begun.wait(PATIENCE)
    waiting = many.submit(lambda _: "never", user)
    waiting.stop()
    with pytest.raises(Interrupted, match="before its turn came"):
        waiting.result(PATIENCE)
    held.goes_on.set()
    assert job.result(PATIENCE) == "done"


def test_work_stops_once_its_user_has_left_for_long(user, monkeypatch):
    job = Executor().submit(best_so_far, user)
    user.leave()
    assert not user.has_left(), "it may come back"
    monkeypatch.setattr(executor, "AWAY_SECONDS", 0.0)
    assert job.result(PATIENCE) == "best so far"


def test_work_stops_at_the_time_limit_of_the_server(user, monkeypatch):
    monkeypatch.setenv("TTED_MAX_SECONDS", "0.01")
    job = Executor().submit(best_so_far, user)
    assert job.result(PATIENCE) == "best so far"
    assert job.was_cut


@pytest.mark.parametrize("limit", ["0", "-1", "soon", "nan"])
def test_a_wrong_limit_is_one_sentence(monkeypatch, limit):
    monkeypatch.setenv("TTED_MAX_SECONDS", limit)
    with pytest.raises(OptionsError, match="TTED_MAX_SECONDS is"):
        max_seconds()


AT_THE_END = """
import threading, torch
from ui.executor import EXECUTOR, User
begun = threading.Event()
def work(monitor):
    while not monitor.stopped:
        torch.tanh(torch.rand(300, 300) @ torch.rand(300, 300))
        begun.set()
EXECUTOR.submit(work, User())
begun.wait()
"""


@pytest.mark.thorough
def test_python_ends_quietly_while_it_computes_in_a_thread():
    """PyTorch would abort: terminate called without an active exception."""
    ended = subprocess.run(
        [sys.executable, "-c", AT_THE_END],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    assert "terminate" not in ended.stderr
