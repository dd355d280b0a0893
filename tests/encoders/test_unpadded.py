"""Vectors by a loaded model depend on the text alone."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.floats import by_a_model

from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.encoders.unpadded import encode_unpadded

ALONE = ("", "Rye.", "rye " * 300, "Brot ist aus Roggen.")
"""No two of them have one length in tokens, so that each is a batch of its own."""
TEXTS = (*ALONE, "Bread is made of rye.", "Bread is made of wheat.")


def test_a_vector_is_the_same_whatever_is_encoded_with_it():
    """Bit for bit where its batch is the same; in a larger batch the model may round otherwise."""
    minilm = load_encoder("minilm", device="cpu")  # not the fixture, which encodes no text twice
    assert len(set(minilm.count_tokens(ALONE))) == len(ALONE)
    together = minilm([*TEXTS, "A longer sentence, which would have the shorter ones padded."])
    backwards = minilm(TEXTS[::-1])
    for place, text in enumerate(TEXTS):
        alone = minilm([text])[0]
        assert together[place] == by_a_model(alone)
        assert backwards[len(TEXTS) - 1 - place] == by_a_model(alone)
        if text in ALONE:
            assert np.array_equal(together[place], alone)
            assert np.array_equal(backwards[len(TEXTS) - 1 - place], alone)


def test_no_texts_are_no_vectors(minilm):
    assert len(minilm([])) == 0


def test_no_batch_has_texts_of_different_lengths_and_all_come_back_in_their_order():
    batches = []

    def encode(texts, **_options):
        batches.append(texts)
        return np.array([[float(len(text))] for text in texts])

    def tokens(texts, *, max_length, **_options):
        return {"input_ids": [text.split()[:max_length] for text in texts]}

    model = SimpleNamespace(encode=encode, tokenizer=tokens, max_seq_length=3)
    texts = ["a b", "c", "d e f g", "h i", "j k l m n"]
    assert encode_unpadded(model, texts, 64)[:, 0].tolist() == [len(text) for text in texts]
    assert batches == [["c"], ["a b", "h i"], ["d e f g", "j k l m n"]]


@pytest.mark.parametrize("texts", [[], ["a b", "c"]])
def test_a_model_that_pads_nothing_gets_all_texts_at_once(texts):
    given = []
    model = SimpleNamespace(
        encode=lambda some, **_: given.append(some) or np.zeros((len(some), 2)), tokenizer=None
    )
    assert encode_unpadded(model, texts, 64).shape == (len(texts), 2)
    assert given == [texts]
