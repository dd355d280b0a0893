"""Passages: parts of one map's texts that occur verbatim in texts of the other.

Case, white space and punctuation don't count: only letters, marks and digits are compared.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, islice, pairwise
from typing import NamedTuple, TypeAlias

import regex

from tted_core.words.splitting import fold, split_sentences

Span: TypeAlias = tuple[int, int]  # start and end among the letters of a text

# Minimum characters, with one space between words, of a text that may occur anywhere in another one; shorter ones
# must be whole sentences of it, since a heading of two words isn't a part of each sentence that has them.
SHORTEST = 16

# Maximum texts in which another one is searched for: what so many nodes have doesn't show where it went.
MOST_HOLDERS = 20

_RUN = regex.compile(r"[\p{L}\p{M}\p{N}]+")
# Minimum number of letters and digits of a clause, so that lists of names and short remarks stay together.
SHORTEST_CLAUSE = 20

_CLAUSE_END = regex.compile(
    r"[,;:，；：、][\"'”’»)]*+\s++|[，；：、]|(?<!\s)\s++(?:[–—-]++\s++|(?=(?:"
    "and|but|while|although|because|when|after|before|"
    r"und|aber|weil|während|obwohl|nachdem|и|а|но|y|pero|porque|aunque)\s))"
)


@dataclass(frozen=True)
class Letters:
    """The letters of a text.

    Attributes:
        text: the text.
        letters: its letters, marks and digits, folded, without anything between them.
        positions: the position of each of them in the text.
        words: indices of the letters at which words begin.
        sentences: the spans of its sentences that have letters.
    """

    text: str
    letters: str
    positions: tuple[int, ...]
    words: tuple[int, ...]
    sentences: tuple[Span, ...]

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """The spans of the clauses of those sentences that have several, by punctuation and a few conjunctions."""
        found: list[Span] = []
        for start, end in self.sentences:
            cuts = [start]
            for match in _CLAUSE_END.finditer(self.text, *self.characters((start, end))):
                cut = bisect_left(self.positions, match.end())
                if min(cut - cuts[-1], end - cut) >= SHORTEST_CLAUSE:
                    cuts.append(cut)
            if len(cuts) > 1:
                found += pairwise((*cuts, end))
        return tuple(found)

    @cached_property
    def sentence_of(self) -> dict[str, Span]:
        """Letters of each sentence -> the span of the first one that has them."""
        return {self.letters[slice(*span)]: span for span in reversed(self.sentences)}

    def covered(self, spans: Iterable[Span]) -> float:
        """The share of the words that begin within these spans."""
        ends = ((bisect_left(self.words, start), bisect_left(self.words, end)) for start, end in spans)
        return len(set().union(*(range(*each) for each in ends))) / max(len(self.words), 1)

    def characters(self, span: Span) -> Span:
        """Start and end of a span in the text itself."""
        return self.positions[span[0]], self.positions[span[1] - 1] + 1


@lru_cache(1 << 14)
def letters_of(text: str) -> Letters:
    """The letters of a text; cached, as texts are compared repeatedly.

    >>> found = letters_of("State grants cover $18 million, and a bond that voters approved pays for the rest.")
    >>> [found.text[slice(*found.characters(clause))] for clause in found.clauses]
    ['State grants cover $18 million', 'and a bond that voters approved pays for the rest']
    """
    folded = fold(text)
    spans = [match.span() for match in _RUN.finditer(folded)]
    letters = "".join(folded[start:end] for start, end in spans)
    positions = [at for span in spans for at in range(*span)]
    words = accumulate((end - start for start, end in spans[:-1]), initial=0)
    cuts = [0, *(bisect_left(positions, end) for _, end in split_sentences(text))]
    sentences = tuple(span for span in pairwise(cuts) if span[0] < span[1])
    return Letters(text, letters, tuple(positions), tuple(words) if spans else (), sentences)


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
