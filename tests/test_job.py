"""A comparison in a thread: watched, stopped, and its errors raised where the result is asked for."""

import threading

import pytest
from helpers.encoders import hashed

from tted_core import Interrupted, LimitError, TextTree, UnknownNameError
from ui.job import Job

TREE = TextTree(("a", "b", "c"), (-1, 0, 0))


def arguments(**more):
    return {"left": TREE, "right": TREE, "encoder": hashed, **more}


def test_the_result_is_that_of_compare():
    job = Job(arguments)
    assert job.wait(30)
    assert job.result().tted == 0


def test_it_tells_how_far_it_is_and_stops_before_there_is_a_result():
    reached, go_on = threading.Event(), threading.Event()

    def slow(texts):
        reached.set()
        assert go_on.wait(30)
        return hashed(texts)

    job = Job(lambda: arguments(encoder=slow))
    assert reached.wait(30)
    assert not job.wait(0.01)
    job.stop()
    go_on.set()
    assert job.wait(30)
    with pytest.raises(Interrupted, match="run the comparison again"):
        job.result()


@pytest.mark.parametrize("error", [LimitError("too large"), ZeroDivisionError("a bug")])
def test_errors_of_the_preparation_are_raised_too(error):
    def prepare():
        raise error

    job = Job(prepare)
    assert job.wait(30)
    with pytest.raises(type(error)):
        job.result()


def test_errors_of_the_comparison_are_raised():
    job = Job(lambda: arguments(order="no such order"))
    assert job.wait(30)
    with pytest.raises(UnknownNameError):
        job.result()
