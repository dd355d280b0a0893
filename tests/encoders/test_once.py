"""Models in memory: loaded once each, and whoever waits for one holds up nobody else."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tted_core.encoders import remembered
from tted_core.foundations.once import once_each


def test_a_model_that_loads_holds_up_no_other(monkeypatch):
    hub_answers, asked = threading.Event(), []

    def load(name):
        asked.append(name)
        assert name != "slow" or hub_answers.wait(60)
        return name

    monkeypatch.setattr(remembered, "load_encoder", load)
    monkeypatch.setattr(remembered, "replace", lambda encoder, **_: encoder)
    monkeypatch.setattr(remembered, "encoding_once", lambda *_: None)
    with ThreadPoolExecutor() as threads:
        slow = [threads.submit(remembered.remembered_encoder, "slow") for _ in range(2)]
        assert threads.submit(remembered.remembered_encoder, "quick").result(60) == "quick"
        hub_answers.set()
        assert {each.result(60) for each in slow} == {"slow"}
    assert sorted(asked) == ["quick", "slow"]
    remembered.remembered_encoder.cache_clear()


def test_an_error_is_not_kept_and_the_oldest_goes():
    made = []

    @once_each(2)
    def make(number):
        made.append(number)
        return 1 / number

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            make(0)
    assert [make(number) for number in (1, 2, 1, 4, 1, 2)] == [1, 0.5, 1, 0.25, 1, 0.5]
    assert made == [0, 0, 1, 2, 4, 2]
