"""The server's encoding process: what waits is encoded together, once, and a dead process is replaced."""

import functools
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import sentence_encoder
from helpers.floats import by_a_model
from helpers.works import runs, wait_until

from benchmarks import serving
from benchmarks.server import ROOT, outline, processes_of, served
from benchmarks.session import Session
from tted_core.errors import EncoderError, ToolError, UnknownNameError
from ui.processes import encoding, loading
from ui.processes.encoding import PARTS, TOGETHER, EncoderProcess


class Here:
    """In place of the pool of one process: answers come in this one, as soon as ``goes_on`` says so."""

    def __init__(self):
        self.asked = []
        self.goes_on = threading.Event()
        self.goes_on.set()

    @contextmanager
    def one(self):
        yield self

    def run(self, work, monitor, _is_unwanted):
        questions = work.args[0]
        self.asked.append([(each.what, each.text) for each in questions])
        assert self.goes_on.wait(60)
        return work(monitor)


@pytest.fixture
def here(monkeypatch):
    pool = Here()
    monkeypatch.setattr(encoding, "Workers", lambda _count, **_how: pool)
    monkeypatch.setattr(encoding, "load_encoder", lambda name: sentence_encoder(name=name))
    return pool


def until_waiting(process, count):
    end = time.monotonic() + 60
    while len(process._waiting) != count:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_it_is_the_encoder_in_all_that_is_asked_of_it(here):
    there, known = EncoderProcess().encoder("minilm"), sentence_encoder(name="minilm")
    texts = ["a reef", "a reef", "", "polyps in a bay"]
    assert np.array_equal(there.encode(texts), known.encode(texts))
    assert there.encode([]).shape == (0,)
    assert there.count_tokens(["new", *texts]) == known.count_tokens(["new", *texts])
    assert (there.name, there.fingerprint) == (known.name, known.fingerprint)
    counted = {text for asked in here.asked for what, text in asked if what == "count_tokens"}
    assert counted == {"new"}  # the other numbers came with the vectors


def test_it_is_described_once_and_without_a_page_as_downloads_are_made(here, monkeypatch, caplog):
    monkeypatch.setattr(loading, "encoder_process", functools.cache(EncoderProcess))
    for name in "abcdefab":
        thread = threading.Thread(target=loading.fresh_encoder, args=(name,))
        thread.start()
        thread.join()
    assert here.asked == [[("describe", "")]] * 6
    assert "ScriptRunContext" not in caplog.text


def test_what_several_wait_for_is_encoded_together_and_once_and_counting_goes_first(here):
    process = EncoderProcess()
    encoder = process.encoder("minilm")
    here.asked.clear()
    here.goes_on.clear()
    with ThreadPoolExecutor(4) as visitors:
        first = visitors.submit(encoder.encode, ["first"])
        until_waiting(process, 0)
        while not here.asked:
            time.sleep(0.001)
        second = visitors.submit(encoder.encode, ["a", "first"])
        until_waiting(process, 1)
        third = visitors.submit(encoder.encode, ["b", "a"])
        until_waiting(process, 2)
        counts = visitors.submit(encoder.count_tokens, ["c"])
        until_waiting(process, 3)
        here.goes_on.set()
        assert len(counts.result()) == 1
        assert np.array_equal(second.result()[1], first.result()[0])
        assert np.array_equal(third.result()[1], second.result()[0])
    assert here.asked == [[("encode", "first")], [("count_tokens", "c")], [("encode", "a"), ("encode", "b")]]


