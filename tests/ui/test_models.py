"""The queue before an encoder: what waits is encoded together, and once."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.floats import by_a_model
from helpers.hanging import until
from helpers.paths import ROOT

from tted_core import load_encoder
from tted_core.encoders import sentence_encoder as encoders
from tted_core.errors import EncoderError
from ui import model_choice
from ui.models import EncoderQueue


class SlowEncoder:
    """An encoder that records its batches, counts the seconds of a slow processor, and waits for ``goes_on``."""

    def __init__(self):
        self.batches, self.seconds, self.speed = [], 0.0, 15_000
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.error = None

    def encode(self, texts):
        self.batches.append(list(texts))
        self.seconds += self.seconds_for(texts)
        assert self.goes_on.wait(60)
        if self.error:
            raise self.error
        return hashed(texts)

    def seconds_for(self, texts):
        return sum(10 + len(text) for text in texts) / self.speed


@pytest.fixture
def slow():
    return SlowEncoder()


@pytest.fixture
def queue(slow):
    return EncoderQueue(sentence_encoder(encode=slow.encode), clock=lambda: slow.seconds)


class Texts(list):
    """Texts of a user, which are ``taken`` once the queue has read them all."""

    taken = False

    def __iter__(self):
        yield from super().__iter__()
        self.taken = True


def encoded_later(users, encode, texts):
    """A user's call, once its texts are in the queue."""
    texts = Texts(texts)
    call = users.submit(encode, texts)
    until(lambda: texts.taken)
    return call


def test_the_queued_encoder_gives_the_same_results(queue, slow):
    there, known = queue.guard(), sentence_encoder()
    texts = ["a reef", "a reef", "", "polyps in a bay"]
    assert np.array_equal(there.encode(texts), known.encode(texts))
    assert there.encode([]).shape == (0, 32)
    assert there.count_tokens(["new", *texts]) == known.count_tokens(["new", *texts])
    assert (there.name, there.fingerprint) == (known.name, known.fingerprint)
    assert slow.batches == [["a reef", "", "polyps in a bay"], []]


def test_texts_of_several_sessions_are_encoded_together_and_once(queue, slow):
    encode = queue.guard().encode
    slow.goes_on.clear()
    with ThreadPoolExecutor(3) as users:
        first = users.submit(encode, ["first"])
        until(lambda: slow.batches)
        second = encoded_later(users, encode, ["a", "first"])
        third = encoded_later(users, encode, ["b", "a"])
        slow.goes_on.set()
        assert np.array_equal(second.result()[1], first.result()[0])
        assert np.array_equal(third.result()[1], second.result()[0])
    assert slow.batches == [["first"], ["a", "b"]]


def test_a_user_with_two_maps_does_not_wait_for_six_with_large_ones(queue, slow):
    encode = queue.guard().encode
    with ThreadPoolExecutor(7) as users:
        slow.goes_on.clear()
        texts = [[f"{user}: {number}" for number in range(1_900)] for user in range(6)]
        large = [encoded_later(users, encode, each) for each in texts]
        slow.goes_on.set()
        until(lambda: len(slow.batches) > 5)  # the first ones measure the speed
        slow.goes_on.clear()
        small = encoded_later(users, encode, [f"small: {number}" for number in range(50)])
        under_way = len(slow.batches) - 1
        slow.goes_on.set()
        small.result()
        last = next(number for number, batch in enumerate(slow.batches) if "small: 49" in batch)
        for each in large:
            each.result()
    assert sum(map(slow.seconds_for, slow.batches[under_way : last + 1])) < 3
    assert len(slow.batches) < 100  # large batches are faster


def test_a_batch_of_paragraphs_takes_no_longer_than_one_of_labels(queue, slow):
    encode = queue.guard().encode
    encode([f"label {number}" for number in range(5_000)])
    labels = len(slow.batches)
    encode([f"{number}: {'a paragraph of many words ' * 40}" for number in range(50)])
    took = [slow.seconds_for(batch) for batch in slow.batches]
    assert max(took[labels:]) < 2 * max(took[:labels])


def test_users_with_small_maps_are_served_one_after_another(queue, slow):
    encode = queue.guard().encode
    slow.goes_on.clear()
    with ThreadPoolExecutor(9) as users:
        waiting = [users.submit(encode, ["first"])]
        until(lambda: slow.batches)
        texts = [[f"{user}: {number}" for number in range(50)] for user in range(8)]
        waiting += [encoded_later(users, encode, each) for each in texts]
        slow.goes_on.set()
        for each in waiting:
            each.result()
    order = [text for batch in slow.batches for text in batch][1:]
    assert order == [f"{user}: {number}" for user in range(8) for number in range(50)]


def test_each_call_is_its_own_batch_if_vectors_depend_on_the_batch(slow):
    queue = EncoderQueue(replace(sentence_encoder(encode=slow.encode), company_counts=True))
    with ThreadPoolExecutor(3) as users:
        list(users.map(queue.guard().encode, [["a", "b"], ["b", "c"], ["a", "b"]]))
    assert sorted(slow.batches) == [["a", "b"], ["a", "b"], ["b", "c"]]


def test_an_error_of_the_model_reaches_all_waiting_calls_and_no_later_one(queue, slow):
    encode = queue.guard().encode
    slow.goes_on.clear()
    with ThreadPoolExecutor(3) as users:
        waiting = [users.submit(encode, ["first"])]
        until(lambda: slow.batches)
        waiting += [encoded_later(users, encode, texts) for texts in (["a", "b"], ["b"])]
        slow.error = EncoderError("no such weights")
        slow.goes_on.set()
        for each in waiting:
            with pytest.raises(EncoderError, match="no such weights"):
                each.result()
    slow.error = None
    assert np.array_equal(encode(["b"]), hashed(["b"]))


@pytest.mark.thorough
def test_a_vector_does_not_depend_on_other_texts_in_the_queue():
    texts = [f"{'reefs and ' * (number % 5)}bay {number}" for number in range(40)]
    parts = [texts[at : at + 10] for at in range(0, 40, 10)]
    for name in ("minilm", "use-multilingual"):
        here = load_encoder(name)
        there = EncoderQueue(load_encoder(name)).guard()
        with ThreadPoolExecutor(4) as users:
            together = list(users.map(there.encode, parts))
            list(users.map(there.count_tokens, [[f"new {each}" for each in part] for part in parts]))
        assert np.concatenate(together) == by_a_model(here.encode(texts))


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_simultaneous_users_get_the_right_results():
    command = [sys.executable, "-m", "benchmarks.serving", "--quick"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "all users got the right result" in found.stdout, found.stderr


@pytest.mark.parametrize(("downloads", "listed"), [("off", ""), ("off", "labse"), ("on", "")])
def test_a_model_is_downloaded_only_if_the_operator_allows_it(monkeypatch, downloads, listed):
    monkeypatch.setattr(model_choice, "offline", lambda: False)
    monkeypatch.setattr(encoders, "is_cached", lambda name: False)
    monkeypatch.setenv("TTED_DOWNLOADS", downloads)
    monkeypatch.setenv("TTED_ENCODERS", listed)
    load = model_choice.check_offered
    load("minilm")
    if downloads == "on" or listed:
        load("labse")
    else:
        with pytest.raises(
            EncoderError, match="can install it with: hf download sentence-transformers/LaBSE"
        ):
            load("labse")
        monkeypatch.setitem(sys.modules, "torch", None)
        with pytest.raises(
            EncoderError, match=r'with: pip install "\.\[models\]" in .*, and then hf download'
        ):
            load("labse")
