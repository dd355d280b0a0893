"""Encoders without a model: fast, and exact on every machine."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import PROBES
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder


def hashed(texts: Sequence[str]) -> NDArray[np.float64]:
    """(n, 32) vectors from each text's SHA-256, also of the empty string."""
    digests = b"".join(hashlib.sha256(text.encode()).digest() for text in texts)
    return np.frombuffer(digests, dtype=np.uint8).reshape(-1, 32) - 127.5


def nearer(texts: Sequence[str]) -> NDArray[np.float64]:
    """``hashed`` with all texts on one side: cosines about 0.4, as of sentences on one topic."""
    return hashed(texts) + 60.0


def by_words(texts: Sequence[str]) -> NDArray[np.float64]:
    """(n, 32) vectors, the sum of each text's words: texts with words in common are near each other."""
    return np.array([hashed(text.split() or [""]).sum(axis=0) for text in texts])


def with_vectors(vectors: Mapping[str, Sequence[float]]) -> Encoder:
    """An encoder with the vectors of a table."""

    def encode(texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([vectors[text] for text in texts], dtype=float)

    return encode


def counting(encoder: Encoder = hashed) -> tuple[Encoder, list[str]]:
    """An encoder, and the list of all texts that it encoded, except those of its fingerprint."""
    encoded: list[str] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float64]:
        encoded.extend(text for text in texts if text not in PROBES)
        return encoder(texts)

    return encode, encoded


def sentence_encoder(
    *, encode: Encoder = hashed, max_tokens: int = 0, english_only: bool = False, name: str = "hashed"
) -> SentenceEncoder:
    """A loaded model's interface around an encoder without one; a word counts as one token."""
    count: Callable[[Sequence[str]], list[int]] = lambda texts: [len(text.split()) for text in texts]  # noqa: E731
    languages = frozenset({"en"}) if english_only else frozenset()
    return SentenceEncoder(name, "01234567", encode, count, max_tokens, languages)


def any_bits(texts: Sequence[str]) -> NDArray[np.float32]:
    """(n, 18) vectors of finite float32 with any bits, made of each text's SHA-512: tiny, huge, negative zero."""
    digests = b"".join(hashlib.sha512(text.encode("utf-8", "surrogatepass")).digest() for text in texts)
    vectors = np.frombuffer(digests, dtype="<f4").reshape(-1, 16)
    vectors = np.where(np.abs(vectors) < 1e30, vectors, np.float32(-0.0))  # sums of them are finite too
    ends = np.tile(np.array([1e-45, -0.0], dtype=np.float32), (len(vectors), 1))
    return np.hstack([vectors, ends])


@dataclass
class Recorded:
    """A model, the texts that it encoded, and those whose tokens it counted."""

    encoder: SentenceEncoder
    encoded: list[str] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)


def recorded(fingerprint: str = "01234567", encode: Encoder = any_bits) -> Recorded:
    """A model that records its texts; a text has as many tokens as letters."""

    def encode_recorded(texts: Sequence[str]) -> NDArray[np.floating]:
        model.encoded.extend(texts)
        return encode(texts)

    def count(texts: Sequence[str]) -> list[int]:
        model.counted.extend(texts)
        return [len(text) for text in texts]

    model = Recorded(SentenceEncoder("recorded", fingerprint, encode_recorded, count, 0))
    return model
