"""Labels in the same position that were extended, so that one has all words of the other, or misspelled.

Labels are too short for passages and for distances: "Budget" is far from "Budget: 40 euros per person and day". In
the same position, that one label has all content words of another is enough, or that few letters differ.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import regex

from tted_core.matching.pairs import Counterparts
from tted_core.matching.parts import Overlaps
from tted_core.words.languages import ANY_FUNCTION_WORD
from tted_core.words.passages import letters_of
from tted_core.words.splitting import NO_SPACES, split_words

MISSPELLED = 0.2
"""The letters that differ in a label with another spelling are less than this share of it."""

SHORTEST_INITIALS = 3
"""Least number of words of a label that may be called by their initials."""

_NO_SPACE = regex.compile(f"[{NO_SPACES}]")

_Ends = tuple[int, int]


def pair_by_words(pairs: Counterparts, overlaps: Overlaps) -> None:
    """Pair free labels in the same position of which one has all words of the other, then those below them.

    The nearest are first. No other node may be a part of either.
    """
    found = True
    while found:
        ends = [*_find_contained(pairs), *_find_misspelled(pairs)]
        ranked = sorted((rank, pairs.costs[each], each) for rank, each in ends)
        new = {each for _, _, each in ranked if overlaps.is_alone(*each) and pairs.pair(*each)}
        pairs.extended |= new
        found = bool(new)


def _find_misspelled(pairs: Counterparts) -> Iterator[tuple[float, _Ends]]:
    """Free labels in the same position few letters of which differ, with the share of these."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cdist

    for here, there in pairs.positions():
        texts = [
            [letters_of(tree.labels[node]).letters for node in nodes]
            for tree, nodes in ((pairs.left, here), (pairs.right, there))
        ]
        shares = cdist(*texts, scorer=OSA.normalized_distance, score_cutoff=MISSPELLED)
        yield from (
            (float(shares[row, column]), (here[row], there[column]))
            for row, column in np.argwhere(shares < MISSPELLED).tolist()
        )


def _find_contained(pairs: Counterparts) -> Iterator[tuple[float, _Ends]]:
    """Free labels with all their content words, or their initials, in another one in the same position.

    Those with the largest shares of words come first.
    """
    for sides in pairs.positions():
        for merged in (True, False):
            tree, other = (pairs.left, pairs.right)[:: 1 if merged else -1]
            nodes, others = sides[:: 1 if merged else -1]
            having: dict[str, set[int]] = defaultdict(set)
            for node in others:
                for word in content_words(other.labels[node]):
                    having[word].add(node)
            for node in nodes:
                words, text = content_words(tree.labels[node]), letters_of(tree.labels[node]).letters
                initials = _initials(tree.labels[node])
                for short in having[initials] if len(initials) >= SHORTEST_INITIALS else ():
                    yield 0.0, (node, short) if merged else (short, node)
                for longer in set.intersection(*(having[word] for word in words)) if words else ():
                    there = letters_of(other.labels[longer]).letters
                    if len(there) > len(text) and (not _NO_SPACE.search(text) or text in there):
                        ends = (node, longer) if merged else (longer, node)
                        yield -len(words) / len(content_words(other.labels[longer])), ends


@lru_cache(1 << 14)
def _initials(text: str) -> str:
    return "".join(word.text[0].lower() for word in split_words(text) if word.is_spoken)


@lru_cache(1 << 14)
def content_words(text: str) -> frozenset[str]:
    """The distinct words of a text in lower case, without function words unless it has no others."""
    spoken = {word.text.lower() for word in split_words(text) if word.is_spoken}
    return frozenset(spoken - ANY_FUNCTION_WORD or spoken)
