"""Single sentences, independent of the context in which nodes are compared: where they occur, and their distances.

A generated node is often a paragraph, whose vector is close to none of its sentences. Passages, sentences or whole
texts that occur verbatim in a text of the other map, are found first; the other sentences are compared one by one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import MAX_SENTENCES_COMPARED
from tted_core.words.splitting import Span, letters_of

_Matrix = NDArray[np.float64]

# Minimum characters, with one space between words, of a text that may occur anywhere in another one; shorter ones
# must be whole sentences of it, since a heading of two words isn't a part of each sentence that has them.
SHORTEST = 16

# Maximum texts in which another one is searched for: what so many nodes have doesn't show where it went.
MOST_HOLDERS = 20


class _Unit(NamedTuple):
    """A sentence: its node and its span of letters in that node's text; "node" if it is all of it."""

    node: int
    span: Span
    kind: Literal["node", "sentence"]


@dataclass(frozen=True)
class SentenceCosts:
    """Distances between the texts of two maps.

    Attributes:
        nodes: (n, m) distances between the nodes' texts.
        left: s units that don't occur verbatim in the other map; none if each is a node of its own.
        right: t units of the other map, likewise.
        costs: (s, t) distances; infinite where a unit has no usable vector. In single precision, to save memory.
        notices: which units aren't compared.
    """

    nodes: _Matrix
    left: tuple[_Unit, ...] = ()
    right: tuple[_Unit, ...] = ()
    costs: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), np.float32))
    notices: tuple[str, ...] = ()


def sentence_costs(
    left: Sequence[str],
    right: Sequence[str],
    vectors: Encoder,
    between: Callable[..., _Matrix],
    nodes: _Matrix | None = None,
) -> SentenceCosts:
    """Distances between the texts of two maps, and between their sentences if nodes have several.

    Args:
        left: n node texts.
        right: m node texts.
        vectors: s texts -> (s, d) vectors.
        between: (s, d) and (t, d) vectors -> (s, t) distances.
        nodes: (n, m) distances between the texts, if known.
    """
    if nodes is None:
        nodes = between(vectors(left), vectors(right))
    units = units_of(left, right)
    if not all(units) or all(unit.kind == "node" for side in units for unit in side):
        return SentenceCosts(nodes)
    notices = tuple(
        f"{name} map: {len(side):,} sentences; only the first {MAX_SENTENCES_COMPARED:,} are compared "
        "one by one, so of the others only verbatim parts of longer nodes are found"
        for name, side in zip(("left", "right"), units, strict=True)
        if len(side) > MAX_SENTENCES_COMPARED
    )
    units = units[0][:MAX_SENTENCES_COMPARED], units[1][:MAX_SENTENCES_COMPARED]
    read = [
        vectors([unit_text(texts[unit.node], unit.span) for unit in side])
        for texts, side in zip((left, right), units, strict=True)
    ]
    rows, columns = (np.flatnonzero(each.any(axis=1)) for each in read)
    costs = np.full((len(units[0]), len(units[1])), np.inf, np.float32)
    costs[np.ix_(rows, columns)] = between(read[0][rows], read[1][columns])
    return SentenceCosts(nodes, *units, costs, notices)


def units_of(left: Sequence[str], right: Sequence[str]) -> tuple[tuple[_Unit, ...], tuple[_Unit, ...]]:
    """The units of each side that don't occur verbatim in the other one.

    Args:
        left: n texts.
        right: m texts.
    """
    found = passages(left, right, range(len(left)), range(len(right)))
    found_in: tuple[dict[int, list[Span]], dict[int, list[Span]]] = ({}, {})
    for each in found:
        found_in[0].setdefault(each.source, []).append(each.here)
        found_in[1].setdefault(each.target, []).append(each.there)

    def units(texts: Sequence[str], spans: dict[int, list[Span]]) -> tuple[_Unit, ...]:
        side = []
        for node, text in enumerate(texts):
            letters = letters_of(text)
            kind: Literal["node", "sentence"] = "node" if len(letters.sentences) == 1 else "sentence"
            side += [_Unit(node, span, kind) for span in letters.sentences]
        return tuple(
            unit
            for unit in side
            if not any(
                start <= unit.span[0] and unit.span[1] <= end for start, end in spans.get(unit.node, ())
            )
        )

    return units(left, found_in[0]), units(right, found_in[1])


def unit_text(text: str, span: Span) -> str:
    """The sentence or clause of a span: the whole text if it has all letters."""
    letters = letters_of(text)
    if span == (0, len(letters.letters)):
        return text
    start, end = letters.characters(span)
    return text[start:end]


class Passage(NamedTuple):
    """Common text of two nodes: ``here`` in the left node's text is ``there`` in the right node's."""

    source: int
    target: int
    here: Span
    there: Span


def passages(
    left: Sequence[str], right: Sequence[str], lefts: Iterable[int], rights: Iterable[int]
) -> list[Passage]:
    """The passages of some left nodes in all right ones, and of some right nodes in all left ones.

    Args:
        left: n texts.
        right: m texts.
        lefts: the left nodes to search for, by text, or by sentence if no other text has all of it.
        rights: the right nodes to search for, likewise.
    """
    found = dict.fromkeys(_within(left, right, lefts))
    turned = _within(right, left, rights)
    return list(found | {Passage(w, v, there, here): None for v, w, here, there in turned})


def _within(texts: Sequence[str], others: Sequence[str], nodes: Iterable[int]) -> Iterator[Passage]:
    """Yield the passages of some nodes: all of a text or, if no other text has it, each of its sentences."""
    known = [letters_of(other) for other in others]
    # joined, so that a span is searched for in all texts at once
    joined = "\n".join(other.letters for other in known)
    starts = list(accumulate((len(other.letters) + 1 for other in known), initial=0))

    def find(node: int, span: Span) -> Iterator[Passage]:
        """Yield where each text has a span's letters first."""
        text = letters_of(texts[node])
        wanted = text.letters[slice(*span)]
        words = bisect_left(text.words, span[1]) - bisect_left(text.words, span[0])
        is_long = len(wanted) + words > SHORTEST
        at = joined.find(wanted)
        while at >= 0 and wanted:
            number = bisect_right(starts, at) - 1
            other, start = known[number], at - starts[number]
            there = (start, start + len(wanted)) if is_long else other.sentence_of.get(wanted)
            if there:
                yield Passage(node, number, span, there)
            at = joined.find(wanted, starts[number + 1])

    for node in nodes:
        text = letters_of(texts[node])
        found = list(islice(find(node, (0, len(text.letters))), MOST_HOLDERS))
        if not found and len(text.sentences) > 1:
            for sentence in text.sentences:
                found += islice(find(node, sentence), MOST_HOLDERS)
        yield from found
