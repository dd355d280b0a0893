"""Each model is loaded once, at the first text that needs it, and waiting for one doesn't block others."""

import os
import subprocess
import sys

import pytest
from helpers.paths import ROOT, SAMPLES, TESTS

from tted_core.encoders import minilm
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.errors import EncoderError

USES = """
import sys
import joblib
from helpers.pages import SAMPLE_PAIR, opened
from tted_core import load_encoder
from tted_core.cli import main

MODELS = ("torch", "transformers", "sentence_transformers")
def imported():
    return [name for name in MODELS if name in sys.modules]

encoder = load_encoder("minilm")
print(encoder.name, encoder.fingerprint, encoder.max_tokens, *encoder.languages, "onnxruntime" in sys.modules)
folder, left, right = sys.argv[1:]
assert main(["compare", left, right]) == 0
print("\\ncompared", imported())
pairs = folder + "/pairs.csv"
with open(pairs, "w") as file:
    file.write("left,right\\n" + f"{left},{right}\\n" * 3)
assert main(["batch", pairs, "--out", folder + "/out", "--workers", "2", "--sentences"]) == 0
print("\\nbatch", imported(), joblib.Parallel(n_jobs=2)(joblib.delayed(imported)() for _ in range(4)))
assert opened(**SAMPLE_PAIR).main
print("\\npage", imported(), "onnxruntime" in sys.modules)
"""


def test_minilm_needs_no_pytorch_in_commands_workers_and_pages(tmp_path):
    """Importing PyTorch and sentence-transformers takes ten seconds of processor time."""
    maps = [str(SAMPLES / "coral-reefs" / f"{name}.json") for name in ("base", "demo")]
    result = subprocess.run(
        [sys.executable, "-c", USES, str(tmp_path), *maps],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, TESTS)))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == f"minilm {minilm.FINGERPRINT} 256 en False"
    assert {"compared []", "batch [] [[], [], [], []]", "page [] True"} < set(lines)


def test_a_device_that_pytorch_lacks_names_the_way_out(monkeypatch):
    """Also minilm, which runs by PyTorch only if a device is named."""
    for device, setting in (("cuda:99", ""), (None, "cuda:99"), ("toaster", "cpu")):
        monkeypatch.setenv("TTED_DEVICE", setting)
        with pytest.raises(
            EncoderError, match=r"the device '.*' can't be used by PyTorch .*; name cpu or no"
        ):
            load_encoder("minilm", device=device)
    monkeypatch.setenv("TTED_DEVICE", "cuda:99")
    assert load_encoder("minilm", device="cpu").encode is minilm.encode
    assert load_encoder("use-multilingual").max_tokens == 512
