"""The models of this server, loaded once for all users; waiting texts are encoded in one batch."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.distances import Models
from tted_core.encoders.embedding_cache import default_cache, remembering
from tted_core.encoders.masked_model import MaskedModel, load_masked_model
from tted_core.encoders.sentence_encoder import SentenceEncoder, load_encoder
from ui.model_choice import check_offered

Result = TypeVar("Result")

TOGETHER = 64
"""Least size of a batch of texts: 0.2 s of two cores with MiniLM, after which the first users get results."""

PARTS = 8
"""If many texts wait, a batch takes this part of them: one in ``PARTS``."""

MODELS = 4
"""Encoders kept in memory: 0.1 to 3 GB each."""

COUNTS_KEPT = 2_000
"""Cached counts of word pieces: they are computed with the vectors, and used right after them."""


class EncoderQueue:
    """A queue before an encoder, which one thread at a time may use; waiting texts are encoded in batches.

    A thread that finds the encoder free encodes the texts that wait longest, those of other threads too, until
    its own are done. A text's vector depends on the text alone, but for rounding on some processors
    (``encode_unpadded``); where it depends on the batch, each call is a batch of its own.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        """Make the queue of an encoder."""
        self._encoder = encoder
        self._changed = threading.Condition()
        self._busy = False
        self._waiting: dict[str, Future[NDArray[np.floating[Any]]]] = {}
        self._under_way: dict[str, Future[NDArray[np.floating[Any]]]] = {}
        self._counts: dict[str, int] = {}

    def guarded(self) -> SentenceEncoder:
        """The encoder that uses this queue."""
        alone = partial(self._alone, self._encoder.encode)
        return replace(
            self._encoder,
            encode=alone if self._encoder.company_counts else self._together,
            count_tokens=self._count_tokens,
            word_pieces=partial(self._alone, self._encoder.word_pieces),
        )

    def _together(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        if not texts:
            return self._alone(self._encoder.encode, texts)
        with self._changed:
            mine = [self._under_way.get(text) or self._waiting.setdefault(text, Future()) for text in texts]
        while batch := self._next(mine):
            try:
                vectors = self._encoder.encode(list(batch))
                counts = self._encoder.count_tokens(list(batch))
                self._counts = dict([*self._counts.items(), *zip(batch, counts, strict=True)][-COUNTS_KEPT:])
                for answer, vector in zip(batch.values(), vectors, strict=True):
                    answer.set_result(vector)
            except BaseException as error:  # noqa: BLE001 - raised again by each waiting thread
                for answer in batch.values():
                    answer.set_exception(error)
            finally:
                self._leave()
        return np.array([answer.result() for answer in mine])

    def _next(self, mine: Sequence[Future[Any]]) -> dict[str, Future[Any]]:
        """Wait until the encoder is free and return the next batch; none once all of ``mine`` are done."""
        with self._changed:
            self._changed.wait_for(lambda: not self._busy or all(answer.done() for answer in mine))
            if all(answer.done() for answer in mine):
                return {}
            self._busy = True
            most = max(TOGETHER, len(self._waiting) // PARTS)
            self._under_way = {text: self._waiting.pop(text) for text in list(self._waiting)[:most]}
            return self._under_way

    def _alone(self, function: Callable[[Sequence[str]], Result], texts: Sequence[str]) -> Result:
        with self._changed:
            self._changed.wait_for(lambda: not self._busy)
            self._busy = True
        try:
            return function(texts)
        finally:
            self._leave()

    def _leave(self) -> None:
        with self._changed:
            self._busy, self._under_way = False, {}
            self._changed.notify_all()

    def _count_tokens(self, texts: Sequence[str]) -> list[int]:
        known = self._counts  # replaced as a whole, and only by the thread that uses the encoder
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known = known | dict(zip(new, self._alone(self._encoder.count_tokens, new), strict=True))
        return [known[text] for text in texts]


@cached(LRUCache(MODELS), condition=threading.Condition())
def fresh_encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, without the cache on disk.

    Raises:
        EncoderError: the model can't be had.
    """
    check_offered(name)
    return EncoderQueue(load_encoder(name)).guarded()


def encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, with the cache on disk.

    Raises:
        EncoderError: the model can't be had.
    """
    return remembering(fresh_encoder(name), default_cache())


@cached(LRUCache(2), condition=threading.Condition())
def masked_model(name: str) -> MaskedModel:
    """The masked language model of this name.

    Raises:
        EncoderError: the model can't be had.
    """
    check_offered(name)
    return load_masked_model(name)


def models() -> Models:
    """The loaders of models, which load each once for all users."""
    return Models(load_encoder=encoder, load_masked_model=masked_model)
