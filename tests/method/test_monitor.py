"""The monitor of long work: what it is told, when it stops, and how parts and rates are made of it."""

import pytest
from helpers.monitors import STOPPED, telling

from tted_core.errors import Interrupted
from tted_core.foundations.monitor import UNWATCHED, Monitor, share, with_rates


def test_steps_and_bounds_are_told_of_the_last_stage():
    told = []
    monitor = Monitor(lambda *what: told.append(what))
    monitor.stage("Reading")
    monitor.advance(3, 12)
    monitor.stage("Writing", 0.5)
    assert told == [("Reading", 0.0, 1.0), ("Reading", 3, 12), ("Writing", 0.5, 1.0)]


def test_a_check_raises_once_the_work_should_stop():
    UNWATCHED.check()
    assert not UNWATCHED.stopped
    assert STOPPED.stopped
    with pytest.raises(Interrupted, match="before there was a result; run it again"):
        STOPPED.check()
    with pytest.raises(Interrupted, match="half way"):
        STOPPED.check("half way")


def test_items_are_a_stage_that_stops_before_the_next_one():
    told, taken = [], []
    monitor = telling(told, lambda: len(taken) == 2)
    with pytest.raises(Interrupted):
        taken.extend(monitor.over("abcd", "Looking"))
    assert taken == ["a", "b"]
    assert told == [("Looking", 0.0), ("Looking", 0.25)]


def test_a_part_fills_its_share_and_stops_with_the_whole():
    told = []
    monitor = telling(told, lambda: len(told) == 3)
    part = monitor.part(1, 4)
    part.stage("Solving", 0.5)
    part.advance(9, 9)
    monitor.part(2, 4, "All").part(1, 2).stage("Solving", 0.5)
    assert told == [("Solving", 0.375), ("Solving", 0.5), ("All", 0.6875)]
    assert part.stopped


def test_a_share_lies_between_0_and_1():
    assert [share(*each) for each in ((7, 1), (-1, 2), (1, 4), (0, 0))] == [1.0, 0.0, 0.25, 1.0]


def test_rates_begin_anew_with_each_stage(monkeypatch):
    seconds = iter((0.0, 4.0, 100.0, 110.0))
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    texts = []
    monitor = Monitor(with_rates(lambda text, _done, _total: texts.append(text)))
    for stage, done in (("Reading", 20), ("Comparing", 5)):
        monitor.stage(stage)
        monitor.advance(done, 100)
    assert texts == [
        "Reading",
        "Reading: 20 of 100, 5 a second, 16 s left",
        "Comparing",
        "Comparing: 5 of 100, 0.5 a second, 3:10 min left",
    ]
