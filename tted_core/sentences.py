"""Distances between single sentences, independent of the context in which nodes are compared.

A generated node is often a paragraph, whose vector is close to none of its sentences. Sentences that don't occur
verbatim in the other map are therefore compared one by one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import MAX_SENTENCES_COMPARED
from tted_core.words.passages import Span, letters_of, passages

_Matrix = NDArray[np.float64]


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
