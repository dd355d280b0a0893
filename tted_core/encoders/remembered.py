"""Encoders in memory: a caller's with name and fingerprint, others loaded once, with cached vectors."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import embed, encoding_once, numbers_of
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder, load_encoder
from tted_core.errors import OptionsError
from tted_core.foundations.once import once_each

MODELS = 3
"""Maximum encoders in memory: 0.1 to 1.1 GB each."""

VECTOR_BYTES = 64_000_000
"""Maximum bytes of cached vectors of one encoder: 40,000 texts of MiniLM."""


class HasEncode(Protocol):
    """A model like ``sentence_transformers.SentenceTransformer``."""

    def encode(self, sentences: list[str], /) -> Any:
        """(n, d) vectors of n texts."""


AnyEncoder: TypeAlias = Encoder | HasEncode


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
"""Ten fixed sentences, whose vectors identify an encoder; changing them would change all fingerprints."""


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
    return CustomEncoder(name or name_of(given), lambda texts: numbers_of(encode(list(texts))))


def name_of(model: Any) -> str:
    """A model's name, or "custom" if it has none."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    name = getattr(model, "name", None)
    return name if isinstance(name, str) else "custom"


def ready_encoder(given: str | os.PathLike[str] | AnyEncoder) -> "SentenceEncoder | CustomEncoder":
    """A loaded encoder from any form accepted from callers."""
    if isinstance(given, (str, os.PathLike)):
        return remembered_encoder(os.fspath(given))
    return encoder_of(given)


def identity(encoder: Encoder) -> tuple[str, str]:
    """Name and fingerprint of an encoder for signatures."""
    known = encoder_of(encoder)
    return known.name, known.fingerprint


@once_each(MODELS)
def remembered_encoder(name: str) -> SentenceEncoder:
    """``load_encoder`` with caches for models and vectors."""
    encoder = load_encoder(name)
    return replace(encoder, encode=encoding_once(encoder.encode, VECTOR_BYTES))
