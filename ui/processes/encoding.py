"""Sentences to vectors in one process of the server's, which alone holds the models of sentences.

Texts that wait are encoded together, whoever asked, those first that wait longest. A text's vector depends on the
text alone, but for rounding on some processors (``tted_core.encoders.unpadded``). Where the company counts in an
encoder, the texts of one call stay by themselves.
"""

import functools
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import SentenceEncoder, load_encoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from ui.processes.workers import Workers, one_at_a_time, worker_count

TOGETHER = 64
"""Texts encoded in one go, at least: 0.2 s of two cores with MiniLM, after which the first answers go out."""

PARTS = 8
"""Where many wait, so much of them goes at once: between two goes the process waits for a busy server."""

COUNTS_KEPT = 2_000
"""Numbers of word pieces that are remembered: they come with the vectors, and are asked for right after them."""

MODELS = 4
"""Encoders kept in memory: 0.1 to 3 GB each."""


@dataclass(frozen=True)
class Question:
    """What is asked of an encoder about one text: a method of ``SentenceEncoder``, or "describe" of none.

    ``company`` are the texts that it has to be encoded with, none where any will do.
    """

    what: str
    encoder: str
    text: str = ""
    company: tuple[str, ...] = ()

    def goes_with(self, other: "Question") -> bool:
        """Whether one call answers both."""
        return (self.what, self.encoder, self.company) == (other.what, other.encoder, other.company)


class EncoderProcess:
    """The process, and the queue before it; safe with threads. It is started again if it has died."""

    def __init__(self) -> None:
        """Nothing waits; the process starts with the first question."""
        self._process = Workers(1, keeps_models=True)
        self._waiting: dict[Question, Future[Any]] = {}
        self._under_way: dict[Question, Future[Any]] = {}
        self._counts: OrderedDict[Question, int] = OrderedDict()
        self._encoders: dict[str, SentenceEncoder] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._answer_all, name="encoder", daemon=True).start()

    def encoder(self, name: str) -> SentenceEncoder:
        """The encoder of this name, whose answers come from the process.

        Raises:
            EncoderError: the model can't be had.
            ToolError: the process died.
        """
        if name not in self._encoders:
            (described,) = self._ask("describe", name, [""])
            self._encoders[name] = SentenceEncoder(
                **described,
                encode=partial(self._encode, name, described["company_counts"]),
                count_tokens=partial(self._count_tokens, name),
                word_pieces=partial(self._ask, "word_pieces", name),
            )
        return self._encoders[name]

    def _encode(self, name: str, company_counts: bool, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        answers = self._ask("encode", name, texts, tuple(texts) if company_counts else ())
        with self._changed:
            for text, (_, count) in zip(texts, answers, strict=True):
                self._counts[Question("count_tokens", name, text)] = count
            while len(self._counts) > COUNTS_KEPT:
                self._counts.popitem(last=False)
        return np.array([vector for vector, _ in answers])

    def _count_tokens(self, name: str, texts: Sequence[str]) -> list[int]:
        asked = [Question("count_tokens", name, text) for text in texts]
        with self._changed:
            known = {each: self._counts[each] for each in asked if each in self._counts}
        new = list(dict.fromkeys(each for each in asked if each not in known))
        known |= zip(new, self._ask("count_tokens", name, [each.text for each in new]), strict=True)
        return [known[each] for each in asked]

    def _ask(self, what: str, name: str, texts: Sequence[str], company: tuple[str, ...] = ()) -> list[Any]:
        """Wait for the answers about these texts; a text that somebody asks about already is asked for once."""
        answers = []
        with self._changed:
            for text in texts:
                asked = Question(what, name, text, company)
                answer = self._under_way.get(asked) or self._waiting.setdefault(asked, Future())
                answers.append(answer)
            self._changed.notify()
        return [answer.result() for answer in answers]

    def _answer_all(self) -> None:
        while True:
            asked = self._next()
            try:
                with self._process.one() as process:
                    given = process.run(partial(_answers, asked), UNWATCHED, lambda: False)
            except BaseException as error:  # noqa: BLE001 - raised again by whoever asked
                for answer in self._taken():
                    answer.set_exception(error)
            else:
                for answer, each in zip(self._taken(), given, strict=True):
                    answer.set_result(each)

    def _next(self) -> list[Question]:
        """What is asked next, of one kind: texts to encode come after whatever takes no time."""
        with self._changed:
            while not self._waiting:
                self._changed.wait()
            first = min(self._waiting, key=lambda each: each.what == "encode")  # of equal ones the first
            alike = [each for each in self._waiting if each.goes_with(first)]
            most = len(alike) if first.company else max(TOGETHER, len(alike) // PARTS)
            self._under_way = {each: self._waiting.pop(each) for each in alike[:most]}
            return list(self._under_way)

    def _taken(self) -> list[Future[Any]]:
        with self._changed:
            taken = list(self._under_way.values())
            self._under_way = {}
        return taken


@one_at_a_time
@functools.cache
def encoder_process() -> EncoderProcess | None:
    """This server's; None where threads of the server do all work (``TTED_WORKERS=0``).

    Raises:
        OptionsError: TTED_WORKERS is no whole number from 0 on.
    """
    return EncoderProcess() if worker_count() else None


# What follows runs in the process.


@one_at_a_time
@functools.lru_cache(maxsize=MODELS)
def loaded_here(name: str) -> SentenceEncoder:
    """The encoder of this name, loaded into this process.

    Raises:
        EncoderError: the model can't be had.
    """
    return load_encoder(name)


def _answers(asked: Sequence[Question], _monitor: Monitor) -> list[Any]:
    """The answers to questions of one kind."""
    what, texts = asked[0].what, [each.text for each in asked]
    encoder = loaded_here(asked[0].encoder)
    if what == "describe":
        kept = {field.name: getattr(encoder, field.name) for field in fields(encoder)}
        return [{name: value for name, value in kept.items() if not callable(value)}]
    if what == "encode":
        return list(zip(encoder.encode(texts), encoder.count_tokens(texts), strict=True))
    answers: list[Any] = getattr(encoder, what)(texts)
    return answers
