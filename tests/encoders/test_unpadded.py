"""Vectors by a loaded model depend on the text alone."""

import numpy as np
from helpers.floats import by_a_model

from tted_core.encoders.sentence_encoder import load_encoder

ALONE = ("", "Rye.", "rye " * 300, "Brot ist aus Roggen.")
"""No two of them have one length in tokens, so that each is a batch of its own."""
TEXTS = (*ALONE, "Bread is made of rye.", "Bread is made of wheat.")


def test_a_vector_is_the_same_whatever_is_encoded_with_it():
    """Bit for bit where its batch is the same; in a larger batch the model may round otherwise."""
    minilm = load_encoder("minilm", device="cpu")  # not the fixture, which encodes no text twice
    assert len(set(minilm.count_tokens(ALONE))) == len(ALONE)
    together = minilm([*TEXTS, "A longer sentence, which would have the shorter ones padded."])
    backwards = minilm(TEXTS[::-1])
    for position, text in enumerate(TEXTS):
        alone = minilm([text])[0]
        assert together[position] == by_a_model(alone)
        assert backwards[len(TEXTS) - 1 - position] == by_a_model(alone)
        if text in ALONE:
            assert np.array_equal(together[position], alone)
            assert np.array_equal(backwards[len(TEXTS) - 1 - position], alone)


def test_no_texts_give_no_vectors(minilm):
    assert len(minilm([])) == 0