def test_many_texts_go_in_parts_so_that_the_first_answers_come_soon(here):
    encoder = EncoderProcess().encoder("minilm")
    here.asked.clear()
    texts = [f"text {number}" for number in range(TOGETHER + 3)]
    assert np.array_equal(encoder.encode(texts), sentence_encoder(name="minilm").encode(texts))
    assert [len(each) for each in here.asked] == [TOGETHER, 3]
    here.asked.clear()
    encoder.encode([f"more {number}" for number in range(2 * TOGETHER * PARTS)])
    assert [len(each) for each in here.asked[:2]] == [2 * TOGETHER, 2 * TOGETHER * (PARTS - 1) // PARTS]


def test_where_the_company_counts_the_texts_of_one_call_stay_by_themselves(here, monkeypatch):
    def load(name):
        return replace(sentence_encoder(name=name), company_counts=True)

    monkeypatch.setattr(encoding, "load_encoder", load)
    process = EncoderProcess()
    encoder = process.encoder("minilm")
    here.asked.clear()
    here.goes_on.clear()
    with ThreadPoolExecutor(3) as visitors:
        waiting = [visitors.submit(encoder.encode, ["first"])]
        while not here.asked:
            time.sleep(0.001)
        for texts, count in ((["a", "b"], 2), (["b", "c"], 4)):
            waiting.append(visitors.submit(encoder.encode, texts))
            until_waiting(process, count)
        here.goes_on.set()
        assert [len(each.result()) for each in waiting] == [1, 2, 2]
    assert [[text for _, text in each] for each in here.asked] == [["first"], ["a", "b"], ["b", "c"]]


def test_an_error_of_the_model_reaches_all_who_asked_and_nobody_later(here, monkeypatch):
    def fails(_name):
        raise EncoderError("no such weights")

    process = EncoderProcess()
    with monkeypatch.context() as broken:
        broken.setattr(encoding, "load_encoder", fails)
        with pytest.raises(EncoderError, match="no such weights"):
            process.encoder("minilm")
    assert process.encoder("minilm").name == "minilm"


@pytest.fixture(scope="module")
def process():
    """A process of its own, with the bundled model that needs no PyTorch."""
    started = EncoderProcess()
    yield started
    for worker in started._process._idle:
        worker.end()


@pytest.mark.thorough
def test_a_vector_is_that_of_its_text_whoever_waits_beside(process):
    from tted_core import load_encoder

    texts = [f"{'reefs and ' * (number % 5)}bay {number}" for number in range(40)]
    parts = [texts[at : at + 10] for at in range(0, 40, 10)]
    for name in ("minilm", "use-multilingual"):
        there, here = process.encoder(name), load_encoder(name)
        with ThreadPoolExecutor(4) as visitors:
            together = list(visitors.map(there.encode, parts))
        assert np.concatenate(together) == by_a_model(here.encode(texts))


@pytest.mark.thorough
def test_a_process_that_dies_is_one_sentence_and_replaced(process):
    encoder = process.encoder("use-multilingual")
    expected = encoder.encode(["a reef"])
    (worker,) = process._process._idle
    before = worker.process_id.result()
    stop = threading.Event()
    failed = Future()

    def asks():
        try:
            number = 0
            while not stop.is_set():
                encoder.encode([f"text {number} {each}" for each in range(500)])
                number += 1
        except ToolError as error:
            failed.set_result(str(error))

    asking = threading.Thread(target=asks)
    asking.start()
    time.sleep(0.3)
    os.kill(before, signal.SIGKILL)
    try:
        said = failed.result(60)
        assert "ended unexpectedly (SIGKILL(-9))" in said
    finally:
        stop.set()
        asking.join()
    assert np.array_equal(encoder.encode(["a reef"]), expected)
    (worker,) = process._process._idle
    assert worker.process_id.result() != before
    with pytest.raises(UnknownNameError, match="no-such"):
        process.encoder("no-such")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_visitors_who_come_at_once_get_the_right_answers(monkeypatch, capsys):
    monkeypatch.delenv("TTED_WORKERS")
    serving.main(["--quick"])
    assert "everybody got the right answer" in capsys.readouterr().out


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_server_however_it_ends(tmp_path, number):
    environment = {"TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    with served(ROOT, environment=environment) as (address, server), Session(address) as visitor:
        visitor.run(patience=300)
        visitor.set("left-source", string_value="Paste")
        visitor.set("left-text", string_value=outline(300, 1))
        visitor.send()  # the encoder is at work, and so may a worker be
        time.sleep(1)
        started = processes_of(server)
        assert len(started) > 2
        os.kill(server, number)
        wait_until(lambda: not any(runs(each) for each in started))
