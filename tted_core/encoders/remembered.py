"""Encoders in memory: each name loaded once in a process, and vectors remembered, within bounds."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder, load_encoder

MODELS = 3
"""Encoders kept in memory: 0.1 to 1.1 GB each."""

VECTOR_BYTES = 64_000_000
"""Bytes of vectors remembered of one encoder: 40,000 texts of MiniLM."""


class HasEncode(Protocol):
    """A model as ``sentence_transformers.SentenceTransformer`` is one."""

    def encode(self, sentences: list[str], /) -> Any:
        """(n, d) vectors of n texts."""


AnyEncoder: TypeAlias = Encoder | HasEncode


def encoder_of(given: AnyEncoder) -> Encoder:
    """What computes vectors, of a function or a model with ``encode``."""
    if isinstance(given, SentenceEncoder) or not hasattr(given, "encode"):
        return given
    encode: Callable[[list[str]], Any] = given.encode
    return lambda texts: np.asarray(encode(list(texts)))


def name_of(model: Any) -> str:
    """A model's name; "custom" of one that has none."""
    if isinstance(model, str):
        return model
    return str(getattr(model, "name", "custom"))


@lru_cache(maxsize=MODELS)
def _loaded(name: str) -> SentenceEncoder:
    return remembering_vectors(load_encoder(name))


_LOADING = threading.Lock()


def remembered_encoder(name: str) -> SentenceEncoder:
    """``load_encoder``, which loads a model once and encodes a text once as long as there is room.

    Raises:
        UnknownNameError: no such encoder.
        EncoderError: the model can't be had.
    """
    with _LOADING:
        return _loaded(name)


def remembering_vectors(encoder: SentenceEncoder, most: int = VECTOR_BYTES) -> SentenceEncoder:
    """The same encoder, which keeps the vectors used last, up to ``most`` bytes."""
    known: OrderedDict[str, NDArray[np.floating[Any]]] = OrderedDict()
    lock = threading.Lock()

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        with lock:
            found = {text: known[text] for text in texts if text in known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, map(np.copy, encoder.encode(new)), strict=True)
        with lock:
            for text, vector in found.items():
                known[text] = vector
                known.move_to_end(text)
            size = next(iter(found.values())).nbytes if found else 1
            while len(known) * size > most:
                known.popitem(last=False)
        return np.array([found[text] for text in texts])

    return replace(encoder, encode=encode)
