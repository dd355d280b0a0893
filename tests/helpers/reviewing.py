"""What the browser tests of reviews share: vectors of texts that no server need compute."""

import dataclasses
from collections.abc import Sequence

import numpy as np
from helpers.encoders import hashed

from tted_core import load_encoder
from tted_core.encoders.embedding_cache import default_cache, remembering


def know_without_model(texts: Sequence[str]) -> None:
    """Put vectors of MiniLM's length into the cache, so that no server need load it for these texts."""
    model = load_encoder("minilm")
    model = dataclasses.replace(
        model,
        encode=lambda texts: np.tile(hashed(texts), 12),
        count_tokens=lambda texts: [len(text.split()) for text in texts],
    )
    remembering(model, default_cache())(texts)
