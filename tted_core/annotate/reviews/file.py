"""A JSON file of reviews, read piece by piece: of tasks that may fill gigabytes, one is in memory at a time.

The file is one object whose members are read as they come. The standard library's decoder reads each map and
task, since a label may hold what stricter readers replace or refuse (lone surrogates), and its map be another.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from tted_core.errors import ReviewError

BLOCK = 1 << 20
"""Characters that are read at once, at least."""

MAX_PIECE = 1 << 28
"""Characters of one map or task."""

SPACE = " \t\r\n"
NEAR = 16
"""Characters at the end of a block in which a number, a word or an escape may be cut off."""


@dataclass(frozen=True)
class ReviewFile:
    """A file of reviews; ``opened`` gives it from its beginning, each time it is called."""

    opened: Callable[[], IO[str]]

    def members(self, name: str | None = None) -> Iterator[tuple[str, Any]]:
        """The members of the whole, or the (key or number from 1, value) pairs of a container in it.

        Without ``name``, containers are passed over and given as an empty one of their kind.

        Raises:
            ReviewError: it is no JSON object.
        """
        with self.opened() as stream:
            reader = _Reader(stream)
            if not reader.takes("{"):
                reader.value()
                reader.end()
                raise ReviewError("the file holds no reviews; take one that was exported by this program")
            for key in reader:
                if name is None:
                    yield key, reader.skipped()
                elif key == name:
                    yield from reader.items()
                else:
                    reader.skipped()
            reader.end()


class _Reader:
    """A place in a JSON text."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream, self.text, self.at, self.ended = stream, "", 0, False
        self.decoder = json.JSONDecoder()

    def takes(self, mark: str) -> bool:
        """Pass over the mark, if it comes next."""
        found = self._next() == mark
        self.at += found
        return found

    def __iter__(self) -> Iterator[str]:
        """The keys of an object whose bracket is passed; the caller reads each value."""
        if self.takes("}"):
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise self.wrong("a name in quotation marks is missing")
            self.needs(":")
            yield key
            if self.takes("}"):
                return
            self.needs(",")

    def items(self) -> Iterator[tuple[Any, Any]]:
        """The pairs of a container; nothing of another value."""
        if self.takes("{"):
            for key in self:
                yield key, self.value()
        elif self.takes("["):
            if self.takes("]"):
                return
            number = 1
            while True:
                yield number, self.value()
                if self.takes("]"):
                    return
                self.needs(",")
                number += 1
        else:
            self.value()

    def skipped(self) -> Any:
        """Pass over a value; an empty one in place of a container."""
        kind = self._next()
        if kind not in {"{", "["}:
            return self.value()
        for _ in self.items():
            pass
        return {} if kind == "{" else []

    def value(self) -> Any:
        """The value that comes next."""
        self._next()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self.text) - NEAR
                if self.ended or not cut:
                    raise self.wrong(error.msg) from error
            except ValueError as error:  # Python makes no number of thousands of digits
                raise self.wrong("a number has too many digits") from error
            except RecursionError as error:
                raise self.wrong("nested too deeply") from error
            else:
                # A number may go on in the next block.
                if self.ended or end < len(self.text) - NEAR * isinstance(value, int | float):
                    self.at = end
                    return value
            self._more()

    def needs(self, mark: str) -> None:
        """Pass over the mark, which must come next."""
        if not self.takes(mark):
            raise self.wrong(f"Expecting {mark!r}")

    def end(self) -> None:
        """Make sure that nothing else follows."""
        if self._next():
            raise self.wrong("Extra data")

    def wrong(self, message: str) -> ReviewError:
        """What is the matter."""
        return ReviewError(f"the file is no JSON ({message[:100]}); export it again")

    def _next(self) -> str:
        """The character that comes next after white space; empty at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in SPACE:
                self.at += 1
            if self.at < len(self.text) or self.ended:
                return self.text[self.at : self.at + 1]
            self._more()

    def _more(self) -> None:
        """Read as much again as is waiting, so that a long value isn't tried at every block."""
        waiting = self.text[self.at :]
        if len(waiting) > MAX_PIECE:
            raise ReviewError(
                f"a map or task in the file has more than {MAX_PIECE:,} characters; export it again"
            )
        more = self.stream.read(max(BLOCK, len(waiting)))
        self.text, self.at, self.ended = waiting + more, 0, not more
