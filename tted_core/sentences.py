"""Distances between sentences, each read by itself, whatever the context in which nodes are compared.

A generated node is often a paragraph, whose vector is near to none of its sentences. What of the other map isn't
in it word for word is looked for sentence by sentence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import Encoder
from tted_core.words.passages import Span, letters_of, passages

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class SentenceCosts:
    """The distances between the texts of two maps.

    Attributes:
        nodes: (n, m) distances between the nodes' texts.
        left: for each of s sentences its node, and where it stands among the letters of that node's text; those
            that don't stand word for word in the other map, none if all of them are nodes of their own.
        right: the same of t sentences.
        is_whole: of each side's sentences, whether it is all that its node has.
        costs: (s, t) distances; infinite where a sentence has no vector that a distance could be computed from.
    """

    nodes: Matrix
    left: tuple[tuple[int, Span], ...] = ()
    right: tuple[tuple[int, Span], ...] = ()
    is_whole: tuple[tuple[bool, ...], tuple[bool, ...]] = ((), ())
    costs: Matrix = field(default_factory=lambda: np.empty((0, 0)))


def sentence_costs(
    left: Sequence[str],
    right: Sequence[str],
    vectors: Encoder,
    between: Callable[..., Matrix],
    nodes: Matrix | None = None,
) -> SentenceCosts:
    """The distances between the texts of two maps, and between their sentences where nodes have several.

    Args:
        left: n texts, those of a map's nodes.
        right: m texts.
        vectors: s texts -> (s, d) vectors.
        between: (s, d) and (t, d) vectors -> (s, t) distances.
        nodes: (n, m) distances between the texts, if they are known.
    """
    if nodes is None:
        nodes = between(vectors(left), vectors(right))
    units = unplaced(left, right)
    wholes = [
        tuple(len(letters_of(texts[node]).sentences) == 1 for node, _ in side)
        for texts, side in zip((left, right), units, strict=True)
    ]
    if not all(units) or all(map(all, wholes)):
        return SentenceCosts(nodes)
    read = [
        vectors([sentence_of(texts[node], span) for node, span in side])
        for texts, side in zip((left, right), units, strict=True)
    ]
    rows, columns = (np.flatnonzero(each.any(axis=1)) for each in read)
    costs = np.full((len(units[0]), len(units[1])), np.inf)
    costs[np.ix_(rows, columns)] = between(read[0][rows], read[1][columns])
    return SentenceCosts(nodes, tuple(units[0]), tuple(units[1]), (wholes[0], wholes[1]), costs)


def unplaced(
    left: Sequence[str], right: Sequence[str]
) -> tuple[list[tuple[int, Span]], list[tuple[int, Span]]]:
    """The sentences of each side, as (node, span), that don't stand word for word in the other one."""
    found = passages(left, right, range(len(left)), range(len(right)))
    placed: tuple[dict[int, list[Span]], dict[int, list[Span]]] = ({}, {})
    for each in found:
        placed[0].setdefault(each.source, []).append(each.here)
        placed[1].setdefault(each.target, []).append(each.there)

    def units(texts: Sequence[str], spans: dict[int, list[Span]]) -> list[tuple[int, Span]]:
        return [
            (node, sentence)
            for node, text in enumerate(texts)
            for sentence in letters_of(text).sentences
            if not any(start <= sentence[0] and sentence[1] <= end for start, end in spans.get(node, ()))
        ]

    return units(left, placed[0]), units(right, placed[1])


def sentence_of(text: str, span: Span) -> str:
    """The sentence of a text that is read for a span: all of the text if it is the only one."""
    letters = letters_of(text)
    if len(letters.sentences) == 1:
        return text
    start, end = letters.characters(span)
    return text[start:end]
