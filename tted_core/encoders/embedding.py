"""Encoding of texts by any encoder, a caller's too: each distinct text once, in a fixed order, kept in memory."""

import hashlib
import math
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Condition
from typing import Any, Protocol, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import CHUNK, Encoder, SentenceEncoder, load_encoder
from tted_core.errors import EncoderError, OptionsError
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor

_MODELS = 3  # maximum encoders in memory: 0.1 to 1.1 GB each
VECTOR_BYTES = 64_000_000  # maximum bytes of cached vectors of one encoder: 40,000 texts of MiniLM

# Ten fixed sentences, whose vectors identify an encoder; changing them would change all fingerprints.
PROBES = (
    "Coral reefs are built by tiny animals.",
    "Warm water makes corals lose their algae.",
    "The committee postponed its decision until March.",
    "Water boils at 100 degrees.",
    "Nobody came to the opening of the new bridge.",
    "Photosynthesis",
    "Three of 17 samples were lost.",
    "Der Zug hat eine Stunde Verspätung.",
    "Байкал — самое глубокое озеро.",
    "She didn't say whether the price of 4.50 includes tax, so we asked again and waited for an answer.",
)


class HasEncode(Protocol):
    """A model like ``sentence_transformers.SentenceTransformer``."""

    def encode(self, sentences: list[str], /) -> Any:
        """(n, d) vectors of n texts."""


AnyEncoder: TypeAlias = Encoder | HasEncode


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
        encoded = _numbers_of(encoder(list(map(without_surrogates, chunk))))
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


def _numbers_of(returned: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncoderError(
            f"the encoder returned no array of numbers but {type(returned).__name__} ({error!s:.100}); expected "
            "(n, dimensions) numbers for n texts"
        ) from error


def with_memory_cache(encoder: Encoder, most: float = math.inf) -> Encoder:
    """Wrap an encoder to keep recently used vectors in memory, up to ``most`` bytes."""
    known: LRUCache[str, NDArray[np.floating[Any]]] = LRUCache(most, getsizeof=lambda vector: vector.nbytes)
    lock = threading.Lock()
    encode_new = encoder.encode if isinstance(encoder, SentenceEncoder) else encoder

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        with lock:
            found = {text: known[text] for text in texts if text in known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, map(np.copy, encode_new(new)), strict=True)
        with lock:
            known.update(found)
        return np.array([found[text] for text in texts])

    return replace(encoder, encode=encode) if isinstance(encoder, SentenceEncoder) else encode


ZERO_VECTOR = (
    "the encoder gives a zero vector for a text, which has no cosine distance; choose the distance euclidean or "
    "manhattan, or another encoder"
)


def unit_vectors(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The (n, d) vectors scaled to length 1."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not norms.all():
        raise EncoderError(ZERO_VECTOR)
    return np.asarray(vectors / norms)


@dataclass(frozen=True)
class CustomEncoder:
    """A caller's encoder with a name for signatures; callable as an ``Encoder``."""

    name: str
    encode: Encoder

    def __call__(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """(n, d) vectors of n texts, one row each."""
        return self.encode(texts)

    @cached_property
    def fingerprint(self) -> str:
        """8 hex digits of the SHA-256 of the vectors of ``PROBES``; "unknown" if it can't encode them.

        It covers the number of dimensions, the vectors' mean length and their inner products, rounded to three
        digits, since the last bits differ between processors.
        """
        try:
            vectors = np.array(list(embed(self.encode, PROBES).values()))
        except Exception:  # noqa: BLE001 - one that knows some texts only; errors of its own come with the maps
            return "unknown"
        products = vectors @ vectors.T
        length = float(np.sqrt(np.trace(products) / len(PROBES)))
        shares = np.round(products / (length**2 or 1.0), 3) + 0.0  # no negative zero
        content = f"{vectors.shape[1]} {length:.2e} {shares.tolist()}"
        return hashlib.sha256(content.encode("ascii")).hexdigest()[:8]


def encoder_of(given: AnyEncoder, name: str | None = None) -> "SentenceEncoder | CustomEncoder":
    """An encoder from a function or a model with ``encode``, with a name (by default its own)."""
    if isinstance(given, (SentenceEncoder, CustomEncoder)):
        return given if name is None else replace(given, name=name)
    encode: Any = getattr(given, "encode", given)
    if not callable(encode) or isinstance(given, (bytes, type)):
        raise OptionsError(
            f"the encoder is {given!r:.60}; give a name, a folder, a model with encode, or a function of texts"
        )
    return CustomEncoder(name or name_of(given), lambda texts: _numbers_of(encode(list(texts))))


def name_of(model: Any) -> str:
    """A model's name, or "custom" if it has none."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    name = getattr(model, "name", None)
    return name if isinstance(name, str) else "custom"


@cached(LRUCache(_MODELS), condition=Condition())
def load_cached_encoder(name: str) -> SentenceEncoder:
    """``load_encoder`` with caches for models and vectors."""
    encoder = load_encoder(name)
    return replace(encoder, encode=with_memory_cache(encoder.encode, VECTOR_BYTES))
