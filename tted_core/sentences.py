"""Distances between single sentences, independent of the context in which nodes are compared.

A generated node is often a paragraph, whose vector is close to none of its sentences. Sentences that don't occur
verbatim in the other map are therefore compared one by one.
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
    """Distances between the texts of two maps.

    Attributes:
        nodes: (n, m) distances between the nodes' texts.
        left: for each of s sentences its node and its span of letters in that node's text; only sentences that
            don't occur verbatim in the other map, and none if each is a node of its own.
        right: t sentences of the other map, likewise.
        is_whole: for each side's sentences, True if the sentence is its node's only one.
        costs: (s, t) distances; infinite where a sentence has no usable vector.
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
    units = not_verbatim(left, right)
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


def not_verbatim(
    left: Sequence[str], right: Sequence[str]
) -> tuple[list[tuple[int, Span]], list[tuple[int, Span]]]:
    """Sentences of each side, as (node, span), that don't occur verbatim in the other one."""
    found = passages(left, right, range(len(left)), range(len(right)))
    found_in: tuple[dict[int, list[Span]], dict[int, list[Span]]] = ({}, {})
    for each in found:
        found_in[0].setdefault(each.source, []).append(each.here)
        found_in[1].setdefault(each.target, []).append(each.there)

    def units(texts: Sequence[str], spans: dict[int, list[Span]]) -> list[tuple[int, Span]]:
        return [
            (node, sentence)
            for node, text in enumerate(texts)
            for sentence in letters_of(text).sentences
            if not any(start <= sentence[0] and sentence[1] <= end for start, end in spans.get(node, ()))
        ]

    return units(left, found_in[0]), units(right, found_in[1])


def sentence_of(text: str, span: Span) -> str:
    """The sentence of a span: the whole text if it is the only one."""
    letters = letters_of(text)
    if len(letters.sentences) == 1:
        return text
    start, end = letters.characters(span)
    return text[start:end]
