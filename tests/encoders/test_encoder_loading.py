"""Each model is loaded once, at the first text that needs it, and waiting for one doesn't block others."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from helpers.trees import SAMPLES

from tted_core.encoders import embedding, minilm


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
    assert result.stdout == f"minilm {minilm.FINGERPRINT} 256 ['en']\n[]\n"
    assert result.stderr == ""


def test_loading_a_model_does_not_block_others(monkeypatch):
    hub_answers, requested = threading.Event(), []

    def load(name):
        requested.append(name)
        assert name != "slow" or hub_answers.wait(60)
        return name

    monkeypatch.setattr(embedding, "load_encoder", load)
    monkeypatch.setattr(embedding, "replace", lambda encoder, **_: encoder)
    monkeypatch.setattr(embedding, "encoding_once", lambda *_: None)
    with ThreadPoolExecutor() as threads:
        slow = [threads.submit(embedding.remembered_encoder, "slow") for _ in range(2)]
        assert threads.submit(embedding.remembered_encoder, "quick").result(60) == "quick"
        hub_answers.set()
        assert {each.result(60) for each in slow} == {"slow"}
    assert sorted(requested) == ["quick", "slow"]
    embedding.remembered_encoder.cache_clear()
