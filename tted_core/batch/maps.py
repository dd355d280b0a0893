"""The maps of a batch as arrays: each tree's shape, and each distinct text once.

A million maps as objects would fill the memory; here a node is a parent and the number of its text. The texts are
sorted by length, so that encoding them in that order pads little, and the empty text, the gap, is number 0. The
texts themselves lie in two arrays: a million short ones fill 30 MB, where Python's objects fill 100.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS, none
from tted_core.errors import TTEDError
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree

GAP = 0
"""The number of the empty text."""

AT_A_TIME = 1_000_000
"""Nodes that are renumbered in one go, which takes three times their memory."""

Numbers: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Texts(Sequence[str]):
    """n texts, any characters, lone surrogates too.

    Attributes:
        letters: the UTF-8 of all, one after the other.
        starts: (n + 1,) where each begins, and where the last one ends.
    """

    letters: NDArray[np.uint8] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        """These texts."""
        packing = Packing()
        for text in texts:
            packing.add(text)
        return packing.packed()

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Texts": ...
    def __getitem__(self, place: int | slice) -> "str | Texts":
        """One text, or some that follow one another, which share the arrays."""
        if not isinstance(place, slice):
            place = range(len(self))[place]
            return self._between(int(self.starts[place]), int(self.starts[place + 1]))
        first, end, step = place.indices(len(self))
        if step != 1:
            raise ValueError("texts are taken one after the other")
        starts = self.starts[first : max(first, end) + 1]
        return Texts(self.letters[starts[0] : starts[-1]], starts - starts[0])

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in self.starts[1:].tolist():
            yield self._between(start, end)
            start = end

    def _between(self, start: int, end: int) -> str:
        return self.letters[start:end].tobytes().decode("utf-8", "surrogatepass")


class Packing:
    """Texts that are added one by one."""

    def __init__(self) -> None:
        self._letters, self._starts = bytearray(), array("q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, text: str) -> None:
        """Append a text."""
        self._letters += text.encode("utf-8", "surrogatepass")
        self._starts.append(len(self._letters))

    def fill(self, count: int) -> None:
        """Append empty texts until there are so many."""
        self._starts.extend([len(self._letters)] * (count - len(self)))

    def packed(self) -> Texts:
        """All of them."""
        return Texts(
            np.frombuffer(self._letters, dtype=np.uint8), np.frombuffer(self._starts, dtype=np.int64)
        )


@dataclass(frozen=True)
class Maps:
    """m maps, N nodes in all, and t distinct texts.

    Attributes:
        names: what each map is called.
        errors: why a map can't be compared; empty if it can. Such a map has no nodes.
        notices: what the reader of each file told.
        digests: SHA-256 of each tree as it was given.
        parents: (N,) of the trees as compared, trimmed to the batch's depth, counted within each tree.
        starts: (m + 1,) where each tree's nodes begin.
        texts: the distinct texts of all contexts, sorted by length and then by text.
        labels: (N,) the number of each node's own text.
        read: context -> (N,) the number of the text that is read for each node.
        failures: (context, map) -> why this map can't be read in this context.
    """

    names: Texts
    errors: Texts
    notices: tuple[tuple[str, ...], ...]
    digests: Texts
    parents: Numbers
    starts: NDArray[np.int64]
    texts: Texts
    labels: Numbers
    read: dict[str, Numbers]
    failures: dict[tuple[str, int], str]

    def __len__(self) -> int:
        return len(self.names)

    def tree(self, number: int) -> TextTree:
        """One map's tree as compared."""
        place = self.place(number)
        labels = tuple(self.texts[text] for text in self.labels[place].tolist())
        return TextTree(labels, tuple(self.parents[place].tolist()))

    def place(self, number: int) -> slice:
        """Where the nodes of one map are."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def error(self, number: int, context: str) -> str:
        """Why this map can't be compared in this context; empty if it can."""
        return self.errors[number] or self.failures.get((context, number), "")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all maps, in their order, with what went wrong with them."""
        digest = hashlib.sha256()
        for each in zip(self.names, self.digests, self.errors, strict=True):
            digest.update(repr(each).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def gathered(
    named: Iterable[tuple[str, Callable[[], MindMap]]],
    contexts: Sequence[str],
    *,
    depth: int | None = None,
    total: int = 0,
    monitor: Monitor = UNWATCHED,
) -> Maps:
    """Read maps one after the other, and keep what a batch needs of them.

    Args:
        named: each map's name, and what reads it; a ``TTEDError`` that it raises becomes the map's error.
        contexts: names of ``CONTEXTS``: whose texts to gather.
        depth: trim the trees to so many levels.
        total: how many maps there are, for the monitor.
        monitor: watches, and may stop after each map.
    """
    names, errors, digests = Packing(), Packing(), Packing()
    notices: list[tuple[str, ...]] = []
    starts = array("q", [0])
    parents, labels = array("i"), array("i")
    known: dict[str, int] = {"": GAP}
    own = [context for context in contexts if CONTEXTS[context].texts is not none]
    read = {context: array("i") for context in own}
    failures: dict[tuple[str, int], str] = {}
    for number, (name, read_one) in enumerate(named):
        names.add(name)
        try:
            mind_map = read_one()
            tree = mind_map.tree if depth is None else mind_map.tree.trimmed(depth)
            check_limit(len(tree), MAX_NODES_COMPARED, "nodes", "compare to a smaller depth or split the map")
        except TTEDError as error:
            errors.add(str(error))
            notices.append(())
            digests.add("")
        else:
            errors.add("")
            notices.append(mind_map.notices)
            digests.add(mind_map.tree.digest)
            parents.extend(tree.parents)
            labels.extend(known.setdefault(text, len(known)) for text in tree.labels)
            for context, numbers in read.items():
                try:
                    texts = CONTEXTS[context].texts(tree)
                except TTEDError as error:
                    failures[context, number] = str(error)
                    texts = ("",) * len(tree)
                numbers.extend(known.setdefault(text, len(known)) for text in texts)
        starts.append(len(parents))
        monitor.advance(number + 1, total)
        monitor.check()
    in_order = sorted(known, key=lambda text: (len(text), text))
    place = np.empty(len(known), dtype=np.int32)
    place[[known[text] for text in in_order]] = np.arange(len(known), dtype=np.int32)
    sorted_labels = _placed(labels, place)
    sorted_read = {context: _placed(numbers, place) for context, numbers in read.items()}
    return Maps(
        names.packed(),
        errors.packed(),
        tuple(notices),
        digests.packed(),
        np.frombuffer(parents, dtype=np.int32),
        np.frombuffer(starts, dtype=np.int64),
        Texts.of(in_order),
        sorted_labels,
        {context: sorted_read.get(context, sorted_labels) for context in contexts},
        failures,
    )


def _placed(numbers: "array[int]", place: Numbers) -> Numbers:
    """(N,) the places of these numbers, which lie in the same memory afterwards."""
    found = np.frombuffer(numbers, dtype=np.int32)
    for start in range(0, len(found), AT_A_TIME):
        some = found[start : start + AT_A_TIME]
        some[:] = place[some]
    return found
