"""The file of vectors: what is in it is not encoded again, and no model is loaded for it."""

import subprocess
import sys

import numpy as np
import pytest
from helpers.batch import batch_options, table_of, write_pairs
from helpers.encoders import counting, hashed, sentence_encoder
from helpers.paths import ROOT
from helpers.thorough import sampled

from tted_core.batch.inputs import pairs_of_table
from tted_core.batch.running import run_batch
from tted_core.batch.work import BLOCK, encoded
from tted_core.encoders.sentence_encoder import MINILM_SHA256
from tted_core.foundations.monitor import UNWATCHED


@pytest.mark.parametrize("left", sampled([0, 7, 32 * 8 * BLOCK, 32 * 8 * BLOCK + 5], 2))
def test_a_file_that_is_not_whole_is_gone_on_with(tmp_path, left):
    texts = [f"{number:05}" for number in range(2 * BLOCK + 3)]
    encoder, asked = counting()
    file = tmp_path / "vectors.bin"
    whole = encoded(encoder, texts, file, UNWATCHED)
    assert np.array_equal(whole.rows, hashed(texts))
    asked.clear()
    assert encoded(encoder, texts, file, UNWATCHED).shape == whole.shape
    assert asked == []
    with file.open("r+b") as target:
        target.truncate(left)
    again = encoded(encoder, texts, file, UNWATCHED)
    assert asked == ["", *texts[left // (32 * 8 * BLOCK) * BLOCK :]]
    assert np.array_equal(np.fromfile(file).reshape(again.shape), hashed(texts))


@pytest.mark.parametrize(
    "content", sampled(["", "[]", '{"texts": 3, "width": 32}', '{"texts": 2}', '{"width": null}'], 2)
)
def test_a_damaged_note_of_the_width_costs_one_text(tmp_path, content):
    encoder, asked = counting()
    file = tmp_path / "vectors.bin"
    encoded(encoder, ["a", "b"], file, UNWATCHED)
    file.with_suffix(".json").write_text(content, encoding="utf-8")
    asked.clear()
    assert np.array_equal(encoded(encoder, ["a", "b"], file, UNWATCHED).rows, hashed(["a", "b"]))
    assert asked == [""]


@pytest.mark.thorough
def test_torch_is_not_loaded_where_all_vectors_are_there(tmp_path):
    """A run whose vectors came from elsewhere is gone on with in a new process, by the bundled model's name."""
    pairs = write_pairs(tmp_path / "pairs.csv", topics=("bread",))
    out = tmp_path / "out"
    model = sentence_encoder(name="minilm", max_tokens=256)
    object.__setattr__(model, "fingerprint", MINILM_SHA256[:8])
    run_batch(pairs_of_table(pairs), batch_options(), out, workers=1, load=lambda _name: model)
    before = table_of(out)
    (out / "part-000000.parquet").unlink()
    program = """
import sys
from tted_core.cli import main
main(sys.argv[1:])
print([name for name in ("torch", "transformers", "sentence_transformers") if name in sys.modules])
"""
    arguments = ("batch", str(pairs), "--out", str(out), "--workers", "1", "--resume")
    ended = subprocess.run(
        (sys.executable, "-c", program, *arguments),
        check=False, capture_output=True, cwd=ROOT, timeout=200, text=True, encoding="utf-8",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("[]\n")
    assert table_of(out).equals(before)
