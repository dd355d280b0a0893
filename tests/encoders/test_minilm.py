"""The default encoder by ONNX Runtime: the vectors of sentence-transformers, each of its text alone."""

import os
import subprocess
import sys

import numpy as np
import onnx
import pytest
from helpers.floats import by_a_model
from helpers.paths import ROOT, SAMPLES

from tools import minilm_graph
from tted_core import load_encoder, read_map
from tted_core.encoders import minilm
from tted_core.encoders.sentence_encoder import encode_unpadded

ALONE = ("", "Rye.", "rye " * 300, "Brot ist aus Roggen.")
"""No two of them have one length in tokens, so that each is a batch of its own."""

TEXTS = (*ALONE, "Bread is made of rye.", "Bread is made of wheat.")

OTHERS = (
    "🌱🌍 Plants 🌱",
    "Растения пьют воду.",
    "植物喝水。",
    "ÀÉÎ naïve",
    " \t\n",
    "\ud800",
    "x" * 5_000,
    "[SEP] [MASK]",
)


@pytest.fixture(scope="module")
def reference():
    """The model by sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(minilm.checked_folder()), device="cpu", local_files_only=True)


@pytest.mark.thorough
def test_vectors_and_word_pieces_are_those_of_sentence_transformers(reference):
    texts = {text for file in SAMPLES.glob("*/*.json") for text in read_map(file).tree.labels}
    words = " ".join(sorted(texts)).split()
    texts |= {" ".join(words[start : start + 2 * start + 1]) for start in range(200)}  # 1 to 399 words
    texts = [*sorted(texts), *OTHERS]
    readable = [text.replace("\ud800", "\ufffd") for text in texts]
    encoder = load_encoder("minilm")
    assert np.abs(encoder(texts) - encode_unpadded(reference, readable, 64)).max() < 1e-6
    pieces = reference.tokenizer(readable, truncation=False, verbose=False)["input_ids"]
    assert encoder.word_pieces(texts) == list(map(reference.tokenizer.convert_ids_to_tokens, pieces))


@pytest.mark.parametrize("runtime", ["ONNX Runtime", pytest.param("PyTorch", marks=pytest.mark.thorough)])
def test_a_vector_is_the_same_whatever_is_encoded_with_it(runtime, request):
    """Bit for bit where its batch is the same; in a larger batch the model may round otherwise."""
    encode = load_encoder("minilm").encode
    if runtime == "PyTorch":
        model = request.getfixturevalue("reference")
        encode = lambda texts: encode_unpadded(model, texts, 64)  # noqa: E731
    together = encode([*TEXTS, "A longer sentence, which would have the shorter ones padded."])
    backwards = encode(TEXTS[::-1])
    for position, text in enumerate(TEXTS):
        alone = encode([text])[0]
        assert together[position] == by_a_model(alone)
        assert backwards[len(TEXTS) - 1 - position] == by_a_model(alone)
        if text in ALONE:
            assert np.array_equal(together[position], alone)
            assert np.array_equal(backwards[len(TEXTS) - 1 - position], alone)


def test_no_texts_give_no_vectors():
    assert minilm.encode([]).shape == (0, 384)


def test_it_reports_to_nobody(tmp_path):
    """ONNX Runtime's reports begin with an identifier of the machine in the user's cache."""
    program = "from tted_core import load_encoder; load_encoder('minilm')(['Rye.'])"
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(tmp_path))
    subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **folders, "CI": ""}, check=True
    )
    assert list(tmp_path.rglob("*")) == []


def test_the_graph_is_the_one_that_its_program_writes():
    assert onnx.load(minilm.GRAPH, load_external_data=False) == minilm_graph.graph()
