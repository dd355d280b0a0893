"""The models of this server, loaded once for all users, whose texts are encoded in turns."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.distances import Models
from tted_core.encoders.embedding_cache import default_cache, with_disk_cache
from tted_core.encoders.sentence_encoder import SentenceEncoder, load_encoder
from ui.executor import WORKING_FOR
from ui.model_choice import check_offered

_Result = TypeVar("_Result")

# A batch has about as much text as is encoded in this time: who comes next waits for it to end.
BATCH_SECONDS = 0.2

# Least and greatest length of a batch; the first one has the least, as the encoder's speed isn't known yet.
# Not a number of texts: a thousand labels take as long as fifty paragraphs.
_BATCH_LENGTH = (1_000, 80_000)

_LONGEST_TEXT = 2_000  # characters of a text that count: encoders read no more than 512 word pieces
_SHORTEST_TEXT = 8  # characters that the encoding of an empty text costs

# Texts of one user that are encoded in a row: two maps at once, but not a batch.
# Fifty users with two maps each come one after another so; text by text, all would have their vectors last.
TURN = 128

_MODELS = 4  # encoders kept in memory: 0.1 to 3 GB each

# Cached counts of word pieces: they are computed with the vectors, and used right after them.
COUNTS_KEPT = 2_000


class EncoderQueue:
    """A queue before an encoder, which one thread at a time may use; waiting texts are encoded in batches.

    A thread that finds the encoder free encodes a batch of waiting texts, those of other threads too, until its
    own are done. Its texts are those of the user who had the fewest turns, of these the one who came first. A
    text's vector depends on the text alone, but for rounding on some processors (``encode_unpadded``); where it
    depends on the batch, each call is a batch of its own, and these take turns likewise.
    """

    def __init__(self, encoder: SentenceEncoder, clock: Callable[[], float] = time.monotonic) -> None:
        """Make the queue of an encoder; ``clock`` measures its speed."""
        self._encoder, self._clock = encoder, clock
        self._changed = threading.Condition()
        self._busy, self._length = False, _BATCH_LENGTH[0]
        # The texts that wait or are being encoded.
        self._answers: dict[str, Future[NDArray[np.floating[Any]]]] = {}
        # The waiting texts of each user, in order.
        self._texts: dict[Hashable, dict[str, None]] = {}
        # The calls of each user that wait to be a batch of their own.
        self._calls: Counter[Hashable] = Counter()
        # The texts of each user that were encoded since nobody waited.
        self._encoded: Counter[Hashable] = Counter()
        self._counts: dict[str, int] = {}

    def guard(self) -> SentenceEncoder:
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
            user = self._join()
            for text in texts:
                # Also if it waits for another user, whose turn may come later.
                if not self._answers.setdefault(text, Future()).running():
                    self._texts.setdefault(user, {})[text] = None
            mine = [self._answers[text] for text in texts]
        while batch := self._next(mine):
            start = self._clock()
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
                speed = sum(map(_length_of, batch)) / max(self._clock() - start, 1e-6)
                self._length = round(min(max(speed * BATCH_SECONDS, _BATCH_LENGTH[0]), _BATCH_LENGTH[1]))
                self._leave(batch)
        return np.array([answer.result() for answer in mine])

    def _join(self) -> Hashable:
        """The user of this thread, who may be ahead of others who wait by one turn at most."""
        user = WORKING_FOR.get() or threading.get_ident()
        least = min(map(self._turns, (*self._texts, *self._calls)), default=0)
        self._encoded[user] = max(self._encoded[user], (least - 1) * TURN)
        return user

    def _turns(self, user: Hashable) -> int:
        """The turns that a user has had since nobody waited."""
        return self._encoded[user] // TURN

    def _next(self, mine: Sequence[Future[Any]]) -> dict[str, Future[Any]]:
        """Wait until the encoder is free and return the next batch; none once all of ``mine`` are done."""
        with self._changed:
            self._changed.wait_for(
                lambda: not (self._busy or self._calls) or all(answer.done() for answer in mine)
            )
            if all(answer.done() for answer in mine):
                return {}
            self._busy = True
            batch: dict[str, Future[Any]] = {}
            length = 0
            while self._texts and length < self._length:
                user = min(self._texts, key=self._turns)
                text = next(iter(self._texts[user]))
                self._texts[user].pop(text)
                if not self._texts[user]:
                    del self._texts[user]
                answer = self._answers.get(text)
                if answer is not None and not answer.running():  # else it was another user's turn
                    answer.set_running_or_notify_cancel()
                    batch[text] = answer
                    length += _length_of(text)
                    self._encoded[user] += 1
            return batch

    def _alone(self, function: Callable[[Sequence[str]], _Result], texts: Sequence[str]) -> _Result:
        with self._changed:
            user = self._join()
            self._calls[user] += 1
            self._changed.wait_for(lambda: not self._busy and user == min(self._calls, key=self._turns))
            self._busy = True
            self._calls -= Counter([user])
            self._encoded[user] += len(texts)
        try:
            return function(texts)
        finally:
            self._leave()

    def _leave(self, batch: Iterable[str] = ()) -> None:
        with self._changed:
            self._busy = False
            for text in batch:
                del self._answers[text]
            if not self._texts and not self._calls:
                self._encoded.clear()
            self._changed.notify_all()

    def _count_tokens(self, texts: Sequence[str]) -> list[int]:
        known = self._counts  # replaced as a whole, and only by the thread that uses the encoder
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known = known | dict(zip(new, self._alone(self._encoder.count_tokens, new), strict=True))
        return [known[text] for text in texts]


def _length_of(text: str) -> int:
    """About what the encoding of a text costs, in characters."""
    return _SHORTEST_TEXT + min(len(text), _LONGEST_TEXT)


@cached(LRUCache(_MODELS), condition=threading.Condition())
def fresh_encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, without the cache on disk.

    Raises:
        EncoderError: the model can't be had.
    """
    check_offered(name)
    return EncoderQueue(load_encoder(name)).guard()


def encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, with the cache on disk.

    Raises:
        EncoderError: the model can't be had.
    """
    return with_disk_cache(fresh_encoder(name), default_cache())


def models() -> Models:
    """The loaders of models, which load each once for all users."""
    return Models(load_encoder=encoder)
