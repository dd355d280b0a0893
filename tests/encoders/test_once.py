"""Models in memory: each is loaded once, and waiting for one doesn't block others."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tted_core.encoders import embedding
from tted_core.foundations.once import once_each


def test_loading_a_model_does_not_block_others(monkeypatch):
    hub_answers, requested = threading.Event(), []

    def load(name):
        requested.append(name)
        assert name != "slow" or hub_answers.wait(60)
        return name

    monkeypatch.setattr(embedding, "load_encoder", load)
    monkeypatch.setattr(embedding, "replace", lambda encoder, **_: encoder)
    monkeypatch.setattr(embedding, "encoding_once", lambda *_: None)
    with ThreadPoolExecutor() as threads:
        slow = [threads.submit(embedding.remembered_encoder, "slow") for _ in range(2)]
        assert threads.submit(embedding.remembered_encoder, "quick").result(60) == "quick"
        hub_answers.set()
        assert {each.result(60) for each in slow} == {"slow"}
    assert sorted(requested) == ["quick", "slow"]
    embedding.remembered_encoder.cache_clear()


def test_errors_are_not_cached_and_the_oldest_entry_is_dropped():
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
