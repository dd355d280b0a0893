"""The bundled encoder waits for the first text that needs it, and is loaded once."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.encoders import sentence_encoder
from helpers.trees import SAMPLES

from tted_core.distances.bertscore.loading import load_bertscorer
from tted_core.encoders import sentence_encoder as encoders
from tted_core.encoders.masked_model import load_masked_model
from tted_core.encoders.sentence_encoder import ENCODERS, MINILM_SHA256, load_encoder
from tted_core.errors import EncoderError


@pytest.fixture
def loads(monkeypatch):
    """Put a quick model in place of MiniLM; the list holds one entry per time that it was loaded."""
    made = []

    def load(name, source, digest, device, known):
        made.append((name, digest, device, known))
        time.sleep(0.05)  # long enough for another thread to come by
        return sentence_encoder(name=name)

    monkeypatch.setattr(encoders, "_load", load)
    return made


def test_torch_is_not_imported_before_the_first_text():
    program = """
import sys
from tted_core import load_encoder
encoder = load_encoder("minilm")
print(encoder.name, encoder.fingerprint, encoder.max_tokens, sorted(encoder.languages))
print([name for name in ("torch", "transformers", "sentence_transformers") if name in sys.modules])
"""
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=SAMPLES.parent,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert result.stdout == f"minilm {MINILM_SHA256[:8]} 256 ['en']\n[]\n"
    assert result.stderr == ""


def test_what_is_said_before_loading_is_what_is_loaded(minilm):
    loaded = encoders._load("minilm", str(encoders.bundled_minilm_folder()), MINILM_SHA256, "cpu")
    assert (loaded.name, loaded.fingerprint, loaded.max_tokens) == (
        minilm.name,
        minilm.fingerprint,
        minilm.max_tokens,
    )


def test_the_first_text_loads_the_model_and_no_other_does(loads):
    encoder = load_encoder("minilm", device="cpu")
    assert loads == []
    assert encoder.count_tokens(["one two"]) == [2]
    assert encoder(["one", "two"]).shape == (2, 32)
    assert encoder.count_tokens(["one"]) == [1]
    assert loads == [("minilm", MINILM_SHA256, "cpu", ENCODERS["minilm"])]


def test_threads_load_it_once(loads):
    encoder = load_encoder("minilm")
    start = threading.Barrier(4)
    vectors = []

    def work():
        start.wait()
        vectors.append(encoder(["a"]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(vectors) == 4
    assert len(loads) == 1


def test_a_failure_to_load_is_not_remembered(monkeypatch):
    def fail(*_, **__):
        raise EncoderError("out of memory")

    encoder = load_encoder("minilm")
    monkeypatch.setattr(encoders, "_load", fail)
    for _ in range(2):
        with pytest.raises(EncoderError, match="out of memory"):
            encoder(["a"])
    monkeypatch.setattr(encoders, "_load", lambda *_, **__: sentence_encoder())
    assert encoder(["a"]).shape == (1, 32)


def test_models_of_transformers_are_loaded_one_after_the_other(monkeypatch, tmp_path):
    """It changes its own classes while it loads."""
    now, at_once = [], []

    def slow(*_, **__):
        now.append(1)
        time.sleep(0.05)
        at_once.append(len(now))
        now.pop()
        raise OSError("no such model")

    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", slow)
    monkeypatch.setattr("sentence_transformers.SentenceTransformer.__init__", slow)
    loaders = (load_masked_model, load_bertscorer, load_encoder)

    def failing(load):
        with pytest.raises(EncoderError, match="no such model"):
            load(str(tmp_path))

    with ThreadPoolExecutor() as pool:
        list(pool.map(failing, loaders))
    assert at_once == [1, 1, 1]
