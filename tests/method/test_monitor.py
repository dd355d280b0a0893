"""Monitors: reports, stopping, parts and rates."""

import pytest
from helpers.monitors import STOPPED

from tted_core.errors import Interrupted
from tted_core.foundations.monitor import UNWATCHED, Monitor, with_rates


def test_a_check_raises_once_the_work_should_stop():
    UNWATCHED.check()
    assert not UNWATCHED.stopped
    assert STOPPED.stopped
    with pytest.raises(Interrupted, match="before there was a result; run it again"):
        STOPPED.check()
    with pytest.raises(Interrupted, match="half way"):
        STOPPED.check("half way")


def test_rates_restart_with_each_stage(monkeypatch):
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
