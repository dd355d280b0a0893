"""The bundled encoder waits for the first text that needs it, and is loaded once."""

import subprocess
import sys

from helpers.trees import SAMPLES

from tted_core.encoders.sentence_encoder import MINILM_SHA256


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
