"""The gate before an encoder: what waits is encoded together, and once."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.floats import by_a_model
from helpers.paths import ROOT

from tted_core import load_encoder
from tted_core.errors import EncoderError
from ui import model_choice
from ui.models import PARTS, TOGETHER, EncoderQueue


class Asked:
    """An encoder that notes what it is asked for, and answers once ``goes_on`` says so."""

    def __init__(self):
        self.batches = []
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.error = None

    def encode(self, texts):
        self.batches.append(list(texts))
        assert self.goes_on.wait(60)
        if self.error:
            raise self.error
        return hashed(texts)


@pytest.fixture
def asked():
    return Asked()


@pytest.fixture
def gate(asked):
    return EncoderQueue(sentence_encoder(encode=asked.encode))


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_it_is_the_encoder_in_all_that_is_asked_of_it(gate, asked):
    there, known = gate.guarded(), sentence_encoder()
    texts = ["a reef", "a reef", "", "polyps in a bay"]
    assert np.array_equal(there.encode(texts), known.encode(texts))
    assert there.encode([]).shape == (0, 32)
    assert there.count_tokens(["new", *texts]) == known.count_tokens(["new", *texts])
    assert (there.name, there.fingerprint) == (known.name, known.fingerprint)
    assert asked.batches == [["a reef", "", "polyps in a bay"], []]


def test_texts_of_several_sessions_are_encoded_together_and_once(gate, asked):
    encode = gate.guarded().encode
    asked.goes_on.clear()
    with ThreadPoolExecutor(3) as visitors:
        first = visitors.submit(encode, ["first"])
        until(lambda: asked.batches)
        second = visitors.submit(encode, ["a", "first"])
        until(lambda: len(gate._waiting) == 1)
        third = visitors.submit(encode, ["b", "a"])
        until(lambda: len(gate._waiting) == 2)
        asked.goes_on.set()
        assert np.array_equal(second.result()[1], first.result()[0])
        assert np.array_equal(third.result()[1], second.result()[0])
    assert asked.batches == [["first"], ["a", "b"]]


def test_many_texts_go_in_parts_so_that_the_first_answers_come_soon(gate, asked):
    encode = gate.guarded().encode
    texts = [f"text {number}" for number in range(TOGETHER + 3)]
    assert np.array_equal(encode(texts), hashed(texts))
    assert [len(each) for each in asked.batches] == [TOGETHER, 3]
    encode([f"more {number}" for number in range(2 * TOGETHER * PARTS)])
    assert [len(each) for each in asked.batches[2:4]] == [
        2 * TOGETHER,
        2 * TOGETHER * (PARTS - 1) // PARTS,
    ]


def test_where_the_company_counts_the_texts_of_one_call_stay_by_themselves(asked):
    gate = EncoderQueue(replace(sentence_encoder(encode=asked.encode), company_counts=True))
    with ThreadPoolExecutor(3) as visitors:
        list(visitors.map(gate.guarded().encode, [["a", "b"], ["b", "c"], ["a", "b"]]))
    assert sorted(asked.batches) == [["a", "b"], ["a", "b"], ["b", "c"]]


def test_an_error_of_the_model_reaches_all_who_asked_and_nobody_later(gate, asked):
    encode = gate.guarded().encode
    asked.goes_on.clear()
    with ThreadPoolExecutor(3) as visitors:
        waiting = [visitors.submit(encode, ["first"])]
        until(lambda: asked.batches)
        waiting += [visitors.submit(encode, ["a", "b"]), visitors.submit(encode, ["b"])]
        until(lambda: len(gate._waiting) == 2)
        asked.error = EncoderError("no such weights")
        asked.goes_on.set()
        for each in waiting:
            with pytest.raises(EncoderError, match="no such weights"):
                each.result()
    asked.error = None
    assert np.array_equal(encode(["b"]), hashed(["b"]))


@pytest.mark.thorough
def test_a_vector_is_that_of_its_text_whoever_waits_beside():
    texts = [f"{'reefs and ' * (number % 5)}bay {number}" for number in range(40)]
    parts = [texts[at : at + 10] for at in range(0, 40, 10)]
    for name in ("minilm", "use-multilingual"):
        here = load_encoder(name)
        there = EncoderQueue(load_encoder(name)).guarded()
        with ThreadPoolExecutor(4) as visitors:
            together = list(visitors.map(there.encode, parts))
            list(visitors.map(there.count_tokens, [[f"new {each}" for each in part] for part in parts]))
        assert np.concatenate(together) == by_a_model(here.encode(texts))


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_visitors_who_come_at_once_get_the_right_answers():
    command = [sys.executable, "-m", "benchmarks.serving", "--quick"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "everybody got the right answer" in found.stdout, found.stderr


@pytest.mark.parametrize(("downloads", "listed"), [("off", ""), ("off", "labse"), ("on", "")])
def test_a_model_is_downloaded_only_if_the_operator_allows_it(monkeypatch, downloads, listed):
    monkeypatch.setattr(model_choice, "offline", lambda: False)
    monkeypatch.setattr(model_choice, "is_installed", lambda name: False)
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
