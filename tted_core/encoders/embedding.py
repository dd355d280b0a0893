"""Encoding of texts by any encoder: each distinct text once, in a fixed order."""

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import CHUNK, Encoder, SentenceEncoder
from tted_core.errors import EncoderError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import without_surrogates


def embed(
    encoder: Encoder, texts: Sequence[str], monitor: Monitor = UNWATCHED
) -> dict[str, NDArray[np.float64]]:
    """Encode each distinct text once, and return its (d,) vector in float64.

    Texts are encoded in a fixed order (by length, then by text), so that the vectors don't depend on the order of
    trees, and batches have little padding. A lone surrogate, which no tokenizer accepts, is read as U+FFFD.
    """
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    vectors: list[NDArray[np.float64]] = []
    for start in range(0, len(distinct), CHUNK):
        chunk = distinct[start : start + CHUNK]
        encoded = numbers_of(encoder(list(map(without_surrogates, chunk))))
        if encoded.ndim != 2 or len(encoded) != len(chunk):
            raise EncoderError(
                f"the encoder returned an array of shape {encoded.shape} for {len(chunk)} texts; "
                f"expected ({len(chunk)}, dimensions)"
            )
        if not np.isfinite(encoded).all():
            raise EncoderError("the encoder returned numbers that are not finite; choose another encoder")
        vectors.extend(encoded)
        monitor.advance(len(vectors), len(distinct))
        monitor.check()
    return dict(zip(distinct, vectors, strict=True))


def numbers_of(returned: Any) -> NDArray[np.float64]:
    """Convert an encoder's result to an array of numbers."""
    try:
        return np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncoderError(
            f"the encoder returned no array of numbers but {type(returned).__name__} ({error!s:.100}); expected "
            "(n, dimensions) numbers for n texts"
        ) from error


def encoding_once(encoder: Encoder, most: float = math.inf) -> Encoder:
    """Wrap an encoder to keep recently used vectors in memory, up to ``most`` bytes."""
    known: OrderedDict[str, NDArray[np.floating[Any]]] = OrderedDict()
    lock = threading.Lock()
    encode_new = encoder.encode if isinstance(encoder, SentenceEncoder) else encoder

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        with lock:
            found = {text: known[text] for text in texts if text in known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, map(np.copy, encode_new(new)), strict=True)
        with lock:
            for text, vector in found.items():
                known[text] = vector
                known.move_to_end(text)
            size = next(iter(found.values())).nbytes if found else 1
            while len(known) * size > most:
                known.popitem(last=False)
        return np.array([found[text] for text in texts])

    return replace(encoder, encode=encode) if isinstance(encoder, SentenceEncoder) else encode


def unit_vectors(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The (n, d) vectors scaled to length 1."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not norms.all():
        raise EncoderError(
            "the encoder gives a zero vector for a text, which has no cosine distance; "
            "choose the distance euclidean or manhattan, or another encoder"
        )
    unit: NDArray[np.float64] = vectors / norms
    return unit
