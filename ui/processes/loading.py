"""The models that work reads, wherever it runs: encoders are the server's, masked models the process's own.

The vectors of texts are kept on disk by the core.
"""

import functools
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tted_core.distances import Models
from tted_core.encoders.embedding_cache import default_cache, remembering
from tted_core.encoders.masked_model import MaskedModel, load_masked_model
from tted_core.encoders.sentence_encoder import SentenceEncoder
from ui.processes.encoding import encoder_process, loaded_here
from ui.processes.inside import in_server, in_worker
from ui.processes.workers import one_at_a_time


def _loaded(name: str) -> SentenceEncoder:
    process = encoder_process()
    return loaded_here(name) if process is None else process.encoder(name)


def _model(name: str) -> SentenceEncoder:
    """The server's encoder; what a worker process has of it asks the server."""
    if not in_worker():
        return _loaded(name)
    return in_server(_described, name)


def _described(name: str) -> SentenceEncoder:
    """The encoder as it can be sent to a worker process."""
    asked: Any = {
        what: partial(in_server, _asked, name, what) for what in ("encode", "count_tokens", "word_pieces")
    }
    return replace(_loaded(name), **asked)


def _asked(name: str, what: str, texts: Sequence[str]) -> Any:
    return getattr(_loaded(name), what)(texts)


def encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, which encodes no text twice.

    Raises:
        EncoderError: the model can't be had.
    """
    return remembering(_model(name), default_cache())


def fresh_encoder(name: str) -> SentenceEncoder:
    """The same without the cache on disk, for measuring how long it takes.

    Raises:
        EncoderError: the model can't be had.
    """
    return _model(name)


@one_at_a_time
@functools.lru_cache(maxsize=2)
def masked_model(name: str) -> MaskedModel:
    """The masked language model of this name.

    Raises:
        EncoderError: the model can't be had.
    """
    return load_masked_model(name)


def models() -> Models:
    """What loads models, once for all visitors, when a method asks for them."""
    return Models(load_encoder=encoder, load_masked_model=masked_model)
