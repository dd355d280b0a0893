"""One model on several devices: the vectors are those of one."""

import os

import numpy as np
import psutil
import pytest

from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import CHUNK, load_encoder
from tted_core.errors import EncoderError
from tted_core.foundations.monitor import Monitor


@pytest.mark.thorough
def test_two_devices_give_the_vectors_of_one(minilm):
    """Two processes on the CPU, which really run: each has loaded the model, and the texts are shared out."""
    before = {child.pid for child in psutil.Process().children()}
    texts = [f"Sentence {number} of {number % 7} is about rye." for number in range(2 * CHUNK + 9)]
    encoder = load_encoder("minilm", device="cpu,cpu")
    assert (encoder.name, encoder.fingerprint) == (minilm.name, minilm.fingerprint)
    told = []
    found = embed(encoder, texts, Monitor(lambda _stage, *step: told.append(step)))
    started = [
        child
        for child in psutil.Process().children()
        if child.pid not in before and any("spawn_main" in word for word in child.cmdline())
    ]
    assert len(started) == 2
    assert os.getpid() not in {child.pid for child in started}
    assert told == [(len(texts), len(texts))]
    alone = embed(load_encoder("minilm", device="cpu"), texts)
    for text in texts:
        assert found[text] == pytest.approx(alone[text], abs=1e-6)
    assert not np.array_equal(found[texts[0]], found[texts[1]])


@pytest.mark.thorough
def test_a_device_that_is_not_there_is_one_sentence():
    encoder = load_encoder("minilm", device="cpu,nonsense:1")
    with pytest.raises(
        EncoderError, match=r"can't be run on the devices cpu, nonsense:1 .*; name others, or one"
    ):
        embed(encoder, [f"Sentence {number}." for number in range(2 * CHUNK)])
