"""Sentence encoders and masked language models, with caches of their results."""

from tted_core.encoders.masked_model import MaskedModel, load_masked_model
from tted_core.encoders.sentence_encoder import (
    ENCODERS,
    Encoder,
    SentenceEncoder,
    load_encoder,
)

__all__ = ["ENCODERS", "Encoder", "MaskedModel", "SentenceEncoder", "load_encoder", "load_masked_model"]
